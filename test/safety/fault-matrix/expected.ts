/** Possible outcomes of a call under each fault. */

import type { Cell, TriedCell } from "./try-cell.ts";

type Verdict = `${TriedCell["outcome"]}, ${"applied" | "not applied"}`;

const WRITES: ReadonlySet<string> = new Set(["add", "update"]);

/** Whether the write is carried out, by how far the request came before the fault. */
const EFFECT_OF: Readonly<Record<Cell["moment"], "applied" | "not applied">> = {
  connect: "not applied",
  headers: "not applied",
  "mid-body": "not applied",
  "before-effect": "not applied",
  "after-effect": "applied",
  "mid-answer": "applied",
  between: "not applied",
};

/** The accepted verdicts; several where the order of events decides. */
export function expectedOf({ operation, moment, action }: Cell): readonly Verdict[] {
  const isWrite = WRITES.has(operation);
  // An unreachable marketplace fails reads and leaves writes unsent.
  if (action === "refuse") return [isWrite ? "unsent, not applied" : "failed, not applied"];
  // Reads and the call for the token are retried.
  if (!isWrite) return ["works, not applied"];
  if (action === "latency" || action === "slow-close") return ["works, applied"];
  if (moment === "between") return expectedBetween(operation);
  // The connection may end before or after the first byte was written.
  if (moment === "connect") return ["unsent, not applied", "unknown, not applied"];
  return [`unknown, ${EFFECT_OF[moment]}`];
}

/** An add opens a connection of its own; an update uses a kept one that is still alive. */
function expectedBetween(operation: Cell["operation"]): readonly Verdict[] {
  return operation === "add"
    ? ["works, applied"]
    : ["works, applied", "unsent, not applied", "unknown, not applied"];
}

export function verdictOf({ operation }: Cell, { outcome, isApplied }: TriedCell): Verdict {
  const effect = WRITES.has(operation) && isApplied ? "applied" : "not applied";
  return `${outcome}, ${effect}`;
}
