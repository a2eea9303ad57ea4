import { describe, expect, it } from "vitest";

import {
  addScores,
  countKnown,
  readTitles,
  readTree,
  scoreShop,
  scoreTaxonomy,
} from "../bench/names/score-names.ts";

const titles = readTitles();
const tree = readTree();
const shops = [...new Set(titles.map(({ shop }) => shop))];

/** Titles asked about in each shop; row 30 of the benchmark asks about all. */
const MAX_ASKED = 20;

describe("suggested categories of labelled products", () => {
  it("reads titles of eleven shops, each with a category of the tree", () => {
    const leaves = new Set(tree.map(({ id }) => id));

    expect(titles.length).toBeGreaterThan(1_000);
    expect(shops).toHaveLength(11);
    expect(tree.length).toBe(leaves.size);
    expect(titles.filter(({ leaf }) => !leaves.has(leaf))).toEqual([]);
  });

  // Slightly below what row 30 of the benchmark measures.
  it.each([
    ["cold", () => 0, { first: 0.64, among: 0.74 }],
    [
      "after known products",
      (shop: string) => countKnown(titles, shop),
      { first: 0.72, among: 0.84 },
    ],
  ] as const)("are right as often as measured, %s", (_when, countOf, floors) => {
    const { asked, first, among } = addScores(
      shops.map((shop) =>
        scoreShop({ titles, tree, shop, known: countOf(shop), seed: 1, maxAsked: MAX_ASKED }),
      ),
    );

    expect(first / asked).toBeGreaterThan(floors.first);
    expect(among / asked).toBeGreaterThan(floors.among);
  });

  it("are right as often as measured for English names without titles", () => {
    const { asked, first, among } = scoreTaxonomy(tree);

    expect(first / asked).toBeGreaterThan(0.76);
    expect(among / asked).toBeGreaterThan(0.83);
  });
});
