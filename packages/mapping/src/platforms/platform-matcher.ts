/** Recognises the platform that wrote a file, and finds the meaning of its headers. */

import type { ColumnCells, Watch } from "../columns/column-cells.ts";
import {
  type ColumnTarget,
  FIELDS,
  type FieldTarget,
  type HeaderMatch,
  RANK,
} from "../fields/fields.ts";
import { findCurrency, type NamedCurrency } from "../fields/other-headers.ts";
import {
  AKAKCE,
  CIMRI,
  DEALER_FEED,
  FACEBOOK,
  GOOGLE_MERCHANT,
  HEUREKA,
  OPENCART_FEED,
  PRAPAZAR,
  SKROUTZ,
  STOCKMOUNT,
  YANDEX_YML,
} from "./feeds.ts";
import { AMAZON, CICEKSEPETI, EBAY, ETSY, HEPSIBURADA, N11, TRENDYOL } from "./marketplaces.ts";
import {
  createHeaderTable,
  findHeaders,
  DISCOUNTS,
  type HeaderTable,
  type PlatformDoubt,
  type PlatformField,
  type PlatformProfile,
  REST,
} from "./platform.ts";
import { LOGO, MIKRO, NEBIM, PARASUT } from "./programs.ts";
import { MAGENTO, OPENCART, PRESTASHOP, SHOPIFY, WIX, WOOCOMMERCE } from "./shops-abroad.ts";
import { IDEASOFT, IKAS, T_SOFT, TICIMAX } from "./shops-turkey.ts";

/** Every platform whose files are known. */
export const PLATFORMS: readonly PlatformProfile[] = [
  AKAKCE,
  AMAZON,
  CICEKSEPETI,
  CIMRI,
  DEALER_FEED,
  EBAY,
  ETSY,
  FACEBOOK,
  GOOGLE_MERCHANT,
  HEPSIBURADA,
  HEUREKA,
  IDEASOFT,
  IKAS,
  LOGO,
  MAGENTO,
  MIKRO,
  N11,
  NEBIM,
  OPENCART,
  OPENCART_FEED,
  PARASUT,
  PRAPAZAR,
  PRESTASHOP,
  SHOPIFY,
  SKROUTZ,
  STOCKMOUNT,
  T_SOFT,
  TICIMAX,
  TRENDYOL,
  WIX,
  WOOCOMMERCE,
  YANDEX_YML,
];

/** Value of `--platform` for a file that is read without any profile. */
export const NO_PLATFORM = "none";

/** The values that `--platform` takes. */
export const PLATFORM_NAMES: readonly string[] = [
  ...PLATFORMS.map(({ name }) => name),
  NO_PLATFORM,
];

/** The columns of one file. */
interface PlatformFile {
  readonly headers: readonly string[];
  /** Whether it is XML or JSON. */
  readonly isNested: boolean;
  /** Absent while the cells have not been examined. */
  readonly cells: ReadonlyMap<number, ColumnCells> | undefined;
}

/** The meaning of the columns of one file of a platform. */
export interface PlatformMatcher {
  /** `undefined` for a header that the platform does not write. */
  match(header: string, index: number): HeaderMatch | undefined;
  /** Columns whose cells decide about other columns. */
  readonly watched: ReadonlyMap<number, Watch>;
  /** The currency that a header states for all prices. */
  readonly currency: StatedCurrency | undefined;
}

/** The currency of all prices, and the header or the platform that states it. */
export interface StatedCurrency {
  readonly named: NamedCurrency;
  readonly header?: string;
  /** As people write it. */
  readonly platform?: string;
}

interface KnownHeader {
  readonly field: PlatformField | undefined;
  readonly kind: "field" | "unsure" | "other-id" | "never-sent";
  /** Place in the list of the field's headers. */
  readonly place: number;
  /** Whether the platform writes several columns of this kind, such as one for each warehouse. */
  readonly isPart: boolean;
}

