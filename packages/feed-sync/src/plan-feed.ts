/**
 * Second reading of a feed: compares every row with what is known, and keeps the rows that differ.
 */

import { fieldLabels } from "@catalog/connection";
import { createFeedCheck, type ReleasedChanges, toCandidate } from "@catalog/importer";
import {
  createRowMapper,
  type NameSource,
  type ValueRules,
  createSheetReader,
} from "@catalog/mapping";
import {
  type CandidateRow,
  createPlanChecks,
  createPriceUnitCount,
  decideRows,
  type GuardSettings,
  idsOf,
  isUnsendable,
  type ParsedRow,
  type PlanChecks,
  type PlanRules,
  PRICE_UNIT_CODE,
  rowAddress,
  type PriceUnit,
  type PriceUnitSuggestion,
  type RowDecision,
  type StockCounts,
  type UnsendableFields,
} from "@catalog/runs";

import { isNoProduct, readFeedRows } from "./file/feed-rows.ts";
import type { OpenedFeed } from "./file/open-feed.ts";
import type { FreshProducts } from "./fresh-products.ts";
import {
  type FeedBackgroundOptions,
  readFeedBackground,
  readKnownProducts,
} from "./known-product.ts";
import type { FeedScan } from "./scan-feed.ts";

export interface PlanFeedOptions extends FeedBackgroundOptions {
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
