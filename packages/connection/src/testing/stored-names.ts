/** Stores lists of names in the cache, so that looking them up needs no marketplace. */

import type { Connection } from "../open-connection.ts";

const CATEGORIES = [
  { id: "c-1", name: "Fincan", category_path: "Ev > Fincan" },
  { id: "c-2", name: "Kılıf", category_path: "Elektronik > Kılıf" },
  { id: "c-3", name: "Kılıf", category_path: "Ev > Kılıf" },
  { id: "c-4", name: "Elektronik", category_path: "Elektronik" },
];

const BRANDS = [
  { id: "b-1", name: "Bosch" },
  { id: "b-2", name: "Işık" },
  { id: "b-3", name: "Bosco" },
];

const CITIES = [
  { id: "34", name: "İstanbul", districts: [{ id: "3401", name: "Kadıköy" }, "Şişli"] },
  { id: 1, name: "Adana", districts: [{ id: 1, name: "Merkez" }] },
  { id: "9", districts: ["Nowhere"] },
  { name: "Ağrı" },
];

/** Stores cities, categories, and for `c-1` its brands, the models of `b-1` and properties. */
export async function storeNames({ memory: { names }, baseUrl }: Connection): Promise<void> {
  await names.write(`${baseUrl} cities`, CITIES);
  await names.write(`${baseUrl} categories`, CATEGORIES);
  await names.write(`${baseUrl} brands c-1`, BRANDS);
  await names.write(`${baseUrl} models c-1 b-1`, [{ id: "m-1", name: "Seri 4" }]);
  await names.write(`${baseUrl} properties c-1`, [
    { id: "p-1", name: "Renk", property_options: [{ id: "o-1", display_name: "Mavi" }] },
  ]);
}
