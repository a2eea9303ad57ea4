/** Where an exported table comes from; each kind of export has its own source. */

import type { Client, PagedMethod } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import type { ObjectSchema, Page, PageQuery } from "@catalog/contract";
import { InputError, type Localized } from "@catalog/i18n";

import type { OutColumn } from "../columns/out-column.ts";
import type { ListingsProgress } from "../listing-progress.ts";
import type { Listing } from "../listing.ts";
import type { ListingsEnd } from "../read-listings.ts";
import type { ExportJob, ExportMark, StagedItem } from "../staging.ts";

/** Context of a source. */
export interface SourceContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly job: ExportJob;
  /** Opens a further job of the export, for items that have to be read first. */
  readonly openPart: (name: string) => Promise<ExportJob>;
  /** Filters by the names of the marketplace's own query fields. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Mark after which items are new; `undefined` to read all. */
  readonly since: ExportMark | undefined;
  /** Whether names of people are written in full. */
  readonly withNames: boolean;
  /** Whether e-mail and postal addresses are written in full. */
  readonly withContact: boolean;
  /** Ends the reading after the page under way. */
  readonly stop: AbortSignal | undefined;
  /** Aborts calls that wait. */
  readonly signal: AbortSignal | undefined;
  readonly onPage: (progress: ListingsProgress) => void;
  /** Called once the number of remaining calls is known. */
  readonly onPlan: (calls: number) => void;
}

/** The days that an export holds, in milliseconds since 1970. */
export interface ExportPeriod {
  /** `undefined` where it holds all that the marketplace has. */
  readonly fromMs: number | undefined;
  readonly toMs: number;
  /** Whether no period was asked for, so that it is the default one. */
  readonly isDefault: boolean;
}

export interface Source<Item> {
  /** The days of a listing that never gives everything unasked. @default it gives all */
  readonly period?: ExportPeriod | undefined;
  /** Reads all items into the job. */
  read(): Promise<ListingsEnd>;
  /** Columns of the table, known once everything was read. */
  columns(): Promise<readonly OutColumn<Item>[]>;
  /** Time of an item, where it has one. */
  timestampOf?(item: Item): number | undefined;
  /**
   * Whether an export of new items has the item; known once everything was read. @default items that no earlier export has written
   */
  isNew?(item: Item): boolean;
  /** Number of items below each item, or a fingerprint of it, for the next export. */
  counts?(): Promise<Readonly<Record<string, number>>>;
}

/**
 * How far before the start of the last export the next one reads again: items that wait for
 * approval are listed later than they were made, and clocks differ. Items that were exported
 * already are left out by their ids.
 */
const OVERLAP_MS = 3 * 24 * 60 * 60 * 1000;

/** `start_date` of an export of new items, in seconds. */
export function startDate(
  since: ExportMark | undefined,
  given: number | undefined,
): number | undefined {
  if (since === undefined) return given;
  const newest = Math.min(since.begunAtMs, since.newestMs ?? since.begunAtMs);
  return Math.max(given ?? 0, Math.floor((newest - OVERLAP_MS) / 1000));
}

/**
 * The filters as the endpoint takes them. Throws {@link InputError} for a filter that it does not
 * know.
 */
export function parseFilters<Query>(
  { input }: { readonly input: ObjectSchema<Query> },
  filters: Readonly<Record<string, unknown>>,
): Query {
  const parsed = input.safeParse(filters);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const name = String(first?.path[0] ?? "").replaceAll("_", "-");
  const { tr, en } = describeProblem(first);
  throw new InputError({
    tr: `--${name} değeri kullanılamıyor: ${tr}. Değeri düzeltip yeniden deneyin.`,
    en: `The value of --${name} cannot be used: ${en}. Correct it and try again.`,
  });
}

type Refusal = NonNullable<ReturnType<ObjectSchema<unknown>["safeParse"]>["error"]>;

function describeProblem(problem: Refusal["issues"][number] | undefined): Localized {
  if (problem?.code === "invalid_value") {
    const values = problem.values.map(String).join(", ");
    return { tr: `yazılabilecekler: ${values}`, en: `it may be: ${values}` };
  }
  if (problem?.code === "too_small") {
    return { tr: `en az ${problem.minimum} olmalı`, en: `it must be at least ${problem.minimum}` };
  }
  if (problem?.code === "too_big") {
    return { tr: `en çok ${problem.maximum} olmalı`, en: `it must be at most ${problem.maximum}` };
  }
  return { tr: "biçimi uygun değil", en: "it has not the right form" };
}

export interface ListingOptions<Query extends PageQuery, Item, OnePage extends Page<Item>> {
  readonly name: string;
  readonly pageSize: number;
  readonly query: Query;
  readonly list: PagedMethod<Query, Item, OnePage>;
  readonly toItem: (item: Item, page: OnePage) => StagedItem;
  readonly signal: AbortSignal | undefined;
}

/** Creates the reader of a paged listing. */
export function createListing<Query extends PageQuery, Item, OnePage extends Page<Item>>(
  options: ListingOptions<Query, Item, OnePage>,
): Listing {
  const { name, pageSize, query, list, toItem, signal } = options;
  const callOptions = signal === undefined ? {} : { signal };
  const toItems = (page: OnePage): readonly StagedItem[] =>
    page.result.map((item) => toItem(item, page));
  return {
    name,
    pageSize,
    async *pages({ page: first, size: limit, signal: closing, onEnd }) {
      const asked = { ...query, limit, page: first };
      const until = signal === undefined ? closing : AbortSignal.any([signal, closing]);
      for await (const page of list.pages(asked, { signal: until, onEnd })) {
        yield { ...page, items: toItems(page) };
      }
    },
    async fetch(page, limit) {
      const answer = await list({ ...query, limit, page }, callOptions);
      return { total: answer.total, items: toItems(answer) };
    },
  };
}
