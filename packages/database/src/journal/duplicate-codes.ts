/** Reads the product codes that occur on several rows of a run. */

import type { DuplicateCode } from "@catalog/runs";
import { sql } from "kysely";

import { fromJson } from "../sqlite/json.ts";
import { type JournalContext, selectRun } from "./context.ts";

/**
 * Finds the codes by their index, and compares cells only of rows that share one. Equal cells with
 * different number formats are different: one may be in dollars.
 */
export function readDuplicates(context: JournalContext, runId: string): DuplicateCode[] {
  const { build } = context.database;
  const twice = build
    .selectFrom("run_row")
    .select("code_key")
    .where("run_id", "=", selectRun(context, runId))
    .where("code_key", "is not", null)
    .groupBy("code_key")
    .having((having) => having.fn.countAll<number>(), ">", 1);
  const groups = context.database.all(
    build
      .selectFrom("run_row")
      .innerJoin("row_cells", (join) =>
        join
          .onRef("row_cells.run_id", "=", "run_row.run_id")
          .onRef("row_cells.row_no", "=", "run_row.row_no"),
      )
      .select([
        sql<string>`json_group_array(run_row.row_no)`.as("rows_json"),
        sql<number>`count(DISTINCT json_array(cells_json, formats_json))`.as("kinds"),
      ])
      .where("run_row.run_id", "=", selectRun(context, runId))
      .where("run_row.code_key", "in", twice)
      .groupBy("run_row.code_key"),
  );
  return groups.map(({ rows_json, kinds }) => ({
    rows: fromJson<number[]>(rows_json).toSorted((a, b) => a - b),
    identical: kinds === 1,
  }));
}
