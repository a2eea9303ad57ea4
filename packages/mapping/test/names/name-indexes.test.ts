import { idSchemas } from "@catalog/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createCategoryIndex } from "../../src/names/categories.ts";
import { createNameIndex, labelNames, sortLabels } from "../../src/names/name-index.ts";
import {
  createKnownNames,
  createMarketplaceNames,
  createNameIndexes,
  type KnownNames,
  type NameCalls,
} from "../../src/names/name-indexes.ts";
import { createFakeNames, type FakeNames } from "../../src/testing.ts";
import { createCatalog, id, SPOON } from "../helpers/catalog.ts";

const CATEGORY = idSchemas.category.parse("c-1");
const BRAND = idSchemas.brand.parse("b-1");

/** Calls that answer with nothing and record what was asked for. */
function recordCalls(): { readonly calls: NameCalls; readonly log: unknown[] } {
  const log: unknown[] = [];
  const listing = (name: string): { items(...given: unknown[]): AsyncIterable<never> } => ({
    async *items(...given) {
      log.push([name, ...given]);
      yield* [];
    },
  });
  return {
    log,
    calls: {
      category: {
        list: listing("category.list"),
        properties: async (...given) => {
          log.push(["category.properties", ...given]);
          return [];
        },
      },
      brand: { list: listing("brand.list"), models: listing("brand.models") },
      shippingTemplate: { list: listing("shippingTemplate.list") },
    },
  };
}

it("createMarketplaceNames asks for each list with its ids and the signal", async () => {
  const { calls, log } = recordCalls();
  const { signal } = new AbortController();
  const names = createMarketplaceNames(calls, { signal });

  await names.categories();
  await names.brands(CATEGORY);
  await names.models(CATEGORY, BRAND);
  await names.properties(CATEGORY);
  await names.shippingTemplates();

  expect(log).toEqual([
    ["category.list", {}, { signal }],
    ["brand.list", { category_id: "c-1" }, { signal }],
    ["brand.models", { category_id: "c-1", brand_id: "b-1" }, { signal }],
    ["category.properties", { categoryId: "c-1" }, { signal }],
    ["shippingTemplate.list", {}, { signal }],
  ]);
});

const spoon = idSchemas.category.parse(SPOON);

it("fetches each list once, also for concurrent lookups", async () => {
  const names = createCatalog();
  const indexes = createNameIndexes(names);

  await Promise.all([indexes.brands(spoon), indexes.brands(spoon), indexes.categories()]);
  await indexes.categories();

  expect(names.calls).toEqual([`brands ${SPOON}`, "categories"]);
});

it("fetches a list again after a failure, and passes the failure on", async () => {
  const names = createCatalog();
  let failures = 1;
  const shaky = {
    ...names,
    categories: async () => {
      if (failures-- > 0) throw new Error("no answer");
      return names.categories();
    },
  };
  const indexes = createNameIndexes(shaky);

  await expect(indexes.categories()).rejects.toThrow("no answer");

  expect((await indexes.categories()).resolve("Kaşık").kind).toBe("found");
});

const listed = (n: string, name: string) => ({ id: idSchemas.brand.parse(n), name });

it("fetches a fresh list once where a kept one lacks a name", async () => {
  const old = { brands: { [SPOON]: [listed("b-1", "Bosch")] } };
  const newer = { brands: { [SPOON]: [listed("b-1", "Bosch"), listed("b-2", "Karaca")] } };
  const names = createFakeNames({ ...old, newer });
  const indexes = createNameIndexes(names);

  const kept = await indexes.brands(spoon);
  const fresh = await Promise.all([
    indexes.brands(spoon, { fresh: true }),
    indexes.brands(spoon, { fresh: true }),
  ]);

  expect(kept.resolve("Karaca").kind).toBe("unknown");
  expect(fresh.map((index) => index.resolve("Karaca").kind)).toEqual(["found", "found"]);
  expect(await indexes.brands(spoon)).toBe(fresh[0]);
  expect(names.calls).toEqual([`brands ${SPOON}`, `brands ${SPOON} fresh`]);
});

it("keeps its index where the source has no newer list", async () => {
  const names = createFakeNames({ brands: { [SPOON]: [listed("b-1", "Bosch")] } });
  const indexes = createNameIndexes(names);

  const kept = await indexes.brands(spoon);

  expect(await indexes.brands(spoon, { fresh: true })).toBe(kept);
});

