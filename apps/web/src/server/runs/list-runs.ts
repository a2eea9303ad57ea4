/** All runs of the store, however many there are. */

import { setImmediate } from "node:timers/promises";

import type { RunListOptions, RunRecord, RunRepository } from "@catalog/runs";

const BATCH_RUNS = 200;

/** Lists runs, newest first; other requests are answered between two batches. */
export async function* listRuns(
  { runs }: { readonly runs: Pick<RunRepository, "list"> },
  options: RunListOptions = {},
): AsyncGenerator<RunRecord> {
  let { before } = options;
  for (;;) {
    const batch = await runs.list(BATCH_RUNS, { ...options, before });
    yield* batch;
    if (batch.length < BATCH_RUNS) return;
    before = batch.at(-1);
    await setImmediate();
  }
}
