import { categoryId } from "@catalog/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createCategoryIndex } from "../../src/names/categories.ts";
import { createNameIndex } from "../../src/names/name-index.ts";
import { labelLeaves, labelNames, sortLabels } from "../../src/names/name-indexes.ts";
import { id } from "../helpers/catalog.ts";

const ID = /^[0-9a-f]{24}$/iu;

describe("a label of a list", () => {
  it("stands for one thing, whatever their names", () => {
    const name = fc.constantFrom("Bosch", "BOSCH", "Isuzu", "İsuzu", "Arçelik", "Arcelik", "A 10");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const items = names.map((each, at) => ({ id: id(at + 1), name: each }));
        const index = createNameIndex({
          items,
          id: (item) => item.id,
          name: (item) => item.name,
          idPattern: ID,
        });
        const labels = labelNames(items);

        expect(labels).toHaveLength(items.length);
        for (const { id: own, label } of labels) {
          expect(index.resolve(label)).toMatchObject({ kind: "found", item: { id: own } });
        }
      }),
    );
  });

  it("is the path of a category, or its name with an id where two have one path", () => {
    const paths = ["Ev", "Ev > Kase", "Ev > Kase", "Ev > Tabak"];
    const categories = paths.map((path, at) => ({
      id: categoryId.parse(id(at + 1)),
      name: path.split(" > ").at(-1) ?? "",
      category_path: path,
    }));
    const index = createCategoryIndex(categories, ID);
    const labels = labelLeaves(index.items);

    expect(labels.map(({ label }) => label)).toEqual(["Ev > Tabak", "Kase [0002]", "Kase [0003]"]);
    for (const { id: own, label } of labels) {
      expect(index.resolve(label)).toMatchObject({
        kind: "found",
        item: { category: { id: own } },
      });
    }
  });

  it("stands in the order of Turkish letters and of numbers", () => {
    const labels = ["Şal", "Çanta 10", "Çanta 2", "Ceket", "Sal"].map((label) => ({ label }));

    expect(sortLabels(labels).map(({ label }) => label)).toEqual([
      "Ceket",
      "Çanta 2",
      "Çanta 10",
      "Sal",
      "Şal",
    ]);
  });
});
