/**
 * The rows of all runs about one product. Requests that may still be compared with are in their table;
 * the others are in the archive, which is searched by the codes of the rows.
 */

import type { Journal } from "@catalog/runs";

import { ENDED_ORDER } from "../journal/products.ts";
import type { JournalContext } from "../journal/transitions.ts";
import type { Steps } from "../sql/database.ts";
import { dialectFunctions, fromJson, toJson } from "../sql/queries.ts";
import type { RunArchive } from "./archive.ts";

type ProductKey = Parameters<Journal["findProductRows"]>[0];
type RowKeys = Awaited<ReturnType<Journal["findProductRows"]>>;

/** A row, and the event that ended its request. */
interface FoundRow {
  readonly runId: string;
  readonly row: number;
  readonly ended: number;
}

/** Maximum number of rows that are read; older ones are left out. */
const MAX_ROWS = 500;

/** Finds the rows of a product, the latest first. */
export function createFindProductRows(
  context: JournalContext,
  archive: RunArchive,
): (product: ProductKey) => Steps<RowKeys> {
  return function* findProductRows(product) {
    const kept = yield* readKept(context, product);
    const known = new Set(kept.map(toKey));
    const archived: FoundRow[] = [];
    for (const key of yield* readArchivedCodes(context, product)) {
      if (archived.length + kept.length >= MAX_ROWS) break;
      const found = known.has(toKey(key)) ? undefined : yield* readEnd(archive, product, key);
      if (found !== undefined) archived.push(found);
    }
    const all = [...kept, ...archived].toSorted((a, b) => b.ended - a.ended);
    return all.slice(0, MAX_ROWS).map(({ runId, row }) => ({ runId, row }));
  };
}

const toKey = ({ runId, row }: Pick<FoundRow, "runId" | "row">): string => `${runId} ${row}`;

function* readKept(
  { database, store }: JournalContext,
  { productId }: ProductKey,
): Steps<readonly FoundRow[]> {
  const found = yield* database.all(
    database.build
      .selectFrom("op")
      .select(["run_id", "row_no", ENDED_ORDER.as("ended")])
      .where("product_id", "=", productId)
      .where("store", "=", store)
      .orderBy("begun_at_ms", "desc")
      .limit(MAX_ROWS),
  );
  return found.map(({ run_id: runId, row_no: row, ended }) => ({ runId, row, ended }));
}

/** A row as its piece of codes has it. */
type CodeColumns = readonly [row: number, code: string | null, codeKey: string | null];

/** Rows of archived runs that have one of the codes, those of the newest run first. */
function* readArchivedCodes(
  { database, store }: JournalContext,
  { codeKeys }: ProductKey,
): Steps<RowKeys> {
  const { contains } = dialectFunctions(database.dialect);
  const keys: RowKeys[number][] = [];
  for (const codeKey of new Set(codeKeys)) {
    if (codeKey === "") continue;
    const found = yield* database.all(
      database.build
        .selectFrom("run_archive")
        .innerJoin("row_piece", "row_piece.run_id", "run_archive.run_id")
        .select(["row_piece.run_id", "row_piece.codes_json"])
        .where("run_archive.store", "=", store)
        .where("run_archive.stage", "in", ["archiving", "archived"])
        .where((column) => contains(column.ref("codes_json"), `,${toJson(codeKey)}]`))
        .orderBy("row_piece.run_id", "desc")
        .limit(MAX_ROWS),
    );
    for (const { run_id: runId, codes_json } of found) {
      for (const [row, , key] of fromJson<readonly CodeColumns[]>(codes_json)) {
        if (key === codeKey) keys.push({ runId, row });
      }
    }
  }
  return keys;
}

/** Reads when the request of an archived row ended; `undefined` of a row about another product. */
function* readEnd(
  archive: RunArchive,
  { productId }: ProductKey,
  { runId, row }: RowKeys[number],
): Steps<FoundRow | undefined> {
  const piece = yield* archive.readPiece(runId, row - 1);
  const record = piece?.rows.find(({ row_no }) => row_no === row);
  if (record?.product_id !== productId || record.attempts === 0) return undefined;
  const ended = (piece?.events ?? [])
    .filter(({ row_no, to_state, cause }) => {
      return row_no === row && (to_state === "done" || cause === "stock-sent");
    })
    .map(({ seq }) => seq);
  return ended.length === 0 ? undefined : { runId, row, ended: Math.max(...ended) };
}

/** Finds the products that rows with a code have a request about. */
export function* findSentProducts(
  { database, store }: JournalContext,
  codeKey: string,
): Steps<readonly ProductKey["productId"][]> {
  const found = yield* database.all(
    database.build
      .selectFrom("op")
      .select("product_id")
      .distinct()
      .where("store", "=", store)
      .where("code_key", "=", codeKey)
      .where("product_id", "is not", null),
  );
  return found.map(({ product_id: id }) => id).filter((id) => id !== null);
}
