/** Reads the product codes that occur on several rows of a run. */

import { createHash } from "node:crypto";

import { createCompactTextMap, type DuplicateCode } from "@catalog/runs";

import { toJson } from "../sql/json.ts";
import type { Steps } from "../sql/steps.ts";
import { type JournalContext, selectRun } from "./context.ts";
import type { RowPieces } from "./row-pieces.ts";

/**
 * Finds the codes first, and compares cells only of rows that share one. Equal cells with different
 * number formats are different: one may be in dollars. So are those of two products with variants.
 */
export function* readDuplicates(
  context: JournalContext,
  pieces: RowPieces,
  runId: string,
): Steps<DuplicateCode[]> {
  if ((yield* context.database.get(selectRun(context, runId))) === undefined) return [];
  if ((yield* pieces.count(runId)) === 0) return yield* readOlderDuplicates(context, runId);
  const groups = [...(yield* findRows(pieces, runId)).values()];
  // In the order of the sheet, so that each piece is unpacked once.
  const digests = new Map<number, string>();
  for (const row of groups.flat().toSorted((a, b) => a - b)) {
    digests.set(row, yield* digest(pieces, runId, row));
  }
  return groups.map((rows) => ({
    rows,
    identical: new Set(rows.map((row) => digests.get(row))).size === 1,
  }));
}

/** Rows by their first row, of codes that occur on several rows. */
function* findRows(
  pieces: RowPieces,
  runId: string,
): Steps<ReadonlyMap<number, readonly number[]>> {
  const firstRowOf = createCompactTextMap();
  const groups = new Map<number, number[]>();
  yield* pieces.eachCodes(runId, (codes) => {
    for (const { row, codeKey } of codes) {
      if (codeKey === null) continue;
      const first = firstRowOf.get(codeKey);
      const group = first === undefined ? undefined : groups.get(first);
      if (first === undefined) firstRowOf.set(codeKey, row);
      else if (group === undefined) groups.set(first, [first, row]);
      else group.push(row);
    }
  });
  return groups;
}

function* digest(pieces: RowPieces, runId: string, row: number): Steps<string> {
  const { cells, formats, joined } = (yield* pieces.find(runId, row)) ?? {};
  return createHash("sha256")
    .update(toJson([cells, formats ?? null, joined ?? null]))
    .digest("base64");
}

/** Does the same in a run of a version that kept the cells row by row. */
function* readOlderDuplicates(context: JournalContext, runId: string): Steps<DuplicateCode[]> {
  const { build } = context.database;
  const twice = build
    .selectFrom("run_row")
    .select("code_key")
    .where("run_id", "=", selectRun(context, runId))
    .where("code_key", "is not", null)
    .groupBy("code_key")
    .having((having) => having.fn.countAll<number>(), ">", 1);
  const rows = yield* context.database.all(
    build
      .selectFrom("run_row")
      .innerJoin("row_cells", (join) =>
        join
          .onRef("row_cells.run_id", "=", "run_row.run_id")
          .onRef("row_cells.row_no", "=", "run_row.row_no"),
      )
      .select(["run_row.code_key", "run_row.row_no", "cells_json", "formats_json"])
      .where("run_row.run_id", "=", selectRun(context, runId))
      .where("run_row.code_key", "in", twice)
      .orderBy("run_row.row_no"),
  );
  const groups = Map.groupBy(rows, ({ code_key }) => code_key);
  return [...groups.values()].map((group) => ({
    rows: group.map(({ row_no }) => row_no),
    identical:
      new Set(group.map(({ cells_json, formats_json }) => toJson([cells_json, formats_json])))
        .size === 1,
  }));
}
