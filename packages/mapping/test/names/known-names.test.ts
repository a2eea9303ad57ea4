import { brandId, categoryId } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import {
  createKnownNames,
  createNameIndexes,
  type KnownNames,
} from "../../src/names/name-indexes.ts";
import { createFakeNames, type FakeNames } from "../../src/testing.ts";

const spoon = categoryId.parse("c-1");
const listed = (id: string, name: string) => ({ id: brandId.parse(id), name });
const OLD = { brands: { [spoon]: [listed("b-1", "Bosch")] } };
const NEWER = { brands: { [spoon]: [listed("b-1", "Bosch"), listed("b-2", "Karaca")] } };

const openNames = (names: FakeNames): KnownNames =>
  createKnownNames(createNameIndexes(names, /^x$/u));

const fetchMissing = async (known: KnownNames): Promise<void> => {
  for (const fetchList of known.takeMissing()) await fetchList();
};

describe("createKnownNames", () => {
  it("records a missing list, and has it once it was fetched", async () => {
    const names = createFakeNames(OLD);
    const known = openNames(names);

    const before = known.brands(spoon).index.resolve("Bosch").kind;
    await fetchMissing(known);

    expect([before, known.brands(spoon).index.resolve("Bosch").kind]).toEqual(["unknown", "found"]);
    expect(known.takeMissing()).toEqual([]);
    expect(names.calls).toEqual([`brands ${spoon}`]);
  });

  it("renews a list once, and counts it when it has changed", async () => {
    const names = createFakeNames({ ...OLD, newer: NEWER });
    const known = openNames(names);
    known.brands(spoon).index.resolve("Karaca");
    await fetchMissing(known);

    known.brands(spoon).renew();
    await fetchMissing(known);
    known.brands(spoon).renew();

    expect(known.takeMissing()).toEqual([]);
    expect(known.brands(spoon).index.resolve("Karaca").kind).toBe("found");
    expect(known.renewed).toBe(1);
    expect(names.calls).toEqual([`brands ${spoon}`, `brands ${spoon} fresh`]);
  });

  it("does not count a renewal when the source has no newer list", async () => {
    const known = openNames(createFakeNames(OLD));
    known.brands(spoon).index.resolve("Karaca");
    await fetchMissing(known);

    known.brands(spoon).renew();
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
    known.brands(spoon).index.resolve("Bosch");
    await expect(fetchMissing(known)).rejects.toThrow("no answer");

    known.brands(spoon).index.resolve("Bosch");
    await fetchMissing(known);

    expect(known.brands(spoon).index.resolve("Bosch").kind).toBe("found");
  });
});
