/**
 * Where an exported table comes from, a source for each kind of export; and warnings about a
 * finished export.
 */

import type { Client, PagedMethod } from "@catalog/client";
import { ApiError, PermissionError } from "@catalog/client/errors";
import type { Clock } from "@catalog/clock";
import type { ObjectSchema, Page, PageQuery } from "@catalog/contract";
import { formatDateTime, formatNumber, InputError, type Lang, type Localized } from "@catalog/i18n";

import type { OutColumn } from "../columns/out-column.ts";
import type {
  ExportJob,
  ExportMark,
  Listing,
  ListingsEnd,
  ListingsProgress,
  StagedItem,
} from "../read-listings.ts";

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
  /** Whether no column is known before everything was read. @default false */
  readonly needsReading?: boolean;
  /** Columns of the table, known once everything was read. */
  columns(): Promise<readonly OutColumn<Item>[]>;
  /** Items that the marketplace refused, of those that were asked for; known with the columns. */
  refused?(): number;
  /** Completes an item before it is written; called once for each, in the order of the file. */
  prepare?(item: Item): Promise<Item>;
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

/** A list that only helps; `undefined` where the marketplace refuses it. */
export async function readIfGranted<List>(read: () => Promise<List>): Promise<List | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError || error instanceof PermissionError) return undefined;
    throw error;
  }
}

interface ListingOptions<Query extends PageQuery, Item, OnePage extends Page<Item>> {
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

const day = (ms: number, lang: Lang): string => formatDateTime(ms, lang, { dateStyle: "short" });

/** Says which days the file holds. */
export function describePeriod({ fromMs, toMs }: ExportPeriod): Localized {
  if (fromMs === undefined) {
    return {
      tr: `Bütün siparişler, ${day(toMs, "tr")} gününe kadar.`,
      en: `All orders, up to ${day(toMs, "en")}.`,
    };
  }
  return {
    tr: `${day(fromMs, "tr")} ile ${day(toMs, "tr")} arasındaki siparişler.`,
    en: `Orders from ${day(fromMs, "en")} to ${day(toMs, "en")}.`,
  };
}

/** Names the codes and ids that were asked for and that no product has. */
export function warnOfUnknown(names: readonly string[]): readonly Localized[] {
  if (names.length === 0) return [];
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => `“${name}”`)
    .join(", ");
  const more = names.length - MAX_NAMES;
  const [tr, en] = [formatNumber(more, "tr"), formatNumber(more, "en")];
  return [
    {
      tr: `Mağazada bu kod ya da kimlikte bir ürün yok: ${shown}${more > 0 ? ` ve ${tr} tane daha` : ""}.`,
      en: `No product of the store has this code or id: ${shown}${more > 0 ? ` and ${en} more` : ""}.`,
    },
  ];
}

/** More names than these are no help. */
const MAX_NAMES = 5;

/** Says how many texts a workbook could not hold. */
export const warnOfCuts = (count: number): readonly Localized[] =>
  count === 0
    ? []
    : [
        {
          tr: `${formatNumber(count, "tr")} metin bir Excel hücresine sığmadı; sonu kesildi ve yerine … kondu. Tamamı için --format csv kullanın.`,
          en: `${plural(count, "text does", "texts do")} not fit a cell of Excel; the end was cut off and … put there. Use --format csv to have the whole.`,
        },
      ];

/** Says that prices are left empty. */
export const PRICE_UNIT_UNKNOWN: Localized = {
  tr: "Fiyatların birimi henüz bilinmiyor (kuruş mu, lira mı). “Fiyat” sütunu boş bırakıldı; fiyatlar geldiği gibi, içe aktarmanın okumadığı bir sütuna yazıldı. Biliyorsanız bir kez --price-unit minor (kuruş) ya da major (lira) ile dışa aktarın; sonraki komutlar hatırlar.",
  en: "The unit of the prices is not known yet (minor or major). The column “Price” is empty; the prices are written as they came, in a column that no import reads. If you know the unit, export once with --price-unit minor (kuruş) or major (lira); later commands remember it.",
};

/** Says how many texts were left out of a table that can be imported. */
export const warnOfTooLong = (count: number): Localized => ({
  tr: `${formatNumber(count, "tr")} metin bir Excel hücresine sığmadı ve boş bırakıldı (içe aktarma boş hücreyi olduğu gibi bırakır). Tamamı için --format csv kullanın.`,
  en: `${plural(count, "text does", "texts do")} not fit a cell of Excel and ${count === 1 ? "was" : "were"} left empty (an import leaves empty cells as they are). Use --format csv to have the whole.`,
});

/** Says how many of the items that were asked for the marketplace refused. */
export const warnOfRefused = (count: number): readonly Localized[] =>
  count === 0
    ? []
    : [
        {
          tr: `${formatNumber(count, "tr")} paket için ücret alınamadı; nedeni “Kargo Sorunu” sütununda.`,
          en: `The marketplace gave no prices for ${plural(count, "package", "packages")}; the column “Shipping Problem” says why.`,
        },
      ];

const plural = (count: number, one: string, many: string): string =>
  `${formatNumber(count, "en")} ${count === 1 ? one : many}`;

/** Says what may be missing from the file. */
export function warnOfMissing({
  missing,
  isChecked,
  isConsistent,
}: ListingsEnd): readonly Localized[] {
  if (!isChecked) {
    return [
      {
        tr: "Pazaryerinin verdiği toplam sayı tutarsız; eksik satır olup olmadığı bununla denetlenemedi.",
        en: "The totals that the marketplace states cannot be right, so they could not be used to check for missing rows.",
      },
    ];
  }
  if (!isConsistent) {
    return [
      {
        tr: "Mağaza okunurken sürekli değişti; eksik satır olup olmadığı denetlenemedi. Daha sakin bir saatte yineleyin.",
        en: "The store kept changing while it was read, so it could not be checked for missing rows. Export again at a quieter hour.",
      },
    ];
  }
  if (missing === 0) return [];
  return [
    {
      tr: `Pazaryeri ${formatNumber(missing, "tr")} kayıt daha olduğunu söylüyor, ama listelerde göstermedi. Dışa aktarmayı daha sonra yineleyin.`,
      en: `The marketplace states ${plural(missing, "more record", "more records")} than its listings showed, on two readings. Export again later.`,
    },
  ];
}
