/** Products, rows and plans for tests: how a row is planned, moved to a state and read back. */

import type { Journal, ListedProductRow, RowRepository, SendingStart } from "../ports/journal.ts";
import {
  type ProductAdd,
  type ProductChanges,
  type ProductId,
  type ProductUpdate,
  parseProductId,
} from "../ports/product.ts";
import type {
  AttemptedRow,
  CandidateRow,
  CellValue,
  ParsedRow,
  Payload,
  RowDecision,
  RowKey,
  RowRecord,
  StartOfSend,
} from "../row/row-record.ts";
import { type Cause, type RowState, STATE_TABLE } from "../row/row-state.ts";
import type { FakeProduct, Placement } from "../testing.ts";

export const RUN = "r-1";
export const SHEET = "Ürünler";

/** Codes that differ only in case or outer blanks are the same product. */
export const codeKey = (code: string): string => code.trim().toLowerCase();

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand for tests, which the mapper makes elsewhere
export const price = (minor: number): ProductAdd["price"] => minor as ProductAdd["price"];

/** The id of a kind of thing, from its text. */
export const toId = <Kind extends string>(
  _kind: Kind,
  text: string,
): string & { readonly "~brand": Kind } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand for tests, which the mapper makes elsewhere
  text as string & { readonly "~brand": Kind };

export const CATEGORY: ProductAdd["category_id"] = toId("CategoryId", "category-1");
export const BRAND: ProductAdd["brand_id"] = toId("BrandId", "brand-1");
export const TEMPLATE: ProductAdd["shipping_template_id"] = toId(
  "ShippingTemplateId",
  "template-1",
);
export const CHOICE: NonNullable<ProductAdd["properties"]>[number] = {
  property_id: toId("PropertyId", "property-1"),
  option_id: toId("PropertyOptionId", "option-1"),
};

/** Returns a whole body of an add. */
export function addBody(code: string, fields: Partial<ProductAdd> = {}): ProductAdd {
  return {
    product_code: code,
    title: `Cup ${code}`,
    sub_title: "A cup",
    category_id: CATEGORY,
    brand_id: BRAND,
    brand_model: "C1",
    description: "It holds tea.",
    price: price(1990),
    has_discount: false,
    stock_count: 5,
    warranty_type: 1,
    warranty_period: 0,
    shipping_template_id: TEMPLATE,
    images: ["https://images.example/cup.jpg"],
    ...fields,
  };
}

export function updateBody(product: string, fields: ProductChanges): ProductUpdate {
  return { ...fields, product_id: toProductId(product) };
}

/** Returns a product that is in the store already. */
export function listed(
  product: string,
  code: string,
  more: Partial<FakeProduct["product"]> & { readonly placement?: Placement } = {},
): FakeProduct {
  const { placement = "approved", ...fields } = more;
  return {
    placement,
    product: { id: toProductId(product), product_code: code, title: `Cup ${code}`, ...fields },
  };
}

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
    { to: "done", cause: "answer", productId: toProductId(product) },
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

/** A row to append, and the body that it sends. */
export interface RowToSend extends RowKey {
  /** @default the code `C-<row>` */
  readonly code?: string;
  /** Makes it an update of this product. @default an add */
  readonly productId?: string;
  /** Fields of the body, on top of the code or the id. @default none */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A product's id from its text. */
export const toProductId: (text: string) => ProductId = parseProductId;

/** A body with these fields and no others, as a database reads it back. */
export const toPayload = (fields: Readonly<Record<string, unknown>>): Payload =>
  JSON.parse(JSON.stringify(fields));

/** A listed product, whose code is `code-<id>` unless `fields` say another. */
export function toSeenProduct(
  product: string,
  fields: Readonly<Record<string, unknown>> = {},
): ListedProductRow {
  const listedProduct = { id: product, product_code: `code-${product}`, ...fields };
  return {
    codeKey: listedProduct.product_code,
    status: "approved",
    product: JSON.parse(JSON.stringify(listedProduct)),
  };
}

/** A decision that brings a parsed row to the state. */
export function toDecision(
  { row, code = `C-${row}`, productId: product, fields }: Omit<RowToSend, "runId">,
  state: RowDecision["state"],
): RowDecision {
  const key = product === undefined ? { product_code: code } : { product_id: product };
  return {
    row,
    state,
    action: product === undefined ? "add" : "update",
    productId: product === undefined ? null : toProductId(product),
    payload: toPayload({ ...key, ...fields }),
    changes: [],
    issues: [],
  };
}

/** Appends a row with a code. */
export async function appendRow(journal: RowRepository, row: RowToSend): Promise<void> {
  const { code = `C-${row.row}` } = row;
  await journal.appendRows(row.runId, [{ row: row.row, cells: [code, 1], code, codeKey: code }]);
}

/** Appends a row and makes it ready to be sent. */
export async function planToSend(journal: RowRepository, row: RowToSend): Promise<RowKey> {
  await appendRow(journal, row);
  await journal.saveDecisions(row.runId, [toDecision(row, "ready")]);
  return { runId: row.runId, row: row.row };
}

/** One path from `parsed` to each state. */
const PATHS: Readonly<Record<RowState, readonly RowState[]>> = {
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

/** Appends a row and moves it to the state, each move by the journal's method for it. */
export async function appendRowIn(
  journal: Journal,
  row: RowToSend,
  state: RowState,
): Promise<RowKey> {
  await appendRow(journal, row);
  let from: RowState = "parsed";
  for (const to of PATHS[state]) {
    await moveRow(journal, row, { from, to });
    from = to;
  }
  return { runId: row.runId, row: row.row };
}

/** Moves a row by the journal's method for the move. */
export async function moveRow(
  journal: Journal,
  row: RowToSend,
  { from, to }: { readonly from: RowState; readonly to: RowState },
): Promise<void> {
  if (from === "parsed" && isDecided(to)) {
    await journal.saveDecisions(row.runId, [toDecision(row, to)]);
  } else if (to === "sending") {
    const outcome = await begin(journal, { runId: row.runId, row: row.row });
    if (outcome !== "begun") throw new Error(`row ${row.row} is ${outcome}`);
  } else {
    const key = { runId: row.runId, row: row.row, from };
    await journal.recordOutcome(key, { to, cause: toCause(from, to) });
  }
}

/**
 * Begins to send a row, which is claimed before where the journal asks for it. Rejects where the
 * journal throws.
 */
export async function begin(
  journal: Journal,
  key: AttemptedRow,
  evidence?: StartOfSend["evidence"],
): Promise<SendingStart> {
  const isFirst = journal.claimsFirst === true && key.attempt === undefined;
  const [claim] = isFirst ? await journal.claim([{ ...key, evidence }]) : [];
  return journal.beginSending(claim ?? key, evidence);
}

/** Returns a cause with which the move is legal. */
function toCause(from: RowState, to: RowState): Cause {
  const guarded = STATE_TABLE.guarded.find(([before, after]) => before === from && after === to);
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

/** Returns the state of a row. */
export async function readState(journal: RowRepository, { runId, row }: RowKey): Promise<RowState> {
  const [found] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  if (found?.row !== row) throw new Error(`no row ${row}`);
  return found.state;
}
