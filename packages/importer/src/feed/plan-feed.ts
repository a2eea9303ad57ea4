/** Second reading of a feed: maps its rows, which the engine compares with what is known. */

import { fieldLabels } from "@catalog/connection";
import {
  codeKey,
  createRowMapper,
  createSheetReader,
  unfoldRow,
  type NameSource,
  type RowMapper,
  type ValueRules,
} from "@catalog/mapping";
import { type CandidateRow, type Journal, planFeedRows, rowAddress } from "@catalog/runs";

import type { ReleasedChanges } from "../apply/released-changes.ts";
import { createFeedCheck } from "../file/describe-file.ts";
import { toCandidate } from "../plan/read-rows.ts";
import type { PriceRules } from "../pricing/price-rules.ts";
import { createRowPricer, type RowPricer } from "../pricing/row-pricing.ts";
import type { FeedState, FreshProducts } from "./feed-state.ts";
import type { OpenedFeed } from "./open-feed.ts";
import { type FeedScan, isNoProduct, readFeedRows } from "./scan-feed.ts";

/** What a feed changes. */
export type FeedPlan = Awaited<ReturnType<typeof planFeedRows>>;

type PlanRowsOptions = Parameters<typeof planFeedRows>[0];

export interface PlanFeedOptions extends Pick<
  PlanRowsOptions,
  "guards" | "refused" | "normalization" | "priceUnit" | "checkUpdate"
> {
  readonly feed: OpenedFeed;
  readonly scan: FeedScan;
  readonly journal: Pick<Journal, "readLastSent">;
  readonly feedState: Pick<FeedState, "readByCode" | "readById">;
  /** Reads products that are about to be changed from the store again. */
  readonly fresh: Pick<FreshProducts, "refresh">;
  /** Changes that people have released. */
  readonly releases: Pick<ReleasedChanges, "decide">;
  /** What texts of feeds mean, by rules of the store. */
  readonly textRules: ValueRules;
  /** Now, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly prices: PriceRules;
  /** Names of the feed. */
  readonly suppliers: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Rows compared at a time. */
const BATCH_ROWS = 500;

/** Plans every row of a feed. */
export async function planFeed(options: PlanFeedOptions): Promise<
  FeedPlan & {
    readonly priceNotes: ReturnType<RowPricer["notes"]>;
    readonly unmatched: ReturnType<RowPricer["unmatched"]>;
  }
> {
  const reading = createReading(options);
  const plan = await planFeedRows({
    ...toPlanOptions(options),
    rows: () => readCandidates(options, reading),
    duplicates: options.scan.duplicates,
  });
  const { pricer } = reading;
  return { ...plan, priceNotes: pricer.notes(), unmatched: pricer.unmatched() };
}

/** What the engine needs to know of the store, for rows of a feed and for products without one. */
export const toPlanOptions = (
  options: PlanFeedOptions,
): Omit<PlanRowsOptions, "rows" | "duplicates"> => ({
  ...options,
  products: options.feedState,
  refresh: (ids) => options.fresh.refresh(ids),
  release: (row, decision) => options.releases.decide(row, decision),
  codeKey,
  nameField: fieldLabels,
});

interface ReadRow {
  readonly parsed: FeedPlan["rows"][number]["parsed"];
  readonly candidate: CandidateRow;
}

type FeedReadingOptions = Pick<
  PlanFeedOptions,
  "feed" | "scan" | "textRules" | "prices" | "suppliers" | "nowMs"
>;

/** What turns the rows of a feed into candidates; its second reading goes on with it. */
export interface FeedReading {
  readonly mapper: RowMapper;
  readonly pricer: RowPricer;
}

export function createReading({
  feed: { sheet, mapping, wholeMapping },
  scan: { notations },
  textRules,
  prices,
  suppliers,
  nowMs,
}: FeedReadingOptions): FeedReading {
  const nameRow = (row: number): string => rowAddress(sheet, row);
  const how = { mapping, notations, nameRow, nowMs, names: NO_NAMES, rules: textRules };
  const mapper = createRowMapper({ sheet: sheet.sheet, ...how });
  // The columns that a sync does not send may decide which rule holds.
  const columns = { mapping: wholeMapping, notations };
  return { mapper, pricer: createRowPricer({ prices, ...columns, mapper, suppliers, nowMs }) };
}

/** Reads every row of a feed with the values that it has under the rules, in batches. */
export async function* readCandidates(
  { feed, signal }: Pick<PlanFeedOptions, "feed" | "signal">,
  { mapper, pricer }: FeedReading,
): AsyncGenerator<readonly ReadRow[]> {
  const { sheet, mapping } = feed;
  const { codes } = createSheetReader(mapping, sheet.sheet);
  const check = createFeedCheck(sheet, mapping);
  let batch: ReadRow[] = [];
  for await (const source of readFeedRows(feed)) {
    signal?.throwIfAborted();
    if (isNoProduct(source)) continue;
    const mapped = mapper.map(source);
    const read = toCandidate({ mapper, codes, endsSales: true }, mapped);
    const checked = { ...read, issues: [...check(source), ...read.issues] };
    const candidate = pricer.price(checked, source, mapped);
    const { code, codeKey: key } = candidate;
    batch.push({ candidate, parsed: { ...unfoldRow(source), code, codeKey: key } });
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
