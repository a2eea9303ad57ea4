import { type RunRecord } from "@catalog/runs";

import { type Toolkit } from "../../src/open-toolkit.ts";
import { readReported, type ReportedRow } from "../../src/reported-rows.ts";

/** All rows of a run, one by one, as the writers of result files get them. */
export async function* reportedRows(
  toolkit: Toolkit,
  run: RunRecord,
): AsyncGenerator<ReportedRow, void> {
  for await (const rows of readReported(toolkit, run)) yield* rows;
}
