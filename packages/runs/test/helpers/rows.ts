import type { ProductChanges } from "@catalog/contract";

import type { Journal } from "../../src/ports/journal.ts";
import type {
  CandidateRow,
  CellValue,
  ParsedRow,
  RowDecision,
  RowRecord,
} from "../../src/row/row-record.ts";
import { addBody, codeKey, id, RUN, SHEET, updateBody } from "./products.ts";

export function parsedRow(
  row: number,
  code: string | null,
  cells: readonly CellValue[] = [code],
): ParsedRow {
  return { row, cells, code, codeKey: code === null ? null : codeKey(code) };
}

/** Returns a row with a whole product, which may be added or updated. */
export function candidate(
  row: number,
  code: string | null,
  more: Partial<CandidateRow> = {},
): CandidateRow {
  const location = { sheet: SHEET, row, column: "Kod", cell: `A${row}`, value: code ?? "" };
  return {
    row,
    code,
    codeKey: code === null ? null : codeKey(code),
    productId: null,
    action: "auto",
    changes: {},
    categoryName: undefined,
    issues: [],
    completeAdd: () => ({ ok: true, body: addBody(code ?? "") }),
    codeLocation: location,
    locationOf: () => location,
    ...more,
  };
}

const NOTHING_ELSE = { changes: [], issues: [] } as const;

/** Returns a decision to add the product. */
export function toAdd(row: number, code: string): RowDecision {
  const payload = addBody(code);
  return { row, state: "ready", action: "add", productId: null, payload, ...NOTHING_ELSE };
}

/** Returns a decision to update the product. */
export function toUpdate(row: number, product: string, fields: ProductChanges): RowDecision {
  const payload = updateBody(product, fields);
  const productId = payload.product_id;
  return { row, state: "ready", action: "update", productId, payload, ...NOTHING_ELSE };
}

/** Puts planned rows into a run: adds under their own code, updates without a code. */
export async function plan(
  journal: Journal,
  decisions: readonly RowDecision[],
  runId: string = RUN,
): Promise<void> {
  await journal.appendRows(
    runId,
    decisions.map(({ row, payload }) => parsedRow(row, payload?.product_code ?? null)),
  );
  await journal.saveDecisions(runId, decisions);
}

/** Records an add that was answered with the product's id, in a run of its own. */
export async function addBefore(journal: Journal, code: string, product: string): Promise<void> {
  const key = { runId: "r-0", row: 2 };
  await plan(journal, [toAdd(key.row, code)], key.runId);
  journal.beginSending(key);
  await journal.recordOutcome(
    { ...key, from: "sending" },
    { to: "done", cause: "answer", productId: id(product) },
  );
}

export async function readRow(
  journal: Journal,
  row: number,
  runId: string = RUN,
): Promise<RowRecord> {
  const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  if (record?.row !== row) throw new Error(`there is no row ${row}`);
  return record;
}

/** Returns texts such as `2: done` for every row of a run. */
export async function readStates(
  journal: Journal,
  runId: string = RUN,
): Promise<readonly string[]> {
  const rows = await journal.readRows(runId, { limit: 1_000 });
  return rows.map(({ row, state }) => `${row}: ${state}`);
}
