import { brandId, categoryId } from "@catalog/contract";
import { expect, it } from "vitest";

import { createNameIndexes } from "../../src/names/name-indexes.ts";
import { createFakeNames } from "../../src/testing.ts";
import { createCatalog, SPOON } from "../helpers/catalog.ts";

const spoon = categoryId.parse(SPOON);

it("fetches each list once, also for concurrent lookups", async () => {
  const names = createCatalog();
  const indexes = createNameIndexes(names, /^x$/u);

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
  const indexes = createNameIndexes(shaky, /^x$/u);

  await expect(indexes.categories()).rejects.toThrow("no answer");

  expect((await indexes.categories()).resolve("Kaşık").kind).toBe("found");
});

const listed = (n: string, name: string) => ({ id: brandId.parse(n), name });

it("fetches a fresh list once where a kept one lacks a name", async () => {
  const old = { brands: { [SPOON]: [listed("b-1", "Bosch")] } };
  const newer = { brands: { [SPOON]: [listed("b-1", "Bosch"), listed("b-2", "Karaca")] } };
  const names = createFakeNames({ ...old, newer });
  const indexes = createNameIndexes(names, /^x$/u);

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
  const indexes = createNameIndexes(names, /^x$/u);

  const kept = await indexes.brands(spoon);

  expect(await indexes.brands(spoon, { fresh: true })).toBe(kept);
});
