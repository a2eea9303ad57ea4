/** The store's listing and the product search: which products, in which order, on which page, and how each is shown. */

import {
  type Page,
  type StoreProduct,
  type DataOf,
  type Id,
  type ProductAdd,
  idSchemas,
  type InputOf,
} from "@catalog/contract";

import { type Behavior, DEFAULT_BEHAVIOR } from "../behavior/behavior-settings.ts";
import { createHashedId, foldName, pickNumber } from "../catalog/names.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { createName } from "../history.ts";
import { type Items, Refusal, toPage } from "../http/answers.ts";
import { byAddition, findFirst, type ListedProducts } from "./product-index.ts";
import { createProduct, createSeedProducts, type SandboxProduct } from "./product-state.ts";

/** Folds a text of each product once, as folding takes longer than searching. */
function createTextFold(
  textOf: (product: SandboxProduct) => string,
): (product: SandboxProduct) => string {
  const folded = new WeakMap<SandboxProduct, string>();
  return (product) => {
    const known = folded.get(product);
    if (known !== undefined) return known;
    const text = foldName(textOf(product));
    folded.set(product, text);
    return text;
  };
}

const SHIPPING_PRICE_MINOR = 7990;

const WARRANTY_NAMES: Readonly<Record<ProductAdd["warranty_type"], string>> = {
  1: "Garantisiz",
  2: "İthalatçı Garantili",
  3: "Tedarikçi Garantili",
  4: "Teknik Servis Garantili",
};

/** Makes an element of the product listing, which has neither the category's id nor the model. */
export function toStoreProduct(catalog: SandboxCatalog, product: SandboxProduct): StoreProduct {
  const { has_discount, discount_type, discount_value = 0 } = product;
  const isReduced = has_discount && discount_type !== undefined;
  return {
    ...toFacts(catalog, product),
    discount_type: isReduced ? discount_type : null,
    discount_value: isReduced ? discount_value : false,
    shipping_price: String(shippingPrice(catalog, product)),
    shipping_template_id: product.shipping_template_id,
  };
}

/** The buyer's price of shipping, in minor units. */
export function shippingPrice(
  catalog: SandboxCatalog,
  { shipping_template_id: templateId }: SandboxProduct,
): number {
  const template = catalog.shippingTemplates.find(({ id }) => id === templateId);
  return template?.free_shipping === true ? 0 : SHIPPING_PRICE_MINOR;
}

function toFacts(catalog: SandboxCatalog, product: SandboxProduct) {
  const { category_id: category, brand_id: brand } = product;
  return {
    id: product.id,
    title: product.title,
    subtitle: product.sub_title,
    product_code: product.product_code,
    category_name: catalog.category(category)?.name,
    brand_id: brand,
    brand_name: brandName(catalog, product),
    warranty: WARRANTY_NAMES[product.warranty_type],
    warranty_time: `${product.warranty_period} Ay`,
    warranty_type: product.warranty_type,
    warranty_period: product.warranty_period,
    stock: product.stock_count,
    sid: product.sid,
    description: product.description,
    item_type: "product",
    properties: nameProperties(catalog, product),
    variants: [],
    currency: product.currency ?? "TL",
    url: `https://sandbox.example/${toSlug(product.title)}-${product.sid}`,
    price: product.price,
    has_discount: product.has_discount && product.discount_type !== undefined,
    paid_price: paidAmount(product),
    images: product.images,
  };
}

export function brandName(
  catalog: SandboxCatalog,
  { category_id, brand_id }: SandboxProduct,
): string | undefined {
  return catalog.brand(category_id, brand_id)?.name;
}

/** The buyer's price of one piece, in minor units. */
export function paidAmount(product: SandboxProduct): number {
  const { price, has_discount, discount_type, discount_value = 0 } = product;
  if (!has_discount || discount_type === undefined) return price;
  const paid = {
    1: price - discount_value,
    2: Math.round((price * (100 - discount_value)) / 100),
    3: discount_value,
  };
  return paid[discount_type];
}

function nameProperties(catalog: SandboxCatalog, { category_id, properties = [] }: SandboxProduct) {
  const known = catalog.properties(category_id);
  return properties.map((choice) => {
    const property = known.find(({ id }) => id === choice.property_id);
    const option = property?.property_options.find(({ id }) => id === choice.option_id);
    return { ...choice, property: property?.name, option: option?.display_name };
  });
}

const toSlug = (title: string): string =>
  foldName(title)
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-|-$/gu, "");

