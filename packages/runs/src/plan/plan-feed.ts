/**
 * Plans the rows of a feed, which only update products that are known. Unlike the rows of a file,
 * they are not stored before they are decided: most have no change, and are only counted.
 */

import { PRICE_UNIT_CODE, toAbsentHoldIssue, toAbsentIssue } from "../guards/guard-issue.ts";
import type { GuardSettings, StockCounts } from "../guards/guard-settings.ts";
import { holdsAbsent } from "../guards/run-guards.ts";
import type { Journal, ListedProductRow } from "../ports/journal.ts";
import type { ProductChanges, ProductId, StoreProduct } from "../ports/product.ts";
import { idsOf } from "../reconcile/find-products.ts";
import { RULE_CODE, toRowLocation } from "../row/issues.ts";
import type { CandidateRow, DuplicateCode, ParsedRow, RowDecision } from "../row/row-record.ts";
import {
  createPlanChecks,
  decideRows,
  isUnsendable,
  type PlanChecks,
  type PlanRules,
  toSameCode,
  type UnsendableFields,
} from "./decide-rows.ts";
import {
  createPriceUnitCount,
  type PriceUnit,
  type PriceUnitSuggestion,
  toMinor,
} from "./price-unit.ts";
import { type RowBackground, type StoreBackground, toProductKeys } from "./row-background.ts";

/** A row of the feed, as read and as mapped. */
interface FeedRow {
  readonly parsed: ParsedRow;
  readonly candidate: CandidateRow;
}

/** A listed product, with the fields that were sent and answered after it was listed. */
interface FeedProduct {
  readonly productId: ProductId;
  readonly codeKey: string;
  readonly status: string;
  readonly shown: StoreProduct;
  /** Fields as sent, prices in minor units. */
  readonly sent: ProductChanges;
}

interface PlanFeedRowsOptions
  extends
    Pick<PlanRules, "refused" | "nameField" | "checkUpdate">,
    Pick<StoreBackground, "normalization"> {
  /** Reads the feed from its begin, in batches. */
  readonly rows: () => AsyncIterable<readonly FeedRow[]>;
  /** The products that are known of the store. */
  readonly products: {
    readonly readByCode: (codeKeys: readonly string[]) => Promise<readonly FeedProduct[]>;
    readonly readById: (ids: readonly ProductId[]) => Promise<readonly FeedProduct[]>;
  };
  /** Reads products that are about to be changed from the store again. */
  readonly refresh: (ids: readonly ProductId[]) => Promise<void>;
  /** Replaces a decision where a person has released the change of the row. */
  readonly release: (row: CandidateRow, decision: RowDecision) => RowDecision;
  readonly journal: Pick<Journal, "readLastSent">;
  /** Product codes with the same key are the same product. */
  readonly codeKey: (code: string) => string;
  /** Unit of the known prices. */
  readonly priceUnit: PriceUnit;
  readonly guards: GuardSettings;
  /** Codes that several rows have. */
  readonly duplicates: readonly DuplicateCode[];
}

/** The products that are known of the store, and how the rows of a feed name them. */
type FeedStore = Pick<PlanFeedRowsOptions, "products" | "normalization" | "codeKey">;

/** A row that has to be stored, because it has changes or issues. */
interface PlannedRow {
  readonly parsed: ParsedRow;
  readonly decision: RowDecision;
}

export interface FeedPlan {
  /** In the order of the feed. */
  readonly rows: readonly PlannedRow[];
  readonly unchanged: number;
  /** Products that the rows name, also those of rows with errors. */
  readonly named: ReadonlySet<ProductId>;
  /** Changes that the store does not take; rows of which nothing can be sent are not in `rows`. */
  readonly unsendable: UnsendableFields;
  /** Rows that are held because the unit of the store's prices is not known. */
  readonly unguarded: number;
  /** Rows whose reduced price is valid between dates, so that they change while the feed does not. */
  readonly dated: number;
  /** Rows of which a value was left as it is, as no price rule could make it for certain. */
  readonly left: number;
  readonly stock: StockCounts;
  /** Updates whose values are those of other products, where they are too many. */
  readonly moved: number;
  readonly priceUnit: PriceUnit;
  /** Unit that the prices of the feed suggest while it is unknown; no decision is based on it. */
  readonly suggestion: PriceUnitSuggestion | undefined;
}

