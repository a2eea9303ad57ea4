/** Categories, brands and their models, made from the departments. */

import { type Category, type Id, idSchemas } from "@catalog/contract";

import {
  type Department,
  FASHION_DEPARTMENTS,
  HOME_DEPARTMENTS,
  LEISURE_DEPARTMENTS,
  TECHNOLOGY_DEPARTMENTS,
} from "./departments.ts";
import { createHashedId, pickNumber, splitNames } from "./names.ts";

/** A category's name and id, as elements of `parent` and `category_tree`. */
export interface CategoryReference {
  readonly id: Id<"category">;
  readonly name: string;
}

/** A category in an answer, with every field. */
export interface SandboxCategory extends Category {
  readonly external_id: string;
  readonly parent: CategoryReference | null;
  readonly vat: number;
  readonly commission: number;
  readonly max_installment: number;
  readonly volumetric_weight: number;
  readonly is_adult: boolean;
  /** "Ev & Yaşam > Mutfak > Sofra > Kaşık" */
  readonly category_path: string;
  /** From the top category down to this one. */
  readonly category_tree: readonly CategoryReference[];
}

/** A category with fields that answers do not show. */
export interface CategoryNode {
  readonly category: SandboxCategory;
  readonly department: Department;
  readonly isLeaf: boolean;
}

export const DEPARTMENTS: readonly Department[] = [
  ...HOME_DEPARTMENTS,
  ...TECHNOLOGY_DEPARTMENTS,
  ...FASHION_DEPARTMENTS,
  ...LEISURE_DEPARTMENTS,
];

const LEAF_LEVEL = 4;
const PATH_SEPARATOR = " > ";
const EXTERNAL_IDS = { first: 10_000_000, count: 90_000_000 } as const;
const HEAVIEST_KG = 30;

/** Every category, parents before their children. */
export function createCategoryTree(): readonly CategoryNode[] {
  return DEPARTMENTS.flatMap((department) => {
    const trees = new Map<string, CategoryNode["category"]["category_tree"]>();
    return listPaths(department).map((path) => {
      const above = trees.get(path.slice(0, -1).join(PATH_SEPARATOR)) ?? [];
      const node = createNode(department, path, above);
      trees.set(node.category.category_path, node.category.category_tree);
      return node;
    });
  });
}

function listPaths({ name, categories }: Department): readonly (readonly string[])[] {
  const paths: string[][] = [[name]];
  for (const [second, groups] of Object.entries(categories)) {
    paths.push([name, second]);
    for (const [third, leaves] of Object.entries(groups)) {
      paths.push([name, second, third]);
      for (const leaf of splitNames(leaves)) paths.push([name, second, third, leaf]);
    }
  }
  return paths;
}

/** `above` is the tree of the category above; empty for a department. */
function createNode(
  department: Department,
  path: readonly string[],
  above: readonly CategoryReference[],
): CategoryNode {
  const own = {
    id: idSchemas.category.parse(createHashedId("category", ...path)),
    name: path.at(-1) ?? "",
  };
  const { first, count } = EXTERNAL_IDS;
  return {
    department,
    isLeaf: path.length === LEAF_LEVEL,
    category: {
      ...own,
      external_id: String(first + pickNumber(count, "external id", ...path)),
      parent: above.at(-1) ?? null,
      vat: department.vat,
      commission: department.commission,
      max_installment: department.maxInstallment,
      volumetric_weight: 1 + pickNumber(HEAVIEST_KG, "weight", ...path),
      is_adult: false,
      category_path: path.join(PATH_SEPARATOR),
      category_tree: [...above, own],
    },
  };
}

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
