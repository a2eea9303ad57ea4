/**
 * Index of cities and their districts by name. The specification states that cities have districts
 * but not their fields, so entries without a name are left out, and entries without an id are
 * listed without one.
 */

import type { City } from "@catalog/contract";
import { createNameIndex, type NameIndex } from "@catalog/mapping";

/** A city or a district. */
export interface CityEntry {
  /** The id; empty where the marketplace gave none. */
  readonly id: string;
  readonly name: string;
  /** Name of the city, followed by that of the district. */
  readonly path: string;
  /** Districts of a city. */
  readonly options?: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Finds cities and districts; a list without a search holds only cities, each with its districts.
 */
export interface CityIndex {
  readonly items: readonly CityEntry[];
  /** Exact names before similar ones, and cities before districts. */
  search: NameIndex<CityEntry>["search"];
}

export function createCityIndex(cities: readonly City[]): CityIndex {
  const known = cities.flatMap(toCity);
  const districts = known.flatMap(({ name: city, options = [] }) =>
    options.map(({ id, name }): CityEntry => ({ id, name, path: `${city} > ${name}` })),
  );
  // Two indexes, since cities and districts may have equal ids.
  const indexes = [indexCities(known), indexCities(districts)];
  return {
    items: known,
    search(text, limit) {
      const hits = indexes.flatMap((index) => index.search(text, limit));
      const exact = hits.filter(({ match }) => match === "exact");
      const similar = hits.filter(({ match }) => match === "similar");
      return [...exact, ...similar].slice(0, limit);
    },
  };
}

/** Ids: plate codes of provinces and other numbers. */
const CITY_ID = /^\d+$/u;

const indexCities = (items: readonly CityEntry[]): NameIndex<CityEntry> =>
  createNameIndex({
    items,
    id: ({ id }) => id,
    name: ({ name }) => name,
    idPattern: CITY_ID,
  });

function toCity(city: City): readonly CityEntry[] {
  const [named] = toNamed(city);
  if (named === undefined) return [];
  return [{ ...named, path: named.name, options: (city.districts ?? []).flatMap(toNamed) }];
}

type NamedCity = Pick<CityEntry, "id" | "name">;

/** Entries that have a name, or that are a name. */
function toNamed(raw: unknown): readonly NamedCity[] {
  const name = typeof raw === "string" ? raw : read(raw, "name");
  return typeof name !== "string" || name.trim() === "" ? [] : [{ id: idOf(raw), name }];
}

function idOf(raw: unknown): string {
  const id = read(raw, "id");
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

function read(raw: unknown, field: string): unknown {
  if (typeof raw !== "object" || raw === null) return undefined;
  return Object.entries(raw).find(([name]) => name === field)?.[1];
}
