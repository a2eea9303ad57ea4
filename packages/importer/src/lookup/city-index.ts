/**
 * Cities and their districts by name. The specification says that cities come with districts and
 * shows no field of either, so what has no name is left out, and what has no id is shown without.
 */

import { type City } from "@catalog/contract";
import { createNameIndex, formatPath, type NameHit, type NameIndex } from "@catalog/mapping";

/** A city or a district. */
export interface Place {
  /** Empty where the marketplace gave none. */
  readonly id: string;
  readonly name: string;
  /** The city's name, and the district's behind it. */
  readonly path: string;
  /** Of a city, its districts. */
  readonly options?: readonly { readonly id: string; readonly name: string }[];
}

/** Finds cities and districts; lists only cities, each with its districts. */
export interface PlaceIndex {
  readonly items: readonly Place[];
  /** Exact names before similar ones, and cities before districts. */
  search(text: string, limit: number): readonly NameHit<Place>[];
}

export function createPlaceIndex(cities: readonly City[]): PlaceIndex {
  const known = cities.flatMap(toCity);
  const districts = known.flatMap(({ name: city, options = [] }) =>
    options.map(({ id, name }): Place => ({ id, name, path: formatPath([city, name]) })),
  );
  // Their ids may be counted apart, so one list must not hide what is in the other.
  const indexes = [indexPlaces(known), indexPlaces(districts)];
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

/** Plate codes and other numbers. */
const PLACE_ID = /^\d+$/u;

const indexPlaces = (items: readonly Place[]): NameIndex<Place> =>
  createNameIndex({
    items,
    id: ({ id }) => id,
    name: ({ name }) => name,
    idPattern: PLACE_ID,
  });

function toCity(city: City): readonly Place[] {
  const [named] = toNamed(city);
  if (named === undefined) return [];
  return [{ ...named, path: named.name, options: (city.districts ?? []).flatMap(toNamed) }];
}

type Named = Pick<Place, "id" | "name">;

/** What has a name, or is one. */
function toNamed(raw: unknown): readonly Named[] {
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
