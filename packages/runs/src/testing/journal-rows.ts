/** Rows for tests of a journal: how a row is planned, moved to a state and read back. */

import { type ProductId, productId } from "@catalog/contract";

import type { Journal, ListedProductRow, RowRepository, SendingStart } from "../ports/journal.ts";
import type { AttemptedRow, Payload, RowDecision, RowKey, StartOfSend } from "../row/row-record.ts";
import { type Cause, GUARDED_MOVES, type RowState } from "../row/row-state.ts";

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
export const toProductId = (text: string): ProductId => productId.parse(text);

/** A body with these fields and no others, as a database reads it back. */
export const toPayload = (fields: Readonly<Record<string, unknown>>): Payload =>
  JSON.parse(JSON.stringify(fields));

/** A listed product, whose code is `code-<id>` unless `fields` say another. */
export function toSeenProduct(
  id: string,
  fields: Readonly<Record<string, unknown>> = {},
): ListedProductRow {
  const product = { id, product_code: `code-${id}`, ...fields };
  return {
    codeKey: product.product_code,
    status: "approved",
    product: JSON.parse(JSON.stringify(product)),
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

/** Returns the state of a row. */
export async function readState(journal: RowRepository, { runId, row }: RowKey): Promise<RowState> {
  const [found] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  if (found?.row !== row) throw new Error(`no row ${row}`);
  return found.state;
}