/** The settings that the filters of the listing follow. */
export type FilterBehavior = Pick<Behavior, "code-filter" | "ids-filter" | "date-filter">;

interface ProductSelection {
  /** The page of the products that match the query, in its order. */
  page(listed: ListedProducts, query: InputOf<"product.list">): Page<SandboxProduct>;
}

/** Places `from` up to `to` of an ascending list. */
interface Found {
  readonly places: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Creates the selection of one store, which remembers what its last filter found. */
export function createProductSelection(
  behavior: FilterBehavior = DEFAULT_BEHAVIOR,
): ProductSelection {
  const foldTitle = createTextFold(({ title }) => title);
  let last: { readonly key: string; readonly version: number; readonly found: Found } | undefined;

  /** Pages of one listing are asked for one after the other, so that one answer is worth keeping. */
  const findOnce = (listed: ListedProducts, query: InputOf<"product.list">): Found => {
    const { version } = listed;
    const { page: _, limit: _limit, sort_by_date: _sort, ...filters } = query;
    const key = JSON.stringify(filters);
    if (last?.key !== key || last.version !== version) {
      const fits = createTest(query, behavior, foldTitle);
      last = { key, version, found: findAmongCandidates(listed, { query, behavior, fits }) };
    }
    return last.found;
  };

  return {
    page(listed, query) {
      const isPlain = query.ids === undefined && query.product_code === undefined;
      const byDate = isPlain && !query.title ? findByDate(listed, query, behavior) : undefined;
      const found = byDate ?? findOnce(listed, query);
      return toPage(toItems(listed, found, query.sort_by_date), query);
    },
  };
}

/** Found products in the order of the query, of which only a page is read. */
function toItems(
  listed: ListedProducts,
  { places, from, to }: Found,
  order: InputOf<"product.list">["sort_by_date"] = "descending",
): Items<SandboxProduct> {
  return {
    length: to - from,
    slice(start, end) {
      const page =
        order === "ascending"
          ? places.slice(from + start, Math.min(from + end, to))
          : places.slice(Math.max(to - end, from), Math.max(to - start, from)).toReversed();
      return page.map((place) => listed.at(place));
    },
  };
}

/** The products of the status that were added in the period; undefined where that needs a search. */
function findByDate(
  listed: ListedProducts,
  query: InputOf<"product.list">,
  { "date-filter": filter }: FilterBehavior,
): Found | undefined {
  const { status = "approved", start_date: start, end_date: end } = query;
  const places = listed.inStatus(status);
  const isUndated = start === undefined && end === undefined;
  if (isUndated || filter === "ignored") return { places, from: 0, to: places.length };
  if (filter === "useless") return { places, from: 0, to: 0 };
  if (!listed.isChronological) return undefined;
  const secondsAt = (index: number): number => addedAtSeconds(listed.at(places[index] ?? 0));
  const from = findFirst(places.length, (index) => secondsAt(index) >= (start ?? -Infinity));
  const to = findFirst(places.length, (index) => secondsAt(index) > (end ?? Infinity), from);
  return { places, from, to };
}

interface Search {
  readonly query: InputOf<"product.list">;
  readonly behavior: FilterBehavior;
  readonly fits: (product: SandboxProduct) => boolean;
}

function findAmongCandidates(listed: ListedProducts, { query, behavior, fits }: Search): Found {
  const { status = "approved" } = query;
  const candidates =
    candidatesById(listed, query, behavior) ??
    candidatesByCode(listed, query, behavior) ??
    listed.inStatus(status);
  const places = [...new Set(candidates)].filter(
    (place) => listed.isListed(place) && fits(listed.at(place)),
  );
  return { places: places.toSorted(byAddition), from: 0, to: places.length };
}

/** Places among which the products with the ids are; undefined where the ids select nothing. */
function candidatesById(
  listed: ListedProducts,
  { ids: wanted }: InputOf<"product.list">,
  { "ids-filter": filter }: FilterBehavior,
): readonly number[] | undefined {
  if (wanted === undefined || filter === "ignored") return undefined;
  const asked = { all: wanted, first: wanted.slice(0, 1), useless: [] }[filter];
  return asked.map((id) => listed.placeOf(id)).filter((place) => place !== undefined);
}

/** Places among which the products with the code are; undefined where the code selects nothing. */
function candidatesByCode(
  listed: ListedProducts,
  { product_code: code }: InputOf<"product.list">,
  { "code-filter": filter }: FilterBehavior,
): readonly number[] | undefined {
  if (code === undefined || filter === "ignored") return undefined;
  if (filter === "useless") return [];
  return filter === "prefix" ? listed.withPrefix(code) : listed.withCode(code);
}

const CODE_TESTS: Readonly<
  Record<Behavior["code-filter"], (code: string, asked: string) => boolean>
> = {
  exact: (code, asked) => code === asked,
  prefix: (code, asked) => code.startsWith(asked),
  "case-insensitive": (code, asked) => code.toLowerCase() === asked.toLowerCase(),
  ignored: () => true,
  useless: () => false,
};

const DATE_TESTS: Readonly<
  Record<
    Behavior["date-filter"],
    (product: SandboxProduct, asked: InputOf<"product.list">) => boolean
  >
> = {
  obeyed: isAddedWithin,
  ignored: () => true,
  useless: (_product, { start_date: start, end_date: end }) =>
    start === undefined && end === undefined,
};

/** Whether a candidate matches the query; its ids are compared before. */
function createTest(
  query: InputOf<"product.list">,
  behavior: FilterBehavior,
  foldTitle: (product: SandboxProduct) => string,
): Search["fits"] {
  const { status = "approved", product_code: code, title } = query;
  const hasCode = CODE_TESTS[behavior["code-filter"]];
  const hasDate = DATE_TESTS[behavior["date-filter"]];
  const folded = title ? foldName(title) : undefined;
  return (product) =>
    product.status === status &&
    (code === undefined || hasCode(product.product_code, code)) &&
    (folded === undefined || foldTitle(product).includes(folded)) &&
    hasDate(product, query);
}

/** Whether a product was added in the period, in whole seconds, both ends included. */
function isAddedWithin(
  product: SandboxProduct,
  { start_date: start = -Infinity, end_date: end = Infinity }: InputOf<"product.list">,
): boolean {
  const addedAt = addedAtSeconds(product);
  return addedAt >= start && addedAt <= end;
}

const addedAtSeconds = ({ addedAtMs }: SandboxProduct): number => Math.floor(addedAtMs / 1000);

/** A product of another store. */
export interface SandboxOffer {
  readonly title: string;
  readonly categoryId: Id<"category">;
  /** @default one of the category */
  readonly brandId?: Id<"brand"> | undefined;
}

interface ProductSearchOptions {
  readonly catalog: SandboxCatalog;
  readonly nowMs: number;
  /** Products of other stores besides those that are generated. @default none */
  readonly given?: readonly SandboxOffer[] | undefined;
  /** @default the settings' defaults */
  readonly behavior?: Behavior;
  /** The store's own products that are shown. */
  readonly listed: () => ListedProducts;
}

/** A product with the store that offers it. */
interface Offer {
  readonly product: SandboxProduct;
  readonly storeName: string;
}

interface ProductSearch {
  /**
   * Offers whose texts contain the words, the own store's first; paging is not applied. Throws a
   * refusal where this marketplace does not search.
   */
  find(query: SearchedOffers): readonly Offer[];
}

type SearchedOffers = Pick<InputOf<"product.search">, "type" | "search_key">;

const OUR_NAME = "Sandbox Mağazası";
const NEIGHBOURS = ["Komşu Ticaret", "Çınaraltı Market", "Yeşil Vadi AŞ"];
const PER_NEIGHBOUR = 80;
const PER_CONSUMER = 6;
const CONSUMERS = 30;

/** Creates the search; the products of other stores are generated at the first search. */
export function createProductSearch(options: ProductSearchOptions): ProductSearch {
  const { catalog, nowMs, listed, behavior = DEFAULT_BEHAVIOR } = options;
  const mode = behavior["product-search"];
  // They would make sense.
  const given = mode === "nonsense" ? [] : (options.given ?? []);
  const made = new Map<string, readonly Offer[]>();

  const neighbours = (type: InputOf<"product.search">["type"]): readonly Offer[] => {
    const known = made.get(type);
    if (known !== undefined) return known;
    const stores =
      type === "b2c"
        ? NEIGHBOURS.map((name) => ({ name, count: PER_NEIGHBOUR }))
        : Array.from({ length: CONSUMERS }, (_, index) => ({
            name: createName("consumer", String(index)),
            count: PER_CONSUMER,
          }));
    const offers = stores.flatMap(({ name, count }, index) =>
      createOffers({ catalog, nowMs, count, prefix: `${type.toUpperCase()}${index + 1}` }, name),
    );
    const all = type === "b2c" ? [...createGivenOffers(options, given), ...offers] : offers;
    made.set(type, all);
    return all;
  };

  const foldText = createTextFold(
    ({ title, sub_title, category_id }) =>
      `${title} ${sub_title} ${catalog.category(category_id)?.name ?? ""}`,
  );
  const search = (ours: ListedProducts, { type, search_key: key }: SearchedOffers): Offer[] => {
    const words = key.split(/\s+/u).filter((word) => word !== "");
    const folded = words.map(foldName);
    const countIn = (product: SandboxProduct): number =>
      folded.filter((word) => foldText(product).includes(word)).length;
    const own = type === "b2c" ? ours.inStatus("approved") : [];
    if (mode === "nonsense") return findNonsense(neighbours(type), key);
    const all = [
      ...own.map((place) => ({ product: ours.at(place), storeName: OUR_NAME })),
      ...neighbours(type),
    ];
    if (mode !== "any-word") return all.filter(({ product }) => countIn(product) === folded.length);
    return all
      .map((offer) => ({ offer, count: countIn(offer.product) }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count)
      .map(({ offer }) => offer);
  };
  let last: { readonly key: string; readonly version: number; readonly found: Offer[] } | undefined;

  return {
    find(query) {
      const refusal = REFUSALS.get(mode);
      if (refusal !== undefined) throw new Refusal(refusal);
      const ours = listed();
      const { version } = ours;
      const key = JSON.stringify([query.type, query.search_key]);
      if (last?.key !== key || last.version !== version) {
        last = { key, version, found: search(ours, query) };
      }
      return last.found;
    },
  };
}

const REFUSALS: ReadonlyMap<string, ConstructorParameters<typeof Refusal>[0]> = new Map([
  ["403", { httpStatus: 403, message: { en: "No permission", tr: "İzin yok" } }],
  ["404", { httpStatus: 404, message: { en: "No such page", tr: "Böyle bir sayfa yok" } }],
  [
    "429",
    {
      httpStatus: 429,
      message: { en: "Too many searches", tr: "Çok fazla arama yapıldı" },
    },
  ],
]);

const NONSENSE_OFFERS = 40;

/** Offers that have nothing to do with the words, or have them as titles and ids of nothing. */
function findNonsense(all: readonly Offer[], key: string): Offer[] {
  const first = pickNumber(Math.max(1, all.length - NONSENSE_OFFERS), "nonsense", key);
  const some = all.slice(first, first + NONSENSE_OFFERS);
  if (pickNumber(2, "unknown ids", key) === 0) return some;
  return some.map(({ product, storeName }, at): Offer => {
    const category_id = idSchemas.category.parse(createHashedId("no category", `${key} ${at}`));
    const brand_id = idSchemas.brand.parse(createHashedId("no brand", `${key} ${at}`));
    return { storeName, product: { ...product, title: key, category_id, brand_id } };
  });
}

function createGivenOffers(
  { catalog, nowMs }: Pick<ProductSearchOptions, "catalog" | "nowMs">,
  given: readonly SandboxOffer[],
): readonly Offer[] {
  return given.map(({ title, categoryId, brandId }, at) => {
    const code = `OFFER-${at + 1}`;
    const product = createProduct(catalog, categoryId, code);
    return {
      storeName: NEIGHBOURS[at % NEIGHBOURS.length] ?? OUR_NAME,
      product: {
        ...product,
        title,
        brand_id: brandId ?? product.brand_id,
        id: idSchemas.product.parse(createHashedId("offer", code)),
        sid: 600_001 + at,
        status: "approved",
        addedAtMs: nowMs,
      },
    };
  });
}

function createOffers(
  options: Parameters<typeof createSeedProducts>[0],
  storeName: string,
): readonly Offer[] {
  return createSeedProducts(options).map(({ product, addedAtMs }, index) => ({
    storeName,
    product: {
      ...product,
      id: idSchemas.product.parse(createHashedId("neighbour's product", product.product_code)),
      sid: 500_001 + index,
      status: "approved",
      addedAtMs,
    },
  }));
}

/** Makes an element of the product search. */
export function toSearchResult(
  catalog: SandboxCatalog,
  { product, storeName }: Offer,
): DataOf<"product.search">["result"][number] {
  return {
    ...toFacts(catalog, product),
    category_id: product.category_id,
    discount_amount: product.price - paidAmount(product),
    shipping_price: shippingPrice(catalog, product),
    store_name: storeName,
  };
}
