/** Names and ids from the marketplace, cached in the database between runs, and the labels of fields. */

import type { Client } from "@catalog/client";
import type {
  Brand,
  BrandModel,
  Category,
  CategoryProperty,
  City,
  ShippingTemplate,
} from "@catalog/contract";
import type { NameCache } from "@catalog/database";
import type { Lang, Localized } from "@catalog/i18n";
import { createMarketplaceNames, FIELDS, findField, type NameSource } from "@catalog/mapping";

type ListCache = Pick<NameCache, "read" | "write">;

/** Client and cache of the lists. */
interface NameListsOptions {
  readonly client: Pick<Client, "category" | "brand" | "shippingTemplate">;
  readonly cache: ListCache;
  /**
   * The marketplace that the lists belong to; its categories and brands are the same for every
   * store.
   */
  readonly baseUrl: string;
  readonly signal?: AbortSignal | undefined;
}

/** Categories, brands and models change rarely, and listing them takes many calls. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A name source that counts the lists it fetched from the marketplace. */
interface CountedNameLists extends NameSource {
  /** Number of lists fetched so far. */
  readonly fetchedLists: number;
}

/**
 * Creates a name source that fetches from the marketplace what the cache lacks. A list that it
 * fetched itself is not fetched again for a name that is missing in it.
 */
export function createNameLists(options: NameListsOptions): CountedNameLists {
  const { client, signal } = options;
  const market = createMarketplaceNames(client, signal === undefined ? {} : { signal });

  const categories = createCachedLists<Category>(options);
  const brands = createCachedLists<Brand>(options);
  const models = createCachedLists<BrandModel>(options);
  const properties = createCachedLists<CategoryProperty>(options);
  // Shipping templates are fetched once a run, as a seller may have made one a minute ago; they are
  // kept for reports.
  const { cache } = options;
  const kept: ListCache = {
    read: async () => undefined,
    write: async (key, entries) => await cache.write(key, entries),
  };
  const templates = createCachedLists<ShippingTemplate>({ ...options, cache: kept });
  const lists = [categories, brands, models, properties, templates];

  return {
    get fetchedLists() {
      return lists.reduce((sum, source) => sum + source.fetched(), 0);
    },
    categories: (how) => categories.read("categories", how, () => market.categories()),
    brands: (category, how) =>
      brands.read(`brands ${category}`, how, () => market.brands(category)),
    models: (category, brand) =>
      models.read(`models ${category} ${brand}`, undefined, () => market.models(category, brand)),
    properties: (category, how) =>
      properties.read(`properties ${category}`, how, () => market.properties(category)),
    shippingTemplates: (how) => templates.read("templates", how, () => market.shippingTemplates()),
  };
}

/** Longer than any list is kept. */
const ANY_AGE_MS = Number.MAX_SAFE_INTEGER;

/** Makes a source of the lists that were fetched before, of any age; one that was not is empty. */
export function createStoredNameLists({
  cache,
  baseUrl,
}: Pick<NameListsOptions, "cache" | "baseUrl">): NameSource {
  const read = async <Entry>(key: string): Promise<readonly Entry[]> =>
    (await cache.read<Entry>(`${baseUrl} ${key}`, ANY_AGE_MS)) ?? [];
  return {
    categories: () => read("categories"),
    brands: (category) => read(`brands ${category}`),
    models: (category, brand) => read(`models ${category} ${brand}`),
    properties: (category) => read(`properties ${category}`),
    shippingTemplates: () => read("templates"),
  };
}

/** Client and cache of the list of cities. */
interface CitySourceOptions extends Omit<NameListsOptions, "client"> {
  readonly client: Pick<Client, "city">;
}

/** Reads cities with their districts from the cache, else from the marketplace. */
export function readCities({
  client,
  signal,
  ...rest
}: CitySourceOptions): Promise<readonly City[]> {
  const callOptions = signal === undefined ? {} : { signal };
  return createCachedLists<City>(rest).read("cities", undefined, () =>
    client.city.list({}, callOptions),
  );
}

interface CachedList<Entry> {
  read(
    key: string,
    how: Parameters<NameSource["categories"]>[0],
    fetchAll: () => Promise<readonly Entry[]>,
  ): Promise<readonly Entry[]>;
  readonly fetched: () => number;
}

