/** Finds suggestions for misspelt brands. BRANDS VALUES */

import { createNameIndex } from "@catalog/mapping";

import { printCost } from "../case-report.ts";

const [brands = "0", values = "0"] = process.argv.slice(2);
const SYLLABLES = ["ka", "ra", "ca", "şen", "öz", "gül", "tek", "mir", "lin", "bo", "sen", "ış"];

/** A different name of two or three words for every number. */
function brandName(number: number): string {
  let rest = number * 7919 + 13;
  let text = "";
  for (let at = 0; at < 6; at += 1) {
    text += SYLLABLES[rest % SYLLABLES.length] ?? "";
    if (at === 2) text += " ";
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return `${text} ${number % 97}`;
}

/** Swaps two letters. */
function misspell(name: string, at: number): string {
  const from = 1 + (at % 3);
  return name.slice(0, from) + (name[from + 1] ?? "") + (name[from] ?? "") + name.slice(from + 2);
}

const items = Array.from({ length: Number(brands) }, (_, at) => ({
  id: String(at).padStart(24, "0"),
  name: brandName(at),
}));

await printCost(async () => {
  const index = createNameIndex({
    items,
    id: ({ id }) => id,
    name: ({ name }) => name,
    idPattern: /^[0-9a-f]{24}$/u,
  });
  let suggested = 0;
  for (let at = 0; at < Number(values); at += 1) {
    const wanted = items[(at * 37) % items.length]?.name ?? "";
    const found = index.resolve(misspell(wanted, at));
    if (found.kind === "unknown" && found.suggestions.length > 0) suggested += 1;
  }
  return { suggested, values: Number(values) };
});
