/**
 * Asks the search of the marketplace for products like those of an open name, and counts what the
 * similar ones are. One call serves the category and the brand of the same titles. A search that
 * fails, or answers nonsense, only loses suggestions.
 */

import { hash } from "node:crypto";

import { ApiError, AuthError, ClientError, PermissionError } from "@catalog/client/errors";
import { type Connection, describeClientError } from "@catalog/connection";
import { formatNumber, type Localized } from "@catalog/i18n";
import { createTitleIndex, fold, type KnownProduct, type Vote } from "@catalog/mapping";
import pLimit from "p-limit";

import type { FoundName } from "./open-names.ts";

/** What similar products on the marketplace are. */
export interface MarketVotes {
  readonly category: readonly Vote[];
  readonly brand: readonly Vote[];
}

/** An open name that is searched by the titles of its rows. */
export type SearchedName = Pick<FoundName, "field" | "titles" | "rows">;

/** How many searches may be made. */
export interface SearchOptions {
  /** Names with the most rows are searched first. */
  readonly max: number;
  /**
   * Whether they may take all calls of the hourly limit and wait for it. @default false: a tenth of
   * them, without waiting
   */
  readonly waits?: boolean | undefined;
  readonly onProgress?: ((progress: SearchProgress) => void) | undefined;
}

interface SearchProgress {
  readonly done: number;
  readonly total: number;
}

/** Searches the marketplace. What was found before is remembered for a week, as counts. */
export interface MarketSearch {
  /** Number of calls that would say more about these names. */
  countCalls(names: readonly SearchedName[]): Promise<number>;
  /** Searches for those names that were not searched before, with one call each at most. */
  search(names: readonly SearchedName[], options: SearchOptions): Promise<void>;
  /** What was found for a name, now or before; `undefined` where it was not searched. */
  votes(name: SearchedName): Promise<MarketVotes | undefined>;
  /** What was searched, what was not, and why. */
  notes(): readonly Localized[];
  /** Why no more searches are made; `undefined` while they are. */
  failure(): Localized | undefined;
}

interface MarketSearchOptions {
  readonly connection: Pick<Connection, "client" | "memory" | "baseUrl" | "meters" | "clock">;
  readonly signal?: AbortSignal | undefined;
}

/** Fields of which a result of the search has an id. */
const SEARCHED_FIELDS: ReadonlySet<string> = new Set(["category", "brand"]);

/** Longer than lists of names are kept: what products are changes rarely, and each costs a call. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Results that are asked for; one page. */
const MAX_RESULTS = 50;

/** More than for the store's own products, as a search may answer nonsense. */
const MIN_LIKENESS = 0.25;

const SEARCHES_AT_ONCE = 4;

/** A search without an answer is given up, as it only serves suggestions. */
const TIMEOUT_MS = 15_000;

/** Failures in a row after which no more searches are made. */
const MAX_FAILURES = 3;

/** Searches take at most this part of the calls of an hour. */
const SHARE_OF_LIMIT = 0.1;

/** Searches that would wait longer for their slots are not made. */
const MAX_WAIT_MS = 30_000;

/** The stores of companies, as the marketplace's own are. */
const STORE_TYPE = "b2c";

/** Creates a search; nothing is asked until then. */
export function createMarketSearch({ connection, signal }: MarketSearchOptions): MarketSearch {
  const { memory, baseUrl, meters } = connection;
  const found = new Map<string, MarketVotes | undefined>();
  const counts = { searched: 0, left: 0 };
  let failure: Localized | undefined;

  const prefix = `${baseUrl} search `;
  const toKey = ({ titles }: Pick<SearchedName, "titles">): string =>
    `${prefix}${hash("sha256", JSON.stringify(titles.map(fold))).slice(0, 32)}`;
  const read = async (key: string): Promise<MarketVotes | undefined> => {
    if (!found.has(key)) {
      const [votes] = (await memory.names.read<MarketVotes>(key, MAX_AGE_MS)) ?? [];
      found.set(key, votes);
    }
    return found.get(key);
  };
  /** The searches to make, with the names that each serves, those with the most rows first. */
  const listSearches = async (names: readonly SearchedName[]): Promise<readonly Search[]> => {
    const searches = new Map<string, Search>();
    for (const name of names) {
      const words = SEARCHED_FIELDS.has(name.field) ? toSearchWords(name.titles) : "";
      if (words === "" || (await read(toKey(name))) !== undefined) continue;
      const search = searches.get(words) ?? { words, rows: 0, titles: new Map() };
      search.rows = Math.max(search.rows, name.rows);
      search.titles.set(toKey(name), name.titles);
      searches.set(words, search);
    }
    return [...searches.values()].toSorted((a, b) => b.rows - a.rows);
  };
  const ask = async ({ words, titles }: Search): Promise<void> => {
    const products = await findProducts(connection, words, signal);
    const index = createTitleIndex(products, { minLikeness: MIN_LIKENESS });
    for (const [key, of] of titles) {
      const votes = { category: index.vote(of, "category"), brand: index.vote(of, "brand") };
      found.set(key, votes);
      await memory.names.write(key, [votes]);
    }
  };
  let failures = 0;
  const tryOne = async (search: Search): Promise<void> => {
    try {
      await ask(search);
      failures = 0;
      counts.searched += 1;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ClientError || error instanceof LateSearchError)) throw error;
      failures += 1;
      if (isFinal(error) || failures === MAX_FAILURES) failure ??= describeFailure(error);
    }
  };
  return {
    countCalls: async (names) => (await listSearches(names)).length,
    async search(names, { max, waits = false, onProgress }) {
      const searches = max === 0 || failure !== undefined ? [] : await listSearches(names);
      const wanted = Math.min(max, searches.length);
      const total = waits ? wanted : await limitSearches(meters, wanted);
      // Titles change from file to file, so most old counts are never asked for again.
      if (total > 0) await memory.names.forget(prefix, MAX_AGE_MS);
      const [first, ...others] = searches.slice(0, total);
      let done = 0;
      const tryNext = async (search: Search): Promise<void> => {
        if (failure !== undefined) return;
        await tryOne(search);
        done += 1;
        onProgress?.({ done, total });
      };
      // One alone shows whether this marketplace searches at all.
      if (first !== undefined) await tryNext(first);
      await pLimit(SEARCHES_AT_ONCE).map(others, tryNext);
      counts.left = searches.length - done;
    },
    votes: (name) =>
      SEARCHED_FIELDS.has(name.field) ? read(toKey(name)) : Promise.resolve(undefined),
    notes() {
      if (failure !== undefined) return [failure];
      return counts.searched + counts.left === 0 ? [] : [describeSearches(counts)];
    },
    failure: () => failure,
  };
}