/** Makes the matcher of a platform's profile for one file. */
export function createPlatformMatcher(
  profile: PlatformProfile,
  file: PlatformFile,
): PlatformMatcher {
  const table = createHeaderTable(listHeaders(profile, file.isNested));
  const doubtful = new Map<PlatformField, string>();
  const watched = new Map<number, Watch>();
  for (const { field, when, is } of [...(profile.doubts ?? []), ...doubtOwnPrice(profile, file)]) {
    const deciding = indexesOf(when, file.headers);
    for (const index of deciding) watched.set(index, is === "filled" ? "sample" : is);
    const because = deciding.find((index) => isDeciding(file.cells?.get(index), is));
    if (because !== undefined) doubtful.set(field, file.headers[because] ?? "");
  }
  for (const index of findAlternatives(table, file.headers)) watched.set(index, "sample");
  return {
    watched,
    currency: findStatedCurrency(profile, file.headers),
    match(header, index) {
      const known = table.findAny(header);
      if (known === undefined) return undefined;
      const isEmpty = file.cells?.get(index)?.filled === 0;
      const match = toMatch(known, { isEmpty, because: known.field && doubtful.get(known.field) });
      return table.find(header) === undefined ? { ...match, rank: match.rank + OF_PARENT } : match;
    },
  };
}

interface ColumnState {
  readonly isEmpty: boolean;
  /** Header of the column that makes this one doubtful. */
  readonly because: string | undefined;
}

function toMatch(
  { field, kind, place, isPart }: KnownHeader,
  { isEmpty, because }: ColumnState,
): HeaderMatch {
  if (field === undefined) {
    return { target: OTHERS[kind === "other-id" ? "id" : "rest"], rank: RANK.platform };
  }
  // Of several columns for one field an empty one is used last.
  const rank = RANK.platform + (place / MAX_PLACES + (isEmpty ? 1 : 0)) / 2;
  const target = toTarget(field);
  if (kind === "field" && because === undefined)
    return { target, rank, isPart: isPart && !isEmpty };
  const unknown = { kind: "unknown", suggestion: target.field } as const;
  const doubt = { kind: "uncertain", target, because } as const;
  return { target: unknown, rank, doubt };
}

/** Added for the column of a parent that the profile names as one of the record. */
const OF_PARENT = 0.4;

const OTHERS: Readonly<Record<"id" | "rest", ColumnTarget>> = {
  id: { kind: "other-id" },
  rest: { kind: "never-sent" },
};

/** No list of headers is longer, so that ranks stay below that of the next kind of header. */
const MAX_PLACES = 100;

const PLATFORM_FIELDS: readonly PlatformField[] = [
  ...FIELDS.map(({ key }) => key),
  "sale_price",
  "amount_off",
  "percent_off",
];

function* listHeaders(
  { fields, unsure = {}, nested, ids, notSent }: PlatformProfile,
  isNested: boolean,
): Generator<readonly [string, KnownHeader]> {
  const lists = [
    [(isNested ? nested?.unsure : undefined) ?? {}, "unsure"],
    [fields, "field"],
    [unsure, "unsure"],
  ] as const;
  for (const [list, kind] of lists) {
    for (const field of PLATFORM_FIELDS) {
      for (const [place, header] of (list[field] ?? []).entries()) {
        yield [header, { field, kind, place, isPart: header.endsWith(REST) }];
      }
    }
  }
  const rest = { field: undefined, place: 0, isPart: false };
  for (const header of ids) yield [header, { ...rest, kind: "other-id" }];
  for (const header of notSent) yield [header, { ...rest, kind: "never-sent" }];
}

const toTarget = (field: PlatformField): FieldTarget =>
  field === "sale_price" || field === "amount_off" || field === "percent_off"
    ? { kind: "field", field: "discount_value", discountType: DISCOUNTS[field] }
    : { kind: "field", field };

/** The doubt about a price of the whole product, where its variants have prices of another kind. */
function doubtOwnPrice(
  { fields, nested }: PlatformProfile,
  { headers }: Pick<PlatformFile, "headers">,
): readonly PlatformDoubt[] {
  const isPrice = createHeaderTable((fields.price ?? []).map((header) => [header, true]));
  const isOther = createHeaderTable((nested?.ownPrice ?? []).map((header) => [header, true]));
  const hasParent = headers.some((header) => isPrice.findAny(header) && !isPrice.find(header));
  const isOpen = hasParent && !headers.some((header) => isPrice.find(header));
  const when = headers.filter((header) => isOther.find(header));
  return isOpen && when.length > 0 ? [{ field: "price", when, is: "not-no" }] : [];
}

