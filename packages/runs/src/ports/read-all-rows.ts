import type { RowRecord } from "../row/row-record.ts";
import type { RowCode } from "../row/source-row.ts";
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
  yield* readAll((batch) => journal.readRows(runId, batch), filter, batchSize);
}

/** Does the same for the codes of the rows, without reading their cells. */
export async function* readAllCodes(
  journal: Pick<RowRepository, "readCodes">,
  runId: string,
  filter: Omit<RowFilter, "limit"> = {},
  batchSize: number = BATCH_ROWS,
): AsyncGenerator<readonly RowCode[]> {
  yield* readAll((batch) => journal.readCodes(runId, batch), filter, batchSize);
}

async function* readAll<Row extends Pick<RowCode, "row">>(
  read: (filter: RowFilter) => Promise<readonly Row[]>,
  filter: Omit<RowFilter, "limit">,
  batchSize: number,
): AsyncGenerator<readonly Row[]> {
  let after = filter.after ?? 0;
  for (;;) {
    const rows = await read({ ...filter, after, limit: batchSize });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.row;
  }
}
