/** Runs and rows to begin with. Nothing of the test runner is in here: scripts use it, too. */

import {
  type Cause,
  GUARDED_MOVES,
  type Journal,
  type NewRun,
  type Payload,
  type RowDecision,
  type RowKey,
  type RowState,
  type SeenProduct,
} from "@catalog/runs";

import { fromJson, toJson } from "../../src/database/json.ts";
import { type ProductId } from "../../src/database/schema.ts";

export function newRun(id: string): NewRun {
  return {
    id,
    command: "import",
    file: {
      path: "/sheets/products.xlsx",
      name: "products.xlsx",
      sha256: "00ff",
      kind: "xlsx",
      sheet: "Ürünler",
      headerRow: 1,
      header: ["Kod", "Fiyat"],
    },
    mode: "upsert",
    lang: "tr",
    reportDir: "/results/run",
    warnings: [
      {
        code: "W_COLUMN_UNKNOWN",
        message: { tr: "Sütun tanınmadı: Renk", en: "Unknown column: Renk" },
      },
    ],
  };
}

/** An id as the database answers it; its brand belongs to a package that this one does not know. */
export function toProductId(text: string): ProductId {
  return fromJson<ProductId>(toJson(text));
}

/** A body as the database answers it; with a product's id it is an update's. */
export function toPayload(fields: Readonly<Record<string, unknown>>): Payload {
  return fromJson<Payload>(toJson(fields));
}

export function seen(id: string, fields: Readonly<Record<string, unknown>> = {}): SeenProduct {
  const product = { id, product_code: `code-${id}`, ...fields };
  return {
    codeKey: product.product_code,
    status: "approved",
    product: fromJson<SeenProduct["product"]>(toJson(product)),
  };
}

export interface RowToSend extends RowKey {
  /** @default the code `C-<row>` */
  readonly code?: string;
  /** Makes it an update of this product. */
  readonly productId?: string;
  /** Fields of the body, on top of the code or the id. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Appends a row and makes it ready to be sent. */
export async function planToSend(journal: Journal, row: RowToSend): Promise<RowKey> {
  await appendRow(journal, row);
  await journal.decideRows(row.runId, [toDecision(row, "ready")]);
  return { runId: row.runId, row: row.row };
}

/** Appends a row with a code. */
export async function appendRow(journal: Journal, row: RowToSend): Promise<void> {
  const { code = `C-${row.row}` } = row;
  await journal.appendRows(row.runId, [{ row: row.row, cells: [code, 1], code, codeKey: code }]);
}

export function toDecision(
  { row, code = `C-${row}`, productId, fields }: Omit<RowToSend, "runId">,
  state: RowDecision["state"],
): RowDecision {
  const isUpdate = productId !== undefined;
  return {
    row,
    state,
    action: isUpdate ? "update" : "add",
    productId: isUpdate ? toProductId(productId) : null,
    payload: toPayload({
      ...(isUpdate ? { product_id: productId } : { product_code: code }),
      ...fields,
    }),
    changes: [],
    issues: [],
  };
}

/** One way from `parsed` to each state. */
const WAYS: Readonly<Record<RowState, readonly RowState[]>> = {
  parsed: [],
  invalid: ["invalid"],
  duplicate: ["duplicate"],
  skipped: ["skipped"],
  unchanged: ["unchanged"],
  held: ["held"],
  ready: ["ready"],
  sending: ["ready", "sending"],
  ambiguous: ["ready", "sending", "ambiguous"],
  done: ["ready", "sending", "done"],
  rejected: ["ready", "sending", "rejected"],
  cancelled: ["held", "cancelled"],
};

/** Appends a row and moves it to the state, each move by the method that is there for it. */
export async function appendRowIn(
  journal: Journal,
  row: RowToSend,
  state: RowState,
): Promise<RowKey> {
  await appendRow(journal, row);
  let from: RowState = "parsed";
  for (const to of WAYS[state]) {
    await moveRow(journal, row, { from, to });
    from = to;
  }
  return { runId: row.runId, row: row.row };
}

export interface Move {
  readonly from: RowState;
  readonly to: RowState;
}

/** Moves a row by the method that is there for the move. */
export async function moveRow(journal: Journal, row: RowToSend, { from, to }: Move): Promise<void> {
  if (from === "parsed" && isDecided(to)) {
    await journal.decideRows(row.runId, [toDecision(row, to)]);
  } else if (to === "sending") {
    const outcome = journal.beginSending(row);
    if (outcome !== "begun") throw new Error(`row ${row.row} is ${outcome}`);
  } else {
    await journal.settle(
      { runId: row.runId, row: row.row, from },
      { to, cause: toCause(from, to) },
    );
  }
}

/** A cause for which the move may be made. */
function toCause(from: RowState, to: RowState): Cause {
  const guarded = GUARDED_MOVES.find(([before, after]) => before === from && after === to);
  return guarded?.[2][0] ?? "answer";
}

const DECIDED: ReadonlySet<RowState> = new Set([
  "invalid",
  "duplicate",
  "skipped",
  "unchanged",
  "held",
  "ready",
]);

const isDecided = (state: RowState): state is RowDecision["state"] => DECIDED.has(state);

/** The state that a row is in now. */
export async function readState(journal: Journal, { runId, row }: RowKey): Promise<RowState> {
  const [found] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  if (found?.row !== row) throw new Error(`no row ${row}`);
  return found.state;
}
