import { describe, expect, it } from "vitest";

import { createCityIndex } from "../../src/lookup/city-index.ts";

const CITIES = [
  { id: "34", name: "İstanbul", districts: [{ id: "34", name: "Kadıköy" }, "Merkez"] },
  { id: "01", name: "Adana", districts: [{ id: 101, name: "Merkez" }, { id: 102 }, "", 7, null] },
  { id: "02", name: " " },
  { id: "03" },
];

const search = (text: string, limit = 10): readonly string[] =>
  createCityIndex(CITIES)
    .search(text, limit)
    .map(({ item, match }) => `${match} ${item.id} ${item.path}`);

describe("createCityIndex", () => {
  it("lists cities with the districts that have a name, and leaves out entries without one", () => {
    expect(createCityIndex(CITIES).items).toEqual([
      {
        id: "34",
        name: "İstanbul",
        path: "İstanbul",
        options: [
          { id: "34", name: "Kadıköy" },
          { id: "", name: "Merkez" },
        ],
      },
      { id: "01", name: "Adana", path: "Adana", options: [{ id: "101", name: "Merkez" }] },
    ]);
  });

  it.each([
    ["istanbul", ["exact 34 İstanbul"]],
    ["KADIKÖY", ["exact 34 İstanbul > Kadıköy"]],
    ["kadikoi", ["similar 34 İstanbul > Kadıköy"]],
    ["merkez", ["exact  İstanbul > Merkez", "exact 101 Adana > Merkez"]],
    ["34", ["exact 34 İstanbul", "exact 34 İstanbul > Kadıköy"]],
    ["zzzzzz", []],
  ])("finds %s among both", (text, expected) => {
    expect(search(text)).toEqual(expected);
  });

  it("returns at most as many results as the limit", () => {
    expect(search("merkez", 1)).toEqual(["exact  İstanbul > Merkez"]);
  });
});
