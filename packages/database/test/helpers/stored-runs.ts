/** What is stored of a run, in its tables and in the archive. */

import { createRunArchive } from "../../src/archive/archive.ts";
import type { Pruning } from "./open-pruning.ts";
import { openRaw } from "./raw.ts";
import { appendRowIn, seen } from "./runs-and-rows.ts";

export const stageOf = ({ database }: Pruning, runId: string): string | undefined =>
  database.executeNow(createRunArchive({ database, store: 1 }).find(runId))?.stage;

/** Counts the rows of a table that belong to a run. */
export const count = ({ path }: Pruning, table: string, runId: string): number =>
  Number(
    openRaw(path).rows(`SELECT count(*) AS n FROM ${table} WHERE run_id = ?`, runId)[0]?.["n"],
  );

/** Everything that a report of the run is made from. */
export async function readAll({ journal, log, runs }: Pruning, runId: string): Promise<unknown> {
  const rows = await journal.readRows(runId, { limit: 10_000 });
  const numbers = rows.map(({ row }) => row);
  return {
    run: await runs.read(runId),
    rows,
    counts: await journal.countRows(runId),
    events: await Promise.all(numbers.map((row) => journal.readEvents({ runId, row }))),
    before: await log.readBefore(runId, numbers),
    verifications: await log.readVerifications(runId, 0, 10_000),
    verified: await log.countVerifications(runId),
  };
}

/** A run with a row in each final state. */
export async function storeMixedRun(store: Pruning, runId: string): Promise<void> {
  await store.create(runId);
  const states = ["invalid", "duplicate", "skipped", "unchanged", "rejected", "cancelled"] as const;
  for (const [index, state] of states.entries()) {
    await appendRowIn(store.journal, { runId, row: index + 2 }, state);
  }
  const fields = { title: "Fincan", price: 1_990 };
  await store.send({ runId, row: 20, code: "CUP", fields });
  await store.send({ runId, row: 21, productId: "p-old", fields: { stock_count: 3 } });
  const { product } = seen("p-old", { stock: 7 });
  await store.log.saveBefore(runId, [{ row: 21, product }]);
  const visible = { status: "visible", fields: [], looks: 1 } as const;
  await store.log.saveVerifications(runId, [{ row: 20, ...visible }]);
  await store.finish(runId);
}