/**
 * Plans every row. From the marketplace it reads only the products that are about to be changed.
 */
export async function planFeedRows(options: PlanFeedRowsOptions): Promise<FeedPlan> {
  const { priceUnit, guards } = options;
  const rules = toRules(options);
  const named = new Set<ProductId>();
  const plan = { rules, named, checks: createPlanChecks("asked"), kept: createKept() };
  for await (const rows of options.rows()) await decideBatch(options, plan, rows);
  const suggestion = priceUnit === "unknown" ? await suggestUnit(options) : undefined;
  const { checks, kept } = plan;
  const found = checks.content.findings(guards);
  const moved = Math.max(0, ...found.map(({ changed }) => changed));
  const [unsendable, stock] = [checks.unsendable(), checks.stock.counts()];
  return { ...kept.counts(), named, unsendable, stock, moved, priceUnit, suggestion };
}

/** Known values are in minor units, and left out where their unit is not known. */
const toRules = ({
  priceUnit,
  guards,
  refused,
  nameField,
  checkUpdate,
  duplicates,
}: Omit<PlanFeedRowsOptions, "rows">): PlanRules => ({
  priceUnit: "minor",
  mode: "update",
  guards,
  checkUpdate,
  refused,
  sameCode: toSameCode(duplicates),
  nameField,
  holdsUncompared: priceUnit === "unknown",
});

interface OpenPlan {
  readonly rules: PlanRules;
  readonly named: Set<ProductId>;
  readonly checks: PlanChecks;
  readonly kept: KeptRows;
}

async function decideBatch(
  options: PlanFeedRowsOptions,
  { rules, named, checks, kept }: OpenPlan,
  rows: readonly FeedRow[],
): Promise<void> {
  const candidates = rows.map(({ candidate }) => candidate);
  const known = await readFeedBackground(options, candidates);
  const drafts = decideRows(candidates, known, rules);
  await options.refresh(idsOf(drafts.filter(({ action }) => action === "update")));
  const background = await readFeedBackground(options, candidates);
  for (const candidate of candidates) {
    for (const { product } of background.seenOf(candidate)) named.add(product.id);
  }
  const decisions = checks.check(candidates, decideRows(candidates, background, rules));
  for (const [index, { parsed, candidate }] of rows.entries()) {
    const decision = decisions[index];
    if (decision !== undefined) kept.keep(parsed, options.release(candidate, decision));
  }
}

/** A product that a feed has named before and names no more. */
export interface AbsentProduct {
  readonly productId: ProductId;
  /** Since when the feed has not named it, in milliseconds since 1970. */
  readonly sinceMs: number;
}

interface PlanAbsentOptions extends Omit<PlanFeedRowsOptions, "rows" | "duplicates"> {
  readonly absent: readonly AbsentProduct[];
  /** Whether a person decides about each row. */
  readonly isHeld: boolean;
  /** Products of the feed, absent ones included, and those of them that its rows empty. */
  readonly counts: StockCounts;
  /** The number of the first row; those of the feed's own rows are lower. */
  readonly firstRow: number;
  /** The name of the place that the rows have in the run, as they have none in the feed. */
  readonly sheet: string;
  /** Returns the cells that the run stores for a row. */
  readonly toCells: (code: string) => ParsedRow["cells"];
}

export interface AbsentPlan {
  readonly rows: readonly PlannedRow[];
  /** Products whose stock is 0 already. */
  readonly empty: readonly ProductId[];
  /** Products that the store no longer has. */
  readonly gone: readonly ProductId[];
}

/** Products planned at a time. */
const BATCH_ROWS = 500;

/**
 * Plans that products which a feed names no more are sold out: each becomes an update of its stock
 * to 0, as if the feed had such a row, and takes the same way from there on.
 */