/** Whether the cells of a column make another one doubtful; cells that were not examined do. */
function isDeciding(cells: ColumnCells | undefined, is: PlatformDoubt["is"]): boolean {
  if (cells === undefined) return true;
  return is === "filled" ? cells.filled > 0 : cells.telling > 0;
}

/** Columns of a record with these headers, or else those of its parents. */
function indexesOf(patterns: readonly string[], headers: readonly string[]): readonly number[] {
  return findHeaders(
    headers.map((header, index) => ({ header, index })),
    patterns,
  );
}

/** Columns for one field, of which the first that is not empty is used. */
function findAlternatives(
  table: HeaderTable<KnownHeader>,
  headers: readonly string[],
): readonly number[] {
  const byField = Map.groupBy(
    headers.keys(),
    (index) => table.findAny(headers[index] ?? "")?.field,
  );
  byField.delete(undefined);
  return [...byField.values()].filter(({ length }) => length > 1).flat();
}

function findStatedCurrency(
  { currencyBehind, currency, label }: PlatformProfile,
  headers: readonly string[],
): StatedCurrency | undefined {
  if (currency !== undefined) return { named: currency, platform: label };
  if (currencyBehind === undefined) return undefined;
  const header = headers.find((text) => text.includes(currencyBehind)) ?? "";
  const [, behind = ""] = header.split(currencyBehind);
  const word = /^[\p{L}\p{Sc}]+/u.exec(behind)?.[0];
  if (word === undefined) return undefined;
  return { named: findCurrency(word) ?? "other", header };
}

/** The platform whose profile a file is read with. */
export interface ReadPlatform {
  readonly name: string;
  readonly label: string;
  /** Whether a person named it; otherwise its headers did. */
  readonly isGiven: boolean;
}

/** Fewer marks are a coincidence: single headers of platforms occur in many files. */
const MIN_MARKS = 3;

/**
 * Finds the platform that wrote a file by its headers; `undefined` where no platform has enough
 * marks in it, or two platforms have equally many.
 */
export function recognisePlatform(headers: readonly string[]): PlatformProfile | undefined {
  let best: { readonly profile: PlatformProfile; readonly count: number } | undefined;
  let isTie = false;
  for (const profile of PLATFORMS) {
    const count = countMarks(profile, headers);
    if (count < MIN_MARKS || count < (best?.count ?? 0)) continue;
    isTie = count === best?.count;
    best = { profile, count };
  }
  return isTie ? undefined : best?.profile;
}

/** The programs and shops whose files are recognised. */
export const platforms: Platforms = {
  none: NO_PLATFORM,
  names: PLATFORM_NAMES,
  findVariantRows: (name) => findPlatform(name)?.variants?.rows.kind,
};

interface Platforms {
  /** Stands for a file that is read without a profile. */
  readonly none: string;
  /** The names that a person may give, among them {@link none}. */
  readonly names: readonly string[];
  /**
   * How the variants of a product stand in rows; `undefined` for a platform without variants. Throws
   * for a name that is none of {@link names}.
   */
  findVariantRows(name: string): VariantRows | undefined;
}

type VariantRows = NonNullable<PlatformProfile["variants"]>["rows"]["kind"];

/** The platform of that name; throws for a name that is none of `PLATFORM_NAMES`. */
export function findPlatform(name: string): PlatformProfile | undefined {
  if (name === NO_PLATFORM) return undefined;
  const profile = PLATFORMS.find((each) => each.name === name);
  if (profile === undefined) throw new RangeError(`no platform is named "${name}"`);
  return profile;
}

function countMarks({ marks, needs }: PlatformProfile, headers: readonly string[]): number {
  const needed = createHeaderTable((needs ?? []).map((mark) => [mark, mark]));
  const isPossible = needs === undefined || headers.some((header) => needed.findAny(header));
  if (!isPossible) return 0;
  const table = createHeaderTable(marks.map((mark) => [mark, mark]));
  return new Set(
    headers.map((header) => table.findAny(header)).filter((mark) => mark !== undefined),
  ).size;
}
