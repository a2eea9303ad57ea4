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
