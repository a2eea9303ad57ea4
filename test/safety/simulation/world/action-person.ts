/** A person who settles held actions, and another one who works in the store. */

import { type ActionPort, isAction, releaseHeldRow, type RowRecord } from "@catalog/runs";
import { codeKey, createFakeMarketplace } from "@catalog/runs/testing";

import { toTag, type World } from "./action-oracle.ts";
import { RUNS } from "./action-scenario.ts";
import type { Random } from "./random.ts";
import { START_MS } from "./sim-process.ts";

/** A person looks into the panel, and settles held rows; a hasty one sends what the store shows. */
export async function settle(world: World): Promise<void> {
  const { disk, market, random, timeline } = world;
  const person = random.fork(`person ${world.starts}`);
  const fake = createFakeMarketplace({});
  const reader: ActionPort = {
    send: () => Promise.reject(new Error("a person sends nothing")),
    readSubjects: async () => ({ views: market.views(), calls: 1 }),
  };
  for (const runId of RUNS) {
    const held = await disk.journal.readRows(runId, { states: ["held"], limit: 50 });
    for (const record of held) {
      const kind = decideHeld(world, record, person);
      if (kind === undefined) continue;
      world.onEvent?.(`somebody settles ${runId}/${record.row}: ${kind}`);
      const tag = toTag({ runId, row: record.row });
      const { to } = await releaseHeldRow({
        run: { id: runId, kind: "import", facts: null },
        record,
        release: kind === "as-done" ? { kind, productId: "" } : { kind },
        by: "Ayşe",
        journal: disk.journal,
        marketplace: { ...fake, actions: reader },
        clock: { now: () => START_MS + Math.floor(timeline.nowMs) },
        codeKey,
        readKnown: async () => ({}),
      });
      if (to !== "held") world.unknown.delete(tag);
    }
  }
}

function decideHeld(
  { market, open }: World,
  { action, code, codeKey: key, changes }: RowRecord,
  person: Random,
): "as-done" | "resend" | "cancel" | undefined {
  // Nobody decides on what is under way.
  const underWay = open.get(key ?? "") ?? new Set();
  if (!isAction(action) || underWay.size > 0 || person.chance(0.3)) return undefined;
  const subject = code ?? "";
  const isDone = market.effects(action, subject).size > 0;
  if (!isDone) return person.chance(0.7) ? "resend" : "cancel";
  // The engine must refuse to send again what the store shows.
  const shown = market.views().get(subject)?.fields["answer"];
  const isShown = changes.some((change) => change.field === "answer" && change.new === shown);
  return isShown && person.chance(0.6) ? "resend" : "as-done";
}