/** Lists of one kind: what this run has fetched, else what is cached, else a newly fetched list. */
function createCachedLists<Entry>({
  cache,
  baseUrl,
}: {
  readonly cache: ListCache;
  readonly baseUrl: string;
}): CachedList<Entry> {
  const fetched = new Map<string, Promise<readonly Entry[]>>();
  const fetchNew = async (
    key: string,
    fetchAll: () => Promise<readonly Entry[]>,
  ): Promise<readonly Entry[]> => {
    const entries = await fetchAll();
    await cache.write(`${baseUrl} ${key}`, entries);
    return entries;
  };
  return {
    fetched: () => fetched.size,
    async read(key, { fresh = false } = {}, fetchAll) {
      const known =
        fetched.has(key) || fresh
          ? undefined
          : await cache.read<Entry>(`${baseUrl} ${key}`, MAX_AGE_MS);
      if (known !== undefined) return known;
      const fetching = fetched.get(key) ?? fetchNew(key, fetchAll);
      fetched.set(key, fetching);
      try {
        return await fetching;
      } catch (error) {
        // A list that could not be fetched may be requested again.
        fetched.delete(key);
        throw error;
      }
    },
  };
}

/** Fields of the API that no column stands for by itself, and uses of columns that send no field. */
const WITHOUT_COLUMN: ReadonlyMap<string, Localized> = new Map([
  ["has_discount", { tr: "İndirimli mi", en: "Discounted" }],
  ["properties", { tr: "Özellikler", en: "Properties" }],
  ["cost", { tr: "Maliyet", en: "Cost" }],
  ["answer", { tr: "Yanıt", en: "Answer" }],
  ["status", { tr: "Paket Durumu", en: "Package Status" }],
  ["shipping_code", { tr: "Kargo Kodu", en: "Shipping Code" }],
  ["shipping_company", { tr: "Kargo Firması", en: "Shipping Company" }],
  ["order_discount_code", { tr: "Sipariş İndirim Kodu", en: "Order Discount Code" }],
]);

/** Fields of shipping templates, as the columns of their export are called. */
const TEMPLATE_FIELDS: ReadonlyMap<string, Localized> = new Map([
  ["template_name", { tr: "Şablon Adı", en: "Template Name" }],
  ["free_shipping", { tr: "Ücretsiz Kargo", en: "Free Shipping" }],
  ["shipping_note", { tr: "Kargo Notu", en: "Shipping Note" }],
  ["shipping_time", { tr: "Kargoya Verme Süresi", en: "Shipping Time" }],
  ["sender_address", { tr: "Gönderim Adresi", en: "Sender Address" }],
  ["common_address", { tr: "İade Adresi Aynı", en: "Same Return Address" }],
  ["return_address", { tr: "İade Adresi", en: "Return Address" }],
  ["all_country", { tr: "Bütün Şehirlere", en: "All Cities" }],
  ["suitable_cities", { tr: "Gönderilen Şehirler", en: "Suitable Cities" }],
  ["use_contractred_company", { tr: "Anlaşmalı Firmayla", en: "Contracted Company" }],
  ["shipping_companies", { tr: "Kargo Firmaları", en: "Shipping Companies" }],
  ["return_companies", { tr: "İade Firmaları", en: "Return Companies" }],
  ["conditional_shipping", { tr: "Koşullu Kargo", en: "Conditional Shipping" }],
  ["min_price", { tr: "Koşullu Kargo Alt Tutarı", en: "Conditional Minimum" }],
  ["shipping_with_together", { tr: "Birlikte Gönderim", en: "Shipping Together" }],
]);

const OPTION = /^option(?<at>\d*)$/u;

/**
 * Header of the column that a field of the API comes from, or the field's own name where it has no
 * column. `cost`, `option` and `option1` are labelled too: columns that are used and not sent.
 */
export function fieldLabel(name: string, lang: Lang): string {
  const named = WITHOUT_COLUMN.get(name) ?? TEMPLATE_FIELDS.get(name);
  if (named !== undefined) return named[lang];
  const at = OPTION.exec(name)?.groups?.["at"];
  if (at !== undefined)
    return `${lang === "tr" ? "Varyant seçeneği" : "Option of variants"} ${at}`.trim();
  const field =
    findField(name) ?? FIELDS.find(({ apiFields }) => apiFields.some((one) => one === name));
  return field?.header[lang] ?? name;
}

/** The label of {@link fieldLabel} in both languages. */
export const fieldLabels = (name: string): Localized => ({
  tr: fieldLabel(name, "tr"),
  en: fieldLabel(name, "en"),
});
