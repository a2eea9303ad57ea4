/** The second reading of a feed: compares every row with what is known, and keeps what differs. */

import { type FeedMemory, type FeedProduct } from "@catalog/database";
import { toCandidate } from "@catalog/importer";
import { createFeedCheck } from "@catalog/importer";
import { productRows } from "@catalog/importer";
import { type Releases } from "@catalog/importer";
import {
  codeKey as toCodeKey,
  createCodeColumn,
  createRowMapper,
  type NameSource,
} from "@catalog/mapping";
import {
  type CandidateRow,
  type CodeWay,
  createPriceUnitCount,
  createRefuseSecond,
  createUnsendableCount,
  type GuardSettings,
  holdUnguarded,
  idsOf,
  isUnsendable,
  type ParsedRow,
  planRow,
  PRICE_UNIT_CODE,
  type PriceUnit,
  type PriceUnitSuggestion,
  type RowDecision,
  type SeenProduct,
  toStoredKey,
  type Unsendable,
} from "@catalog/runs";

import { type OpenedFeed } from "./file/open-feed.ts";
import { type FreshProducts } from "./fresh-products.ts";
import { toSeen } from "./known-product.ts";
import { type FeedSurvey } from "./scan-feed.ts";

export interface PlanFeedOptions {
  readonly feeds: Pick<FeedMemory, "readByCode" | "readById">;
  readonly feed: OpenedFeed;
  readonly survey: FeedSurvey;
  readonly guards: GuardSettings;
  readonly priceUnit: PriceUnit;
  /** Fields that the store is known not to take; they are left out. */
  readonly refused: ReadonlySet<string>;
  /** Reads products that are about to be changed from the store again. */
  readonly fresh: Pick<FreshProducts, "refresh">;
  /** How the store writes codes. @default as they are sent */
  readonly way?: CodeWay | undefined;
  /** What people have let go. */
  readonly releases: Pick<Releases, "judge">;
  readonly signal?: AbortSignal | undefined;
}

/** A row that has to be written down, because something is to be done or said about it. */
export interface PlannedRow {
  readonly parsed: ParsedRow;
  readonly decision: RowDecision;
}

export interface FeedPlan {
  /** In the order of the feed. */
  readonly rows: readonly PlannedRow[];
  readonly unchanged: number;
  /** What the store does not take; the rows of which nothing can be sent are not in `rows`. */
  readonly unsendable: Unsendable;
  /** Rows that are held because the unit of the store's prices is not known. */
  readonly unguarded: number;
  readonly stock: { readonly rows: number; readonly emptied: number };
  readonly priceUnit: PriceUnit;
  /** What the prices of the feed suggest while the unit is unknown; nothing rests on it. */
  readonly suggestion: PriceUnitSuggestion | undefined;
}

/** Rows compared in one go. */
const BATCH_ROWS = 500;

/** Rows looked at for a suggestion. */
const MOST_SAMPLES = 5_000;

/** Plans every row. Reads nothing from the marketplace but the products that are about to be changed. */
export async function planFeed(options: PlanFeedOptions): Promise<FeedPlan> {
  const { priceUnit } = options;
  const planner = createPlanner(options, priceUnit);
  for await (const batch of candidateBatches(options)) await planner.plan(batch);
  const suggestion = priceUnit === "unknown" ? await suggestUnit(options) : undefined;
  return { ...(await planner.plan([])), priceUnit, suggestion };
}

interface Candidate {
  readonly parsed: ParsedRow;
  readonly row: CandidateRow;
}

