/** A stored run whose rows are in the states that a test needs. */

import { idSchemas } from "@catalog/contract";
import {
  type CellValue,
  type Payload,
  type RowDecision,
  type RowIssue,
  type RunRecord,
  type RunRepository,
  type Ledger,
  type RowRecord,
  toCountedAction,
} from "@catalog/runs";

import type { Connection } from "../open-connection.ts";
import { CUP } from "./product.ts";

type NewRun = Parameters<RunRepository["create"]>[0];

export const RUN_ID = "r-261121-0930-4f2a";

/** A row, and what is stored of it. */
export interface StoredRow {
  readonly cells: readonly CellValue[];
  readonly traits?: RowRecord["traits"];
  readonly formats?: RowRecord["formats"];
  readonly joined?: RowRecord["joined"];
  /** State of a row that was not sent. @default "ready" */
  readonly state?: RowDecision["state"];
  readonly action?: RowDecision["action"];
  readonly issues?: readonly RowIssue[];
  readonly changes?: RowDecision["changes"];
  /** Payload of the row. @default a change of the stock */
  readonly payload?: Payload;
  /** Outcome of its request. @default the row is not sent */
  readonly outcome?: Parameters<Ledger["recordOutcome"]>[1];
}

/** A run with its rows; other properties replace those of the default run. */
export interface StoredRun extends Partial<NewRun> {
  readonly header: readonly string[];
  /** Rows from row 2 on, with the code in the first cell. */
  readonly rows: readonly StoredRow[];
}

/** Creates an issue of a price that is no number, with the given changes. */
export function createIssue(issue: Partial<RowIssue> = {}): RowIssue {
  return {
    code: "E_NOT_A_NUMBER",
    sheet: "Ürünler",
    row: 2,
    column: "Fiyat *",
    cell: "B2",
    value: "on iki",
    message: { tr: "“on iki” bir sayı değil.", en: "“on iki” is not a number." },
    ...issue,
  };
}

const PRODUCT_ID = idSchemas.product.parse("p-1");
const BODIES: Readonly<Record<"add" | "update", Payload>> = {
  add: CUP,
  update: { product_id: PRODUCT_ID, stock_count: 1 },
};

/** Stores the run, decides its rows, records their outcomes, and returns the run as stored. */
export async function storeRun(
  { journal, runs }: Connection,
  { header, rows, ...changes }: StoredRun,
): Promise<RunRecord> {
  const run: NewRun = { ...createRun(header), ...changes };
  await runs.create(run);
  const parsed = rows.map(({ cells, traits, formats, joined }, index) => {
    const code = String(cells[0]);
    return { row: index + 2, cells, traits, formats, joined, code, codeKey: code };
  });
  await journal.appendRows(run.id, parsed);
  await journal.saveDecisions(run.id, rows.map(toDecision));
  for (const [index, { outcome }] of rows.entries()) {
    if (outcome === undefined) continue;
    const key = { runId: run.id, row: index + 2 };
    journal.beginSending(key);
    await journal.recordOutcome({ ...key, from: "sending" }, outcome);
  }
  const stored = await runs.read(run.id);
  if (stored === undefined) throw new Error("the run was not stored");
  return stored;
}

function createRun(header: readonly string[]): NewRun {
  return {
    id: RUN_ID,
    command: "import",
    file: {
      path: "/veri/urunler.xlsx",
      name: "urunler.xlsx",
      sha256: "0".repeat(64),
      kind: "xlsx",
      sheet: "Ürünler",
      headerRow: 1,
      header,
    },
    mode: "upsert",
    lang: "tr",
    // No test may write there, as others would read it.
    reportDir: "/dev/null/catalog-results",
    warnings: [],
  };
}

function toDecision(stored: StoredRow, index: number): RowDecision {
  const { state = "ready", issues = [], changes = [] } = stored;
  const unsent = { action: null, productId: null, payload: null };
  return {
    row: index + 2,
    state,
    // A row that a guard holds has a payload, as it may be released.
    ...(state === "ready" || stored.payload !== undefined ? toWrite(stored) : unsent),
    changes,
    issues,
  };
}

function toWrite(stored: StoredRow): Pick<RowDecision, "action" | "productId" | "payload"> {
  const { action = "update" } = stored;
  const { payload = BODIES[toCountedAction(action) ?? "update"] } = stored;
  return { action, productId: action === "update" ? PRODUCT_ID : null, payload };
}
