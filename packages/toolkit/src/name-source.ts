/** Names and ids from the marketplace, kept in the store between runs. */

import { type Client } from "@catalog/client";
import { type City } from "@catalog/contract";
import { type NameSource } from "@catalog/mapping";
import { type NameCache } from "@catalog/store";

export interface NameSourceOptions {
  readonly client: Pick<Client, "category" | "brand" | "shippingTemplate">;
  readonly cache: NameCache;
  /** What the lists belong to: categories and brands are the same for every store. */
  readonly baseUrl: string;
  readonly signal?: AbortSignal | undefined;
}

/** Categories, brands and models change rarely, and listing them takes many calls. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The list that is kept under a key, or else the fetched one, which is kept from then on. */
type KeepList = <Entry>(
  key: string,
  fetchAll: () => Promise<readonly Entry[]>,
) => Promise<readonly Entry[]>;

function createKeeper({
  cache,
  baseUrl,
}: {
  readonly cache: NameCache;
  readonly baseUrl: string;
}): KeepList {
  return async <Entry>(key: string, fetchAll: () => Promise<readonly Entry[]>) => {
    const full = `${baseUrl} ${key}`;
    const known = await cache.read<Entry>(full, MAX_AGE_MS);
    if (known !== undefined) return known;
    const entries = await fetchAll();
    await cache.write(full, entries);
    return entries;
  };
}

export interface CitySourceOptions extends Omit<NameSourceOptions, "client"> {
  readonly client: Pick<Client, "city">;
}

/** The cities with their districts, asked for where the cache does not have them. */
export function readCities({
  client,
  signal,
  ...rest
}: CitySourceOptions): Promise<readonly City[]> {
  const callOptions = signal === undefined ? {} : { signal };
  return createKeeper(rest)("cities", () => client.city.list({}, callOptions));
}

/** A name source that asks the marketplace for what the cache does not have. */
export function createNameSource(options: NameSourceOptions): NameSource {
  const { client, signal } = options;
  const callOptions = signal === undefined ? {} : { signal };
  const cached = createKeeper(options);

  return {
    categories: () =>
      cached("categories", () => Array.fromAsync(client.category.list.items({}, callOptions))),
    brands: (category) =>
      cached(`brands ${category}`, () =>
        Array.fromAsync(client.brand.list.items({ category_id: category }, callOptions)),
      ),
    models: (category, brand) =>
      cached(`models ${category} ${brand}`, () =>
        Array.fromAsync(
          client.brand.models.items({ category_id: category, brand_id: brand }, callOptions),
        ),
      ),
    properties: (category) =>
      cached(`properties ${category}`, () =>
        client.category.properties({ categoryId: category }, callOptions),
      ),
    // A seller makes a template and uses it the next minute; one call a run is not much.
    shippingTemplates: () => Array.fromAsync(client.shippingTemplate.list.items({}, callOptions)),
  };
}
