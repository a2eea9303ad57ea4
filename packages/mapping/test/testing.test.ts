import { categoryId } from "@catalog/contract";
import { expect, it } from "vitest";

import { createFakeNames } from "../src/testing.ts";
import { createCatalog, SPOON } from "./helpers/catalog.ts";

it("answers from its lists and records its calls", async () => {
  const names = createCatalog();

  const brands = await names.brands(categoryId.parse(SPOON));

  expect(brands.map(({ name }) => name)).toContain("Isuzu");
  expect(names.calls).toEqual([`brands ${SPOON}`]);
});

it("has empty lists where none were given", async () => {
  expect(await createFakeNames().categories()).toEqual([]);
});
