/**
 * A draft of some products, planned again and again while its person edits cells and others change
 * the store. No cell that nobody edited is sent, no value that its person has not seen is overwritten,
 * and every edit that nobody else contradicts is sent.
 */

import { idSchemas, type ProductChanges, type StoreProduct, priceMinor } from "@catalog/contract";
import { type CandidateRow, decideRows, type RowDecision, toGuardSettings } from "@catalog/runs";

import type { Random } from "./random.ts";

type RowBasis = NonNullable<CandidateRow["basis"]>;

/** What a person can edit and others can change; a discount is one value. */
const FIELDS = ["title", "stock", "price", "discount"] as const;
type Field = (typeof FIELDS)[number];
/** A number for the value of each field. */
type Values = Readonly<Record<Field, number>>;

const FIRST: Values = { title: 0, stock: 4, price: 120_000, discount: 10 };

interface Row {
  readonly row: number;
  readonly basis: Values;
  cells: Values;
  /** What the store has; `undefined` once it has the product no longer. */
  store: Values | undefined;
  /** Fields that the draft has sent, with the last value. */
  sent: Partial<Values>;
  /** A refused request, which is retried alone. */
  refused: { readonly before: Values; readonly fields: readonly string[] } | undefined;
}

interface World {
  readonly random: Random;
  readonly unit: "minor" | "major";
  readonly rows: readonly Row[];
  readonly broken: string[];
}

/** Returns what has gone wrong. */
export function playDrafts(random: Random): readonly string[] {
  const rows = Array.from({ length: random.between(1, 3) }, (_, at): Row => {
    const first = { ...FIRST, title: at, stock: FIRST.stock + at };
    return { row: at + 2, basis: first, cells: first, store: first, sent: {}, refused: undefined };
  });
  const world: World = { random, unit: random.pick(["minor", "major"]), rows, broken: [] };
  for (let plans = random.between(1, 5); plans > 0; plans -= 1) {
    for (const row of rows) playRow(world, row);
  }
  return world.broken;
}

function playRow(world: World, row: Row): void {
  const { random } = world;
  for (const field of FIELDS) {
    if (random.chance(0.35)) row.cells = draw(random, row.cells, { field, first: row.basis });
    if (row.store !== undefined && random.chance(0.3)) {
      row.store = draw(random, row.store, { field, first: row.basis });
    }
  }
  if (random.chance(0.03)) row.store = undefined;
  const decision = decide(world, row);
  const found = judge(row, decision);
  for (const what of found) world.broken.push(`D: row ${row.row} of a draft ${what}`);
  if (decision.state === "ready" || (decision.state === "held" && random.chance(0.5))) {
    send(world, row, decision);
  }
}

/** One of few values, so that two writers often mean the same one, or the first one again. */
function draw(
  random: Random,
  values: Values,
  { field, first }: { readonly field: Field; readonly first: Values },
): Values {
  return { ...values, [field]: first[field] + random.below(4) };
}

function send({ random }: World, row: Row, { payload }: RowDecision): void {
  const { store } = row;
  if (store === undefined || payload === null) return;
  if (random.chance(0.15)) {
    row.refused = { before: store, fields: Object.keys(payload) };
    return;
  }
  row.refused = undefined;
  for (const field of FIELDS) {
    if (payload[NAMES[field]] === undefined) continue;
    row.store = { ...(row.store ?? store), [field]: row.cells[field] };
    row.sent = { ...row.sent, [field]: row.cells[field] };
  }
}

const NAMES = {
  title: "title",
  stock: "stock_count",
  price: "price",
  discount: "discount_value",
} as const;

const DISCOUNT = ["has_discount", "discount_type", "discount_value"] as const;

/** What a decision does that it must not, or does not do that it must. */
function judge(row: Row, decision: RowDecision): readonly string[] {
  const { state, action, payload } = decision;
  if (action === "add") return ["adds a product"];
  const { store } = row;
  if (store === undefined) return state === "ready" ? ["sends for what is gone"] : [];
  const parts = DISCOUNT.filter((name) => payload?.[name] !== undefined).length;
  const isTorn = parts % DISCOUNT.length > 0;
  const fields = FIELDS.flatMap((field) => judgeField({ ...row, store }, decision, field));
  return isTorn ? ["sends a part of a discount", ...fields] : fields;
}

