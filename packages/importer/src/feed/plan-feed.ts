/** Second reading of a feed: compares every row with what is known, and keeps the rows that differ. */

import { fieldLabels } from "@catalog/connection";
import {
  codeKey as toCodeKey,
  createRowMapper,
  createSheetReader,
  type NameSource,
  type ValueRules,
} from "@catalog/mapping";
import {
  type CandidateRow,
  type CodeNormalization,
  createPlanChecks,
  createPriceUnitCount,
  decideRows,
  type GuardSettings,
  idsOf,
  isUnsendable,
  type Journal,
  type ListedProductRow,
  type ParsedRow,
  type PlanChecks,
  type PlanRules,
  PRICE_UNIT_CODE,
  type PriceUnit,
  type PriceUnitSuggestion,
  rowAddress,
  type RowBackground,
  type RowDecision,
  type StockCounts,
  toMinor,
  toProductKeys,
  type UnsendableFields,
} from "@catalog/runs";

import type { ReleasedChanges } from "../apply/released-changes.ts";
import { createFeedCheck } from "../file/describe-file.ts";
import { toCandidate } from "../plan/read-rows.ts";
import type { FeedProduct, FeedState, FreshProducts } from "./feed-state.ts";
import type { OpenedFeed } from "./open-feed.ts";
import { type FeedScan, isNoProduct, readFeedRows } from "./scan-feed.ts";

