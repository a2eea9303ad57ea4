/** Second reading of a feed: maps its rows, which the engine compares with what is known. */

import { fieldLabels } from "@catalog/connection";
import {
  codeKey,
  createRowMapper,
  createSheetReader,
  type NameSource,
  type ValueRules,
} from "@catalog/mapping";
import { type CandidateRow, type Journal, planFeedRows, rowAddress } from "@catalog/runs";

import type { ReleasedChanges } from "../apply/released-changes.ts";
import { createFeedCheck } from "../file/describe-file.ts";
import { toCandidate } from "../plan/read-rows.ts";
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
  readonly signal?: AbortSignal | undefined;
}

/** Rows compared at a time. */
const BATCH_ROWS = 500;

/** Plans every row of a feed. */
export async function planFeed(options: PlanFeedOptions): Promise<FeedPlan> {
  return await planFeedRows({
    ...toPlanOptions(options),
    rows: () => readCandidates(options),
    duplicates: options.scan.duplicates,
  });
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
    const { code, codeKey: key } = candidate;
    batch.push({ candidate, parsed: { ...source, code, codeKey: key } });
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