function judgeField(
  row: Row & { readonly store: Values },
  { state, payload, overtaken = [] }: RowDecision,
  field: Field,
): readonly string[] {
  const isSent = payload?.[NAMES[field]] !== undefined;
  const isEdited = isWanted(row, field) && row.cells[field] !== row.store[field];
  const isTheirs = !known(row, field).has(row.store[field]);
  const isShown = overtaken.some((shown) => shown.field === NAMES[field]);
  const isHeld = state === "held" && isShown;
  const findings: readonly (readonly [boolean, string])[] = [
    [isSent && !isEdited, `sends ${field}, which nobody edited`],
    [!isSent && isEdited, `leaves out the edit of ${field}`],
    [isSent && isTheirs && !isHeld, `overwrites ${field} of somebody else`],
    [isShown && !isTheirs, `is held for ${field}, which nobody else changed`],
  ];
  return findings.filter(([is]) => is).map(([, what]) => what);
}

/** The values that a person knows: a plan may find them without holding an edit. */
const known = ({ basis, refused, sent }: Row, field: Field): ReadonlySet<number | undefined> =>
  new Set(refused === undefined ? [basis[field], sent[field]] : [refused.before[field]]);

function isWanted({ basis, cells, sent, refused }: Row, field: Field): boolean {
  if (refused !== undefined) return refused.fields.includes(NAMES[field]);
  return cells[field] !== basis[field] || sent[field] !== undefined;
}

const ID = idSchemas.product.parse("p-1");
const LOCATION = { sheet: "Ürünler", row: 2, column: "Kod", cell: "A2", value: "A-1" };

function decide({ random, unit }: World, row: Row): RowDecision {
  const { cells, store } = row;
  const candidate: CandidateRow = {
    row: row.row,
    code: "A-1",
    codeKey: "a-1",
    // A person may have emptied the cell of the id.
    productId: random.chance(0.8) ? ID : null,
    action: "auto",
    changes: toChanges(cells),
    categoryName: undefined,
    basis: toBasis(row, unit),
    issues: [],
    completeAdd: () => ({ ok: false, issues: [] }),
    codeLocation: LOCATION,
    locationOf: () => LOCATION,
  };
  const product = store && toListed(store, unit);
  const [decision] = decideRows(
    [candidate],
    {
      seenOf: () =>
        product === undefined ? [] : [{ codeKey: "a-1", status: "approved", product }],
      knownOf: () => undefined,
      lookAlikeOf: () => [],
      lastSentOf: () => undefined,
    },
    {
      priceUnit: unit,
      guards: toGuardSettings(),
      sameCode: new Map(),
      checkUpdate: ({ product_id: _id, ...body }) => ({
        ok: true,
        body: { ...body, product_id: ID },
      }),
    },
  );
  if (decision === undefined) throw new Error("the row was not decided");
  return decision;
}

function toBasis({ basis, sent, refused }: Row, unit: World["unit"]): RowBasis {
  if (refused !== undefined) {
    return { product: toListed(refused.before, unit), priceUnit: unit, fields: refused.fields };
  }
  const all = toChanges({ ...FIRST, ...sent });
  const fields = FIELDS.filter((field) => sent[field] !== undefined);
  const names = fields.flatMap((field) => (field === "discount" ? DISCOUNT : [NAMES[field]]));
  const own: ProductChanges = Object.fromEntries(names.map((name) => [name, all[name]]));
  return {
    product: toListed(basis, unit),
    priceUnit: unit,
    ...(names.length > 0 && { sent: own }),
  };
}

const toChanges = ({ title, stock, price, discount }: Values): ProductChanges => ({
  title: `Title ${title}`,
  stock_count: stock,
  price: priceMinor.parse(price),
  has_discount: true,
  discount_type: 2,
  discount_value: discount,
});

const toListed = (
  { title, stock, price, discount }: Values,
  unit: World["unit"],
): StoreProduct => ({
  id: ID,
  product_code: "A-1",
  title: `Title ${title}`,
  stock,
  price: unit === "minor" ? price : price / 100,
  currency: "TL",
  has_discount: true,
  discount_type: 2,
  discount_value: discount,
});