interface PlanFeedOptions extends FeedBackgroundOptions {
  readonly feed: OpenedFeed;
  readonly scan: FeedScan;
  readonly guards: GuardSettings;
  /** Fields that the store does not take; they are left out. */
  readonly refused: ReadonlySet<string>;
  /** Reads products that are about to be changed from the store again. */
  readonly fresh: Pick<FreshProducts, "refresh">;
  /** Changes that people have released. */
  readonly releases: Pick<ReleasedChanges, "decide">;
  /** What texts of feeds mean, by rules of the store. */
  readonly textRules: ValueRules;
  /** Now, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A row that has to be stored, because it has changes or issues. */
export interface PlannedRow {
  readonly parsed: ParsedRow;
  readonly decision: RowDecision;
}

export interface FeedPlan {
  /** In the order of the feed. */
  readonly rows: readonly PlannedRow[];
  readonly unchanged: number;
  /** Changes that the store does not take; rows of which nothing can be sent are not in `rows`. */
  readonly unsendable: UnsendableFields;
  /** Rows that are held because the unit of the store's prices is not known. */
  readonly unguarded: number;
  /** Rows whose reduced price is valid between dates, so that they change while the feed does not. */
  readonly dated: number;
  readonly stock: StockCounts;
  /** Updates whose values are those of other products, where they are too many. */
  readonly moved: number;
  readonly priceUnit: PriceUnit;
  /** Unit that the prices of the feed suggest while it is unknown; no decision is based on it. */
  readonly suggestion: PriceUnitSuggestion | undefined;
}

/** Rows compared at a time. */
const BATCH_ROWS = 500;

/**
 * Plans every row. From the marketplace it reads only the products that are about to be changed.
 */
export async function planFeed(options: PlanFeedOptions): Promise<FeedPlan> {
  const { priceUnit } = options;
  const plan = { rules: toRules(options), checks: createPlanChecks("asked"), kept: createKept() };
  for await (const rows of readCandidates(options)) await decideBatch(options, plan, rows);
  const suggestion = priceUnit === "unknown" ? await suggestUnit(options) : undefined;
  const { checks, kept } = plan;
  const unsendable = checks.unsendable();
  const found = checks.content.findings(options.guards);
  const moved = Math.max(0, ...found.map(({ changed }) => changed));
  const stock = checks.stock.counts();
  return { ...kept.counts(), unsendable, stock, moved, priceUnit, suggestion };
}

interface OpenPlan {
  readonly rules: PlanRules;
  readonly checks: PlanChecks;
  readonly kept: KeptRows;
}

async function decideBatch(
  options: PlanFeedOptions,
  { rules, checks, kept }: OpenPlan,
  rows: readonly ReadRow[],
): Promise<void> {
  const { fresh, releases } = options;
  const candidates = rows.map(({ candidate }) => candidate);
  const known = await readFeedBackground(options, candidates);
  const drafts = decideRows(candidates, known, rules);
  await fresh.refresh(idsOf(drafts.filter(({ action }) => action === "update")));
  const background = await readFeedBackground(options, candidates);
  const decisions = checks.check(candidates, decideRows(candidates, background, rules));
  for (const [index, { parsed, candidate }] of rows.entries()) {
    const decision = decisions[index];
    if (decision !== undefined) kept.keep(parsed, releases.decide(candidate, decision));
  }
}

/** Known values are in minor units, and left out where their unit is not known. */
const toRules = ({ scan, guards, refused, priceUnit }: PlanFeedOptions): PlanRules => ({
  priceUnit: "minor",
  mode: "update",
  guards,
  refused,
  sameCode: scan.sameCode,
  nameField: fieldLabels,
  holdsUncompared: priceUnit === "unknown",
});

interface KeptRows {
  keep(parsed: ParsedRow, decision: RowDecision): void;
  counts(): Pick<FeedPlan, "rows" | "unchanged" | "unguarded" | "dated">;
}

const DATED_CODE = "W_SALE_PERIOD";

/** Collects the rows to store, and counts the others. */
function createKept(): KeptRows {
  const rows: PlannedRow[] = [];
  let unchanged = 0;
  let unguarded = 0;
  let dated = 0;
  return {
    keep(parsed, decision) {
      if (decision.issues.some(({ code }) => code === PRICE_UNIT_CODE)) unguarded += 1;
      const told = decision.issues.filter(({ code }) => code !== DATED_CODE);
      if (told.length < decision.issues.length) dated += 1;
      // A row of which nothing can be sent is counted for the feed's one warning, and not stored.
      if (isUnsendable(decision)) return;
      if (decision.state === "unchanged" && told.length === 0) unchanged += 1;
      else rows.push({ parsed, decision });
    },
    counts: () => ({ rows, unchanged, unguarded, dated }),
  };
}

interface ReadRow {
  readonly parsed: ParsedRow;
  readonly candidate: CandidateRow;
}

async function* readCandidates(options: PlanFeedOptions): AsyncGenerator<readonly ReadRow[]> {
  const { feed, scan, textRules, nowMs, signal } = options;
  const { sheet, mapping } = feed;
  const { notations } = scan;
  const { codes } = createSheetReader(mapping, sheet.sheet);
  const nameRow = (row: number): string => rowAddress(sheet, row);
  const how = { mapping, notations, nameRow, nowMs, names: NO_NAMES, rules: textRules };
  const mapper = createRowMapper({ sheet: sheet.sheet, ...how });
  const check = createFeedCheck(sheet, mapping);
  let batch: ReadRow[] = [];
  for await (const source of readFeedRows(feed)) {
    signal?.throwIfAborted();
    if (isNoProduct(source)) continue;
    const mapped = toCandidate({ mapper, codes, endsSales: true }, mapper.map(source));
    const candidate = { ...mapped, issues: [...check(source), ...mapped.issues] };
    const { code, codeKey } = candidate;
    batch.push({ candidate, parsed: { ...source, code, codeKey } });
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const refuseNames = async (): Promise<never> => {
  throw new Error("a feed has no names to resolve");
};

/** The columns of a feed hold no names. */
const NO_NAMES: NameSource = {
  categories: refuseNames,
  brands: refuseNames,
  models: refuseNames,
  properties: refuseNames,
  shippingTemplates: refuseNames,
};

/** Rows read for a suggestion. */
const MAX_SAMPLES = 5_000;

/**
 * Suggests the unit in which most prices of the feed equal the store's. A feed whose prices are 100
 * times off suggests the wrong unit just as well, so the suggestion is shown to people and never
 * used.
 */
async function suggestUnit(options: PlanFeedOptions): Promise<PriceUnitSuggestion | undefined> {
  const units = createPriceUnitCount();
  let checked = 0;
  for await (const batch of readCandidates(options)) {
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

interface KnownProductsOptions {
  readonly feedState: Pick<FeedState, "readByCode" | "readById">;
  /** How the store writes codes. @default as they are sent */
  readonly normalization?: CodeNormalization | undefined;
}

/** Reads the stored products of the rows. Makes no call. */
async function readKnownProducts(
  { feedState, normalization = [] }: KnownProductsOptions,
  candidates: readonly CandidateRow[],
): Promise<(row: CandidateRow) => readonly FeedProduct[]> {
  const keys = toProductKeys(candidates, { normalization, codeKey: toCodeKey });
  const byCode = Map.groupBy(
    await feedState.readByCode(keys.codeKeys),
    (product) => product.codeKey,
  );
  const byId = Map.groupBy(await feedState.readById(keys.ids), ({ productId }) => productId);
  return (row) => keys.productsOf(row, { byCode, byId });
}

interface FeedBackgroundOptions extends KnownProductsOptions {
  readonly priceUnit: PriceUnit;
  readonly journal: Pick<Journal, "readLastSent">;
}

/**
 * Background for the decisions of a feed's rows. A feed adds nothing, so taken codes do not matter,
 * and the values sent last are part of the stored product, but for whose discount it has.
 */
async function readFeedBackground(
  { priceUnit, journal, ...known }: FeedBackgroundOptions,
  candidates: readonly CandidateRow[],
): Promise<RowBackground> {
  const productsOf = await readKnownProducts(known, candidates);
  const ending = candidates.filter(({ endsOwnSale }) => endsOwnSale === true);
  const reduced = ending
    .flatMap(productsOf)
    .filter(({ shown, sent }) => sent.has_discount ?? shown.has_discount);
  const lastSent = await journal.readLastSent(reduced.map(({ productId }) => productId));
  return {
    seenOf: (row) => productsOf(row).map((product) => toSeen(product, priceUnit)),
    knownOf: () => undefined,
    lookAlikeOf: () => [],
    lastSentOf: (productId) => {
      const { has_discount, discount_type, discount_value } =
        (productId === undefined ? undefined : lastSent.get(productId)) ?? {};
      return has_discount === undefined
        ? undefined
        : { has_discount, discount_type, discount_value };
    },
  };
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
