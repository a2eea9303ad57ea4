/** What a call may come to under each fault. */

import { type Cell, type TriedCell } from "./try-cell.ts";

type Verdict = `${TriedCell["outcome"]}, ${"applied" | "not applied"}`;

const WRITES: ReadonlySet<string> = new Set(["add", "update"]);

/** An effect is there, or not, depending on how far the request came before it was spoiled. */
const EFFECT_OF: Readonly<Record<Cell["moment"], "applied" | "not applied">> = {
  connect: "not applied",
  headers: "not applied",
  "mid-body": "not applied",
  "before-effect": "not applied",
  "after-effect": "applied",
  "mid-answer": "applied",
  between: "not applied",
};

/** The verdicts that are right; more than one where it depends on who is faster. */
export function expectedOf({ operation, moment, action }: Cell): readonly Verdict[] {
  const isWrite = WRITES.has(operation);
  // A marketplace that cannot be reached at all ends what reads, and leaves what writes unsent.
  if (action === "refuse") return [isWrite ? "unsent, not applied" : "failed, not applied"];
  // What reads, and the token, are asked for again.
  if (!isWrite) return ["works, not applied"];
  if (action === "latency" || action === "slow-close") return ["works, applied"];
  if (moment === "between") return expectedBetween(operation);
  // The connection may end before or after the first byte has gone into it.
  if (moment === "connect") return ["unsent, not applied", "unknown, not applied"];
  return [`unknown, ${EFFECT_OF[moment]}`];
}

/** An add has a connection of its own; an update takes one that was kept, if it is still alive. */
function expectedBetween(operation: Cell["operation"]): readonly Verdict[] {
  return operation === "add"
    ? ["works, applied"]
    : ["works, applied", "unsent, not applied", "unknown, not applied"];
}

export function verdictOf({ operation }: Cell, { outcome, isApplied }: TriedCell): Verdict {
  const effect = WRITES.has(operation) && isApplied ? "applied" : "not applied";
  return `${outcome}, ${effect}`;
}
