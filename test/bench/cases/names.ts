/**
 * Suggests categories for the labelled titles, or times the suggestions for a large file.
 * score SHOP KNOWN SEED | taxonomy | time PRODUCTS NAMES
 */

import { createLikelyNames, createTitleIndex } from "@catalog/mapping";

import { printCost } from "../case-report.ts";
import { readTitles, readTree, scoreShop, scoreTaxonomy } from "../names/score-names.ts";

const [kind = "", ...rest] = process.argv.slice(2);
const titles = readTitles();
const tree = readTree();

/** A title of a shop of any size: each labelled one returns with another number. */
const nthTitle = (at: number): string => `${titles[at % titles.length]?.title} ${at}`;

function suggestForFile(products: number, names: number): number {
  const known = Array.from({ length: products }, (_, at) => ({
    title: nthTitle(at),
    category: titles[at % titles.length]?.leaf,
  }));
  const texts = Array.from(
    { length: names },
    (_, at) => `${titles[at % titles.length]?.category} ${at}`,
  );
  const likely = createLikelyNames({
    field: "category",
    meanings: tree,
    texts,
    products: createTitleIndex(known),
  });
  return texts.filter((text, at) => {
    const found = likely.suggest({ text, titles: [nthTitle(at + 1), nthTitle(at * 7)] });
    return found.length > 0;
  }).length;
}

await printCost(async () => {
  if (kind === "time") return { suggested: suggestForFile(Number(rest[0]), Number(rest[1])) };
  if (kind === "taxonomy") return { ...scoreTaxonomy(tree) };
  const [shop = "", known, seed] = rest;
  return { ...scoreShop({ titles, tree, shop, known: Number(known), seed: Number(seed) }) };
});
