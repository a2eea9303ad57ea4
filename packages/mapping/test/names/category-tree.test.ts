import { type Category, idSchemas } from "@catalog/contract";
import { expect, it } from "vitest";

import { buildCategoryTree } from "../../src/names/categories.ts";
import { splitPath } from "../../src/names/name-key.ts";

const category = (id: string, name: string, rest: Partial<Category> = {}): Category => ({
  id: idSchemas.category.parse(id),
  name,
  ...rest,
});

const brief = (categories: readonly Category[]): readonly string[] =>
  buildCategoryTree(categories).map(
    (node) => `${node.path} (${node.children.map((c) => c.category.name).join()})`,
  );

it("splits paths at arrows, and at slashes with blanks around", () => {
  expect(splitPath("Ev>Mutfak » Kaşık / Ahşap")).toEqual(["Ev", "Mutfak", "Kaşık", "Ahşap"]);
  expect(splitPath("Bilgisayar/Tablet")).toEqual(["Bilgisayar/Tablet"]);
});

it("builds the tree from paths, with or without the name at the end", () => {
  const categories = [
    category("1", "Ev", { category_path: "Ev" }),
    category("2", "Mutfak", { category_path: "Ev" }),
    category("3", "Kaşık", { category_path: "Ev > Mutfak > Kaşık" }),
  ];

  expect(brief(categories)).toEqual([
    "Ev (Mutfak)",
    "Ev > Mutfak (Kaşık)",
    "Ev > Mutfak > Kaşık ()",
  ]);
});

it("builds the tree from parents, given as objects or as ids", () => {
  const categories = [
    category("1", "Ev"),
    category("2", "Mutfak", { parent: { id: "1" } }),
    category("3", "Kaşık", { parent: "2" }),
  ];

  expect(brief(categories)).toEqual([
    "Ev (Mutfak)",
    "Ev > Mutfak (Kaşık)",
    "Ev > Mutfak > Kaşık ()",
  ]);
});

it("ends where categories are their own parents", () => {
  const categories = [category("1", "A", { parent: "2" }), category("2", "B", { parent: "1" })];

  expect(brief(categories)).toEqual(["B > A (B)", "A > B (A)"]);
});