interface Search {
  readonly words: string;
  rows: number;
  /** Titles of names by the key under which their votes are kept. */
  readonly titles: Map<string, readonly string[]>;
}

/** Fewer where the hourly limit or a pause leaves no room. */
async function limitSearches(
  { pacing }: Pick<Connection["meters"], "pacing">,
  wanted: number,
): Promise<number> {
  if (wanted === 0 || (await pacing.pause()) !== undefined) return 0;
  const perHour = await pacing.callsPerHour();
  let allowed = Math.min(wanted, Math.floor((perHour ?? Infinity) * SHARE_OF_LIMIT));
  while (allowed > 0 && (await pacing.waitMs(allowed)) > MAX_WAIT_MS) {
    allowed = Math.floor(allowed / 2);
  }
  return allowed;
}

interface SearchCounts {
  readonly searched: number;
  readonly left: number;
}

/** The search did not answer in time. */
class LateSearchError extends Error {
  override readonly name = "LateSearchError";
}

/** Results with ids of other forms, or without titles, count for nothing. */
async function findProducts(
  { client, clock }: Pick<Connection, "client" | "clock">,
  words: string,
  signal: AbortSignal | undefined,
): Promise<readonly KnownProduct[]> {
  const [late, over] = [new AbortController(), new AbortController()];
  clock.sleep(TIMEOUT_MS, over.signal).then(
    () => late.abort(new LateSearchError("the search has not answered")),
    () => undefined,
  );
  try {
    const { result } = await client.product.search(
      { type: STORE_TYPE, search_key: words, limit: MAX_RESULTS },
      { signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]), retries: 0 },
    );
    return result.slice(0, MAX_RESULTS).flatMap(({ title, category_id, brand_id }) => {
      if (typeof title !== "string" || title === "") return [];
      return [{ title, category: category_id ?? undefined, brand: brand_id ?? undefined }];
    });
  } finally {
    over.abort(new Error("the search has ended"));
  }
}

/** Whether another search would be refused like this one. */
const isFinal = (error: Error): boolean =>
  error instanceof AuthError ||
  error instanceof PermissionError ||
  (error instanceof ApiError && (error.isLimit || error.status < 500));

/** Words of a search; more of them find nothing where all must stand in a title. */
const MAX_WORDS = 3;
const MIN_WORD_CHARS = 3;

/** A title says what the product is before these; behind them stand its details. */
const DETAILS = /\s[-–—|]\s|[,;:(|]/u;

/**
 * The words that say what products are: those that their titles share, else the last ones before the
 * details of the first title, where the kind of product stands. Numbers and sizes are left out.
 */
export function toSearchWords(titles: readonly string[]): string {
  const [first = [], ...others] = titles.map(toWords).filter(({ length }) => length > 0);
  const shared = others.map((words) => new Set(words.map(fold)));
  const common = first.filter((word) => shared.every((words) => words.has(fold(word))));
  const words = others.length > 0 && common.length > 0 ? common : first;
  return words.slice(-MAX_WORDS).join(" ");
}

function toWords(title: string): readonly string[] {
  const whole = readWords(title);
  const head = readWords(title.split(DETAILS)[0] ?? "");
  return head.length > 1 ? head : whole;
}

const readWords = (text: string): readonly string[] =>
  text
    .slice(0, MAX_TITLE_CHARS)
    .split(/[^\p{L}\p{M}\p{N}'’&]+/u)
    .filter((word) => word.length >= MIN_WORD_CHARS && !/\p{N}/u.test(word));

const MAX_TITLE_CHARS = 160;

function describeSearches({ searched, left }: SearchCounts): Localized {
  const [done, more] = [searched, left].map((count) => formatNumber(count, "tr"));
  const [made, rest] = [searched, left].map((count) => formatNumber(count, "en"));
  return {
    tr: `Anlaşılamayan adlar için pazaryerinde ${done} arama yapıldı${left === 0 ? "" : `, ${more} arama yapılmadı (hepsi için catalog map)`}.`,
    en: `The marketplace was searched ${made} ${searched === 1 ? "time" : "times"} for names that are open${left === 0 ? "" : `; ${rest} more searches were not made (catalog map makes them all)`}.`,
  };
}

function describeFailure(error: Error): Localized {
  const { tr, en } =
    error instanceof ClientError
      ? describeClientError(error)
      : { tr: "yanıt vermedi", en: "it did not answer" };
  return {
    tr: `Pazaryerinin ürün araması kullanılamadı, adlara öneriler onsuz yapıldı: ${tr}`,
    en: `The product search of the marketplace could not be used, so names were suggested without it: ${en}`,
  };
}
