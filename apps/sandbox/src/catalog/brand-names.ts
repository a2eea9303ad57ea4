/** The brands of a leaf category: those of its department, and a run of generated names. */

import type { Department } from "./departments/department.ts";
import { pickNumber } from "./hashed-id.ts";
import { splitNames } from "./names.ts";

const BEGINNINGS = splitNames(
  "Ada, Akın, Alaz, Alp, Arda, Arı, Asya, Ata, Ayaz, Bahar, Barış, Bora, Boğaz, Ceylan, Cihan, Çağ, Çam, Çelik, Dağ, Demir, Deniz, Doruk, Duru, Ege, Elif, Ender, Erdem, Esin, Fırat, Funda, Gök, Gül, Güneş, Hazar, Hisar, Ilgaz, Irmak, Işın, İda, İnci, Kaan, Karan, Kaya, Kervan, Koru, Kuzey, Lale, Mavi, Mert, Meşe, Nehir, Nova, Okan, Onur, Ova, Öz, Pınar, Polat, Rüya, Sarp, Selin, Sera, Şahin, Şen, Tan, Toros, Tuna, Umut, Ural, Uzay, Ülkü, Vadi, Yaman, Yıldız, Zeren, Zirve",
);
const ENDINGS = splitNames(
  "bay, dem, dora, el, ev, form, gon, han, kan, ka, kur, lan, lar, lin, lis, lux, mak, mar, mer, mira, net, nur, pak, pan, ray, ron, san, sel, set, soy, tan, tay, tek, teks, tem, ton, var, yol",
);

/** Minimum and maximum number of brands of a leaf, both included. */
const BRANDS_PER_LEAF = { min: 24, max: 150 } as const;
/** Number of generated names of one department; neighbouring departments share some. */
const DRAWN_FROM = 600;
const GENERATED_COUNT = BEGINNINGS.length * ENDINGS.length;
/** Coprime to `DRAWN_FROM`, so that a run uses every name before it repeats one. */
const STRIDE = 7;
/** Coprime to `GENERATED_COUNT`, so that neighbouring numbers have different beginnings. */
const SCATTER = 1009;

/**
 * The names of a leaf category's brands, each once; `start` is its department's
 * `startOfDepartment`.
 */
export function listBrandNames(
  department: Department,
  path: string,
  start: number,
): readonly string[] {
  const own = splitNames(department.brands);
  const { min, max } = BRANDS_PER_LEAF;
  const count = min + pickNumber(max - min + 1, "brand count", path);
  const first = pickNumber(DRAWN_FROM, "first brand", path);
  const generated = Array.from({ length: count - own.length }, (_, index) =>
    generateName(start + ((first + index * STRIDE) % DRAWN_FROM)),
  );
  return [...new Set([...own, ...generated])];
}

/** First generated name of a department, so that the departments together use all names. */
export function startOfDepartment(index: number, departments: number): number {
  return Math.floor((index * GENERATED_COUNT) / departments);
}

function generateName(number: number): string {
  const scattered = (number * SCATTER) % GENERATED_COUNT;
  const beginning = BEGINNINGS[scattered % BEGINNINGS.length] ?? "";
  return `${beginning}${ENDINGS[Math.floor(scattered / BEGINNINGS.length)] ?? ""}`;
}
