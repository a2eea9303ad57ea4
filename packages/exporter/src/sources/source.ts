/** Where an exported table comes from: one for each kind of export. */

import { type Client } from "@catalog/client";
import { type Clock } from "@catalog/clock";
import { type ObjectSchema, type Page, type PageQuery } from "@catalog/contract";
import { type ExportJob, type ExportMark, type SpooledItem } from "@catalog/database";
import { InputError } from "@catalog/i18n";

import { type OutColumn } from "../columns/out-column.ts";
import { type LanesProgress } from "../listing-progress.ts";
import { type Lane } from "../listing.ts";
import { type LanesEnd } from "../read-listings.ts";

/** What a source works with. */
export interface SourceContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly job: ExportJob;
  /** A further job of the export, for what has to be read before. */
  readonly openPart: (name: string) => ExportJob;
  /** Filters by the names of the marketplace's own query fields. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Only what is new since then. */
  readonly since: ExportMark | undefined;
  /** Names of people are written in full. */
  readonly withNames: boolean;
  /** Ends the reading after the page under way. */
  readonly stop: AbortSignal | undefined;
  /** Ends calls that wait. */
  readonly signal: AbortSignal | undefined;
  readonly onPage: (progress: LanesProgress) => void;
  /** Called once it is known how many calls are still to be made. */
  readonly onPlan: (calls: number) => void;
}

export interface Source<Item> {
  /** Reads everything into the job. */
  read(): Promise<LanesEnd>;
  /** Asked for once everything is read. */
  columns(): Promise<readonly OutColumn<Item>[]>;
  /** Moment of an item, where it has one. */
  momentOf?(item: Item): number | undefined;
  /** Things below each thing, for the next export. */
  counts?(): Readonly<Record<string, number>>;
}

/**
 * How far before the last export's begin the next one looks again: what waits for approval is
 * listed later than it was made, and clocks differ. What was exported already is left out by its id.
 */
const OVERLAP_MS = 3 * 24 * 60 * 60 * 1000;

/** `start_date` of an export that wants only what is new, in seconds. */
export function startDate(
  since: ExportMark | undefined,
  given: number | undefined,
): number | undefined {
  if (since === undefined) return given;
  const newest = Math.min(since.begunAtMs, since.newestMs ?? since.begunAtMs);
  return Math.max(given ?? 0, Math.floor((newest - OVERLAP_MS) / 1000));
}

/** The filters as the endpoint takes them. Throws {@link InputError} for one that it does not. */
export function parseFilters<Query>(
  { input }: { readonly input: ObjectSchema<Query> },
  filters: Readonly<Record<string, unknown>>,
): Query {
  const parsed = input.safeParse(filters);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const name = String(first?.path[0] ?? "").replaceAll("_", "-");
  throw new InputError({
    tr: `--${name} değeri kullanılamıyor (${first?.message}). Değeri düzeltip yeniden deneyin.`,
    en: `The value of --${name} cannot be used (${first?.message}). Correct it and try again.`,
  });
}

export interface ListingLaneOptions<Query extends PageQuery, Item> {
  readonly name: string;
  readonly pageSize: number;
  readonly takesNew?: boolean;
  readonly query: Query;
  readonly list: (query: Query, options: { readonly signal?: AbortSignal }) => Promise<Page<Item>>;
  readonly toItem: (item: Item) => SpooledItem;
  readonly signal: AbortSignal | undefined;
}

/** A paged listing as a lane. */
export function createListingLane<Query extends PageQuery, Item>(
  options: ListingLaneOptions<Query, Item>,
): Lane {
  const { name, pageSize, takesNew = true, query, list, toItem, signal } = options;
  return {
    name,
    pageSize,
    takesNew,
    async fetch(page, limit) {
      const callOptions = signal === undefined ? {} : { signal };
      const { total, result } = await list({ ...query, limit, page }, callOptions);
      return { total, items: result.map(toItem) };
    },
  };
}