const spoons = idSchemas.category.parse("c-1");
const listedBrand = (n: string, name: string) => ({ id: idSchemas.brand.parse(n), name });
const OLD = { brands: { [spoons]: [listedBrand("b-1", "Bosch")] } };
const NEWER = { brands: { [spoons]: [listedBrand("b-1", "Bosch"), listedBrand("b-2", "Karaca")] } };

const openNames = (names: FakeNames): KnownNames => createKnownNames(createNameIndexes(names));

const fetchMissing = async (known: KnownNames): Promise<void> => {
  for (const fetchList of known.takeMissing()) await fetchList();
};

describe("createKnownNames", () => {
  it("records a missing list, and has it once it was fetched", async () => {
    const names = createFakeNames(OLD);
    const known = openNames(names);

    const before = known.brands(spoons).index.resolve("Bosch").kind;
    await fetchMissing(known);

    expect([before, known.brands(spoons).index.resolve("Bosch").kind]).toEqual([
      "unknown",
      "found",
    ]);
    expect(known.takeMissing()).toEqual([]);
    expect(names.calls).toEqual([`brands ${spoons}`]);
  });

  it("renews a list once, and counts it when it has changed", async () => {
    const names = createFakeNames({ ...OLD, newer: NEWER });
    const known = openNames(names);
    known.brands(spoons).index.resolve("Karaca");
    await fetchMissing(known);

    known.brands(spoons).renew();
    await fetchMissing(known);
    known.brands(spoons).renew();

    expect(known.takeMissing()).toEqual([]);
    expect(known.brands(spoons).index.resolve("Karaca").kind).toBe("found");
    expect(known.renewed).toBe(1);
    expect(names.calls).toEqual([`brands ${spoons}`, `brands ${spoons} fresh`]);
  });

  it("does not count a renewal when the source has no newer list", async () => {
    const known = openNames(createFakeNames(OLD));
    known.brands(spoons).index.resolve("Karaca");
    await fetchMissing(known);

    known.brands(spoons).renew();
    await fetchMissing(known);

    expect(known.renewed).toBe(0);
  });

  it("asks again for a list that could not be fetched", async () => {
    const names = createFakeNames(OLD);
    let failures = 1;
    const known = createKnownNames(
      createNameIndexes({
        ...names,
        brands: async (category) => {
          if (failures-- > 0) throw new Error("no answer");
          return await names.brands(category);
        },
      }),
    );
    known.brands(spoons).index.resolve("Bosch");
    await expect(fetchMissing(known)).rejects.toThrow("no answer");

    known.brands(spoons).index.resolve("Bosch");
    await fetchMissing(known);

    expect(known.brands(spoons).index.resolve("Bosch").kind).toBe("found");
  });
});

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
      id: idSchemas.category.parse(id(at + 1)),
      name: path.split(" > ").at(-1) ?? "",
      category_path: path,
    }));
    const index = createCategoryIndex(categories);
    const labels = index.labels();

    expect(labels.map(({ label }) => label)).toEqual(["Ev > Tabak", "Kase [0002]", "Kase [0003]"]);
    for (const { id: own, label } of labels) {
      expect(index.resolve(label)).toMatchObject({
        kind: "found",
        item: { category: { id: own } },
      });
    }
  });

  it("stands in the order of Turkish letters and of numbers", () => {
    const labels = ["Şal", "Çanta 10", "Çanta 2", "Ceket", "Sal"].map((label) => ({
      label,
      id: label,
    }));

    expect(sortLabels(labels).map(({ label }) => label)).toEqual([
      "Ceket",
      "Çanta 2",
      "Çanta 10",
      "Sal",
      "Şal",
    ]);
  });
});

it("answers from its lists and records its calls", async () => {
  const names = createCatalog();

  const brands = await names.brands(idSchemas.category.parse(SPOON));

  expect(brands.map(({ name }) => name)).toContain("Isuzu");
  expect(names.calls).toEqual([`brands ${SPOON}`]);
});

it("has empty lists where none were given", async () => {
  expect(await createFakeNames().categories()).toEqual([]);
});
