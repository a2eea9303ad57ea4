/** Reads the product codes that occur on several rows of a run. */

import { createHash } from "node:crypto";

import { createCompactTextMap, type DuplicateCode } from "@catalog/runs";
import { sql } from "kysely";

import { fromJson, toJson } from "../sqlite/json.ts";
import { type JournalContext, selectRun } from "./context.ts";
import type { RowPieces } from "./row-pieces.ts";

/**
 * Finds the codes first, and compares cells only of rows that share one. Equal cells with different
 * number formats are different: one may be in dollars. So are those of two products with variants.
 */
export function readDuplicates(
  context: JournalContext,
  pieces: RowPieces,
  runId: string,
): DuplicateCode[] {
  if (context.database.get(selectRun(context, runId)) === undefined) return [];
  if (pieces.count(runId) === 0) return readOlderDuplicates(context, runId);
  const groups = [...findRows(pieces, runId).values()];
  // In the order of the sheet, so that each piece is unpacked once.
  const digests = new Map<number, string>();
  for (const row of groups.flat().toSorted((a, b) => a - b)) {
    digests.set(row, digest(pieces, runId, row));
  }
  return groups.map((rows) => ({
    rows,
    identical: new Set(rows.map((row) => digests.get(row))).size === 1,
  }));
}

/** Rows by their first row, of codes that occur on several rows. */
function findRows(pieces: RowPieces, runId: string): ReadonlyMap<number, readonly number[]> {
  const firstRowOf = createCompactTextMap();
  const groups = new Map<number, number[]>();
  for (const codes of pieces.readCodes(runId)) {
    for (const { row, codeKey } of codes) {
      if (codeKey === null) continue;
      const first = firstRowOf.get(codeKey);
      const group = first === undefined ? undefined : groups.get(first);
      if (first === undefined) firstRowOf.set(codeKey, row);
      else if (group === undefined) groups.set(first, [first, row]);
      else group.push(row);
    }
  }
  return groups;
}

function digest(pieces: RowPieces, runId: string, row: number): string {
  const { cells, formats, joined } = pieces.find(runId, row) ?? {};
  return createHash("sha256")
    .update(toJson([cells, formats ?? null, joined ?? null]))
    .digest("base64");
}

/** Does the same in a run of a version that kept the cells row by row. */
function readOlderDuplicates(context: JournalContext, runId: string): DuplicateCode[] {
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
