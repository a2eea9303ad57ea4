/** The store's products as the page shows them: one product, the list as a whole, what is chosen. */

import { formatMinor, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { type openStoreList, readPriceUnitExample } from "@catalog/importer";

import {
  PRODUCT_STATUSES,
  type ProductFilter,
  type ProductSelection,
  type ProductSort,
  type ProductsView,
  type ProductView,
} from "../../api/products.ts";

/** The list of one store. */
export type StoreList = ReturnType<typeof openStoreList>;

type ShownProduct = Awaited<ReturnType<StoreList["rows"]>>[number];
type StoreListFilter = Parameters<StoreList["order"]>[0];
type StoreListSort = NonNullable<Parameters<StoreList["order"]>[1]>;

/** A product of the list in the words of a language. */
export function toProductView(shown: ShownProduct, lang: Lang): ProductView {
  const { product } = shown;
  const amount = (minor: number | null): string | null =>
    minor === null ? null : `${formatMinor(minor, lang)} ${product.currency ?? "TL"}`;
  return {
    number: shown.number,
    id: product.id,
    code: product.product_code ?? null,
    title: product.title ?? "",
    brand: product.brand_name ?? null,
    category: product.category_name ?? null,
    status: PRODUCT_STATUSES.find((status) => status === shown.status) ?? "passive",
    price: amount(shown.price),
    paid: amount(shown.paid),
    discount: shown.discount === null ? null : toPercent(shown.discount, lang),
    stock: product.stock ?? null,
    images: product.images?.length ?? 0,
    oursAt: toTime(shown.oursAtMs),
    othersAt: toTime(shown.othersAtMs),
    readAt: new Date(shown.atMs).toISOString(),
    link: product.url ?? null,
  };
}

function toPercent(percent: number, lang: Lang): string {
  const number = formatNumber(percent, lang, { maxDecimals: percent < 10 ? 1 : 0 });
  return lang === "tr" ? `%${number}` : `${number}%`;
}

const toTime = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString();

/** Values of the whole list, which take longer to count than a page that polls should wait. */
type Facets = Awaited<ReturnType<StoreList["facets"]>>;

/** Counts are so old at most while the list is read. */
const FACETS_MS = 5_000;

type ReadFacets = (state: Pick<ListFacts["state"], "version" | "reading">) => Promise<Facets>;

/** Creates the function that counts the values of a list, once for each of its versions. */
export function createReadFacets(list: StoreList, now: () => number): ReadFacets {
  let known: { version: number; atMs: number; facets: Promise<Facets> } | undefined;
  return async ({ version, reading }) => {
    const isRecent = reading !== null && now() - (known?.atMs ?? -Infinity) < FACETS_MS;
    if (known === undefined || (known.version !== version && !isRecent)) {
      known = { version, atMs: now(), facets: list.facets() };
    }
    try {
      return await known.facets;
    } catch (error) {
      // A count that failed is made again.
      known = undefined;
      throw error;
    }
  };
}

interface ListFacts {
  readonly state: Awaited<ReturnType<StoreList["state"]>>;
  readonly facets: Facets;
  /** Why the last reading failed. */
  readonly problem: string | null;
}

/** The list as a whole in the words of a language. */
export function toProductsView({ state, facets, problem }: ListFacts, lang: Lang): ProductsView {
  const { total, version, reading, cutOffAt, priceUnit, unitExample: example } = state;
  const cutOff = cutOffAt === null ? null : toCutOff(cutOffAt, state.readAtMs === null)[lang];
  return {
    total,
    version,
    readAt: toTime(state.readAtMs),
    reading: reading && { ...reading, text: toProgress(reading)[lang] },
    problem: problem ?? cutOff,
    calls: total === 0 ? null : state.calls,
    priceUnit: priceUnit === "unknown" ? null : priceUnit,
    priceUnitExample: example
      ? (readPriceUnitExample({ examples: [example] }, lang) ?? null)
      : null,
    brands: facets.brand,
    categories: facets.category,
    statuses: facets.status,
  };
}

const inBoth = (count: number): Localized => ({
  tr: formatNumber(count, "tr"),
  en: formatNumber(count, "en"),
});

function toProgress({
  done,
  total,
}: {
  readonly done: number;
  readonly total: number | null;
}): Localized {
  const [read, all] = [inBoth(done), inBoth(total ?? 0)];
  if (done === 0) return { tr: "Ürünler okunuyor", en: "Reading the products" };
  if (total === null || done >= total) {
    return { tr: `${read.tr} ürün okundu`, en: `${read.en} products read` };
  }
  return { tr: `${all.tr} üründen ${read.tr} okundu`, en: `${read.en} of ${all.en} products read` };
}

function toCutOff(done: number, isFirst: boolean): Localized {
  const read = inBoth(done);
  if (done === 0) {
    return {
      tr: "Son okuma başlarken yarıda kaldı; hiçbir ürün okunmadı. Yeniden okuyun.",
      en: "The last reading was cut off at its start, and no product was read. Read again.",
    };
  }
  if (isFirst) {
    return {
      tr: `İlk okuma ${read.tr} ürün okunduktan sonra yarıda kaldı; liste eksik. Yeniden okuyun.`,
      en: `The first reading was cut off after ${read.en} products, so the list lacks some. Read again.`,
    };
  }
  return {
    tr: `Son okuma ${read.tr} ürün okunduktan sonra yarıda kaldı. Geri kalanlar önceki okumadan; yeniden okuyun.`,
    en: `The last reading was cut off after ${read.en} products. The others are from the reading before; read again.`,
  };
}

/** The filter as the list takes it. */
export function toListFilter({ priceFrom, priceTo, ...filter }: ProductFilter): StoreListFilter {
  return {
    ...(filter.text !== undefined && { text: filter.text }),
    ...(filter.brand !== undefined && { brand: filter.brand }),
    ...(filter.category !== undefined && { category: filter.category }),
    ...(filter.status !== undefined && { status: filter.status }),
    minPaid: toMinor(priceFrom),
    maxPaid: toMinor(priceTo),
    minStock: filter.stockFrom,
    maxStock: filter.stockTo,
    marks: filter.marks,
  };
}

/** An amount of whole digits and at most two decimals, in minor units. */
function toMinor(amount: string | undefined): number | undefined {
  if (amount === undefined) return undefined;
  const [whole = "0", decimals = ""] = amount.split(/[.,]/u);
  return Number(whole + decimals.padEnd(2, "0"));
}

export function toListSort(sort: ProductSort | undefined): StoreListSort | undefined {
  if (sort === undefined) return undefined;
  const { column, isDescending } = sort;
  // Pictures are sorted by how many there are.
  return { by: column === "image" ? "images" : column, isDescending };
}

/** The choice as the list takes it. */
export const toStoreSelection = (
  selection: ProductSelection,
): Parameters<StoreList["selected"]>[0] =>
  "numbers" in selection ? selection : { filter: toListFilter(selection.filter) };