async function* candidateBatches(options: PlanFeedOptions): AsyncGenerator<readonly Candidate[]> {
  const { feed, survey, signal } = options;
  const { sheet, mapping } = feed;
  const { notations } = survey;
  const codes = createCodeColumn(sheet.sheet, mapping);
  const mapper = createRowMapper({ sheet: sheet.sheet, mapping, notations, names: NO_NAMES });
  const check = createFeedCheck(sheet, mapping);
  let batch: Candidate[] = [];
  for await (const source of productRows(sheet, mapping)) {
    signal?.throwIfAborted();
    const candidate = toCandidate({ mapper, codes }, mapper.map(source));
    const row = { ...candidate, issues: [...check(source), ...candidate.issues] };
    const { code, codeKey } = row;
    batch.push({ row, parsed: { ...source, code, codeKey } });
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

const refuseNames = async (): Promise<never> => {
  throw new Error("a feed has no names to resolve");
};

/** No column that a feed may have names anything. */
const NO_NAMES: NameSource = {
  categories: refuseNames,
  brands: refuseNames,
  models: refuseNames,
  properties: refuseNames,
  shippingTemplates: refuseNames,
};

interface Planner {
  plan(batch: readonly Candidate[]): Promise<Omit<FeedPlan, "priceUnit" | "suggestion">>;
}

function createPlanner(options: PlanFeedOptions, priceUnit: PriceUnit): Planner {
  const rows: PlannedRow[] = [];
  const refuseSecond = createRefuseSecond();
  const stock = { rows: 0, emptied: 0 };
  const unsendable = createUnsendableCount();
  let unchanged = 0;
  let unguarded = 0;

  const note = ({ parsed, row }: Candidate, decision: RowDecision): void => {
    if (decision.productId !== null && row.changes.stock_count !== undefined) {
      stock.rows += 1;
      const change = decision.changes.find(({ field }) => field === "stock_count");
      if (change?.new === 0 && change.old !== 0) stock.emptied += 1;
    }
    unsendable.note(decision);
    if (decision.issues.some(({ code }) => code === PRICE_UNIT_CODE)) unguarded += 1;
    // What is told once for all rows of the feed is counted, and not kept.
    if (isUnsendable(decision)) return;
    if (decision.state === "unchanged" && decision.issues.length === 0) unchanged += 1;
    else rows.push({ parsed, decision });
  };

  const decide = ({ row }: Candidate, seenOf: ReadSeen): RowDecision =>
    planRow(row, {
      seen: seenOf(row),
      known: undefined,
      sameCode: options.survey.sameCode.get(row.row) ?? [],
      lastSent: undefined,
      priceUnit: "minor",
      mode: "update",
      guards: options.guards,
      refused: options.refused,
    });

  return {
    async plan(batch) {
      const known = readSeen(options, batch, priceUnit);
      const drafts = batch.map((candidate) => decide(candidate, known));
      await options.fresh.refresh(idsOf(drafts.filter(({ action }) => action === "update")));
      const seenOf = readSeen(options, batch, priceUnit);
      for (const candidate of batch) {
        const planned = decide(candidate, seenOf);
        const { guards } = options;
        const decision =
          priceUnit === "unknown"
            ? holdUnguarded(planned, candidate.row, { seen: seenOf(candidate.row), guards })
            : planned;
        const single = refuseSecond(decision, candidate.row);
        note(candidate, options.releases.judge(candidate.row, single));
      }
      return { rows, unchanged, unsendable: unsendable.counts(), unguarded, stock };
    },
  };
}

type ReadSeen = (row: CandidateRow) => readonly SeenProduct[];

function readSeen(options: KnownFrom, batch: readonly Candidate[], priceUnit: PriceUnit): ReadSeen {
  const known = readKnown(options, batch);
  return (row) => known(row).map((product) => toSeen(product, priceUnit));
}

type KnownFrom = Pick<PlanFeedOptions, "feeds" | "way">;

function readKnown(
  { feeds, way = [] }: KnownFrom,
  batch: readonly Candidate[],
): (row: CandidateRow) => readonly FeedProduct[] {
  const storedKey = (row: CandidateRow): string | null => toStoredKey(way, row, toCodeKey);
  const keys = batch
    .flatMap(({ row }) => [row.codeKey, storedKey(row)])
    .filter((key) => key !== null);
  const ids = batch.map(({ row }) => row.productId).filter((id) => id !== null);
  const byCode = Map.groupBy(feeds.readByCode(keys), ({ codeKey }) => codeKey);
  const byId = Map.groupBy(feeds.readById(ids), ({ productId }) => productId);
  return (row) => {
    if (row.productId !== null) return byId.get(row.productId) ?? [];
    return byCode.get(row.codeKey ?? "") ?? byCode.get(storedKey(row) ?? "") ?? [];
  };
}

/**
 * Most prices of a feed are the store's already. That fits one unit; a feed whose prices are 100
 * times off fits the wrong one just as well, so it is told to people and never used.
 */
async function suggestUnit(options: PlanFeedOptions): Promise<PriceUnitSuggestion | undefined> {
  const units = createPriceUnitCount();
  let looked = 0;
  for await (const batch of candidateBatches(options)) {
    const knownOf = readKnown(options, batch);
    for (const { row } of batch) {
      const [known] = knownOf(row);
      if (known !== undefined) units.note(row.changes.price, known.shown.price);
    }
    looked += batch.length;
    if (looked >= MOST_SAMPLES) break;
  }
  return units.suggestion();
}
