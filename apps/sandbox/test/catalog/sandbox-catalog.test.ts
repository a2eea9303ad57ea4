import { describe, expect, it } from "vitest";

import { createSandboxCatalog } from "../../src/index.ts";

const catalog = createSandboxCatalog();
const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id));
const ID_PATTERN = /^[0-9a-f]{24}$/u;
const MARKETPLACES = /trendyol|hepsiburada|n11|çiçeksepeti|pazarama|pttavm|amazon|letgo|dolap/iu;

describe("the categories of the catalog", () => {
  it("are many, on four levels, with distinct ids", () => {
    expect(catalog.categories.length).toBeGreaterThanOrEqual(300);
    expect(new Set(catalog.categories.map(({ id }) => id)).size).toBe(catalog.categories.length);
    expect(new Set(catalog.categories.map(({ external_id }) => external_id)).size).toBe(
      catalog.categories.length,
    );
    for (const { id, external_id, category_tree } of catalog.categories) {
      expect(id).toMatch(ID_PATTERN);
      expect(external_id).toMatch(/^\d{8}$/u);
      expect(catalog.isLeaf(id)).toBe(category_tree.length === 4);
    }
  });

  it("keep their ids over versions", () => {
    const spoon = catalog.categories.find(({ name }) => name === "Kaşık");

    expect(spoon).toMatchObject({
      id: "0f03d5aca0ec68672464b299",
      parent: { name: "Sofra" },
      category_path: "Ev & Yaşam > Mutfak > Sofra > Kaşık",
    });
    expect(spoon?.category_tree.map(({ name }) => name).join(" > ")).toBe(spoon?.category_path);
    expect(spoon?.category_tree.at(-2)).toEqual(spoon?.parent);
  });

  it("are listed after their parents, and top ones have none", () => {
    const seen = new Set<string>();
    for (const { id, parent, category_tree } of catalog.categories) {
      expect(parent === null ? category_tree.length === 1 : seen.has(parent.id)).toBe(true);
      seen.add(id);
    }
  });

  it.each(["Aksesuar", "Yedek Parça", "Kılıf"])(
    "have the name %s under several parents",
    (name) => {
      const same = leaves.filter((category) => category.name === name);

      expect(new Set(same.map(({ parent }) => parent?.id)).size).toBe(same.length);
      expect(same.length).toBeGreaterThan(3);
    },
  );

  it("have distinct names under one parent", () => {
    const paths = catalog.categories.map(({ category_path }) => category_path);

    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe("the brands of the catalog", () => {
  it("are many overall and 20 to 150 in each leaf, each once", () => {
    const names = new Set<string>();
    for (const { id } of leaves) {
      const brands = catalog.brands(id);
      expect(brands.length).toBeGreaterThanOrEqual(20);
      expect(brands.length).toBeLessThanOrEqual(150);
      expect(new Set(brands.map((brand) => brand.id)).size).toBe(brands.length);
      for (const { name } of brands) names.add(name);
    }
    expect(names.size).toBeGreaterThanOrEqual(2000);
    expect([...names].filter((name) => MARKETPLACES.test(name))).toEqual([]);
  });

  it("include Isuzu and İsuzu in one category", () => {
    const tyre = leaves.find(({ name }) => name === "Kış Lastiği");

    const pair = catalog.brands(tyre?.id ?? "").filter(({ name }) => /^[Iİ]suzu$/u.test(name));

    expect(pair.map(({ name }) => name).toSorted()).toEqual(["Isuzu", "İsuzu"]);
    expect(pair[0]?.id).not.toBe(pair[1]?.id);
  });

  it("have one id in every category", () => {
    const ids = leaves.flatMap(({ id }) =>
      catalog.brands(id).filter(({ name }) => name === "Bosch"),
    );

    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
  });

  it("exist in leaf categories only", () => {
    const [top] = catalog.categories;

    expect(catalog.brands(top?.id ?? "")).toEqual([]);
    expect(catalog.brands("unknown")).toEqual([]);
  });
});

describe("the models of the catalog", () => {
  it("are 3 to 12 for each brand of a category, each once", () => {
    for (const { id } of leaves.filter((_, index) => index % 20 === 0)) {
      for (const brand of catalog.brands(id)) {
        const models = catalog.models(id, brand.id);
        expect(models.length).toBeGreaterThanOrEqual(3);
        expect(models.length).toBeLessThanOrEqual(12);
        expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
        expect(new Set(models.map((model) => model.id)).size).toBe(models.length);
      }
    }
  });

  it("do not exist for a brand that the category does not have", () => {
    expect(catalog.models(leaves[0]?.id ?? "", "unknown")).toEqual([]);
  });
});

describe("the properties of the catalog", () => {
  it("have options in every leaf category and exist nowhere else", () => {
    for (const { id } of leaves) {
      const properties = catalog.properties(id);
      expect(properties.length).toBeGreaterThan(1);
      expect(properties.every((property) => property.property_options.length > 3)).toBe(true);
    }
    expect(catalog.properties("unknown")).toEqual([]);
  });

  it("include colour, size and material for clothes", () => {
    const dress = leaves.find(({ name }) => name === "Günlük Elbise");

    const names = catalog.properties(dress?.id ?? "").map(({ name }) => name);

    expect(names).toEqual(["Renk", "Beden", "Materyal", "Kalıp", "Desen"]);
  });
});

describe("the shipping templates of the catalog", () => {
  it("have distinct names", () => {
    const names = catalog.shippingTemplates.map(({ template_name }) => template_name);

    expect(names).toEqual(expect.arrayContaining(["Standart Teslimat", "Ücretsiz Kargo"]));
    expect(names.length).toBeGreaterThanOrEqual(6);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("createSandboxCatalog", () => {
  it("makes the same catalog every time", () => {
    const again = createSandboxCatalog();

    expect(again.categories).toEqual(catalog.categories);
    expect(again.brands(leaves[0]?.id ?? "")).toEqual(catalog.brands(leaves[0]?.id ?? ""));
    expect(again.shippingTemplates).toEqual(catalog.shippingTemplates);
  });
});
