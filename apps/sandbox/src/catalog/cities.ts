/** The provinces of Türkiye with their districts, in the order of their plate codes. */

import type { City } from "@catalog/contract";

import { foldName } from "./name-search.ts";
import { splitNames } from "./names.ts";
import { EAST } from "./provinces/east.ts";
import { MIDDLE } from "./provinces/middle.ts";
import { NORTH } from "./provinces/north.ts";
import { WEST } from "./provinces/west.ts";

export interface District {
  readonly id: string;
  readonly name: string;
}

/** A city as the sandbox answers with it. */
export interface SandboxCity extends City {
  /** The plate code: "01" to "81". */
  readonly id: string;
  readonly name: string;
  /** Sorted by name. */
  readonly districts: readonly District[];
}

/** All 81, each with its districts. */
export function createCities(): readonly SandboxCity[] {
  return Object.entries({ ...WEST, ...MIDDLE, ...NORTH, ...EAST })
    .map(([key, districts]) => toCity(key.slice(0, 2), key.slice(3), districts))
    .toSorted((a, b) => a.id.localeCompare(b.id));
}

function toCity(id: string, name: string, districts: string): SandboxCity {
  const names = splitNames(districts).toSorted((a, b) => a.localeCompare(b, "tr"));
  return {
    id,
    name,
    districts: names.map((district, index) => ({
      id: `${id}${String(index + 1).padStart(2, "0")}`,
      name: district,
    })),
  };
}

/** Finds the city with this plate code or name; case and Turkish letters do not count. */
export function findCity(
  cities: readonly SandboxCity[],
  wanted: string | number,
): SandboxCity | undefined {
  const text = String(wanted);
  const folded = foldName(text);
  return cities.find(({ id, name }) => id === text.padStart(2, "0") || foldName(name) === folded);
}
