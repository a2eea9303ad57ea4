import { categoryId } from "@catalog/contract";
import { expect, it } from "vitest";

import { createNameIndexes } from "../../src/names/name-indexes.ts";
import { createCatalog, SPOON } from "../helpers/catalog.ts";

const spoon = categoryId.parse(SPOON);

it("asks for each list once, also when two ask at the same time", async () => {
  const names = createCatalog();
  const indexes = createNameIndexes(names, /^x$/u);

  await Promise.all([indexes.brands(spoon), indexes.brands(spoon), indexes.categories()]);
  await indexes.categories();

  expect(names.calls).toEqual([`brands ${SPOON}`, "categories"]);
});

it("asks again after a failure, and passes the failure on", async () => {
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
