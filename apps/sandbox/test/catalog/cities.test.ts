import { describe, expect, it } from "vitest";

import { createCities, findCity } from "../../src/catalog/cities.ts";

const cities = createCities();

describe("createCities", () => {
  it("lists every province once, with all 973 districts, by name", () => {
    expect(new Set(cities.map(({ name }) => name)).size).toBe(81);
    expect(cities.flatMap(({ districts }) => districts)).toHaveLength(973);
    for (const { districts } of cities) {
      const names = districts.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "tr")));
    }
  });

  it("gives districts ids of their own, below the plate code", () => {
    const ids = cities.flatMap(({ districts }) => districts.map(({ id }) => id));

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^\d{4}$/u.test(id))).toBe(true);
  });
});

describe("findCity", () => {
  it.each([
    ["34", "İstanbul"],
    ["6", "Ankara"],
    [6, "Ankara"],
    ["izmir", "İzmir"],
    ["IĞDIR", "Iğdır"],
    ["sanliurfa", "Şanlıurfa"],
  ])("finds %s as %s", (wanted, name) => {
    expect(findCity(cities, wanted)?.name).toBe(name);
  });

  it.each(["82", "0", "", "Atlantis"])("does not find %j", (wanted) => {
    expect(findCity(cities, wanted)).toBeUndefined();
  });
});
