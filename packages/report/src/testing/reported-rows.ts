import type { Connection } from "@catalog/connection";
import type { RunRecord } from "@catalog/runs";

import { readReported, type ReportedRow } from "../reported-rows.ts";

/** Reads all rows of a run one by one, as the writers of result files receive them. */
export async function* reportedRows(
  connection: Connection,
  run: RunRecord,
): AsyncGenerator<ReportedRow, void> {
  for await (const rows of readReported(connection, run)) yield* rows;
}
