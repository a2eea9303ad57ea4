/**
 * The category tree: four levels, numbered and priced by department. Only the fourth level has
 * products.
 */

import { type Category, type CategoryId, categoryId } from "@catalog/contract";

import type { Department } from "./departments/department.ts";
import { FASHION_DEPARTMENTS } from "./departments/fashion.ts";
import { HOME_DEPARTMENTS } from "./departments/home.ts";
import { LEISURE_DEPARTMENTS } from "./departments/leisure.ts";
import { TECHNOLOGY_DEPARTMENTS } from "./departments/technology.ts";
import { createHashedId, pickNumber } from "./hashed-id.ts";
import { splitNames } from "./names.ts";

/** A category's name and id, as elements of `parent` and `category_tree`. */
export interface CategoryReference {
  readonly id: CategoryId;
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
    id: categoryId.parse(createHashedId("category", ...path)),
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
