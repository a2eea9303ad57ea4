/** What orders, comments and questions share: buyers, the products that were sold, and filters. */

import { idSchemas, type InputOf } from "@catalog/contract";

import { findCity, type SandboxCity } from "./catalog/cities.ts";
import { createHashedId, foldName, pickFrom, pickNumber, splitNames } from "./catalog/names.ts";
import type { SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import {
  createSeedProducts,
  identify,
  type InitialProduct,
  type SandboxProduct,
} from "./products/product-state.ts";

/** Creates a value at the first call and returns the same one at every later call. */
export function lazy<Thing>(make: () => Thing): () => Thing {
  let made: { readonly thing: Thing } | undefined;
  return () => {
    made ??= { thing: make() };
    return made.thing;
  };
}

const FIRST_NAMES = splitNames(
  "Ayşe, Fatma, Zeynep, Elif, Emine, Hatice, Merve, Büşra, Özge, İrem, Şule, Çiğdem, Gülşah, Nurşen, Mehmet, Mustafa, Ahmet, Ali, Hüseyin, İbrahim, Ömer, Uğur, Çağrı, Şükrü, Işıl, Tuğba, Barış, Oğuz",
);
const LAST_NAMES = splitNames(
  "Yılmaz, Kaya, Demir, Şahin, Çelik, Yıldız, Öztürk, Aydın, Özdemir, Arslan, Doğan, Kılıç, Çetin, Kara, Koç, Kurt, Özkan, Şimşek, Güneş, Işık, Ünal, Bulut, Ağaoğlu, Taş",
);
const STREETS = splitNames(
  "Atatürk Caddesi, Cumhuriyet Caddesi, İstiklal Caddesi, Gül Sokak, Lale Sokak, Çınar Sokak, Okul Sokak, Barış Bulvarı",
);
/** Plate codes of cities, repeated by their share of the parcels. */
const BIG_CITIES = ["34", "34", "34", "06", "35", "16", "07", "01", "42", "27"];

export interface Customer {
  readonly name: string;
  readonly email: string;
  readonly address: string;
}

/** Creates a person, who depends only on the words. */
export function createCustomer(
  cities: readonly SandboxCity[],
  ...words: readonly string[]
): Customer {
  const name = createName(...words);
  const plate =
    pickNumber(3, "big city", ...words) > 0
      ? pickFrom(BIG_CITIES, "city", ...words)
      : pickFrom(cities, "city", ...words).id;
  const city = findCity(cities, plate);
  const district = pickFrom(city?.districts ?? [], "district", ...words);
  const street = pickFrom(STREETS, "street", ...words);
  const doors = [90, 20].map((limit) => 1 + pickNumber(limit, "door", String(limit), ...words));
  const mailbox = foldName(name).replaceAll(" ", ".");
  return {
    name,
    email: `${mailbox}${pickNumber(900, "mail", ...words)}@ornek.example`,
    address: `${street} No: ${doors[0]} D: ${doors[1]}, ${district.name} / ${city?.name}`,
  };
}

/** The name of the person whom `createCustomer` creates for the words. */
export function createName(...words: readonly string[]): string {
  const first = pickFrom(FIRST_NAMES, "first name", ...words);
  return `${first} ${pickFrom(LAST_NAMES, "last name", ...words)}`;
}

/** Masks a name, "Ayşe Kaya" as "A*** K***", as comments show their authors. */
export function maskName(name: string): string {
  return name.replaceAll(/(?<=\p{L})\p{L}+/gu, "***");
}

interface SoldProductsOptions {
  readonly catalog: SandboxCatalog;
  /** Number of products that the store started with. */
  readonly count: number;
  /** Time of the start. */
  readonly nowMs: number;
}

/** Number of products with a history. */
const SOLD_COUNT = 120;

const OLD_PREFIX = "ESK";
const FIRST_OLD_SID = 900_001;
const OLD_AGE_MS = 400 * 24 * 60 * 60 * 1000;

/**
 * Creates `SOLD_COUNT` products, always the same ones for the same start: those that the store
 * started with, completed by ones that it no longer lists.
 */
export function createSoldProducts(options: SoldProductsOptions): readonly SandboxProduct[] {
  const { catalog, nowMs, count } = options;
  const listed = createSeedProducts({ ...options, first: SOLD_COUNT });
  const old = createSeedProducts({
    catalog,
    count: Math.max(0, SOLD_COUNT - count),
    nowMs: nowMs - OLD_AGE_MS,
    prefix: OLD_PREFIX,
  });
  return [...listed.map(toListed), ...old.map(toOld)];
}

function toListed({ product, ...rest }: InitialProduct, index: number): SandboxProduct {
  return { ...product, ...rest, ...identify(index) };
}

function toOld({ product, addedAtMs }: InitialProduct, index: number): SandboxProduct {
  const id = idSchemas.product.parse(createHashedId("old product", product.product_code));
  return { ...product, addedAtMs, status: "passive", id, sid: FIRST_OLD_SID + index };
}

interface PeriodQuery {
  readonly date_created?: number | undefined;
  readonly start_date?: number | undefined;
  readonly end_date?: number | undefined;
}

export const DAY_MS: number = 24 * 60 * 60 * 1000;

/** Türkiye has no daylight saving time. */
const TURKIYE_OFFSET_MS = 3 * 60 * 60 * 1000;

/**
 * Whether a time is in the period, both ends included. `date_created` selects the day in Türkiye
 * that contains its time: the specification does not say how exact it is (section Comments).
 */
export function isWithinPeriod(timeMs: number, query: PeriodQuery): boolean {
  const { date_created: day, start_date: start = -Infinity, end_date: end = Infinity } = query;
  const seconds = Math.floor(timeMs / 1000);
  const isOnDay = day === undefined || dayOf(timeMs) === dayOf(day * 1000);
  return isOnDay && seconds >= start && seconds <= end;
}

const dayOf = (timeMs: number): number => Math.floor((timeMs + TURKIYE_OFFSET_MS) / DAY_MS);

/** Bounds of a number in a query, each of which may be missing. */
type Bounds = readonly [
  exact: number | undefined,
  min: number | undefined,
  max: number | undefined,
];

export const isBetween = (
  value: number,
  [exact = value, min = value, max = value]: Bounds,
): boolean => value === exact && value >= min && value <= max;

/** Puts items that are sorted from old to new into the order of the query. */
export function sortByTime<Item>(
  oldToNew: readonly Item[],
  order: InputOf<"question.list">["sort_by_date"] = "descending",
): readonly Item[] {
  return order === "ascending" ? oldToNew : oldToNew.toReversed();
}

export const toIso = (timeMs: number): string => new Date(timeMs).toISOString();
