/** Tries the price rules on a file or feed: each row before and after, and the rule. Sends nothing. */

import { type Connection, priceUnitOf } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { PriceRule } from "@catalog/pricing";
import {
  guardCost,
  type PricedValues,
  type PriceUnit,
  type RowIssue,
  readPriceTag,
  RULE_CODE,
  toGuardSettings,
  toPaidPrice,
} from "@catalog/runs";

import { type FeedFetch, fetchFeed } from "../feed/feed-file.ts";
import { type FeedReading, type OpenedFeed, openFeed } from "../feed/open-feed.ts";
import { createReading, readCandidates } from "../feed/plan-feed.ts";
import { scanFeed } from "../feed/scan-feed.ts";
import { loadActiveRules } from "../names/value-rules.ts";
import { readPriceRules } from "./price-rules.ts";
import { nameSource } from "./source-names.ts";

interface TryRulesOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  /** Name by which the suppliers of rules know the file. @default its own */
  readonly name?: string | undefined;
  readonly fetch: FeedFetch;
  readonly reading?: Omit<FeedReading, "signal" | "isLenient"> | undefined;
  /** Rules that are not saved yet. @default those of the store */
  readonly rules?: readonly PriceRule[] | undefined;
  /** Rows that are returned; all are counted. */
  readonly max: number;
  readonly signal?: AbortSignal | undefined;
}

/** Values of a row in minor units and pieces. */
interface TriedValues {
  readonly price?: number | undefined;
  /** What the buyer pays, where a discount makes it another amount. */
  readonly discounted?: number | undefined;
  readonly stock?: number | undefined;
  readonly currency?: string | undefined;
}

/** A row before and after the rules. */
export interface TriedRow {
  readonly row: number;
  readonly code: string | null;
  readonly before: TriedValues;
  readonly after: TriedValues;
  /** The rules that made the values, and what holds or refuses the row. */
  readonly rules: readonly Localized[];
  readonly isHeld: boolean;
}

/** The result of a try. */
export interface TriedRules {
  readonly version: number;
  readonly rows: readonly TriedRow[];
  readonly total: number;
  /** Rows with a value that a rule has made. */
  readonly ruled: number;
  readonly belowCost: number;
  /** Rows whose value is left as it is, as no rule holds for certain. */
  readonly left: number;
  readonly notes: readonly Localized[];
}

/** Reads a whole file or feed. Products are taken as the store was read last; no call is made. */
export async function tryRules(
  connection: Connection,
  options: TryRulesOptions,
): Promise<TriedRules> {
  const fetched = await fetchFeed({ feed: options.feed, fetch: options.fetch }, undefined);
  if (fetched.kind === "unchanged") throw new Error("a feed without validators is never unchanged");
  using file = fetched.file;
  const { rules: registry } = connection.memory;
  const { signal, max } = options;
  const how = { ...options.reading, signal };
  await using feed = await openFeed(connection, file, how);
  const scan = await scanFeed(connection, feed, { ...how, decimal: feed.decimal });
  const stored = await readPriceRules(connection);
  const reading = createReading({
    feed,
    scan,
    prices: { ...stored, rules: options.rules ?? stored.rules },
    suppliers: nameSource({ file: options.name ?? file.name, profile: how.profile }),
    textRules: await loadActiveRules(registry, feed.mapping.platform?.name),
    nowMs: connection.clock.now(),
  });
  const { set, remembered = "unknown" } = await priceUnitOf(connection).known();
  const rows: TriedRow[] = [];
  const counts = { total: 0, ruled: 0, belowCost: 0, left: 0 };
  for await (const batch of readCandidates({ feed, signal }, reading)) {
    for (const { codes, ...row } of await judgeBatch(connection, batch, set ?? remembered)) {
      counts.total += 1;
      counts.ruled += Number(codes.has(RULE_CODE));
      counts.belowCost += Number(codes.has("E_GUARD_BELOW_COST"));
      counts.left += Number(codes.has("W_PRICE_RULE_LEFT") || codes.has("E_PRICE_RULE"));
      if (rows.length < max) rows.push(row);
    }
  }
  return { version: stored.version, rows, ...counts, notes: toNotes(feed, reading) };
}

/** How the file was read, what the rules did, and that none of them is for it. */
function toNotes({ notes }: OpenedFeed, { pricer }: PricedReading): readonly Localized[] {
  const unmatched = pricer.unmatched();
  return [...notes, ...pricer.notes(), ...(unmatched === undefined ? [] : [tellNoRule(unmatched)])];
}

const tellNoRule = ({ tr, en }: Localized): Localized => ({
  tr: `Fiyat kuralları bu dosyanın hiçbir satırına uymuyor: import fiyatları olduğu gibi göndermeden önce sorar, sync dosyayı reddeder (${tr}). Uyması gerekiyorsa kuralın Tedarikçi hücresine bu adlardan birini yazın.`,
  en: `No price rule fits any row of this file: import asks before it sends its prices as they are, and sync refuses it (${en}). If one should fit, write one of these names as its supplier.`,
});

type PricedReading = ReturnType<typeof createReading>;
type Batch = ReturnType<typeof readCandidates> extends AsyncGenerator<infer Rows> ? Rows : never;

async function judgeBatch(
  { journal, guardLimits }: Connection,
  batch: Batch,
  priceUnit: PriceUnit,
): Promise<readonly (TriedRow & { readonly codes: ReadonlySet<string> })[]> {
  const keys = batch.map(({ candidate }) => candidate.codeKey).filter((key) => key !== null);
  const seen = new Map(
    (await journal.readSeenByCode(keys)).map((product) => [product.codeKey, product.product]),
  );
  const lastSent = await journal.readLastSent([...seen.values()].map(({ id }) => id));
  const guards = toGuardSettings(guardLimits);
  return batch.map(({ candidate }) => {
    const { row, code, codeKey, changes } = candidate;
    const product = seen.get(codeKey ?? "");
    const known = { seen: product, lastSent: product && lastSent.get(product.id), priceUnit };
    const made = applyPricing(candidate, known);
    const locationOf = (field: "price" | "discount_value" | "stock") => candidate.locationOf(field);
    const sale = { ...known, sent: made.changes, cost: made.cost };
    const held = [...guardCost(sale, { guards, locationOf }), ...made.holds];
    const issues: readonly RowIssue[] = [...candidate.issues, ...made.issues, ...held];
    return {
      row,
      code,
      before: toValues(changes),
      after: toValues(made.changes),
      rules: issues.map(({ message }) => message),
      isHeld: held.length > 0,
      codes: new Set(issues.map((issue) => issue.code)),
    };
  });
}

type Candidate = Batch[number]["candidate"];

/** The values under the rules; those of the row itself where it has none. */
function applyPricing(
  { pricing, changes }: Candidate,
  known: Parameters<typeof readPriceTag>[0],
): Pick<PricedValues, "changes" | "issues" | "holds" | "cost"> {
  if (pricing === undefined) return { changes, issues: [], holds: [], cost: undefined };
  const { seen, lastSent } = known;
  if (seen === undefined) return pricing.apply({});
  return pricing.apply({ productId: seen.id, seen, lastSent, price: readPriceTag(known).price });
}

const toValues = (changes: Candidate["changes"]): TriedValues => {
  const { price, currency, stock_count: stock, has_discount: isReduced } = changes;
  return {
    price,
    stock,
    currency,
    ...(isReduced === true && { discounted: toPaidPrice(changes) }),
  };
};
