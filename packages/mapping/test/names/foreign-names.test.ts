import { brandId, categoryId } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createNameIndexes } from "../../src/names/name-indexes.ts";
import { createFakeNames } from "../../src/testing.ts";
import { createCatalog } from "../helpers/catalog.ts";

const SPOON = "000000000000000000000003";

const category = async (text: string) => {
  const index = await createNameIndexes(createCatalog()).categories();
  const found = index.resolve(text);
  return found.kind === "found" ? found.item.parts.join(" > ") : found.kind;
};

describe("a category as another platform writes it", () => {
  it.each([
    "Ev | Mutfak | Kaşık",
    "Ev→Mutfak→Kaşık",
    "Ev › Mutfak › Kaşık",
    "Ev\\Mutfak\\Kaşık",
    "Ev::Mutfak::Kaşık",
    "Ev\nMutfak\nKaşık",
    "Ev &gt; Mutfak &gt; Kaşık",
    "Ev - Mutfak - Kaşık",
  ])("is read: %j", async (text) => {
    expect(await category(text)).toBe("Ev > Mutfak > Kaşık");
  });

  it.each(["Mutfak | Kaşık", "Ev - Kaşık", "Ev, Mutfak > Kaşık | Çatal", "Aksesuar"])(
    "is asked where it is no whole path, or names two: %j",
    async (text) => {
      expect(await category(text)).toMatch(/^(?:unknown|ambiguous)$/u);
    },
  );

  it("shows each of several paths among its suggestions", async () => {
    const index = await createNameIndexes(createCatalog()).categories();
    const found = index.resolve("Oto > Aksesuar, Ev > Mutfak > Kaşık");

    expect(
      found.kind === "unknown" && found.suggestions.map(({ parts }) => parts.join(" > ")),
    ).toEqual(expect.arrayContaining(["Oto > Aksesuar", "Ev > Mutfak > Kaşık"]));
  });
});

describe("a brand as another platform writes it", () => {
  const names = ["Dolce & Gabbana", "Tom ve Jerry", "Black", "Anne Bebek", "Anne & Bebek"];
  const brands = names.map((name, n) => ({
    id: brandId.parse(`${n + 1}`.padStart(24, "0")),
    name,
  }));
  const resolve = async (text: string) => {
    const indexes = createNameIndexes(createFakeNames({ brands: { [SPOON]: brands } }));
    const index = await indexes.brands(categoryId.parse(SPOON));
    const found = index.resolve(text);
    return found.kind === "found" ? found.item.name : found.kind;
  };

  it.each([
    ["Dolce &amp; Gabbana", "Dolce & Gabbana"],
    ["DOLCE AND GABBANA", "Dolce & Gabbana"],
    ["Dolce ve Gabbana", "Dolce & Gabbana"],
    ["Tom &amp; Jerry", "Tom ve Jerry"],
    ["Black and", "unknown"],
    ["Anne ve Bebek", "ambiguous"],
  ])("is read once: %s", async (text, name) => {
    expect(await resolve(text)).toBe(name);
  });
});
