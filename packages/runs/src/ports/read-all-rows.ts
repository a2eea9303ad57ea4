import type { RowRecord } from "../row/row-record.ts";
import type { RowFilter, RowRepository } from "./row-repository.ts";

/** Rows read from the journal at a time. */
const BATCH_ROWS = 500;

/**
 * Yields the rows of a run in the order of the sheet, in batches of at most `batchSize`. Rows may
 * change their state meanwhile: a batch has the rows that match when it is read, and no row comes
 * twice.
 */
export async function* readAllRows(
  journal: Pick<RowRepository, "readRows">,
  runId: string,
  filter: Omit<RowFilter, "limit"> = {},
  batchSize: number = BATCH_ROWS,
): AsyncGenerator<readonly RowRecord[]> {
  let after = filter.after ?? 0;
  for (;;) {
    const rows = await journal.readRows(runId, { ...filter, after, limit: batchSize });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.row;
  }
}
