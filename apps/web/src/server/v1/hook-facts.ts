/** What happens in a store that webhooks are told of. */

import type { HookFact } from "@catalog/jobs";
import { countFileRows, type RunRecord, toCounts } from "@catalog/runs";

import { toRunState } from "../runs/run-summary.ts";
import type { SharedParts } from "./program-store.ts";
import type { WebhookEvent } from "./schemas.ts";

/** Runs that are looked at, from the newest on. */
const MAX_RUNS = 200;

const EVENTS: ReadonlyMap<string, WebhookEvent> = new Map([
  ["planned", "plan.ready"],
  ["finished", "run.finished"],
  ["stopped", "run.stopped"],
]);

/** Creates what reads them; a run is read anew where it has changed. */
export function createReadFacts(
  { site, exports }: Pick<SharedParts, "site" | "exports">,
  storeName: string,
): (sinceMs: number) => Promise<readonly HookFact[]> {
  const known = new Map<string, HookFact>();

  const readRunFact = async (run: RunRecord): Promise<HookFact | undefined> => {
    const kept = known.get(run.id);
    if (kept?.atMs === run.updatedAtMs) return kept;
    const { journal, locks } = await site.store.connection();
    const state = toRunState(run, await locks.holderOf(run.id));
    const event = EVENTS.get(state);
    if (event === undefined) return undefined;
    const counts = countFileRows(run, toCounts(await journal.countRows(run.id)));
    const fact: HookFact = {
      subject: run.id,
      event,
      atMs: run.updatedAtMs,
      data: {
        store: storeName,
        run: run.id,
        name: run.file.name,
        state,
        counts,
        link: `/v1/stores/${storeName}/runs/${run.id}`,
      },
    };
    known.set(run.id, fact);
    return fact;
  };

  return async (sinceMs) => {
    const { runs } = await site.store.connection();
    const facts: HookFact[] = [];
    const recent = await runs.list(MAX_RUNS);
    for (const run of recent) {
      // A sync that was only planned is no plan to approve.
      const isSilent =
        run.updatedAtMs < sinceMs || (run.kind === "sync" && run.state === "planned");
      const fact = isSilent ? undefined : await readRunFact(run);
      if (fact !== undefined) facts.push(fact);
    }
    const ids = new Set(recent.map(({ id }) => id));
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    return [...facts, ...listExportFacts(exports, storeName)];
  };
}

const listExportFacts = (exports: SharedParts["exports"], storeName: string): readonly HookFact[] =>
  exports
    .list("en")
    .flatMap(({ id, state, kind, rows, createdAt, problem }): readonly HookFact[] => {
      // Another process may be at work on it.
      if (state === "running" || problem?.code === "E_EXPORT_LOST") return [];
      const link = `/v1/stores/${storeName}/exports/${id}`;
      const data = { store: storeName, export: id, kind, state, rows, problem, link };
      return [{ subject: id, event: "export.finished", atMs: Date.parse(createdAt), data }];
    });