export async function planAbsentRows(options: PlanAbsentOptions): Promise<AbsentPlan> {
  const { absent, release } = options;
  const rules = toRules({ ...options, duplicates: [] });
  const planned: { readonly row: FeedRow; readonly decision: RowDecision }[] = [];
  const [empty, gone]: [ProductId[], ProductId[]] = [[], []];
  for (let at = 0; at < absent.length; at += BATCH_ROWS) {
    const batch = absent.slice(at, at + BATCH_ROWS);
    const ids = batch.map(({ productId }) => productId);
    const known = await options.products.readById(ids);
    await options.refresh(known.filter(hasStock).map(({ productId }) => productId));
    const productOf = new Map(
      (await options.products.readById(ids)).map((product) => [product.productId, product]),
    );
    const rows: FeedRow[] = [];
    for (const { productId, sinceMs } of batch) {
      const product = productOf.get(productId);
      const row = options.firstRow + planned.length + rows.length;
      if (product === undefined) gone.push(productId);
      else if (!hasStock(product)) empty.push(productId);
      else rows.push(toAbsentRow(product, { ...options, row, sinceMs }));
    }
    const candidates = rows.map(({ candidate }) => candidate);
    const background = await readFeedBackground(options, candidates);
    const decisions = decideRows(candidates, background, rules);
    for (const [index, row] of rows.entries()) {
      const decision = decisions[index];
      // The run's warning about fields that the store does not take names the stock.
      if (decision !== undefined && !isUnsendable(decision)) planned.push({ row, decision });
    }
  }
  const hold = createAbsentHold(
    options,
    planned.filter(({ decision }) => decision.state === "ready").length,
  );
  return {
    rows: planned.map(({ row: { parsed, candidate }, decision }) => ({
      parsed,
      decision: release(candidate, hold(candidate, decision)),
    })),
    empty,
    gone,
  };
}

const hasStock = ({ shown, sent }: FeedProduct): boolean => (sent.stock_count ?? shown.stock) !== 0;

function toAbsentRow(
  { productId, shown, codeKey }: FeedProduct,
  {
    row,
    sinceMs,
    sheet,
    toCells,
  }: Pick<PlanAbsentOptions, "sheet" | "toCells"> & {
    readonly row: number;
    readonly sinceMs: number;
  },
): FeedRow {
  const code = shown.product_code ?? null;
  const location = toRowLocation(sheet, { row, code });
  const named = { row, code, codeKey: code === null ? null : codeKey };
  return {
    parsed: { ...named, cells: toCells(code ?? "") },
    candidate: {
      ...named,
      productId,
      action: "update",
      changes: { stock_count: 0 },
      categoryName: undefined,
      issues: [toAbsentIssue(sinceMs, location)],
      completeAdd: () => ({ ok: false, issues: [] }),
      codeLocation: location,
      locationOf: () => location,
    },
  };
}

/** Holds the rows that would be sent, where a person decides about them or there are too many. */
function createAbsentHold(
  { guards, isHeld, counts: { rows, emptied } }: PlanAbsentOptions,
  leaving: number,
): (row: CandidateRow, decision: RowDecision) => RowDecision {
  const counts = { rows, emptied: emptied + leaving };
  const isAsked = isHeld && !guards.allowed.has("absent");
  if (!isAsked && !holdsAbsent(counts, guards)) return (_, decision) => decision;
  return ({ codeLocation }, decision) => {
    if (decision.state !== "ready") return decision;
    const issue = toAbsentHoldIssue(isAsked ? undefined : counts, codeLocation);
    return { ...decision, state: "held", issues: [...decision.issues, issue] };
  };
}

interface KeptRows {
  keep(parsed: ParsedRow, decision: RowDecision): void;
  counts(): Pick<FeedPlan, "rows" | "unchanged" | "unguarded" | "dated" | "left">;
}

/** What a row says whether it changes or not; a row that says no more is not stored. */
const STANDING_CODES: ReadonlySet<string> = new Set([
  "W_SALE_PERIOD",
  RULE_CODE,
  "W_PRICE_RULE_LEFT",
]);

const DATED_CODE = "W_SALE_PERIOD";
const LEFT_CODE = "W_PRICE_RULE_LEFT";

/** Collects the rows to store, and counts the others. */
function createKept(): KeptRows {
  const rows: PlannedRow[] = [];
  let unchanged = 0;
  let unguarded = 0;
  let dated = 0;
  let left = 0;
  return {
    keep(parsed, decision) {
      if (decision.issues.some(({ code }) => code === PRICE_UNIT_CODE)) unguarded += 1;
      const told = decision.issues.filter(({ code }) => !STANDING_CODES.has(code));
      if (decision.issues.some(({ code }) => code === DATED_CODE)) dated += 1;
      if (decision.issues.some(({ code }) => code === LEFT_CODE)) left += 1;
      // A row of which nothing can be sent is counted for the feed's one warning, and not stored.
      if (isUnsendable(decision)) return;
      if (decision.state === "unchanged" && told.length === 0) unchanged += 1;
      else rows.push({ parsed, decision });
    },
    counts: () => ({ rows, unchanged, unguarded, dated, left }),
  };
}

