/** A store with finished runs, and a clock on which they grow old. */

import { createFakeClock } from "@catalog/clock/testing";
import type { NewRun, RowKey } from "@catalog/runs";

import { createRunPruner, type RunPruner } from "../../src/archive/run-pruner.ts";
import { createFeedState, type FeedState } from "../../src/repositories/feed-state.ts";
import { createVerificationLog } from "../../src/repositories/verification-log.ts";
import { openTestJournal, type TestJournal, type TestJournalOptions } from "./open-test-journal.ts";
import { newRun, type RowToSend, sendDone } from "./runs-and-rows.ts";

export const DAY_MS = 86_400_000;
export const KEEP_MS: number = 90 * DAY_MS;

export interface Pruning extends TestJournal {
  readonly pruner: RunPruner;
  readonly log: ReturnType<typeof createVerificationLog>;
  readonly feeds: FeedState;
  /** Creates a run that is not read back. */
  readonly create: (id: string, run?: Partial<NewRun>) => Promise<boolean>;
  /** Plans a row, sends it and records it as done. */
  readonly send: (row: RowToSend) => Promise<RowKey>;
  readonly finish: (id: string) => Promise<void>;
  /** Finishes another run, so that the newest event is not one of the runs that are judged. */
  readonly goOn: () => Promise<void>;
  /** Lets days pass, and does all the work that is due then. */
  readonly pass: (days: number, keepMs?: number) => Promise<void>;
}

/** Opens an empty store. */
export async function openPruning(options: TestJournalOptions = {}): Promise<Pruning> {
  const clock = options.clock ?? createFakeClock(Date.UTC(2026, 0, 1));
  const opened = await openTestJournal({ runs: [], ...options, clock });
  const { database, journal, runs } = opened;
  const store = { baseUrl: "https://marketplace.test", storeId: options.storeId ?? "store-1" };
  const pruner = createRunPruner({ database, clock, store });
  let others = 0;

  const create: Pruning["create"] = (id, run = {}) =>
    runs.create({ ...newRun(id), settings: { noVerify: true }, ...run });
  const send: Pruning["send"] = (row) => sendDone(journal, row);
  const finish: Pruning["finish"] = (id) => runs.update(id, { state: "finished" });
  return {
    ...opened,
    pruner,
    log: createVerificationLog({ database, clock, store }),
    feeds: createFeedState({ database, clock, store }),
    create,
    send,
    finish,
    async goOn() {
      others += 1;
      const id = `r-later-${others}`;
      await create(id);
      await send({ runId: id, row: 1, code: `LATER-${others}` });
      await finish(id);
    },
    async pass(days, keepMs = KEEP_MS) {
      await clock.advance(days * DAY_MS);
      while ((await pruner.advance(keepMs)) !== undefined);
    },
  };
}
