/** Remembers in which unit a marketplace lists prices: one address answers all its stores alike. */

import { type KnownPriceUnit, type PriceUnit } from "@catalog/runs";
import { type NameCache } from "@catalog/store";

import { type Toolkit } from "./open-toolkit.ts";

type Known = Exclude<PriceUnit, "unknown">;

/** Until something else is proven. */
const MAX_AGE_MS = Number.MAX_SAFE_INTEGER;

type Place = Pick<Toolkit, "baseUrl"> & {
  readonly names: NameCache;
  readonly priceUnit?: Known | undefined;
};

const keyOf = ({ baseUrl }: Place): string => `${baseUrl} price-unit`;

/** What a person says now, or has set, and what earlier runs have found out. */
export async function recallPriceUnit(place: Place, said?: Known): Promise<KnownPriceUnit> {
  const [remembered] = (await place.names.read<Known>(keyOf(place), MAX_AGE_MS)) ?? [];
  return { set: said ?? place.priceUnit, remembered };
}

/** Keeps a unit that is known. */
export async function rememberPriceUnit(place: Place, unit: PriceUnit): Promise<void> {
  if (unit !== "unknown") await place.names.write(keyOf(place), [unit]);
}
