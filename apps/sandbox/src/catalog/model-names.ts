import type { Department } from "./departments/department.ts";
import { pickNumber } from "./hashed-id.ts";
import { splitNames } from "./names.ts";

const COLLECTIONS = splitNames(
  "Lale, Safir, Defne, Pera, Truva, Efes, Anka, Zümrüt, Nilüfer, Galata, Bosfor, Karanfil, Sedef, Hitit, Likya, Nergis, Kardelen, İpek, Işıltı, Asil",
);
const KINDS = splitNames("Serisi, Klasik, Modern, Özel Seri, Elit, Doğal");
const LETTERS = splitNames("GX, TR, MK, VX, SL, KB, ZN, AR, HT, PRO");
const GRADES = splitNames("Plus, Max, Lite, Eko, Turbo, Mini");

/** Minimum and maximum number of models per brand and category, both included. */
const MODELS_PER_BRAND = { min: 3, max: 12 } as const;

/** The names of a brand's models in one category, each once. */
export function listModelNames(
  style: Department["modelStyle"],
  path: string,
  brand: string,
): readonly string[] {
  const { min, max } = MODELS_PER_BRAND;
  const count = min + pickNumber(max - min + 1, "model count", path, brand);
  const start = pickNumber(COLLECTIONS.length * KINDS.length, "first model", path, brand);
  return Array.from({ length: count }, (_, index) =>
    style === "technical" ? technicalName(start, index) : collectionName(start, index),
  );
}

/** "GX 450 Plus": the number grows with the index, so names are unique. */
function technicalName(start: number, index: number): string {
  const letters = LETTERS[start % LETTERS.length] ?? "";
  const number = 100 + (start % 8) * 100 + index * 50;
  const grade = index % 2 === 0 ? undefined : GRADES[(start + index) % GRADES.length];
  return [letters, number, grade].filter((part) => part !== undefined).join(" ");
}

/** "Lale Serisi": the collection changes with the index, so names are unique. */
function collectionName(start: number, index: number): string {
  const collection = COLLECTIONS[(start + index) % COLLECTIONS.length] ?? "";
  return `${collection} ${KINDS[(start + index * 2) % KINDS.length] ?? ""}`;
}