/** Rows read for a suggestion. */
const MAX_SAMPLES = 5_000;

/**
 * Suggests the unit in which most prices of the feed equal the store's. A feed whose prices are 100
 * times off suggests the wrong unit just as well, so the suggestion is shown to people and never
 * used.
 */
async function suggestUnit(options: PlanFeedRowsOptions): Promise<PriceUnitSuggestion | undefined> {
  const units = createPriceUnitCount();
  let checked = 0;
  for await (const batch of options.rows()) {
    const candidates = batch.map(({ candidate }) => candidate);
    const productsOf = await readKnownProducts(options, candidates);
    for (const row of candidates) {
      const [known] = productsOf(row);
      if (known !== undefined) units.note(row.changes.price, known.shown.price);
    }
    checked += batch.length;
    if (checked >= MAX_SAMPLES) break;
  }
  return units.suggestion();
}

/** Reads the stored products of the rows. Makes no call. */
async function readKnownProducts(
  { products, normalization, codeKey }: FeedStore,
  candidates: readonly CandidateRow[],
): Promise<(row: CandidateRow) => readonly FeedProduct[]> {
  const keys = toProductKeys(candidates, { normalization, codeKey });
  const byCode = Map.groupBy(
    await products.readByCode(keys.codeKeys),
    (product) => product.codeKey,
  );
  const byId = Map.groupBy(await products.readById(keys.ids), ({ productId }) => productId);
  return (row) => keys.productsOf(row, { byCode, byId });
}

/**
 * Background for the decisions of a feed's rows. A feed adds nothing, so taken codes do not matter,
 * and the values sent last are part of the stored product, but for whose discount it has.
 */
async function readFeedBackground(
  options: FeedStore & Pick<PlanFeedRowsOptions, "priceUnit" | "journal">,
  candidates: readonly CandidateRow[],
): Promise<RowBackground> {
  const { priceUnit, journal } = options;
  const productsOf = await readKnownProducts(options, candidates);
  const asked = candidates.flatMap((row) =>
    productsOf(row).filter((product) => needsLastSent(row, product)),
  );
  const lastSent = await journal.readLastSent([
    ...new Set(asked.map(({ productId }) => productId)),
  ]);
  return {
    seenOf: (row) => productsOf(row).map((product) => toSeen(product, priceUnit)),
    knownOf: () => undefined,
    lookAlikeOf: () => [],
    lastSentOf: (productId) => {
      const { has_discount, discount_type, discount_value, category_id } =
        (productId === undefined ? undefined : lastSent.get(productId)) ?? {};
      return has_discount === undefined && category_id === undefined
        ? undefined
        : { has_discount, discount_type, discount_value, category_id };
    },
  };
}

/** Of a product without a discount, only rules on categories ask what was sent last. */
function needsLastSent(
  { endsOwnSale, pricing }: CandidateRow,
  { shown, sent }: FeedProduct,
): boolean {
  const isReduced = sent.has_discount ?? shown.has_discount;
  if (pricing === undefined) return endsOwnSale === true && isReduced === true;
  return pricing.needsCategory || isReduced !== false;
}

/** The known values of the product, without a price whose unit is not known. */
function toSeen({ shown, sent, ...product }: FeedProduct, unit: PriceUnit): ListedProductRow {
  const { codeKey, status, productId } = product;
  const isSent = sent.has_discount !== undefined;
  return {
    codeKey,
    status,
    product: {
      id: productId,
      product_code: shown.product_code ?? codeKey,
      price: sent.price ?? toMinor(shown.price, unit),
      currency: sent.currency ?? shown.currency,
      stock: sent.stock_count ?? shown.stock,
      has_discount: sent.has_discount ?? shown.has_discount,
      discount_type: isSent ? sent.discount_type : shown.discount_type,
      discount_value: isSent ? sent.discount_value : toDiscount(shown, unit),
    },
  };
}

const RATE = 2;

function toDiscount(
  { discount_type: type, discount_value: value }: FeedProduct["shown"],
  unit: PriceUnit,
): number | undefined {
  if (value === false || value === null || value === undefined) return undefined;
  return type === RATE ? value : toMinor(value, unit);
}
