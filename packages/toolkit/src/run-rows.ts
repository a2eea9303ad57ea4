import { type RowRecord, type RowState, type RunRecord } from "@catalog/runs";

import { type Toolkit } from "./open-toolkit.ts";

/** Rows read from the store at a time. */
const BATCH_ROWS = 500;

/** The rows of a run in the order of the sheet, all of them or those in some states. */
export async function* readRecords(
  { journal }: Pick<Toolkit, "journal">,
  run: Pick<RunRecord, "id">,
  states?: readonly RowState[],
): AsyncGenerator<RowRecord> {
  let after = 0;
  for (;;) {
    const filter = { after, limit: BATCH_ROWS, ...(states === undefined ? {} : { states }) };
    const records = await journal.readRows(run.id, filter);
    const last = records.at(-1);
    if (last === undefined) return;
    yield* records;
    after = last.row;
  }
}
