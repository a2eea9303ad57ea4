import { type Category, idSchemas } from "@catalog/contract";
import { createRowMapper, mapColumns, type ValueRules } from "@catalog/mapping";
import { createFakeNames } from "@catalog/mapping/testing";
import { expect, it } from "vitest";

import { createRandom, readTitles, readTree } from "../bench/names/score-names.ts";
import { ASKED, type Mutation, READABLE } from "../helpers/category-mutations.ts";

const NAMES = 10_000;
const ID_DIGITS = 24;

const toId = (at: number) => idSchemas.category.parse(at.toString(16).padStart(ID_DIGITS, "0"));

/** The tree with the categories above its leaves. */
function createTree(): readonly Category[] {
  const paths = new Set<string>();
  for (const { above, id } of readTree()) {
    for (const [at] of above.entries()) paths.add(above.slice(0, at + 1).join(" > "));
    paths.add(id);
  }
  return Array.from(paths, (path, at) => ({
    id: toId(at + 1),
    name: path.split(" > ").at(-1) ?? "",
    category_path: path,
  }));
}

/** Names near those of the tree that are none of them. */
const NEAR: Readonly<Record<string, Mutation>> = {
  "the beginning": (path, _, random) => {
    const name = path.at(-1) ?? "";
    return name.slice(0, Math.ceil(name.length * (0.4 + 0.5 * random())));
  },
  "another name in its place": (path, other) =>
    [...path.slice(0, -1), other.at(-1) ?? ""].join(" > "),
  "with a word before": (path) => `Toptan ${path.at(-1) ?? ""}`,
  "with a word behind": (path) => `${path.at(-1) ?? ""} Modelleri`,
  "two names as one": (path, other) => `${path.at(-1) ?? ""} ${other.at(-1) ?? ""}`,
};

/** Categories as shops write them, many in English, alone or below a name of the tree. */
const FOREIGN = [...new Set(readTitles().map(({ category }) => category))].filter(Boolean);

function createTexts(paths: readonly (readonly string[])[]): readonly string[] {
  const random = createRandom(40);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  };
  const mutations = [READABLE, ASKED, NEAR, NEAR].map((set) => Object.values(set));
  return Array.from({ length: NAMES }, (_, at) => {
    const path = pick(paths);
    const foreign = pick(FOREIGN);
    const kinds = [...mutations, undefined, null];
    const kind = kinds[at % kinds.length];
    if (kind === undefined) return foreign;
    if (kind === null) return `${path.slice(0, -1).join(" > ")} > ${foreign}`;
    return pick(kind)(path, pick(paths), random);
  });
}

/**
 * The letters and digits alone. Names that are equal in them differ in case, accents, separators or
 * the word for "and" only, which is what counts as the same name.
 */
const toBare = (text: string): string =>
  text
    .toLocaleLowerCase("tr")
    .normalize("NFKD")
    .replaceAll(/&(?:amp|gt);/gu, " ")
    .replaceAll("ı", "i")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/(?<!\p{L})(?:ve|and)(?!\p{L})/gu, "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

it("applies no category but one that is named exactly or was answered, in 10,000 names", async () => {
  const categories = createTree();
  const byId = new Map(categories.map((category) => [category.id, category]));
  const leaves = readTree().map(({ id }) => id.split(" > "));
  const texts = createTexts(leaves);
  // A person has answered some of the foreign names, each with any leaf.
  const answers = new Map(
    FOREIGN.slice(0, 60).map((text, at) => [text, leaves[at * 7]?.join(" > ")]),
  );
  const rules: ValueRules = {
    find(field, text) {
      const answer = field === "category" ? answers.get(text) : undefined;
      return answer === undefined ? undefined : [answer];
    },
  };
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header: ["Ürün Kodu", "Kategori"] });
  const names = createFakeNames({ categories });
  const notations = { decimal: undefined, columns: new Map() };
  const mapper = createRowMapper({ sheet: "S", mapping, notations, names, rules });

  const isOpen: boolean[] = [];
  const applied: (Category | undefined)[] = [];
  for (const [at, text] of texts.entries()) {
    const row = { row: at + 2, cells: [`K${at}`, text] };
    isOpen.push((await mapper.findOpenNames(row)).length > 0);
    applied.push(byId.get(mapper.map(row).changes.category_id ?? toId(0)));
  }

  const silent = texts.flatMap((text, at) => {
    const category = applied[at];
    if (category === undefined) return [];
    const path = category.category_path ?? "";
    if (answers.get(text) === path) return [];
    return [category.name, path].some((exact) => toBare(exact) === toBare(text))
      ? []
      : [`${text} -> ${path}`];
  });
  expect(silent).toEqual([]);
  // All others are open, and there are many of either.
  expect(isOpen).toEqual(applied.map((category) => category === undefined));
  expect(applied.filter(Boolean).length).toBeGreaterThan(NAMES / 10);
  expect(isOpen.filter(Boolean).length).toBeGreaterThan(NAMES / 2);
});
