import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import { InputError } from "@catalog/i18n";
import type { NameSuggestion, OpenNameCount } from "@catalog/runs";
import { openSheet, writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { openRemembered } from "../../src/columns/remembered.ts";
import {
  answerBelow,
  answerByReason,
  importNamesSheet,
  saveMeanings,
} from "../../src/names/names-in-bulk.ts";
import { writeNamesSheet } from "../../src/names/names-sheet.ts";
import type { FileNames, NameTarget } from "../../src/plan/file-names.ts";

const CATEGORIES = [
  "Ev",
  "Ev > Mutfak",
  "Ev > Mutfak > Çay",
  "Ev > Mutfak > Kupa",
  "Ev > Mutfak > Tabak",
  "Ev > Mutfak > Çay > Kupa",
  "Ev > Mutfak > Çay > Demlik",
  "Bahçe > Hortum",
].map((category_path, at) => ({
  id: `c-${at}`,
  name: category_path.split(" > ").at(-1) ?? "",
  category_path,
}));

const openName = (
  value: string,
  rest: Partial<OpenNameCount> & { readonly why?: NameSuggestion["why"] } = {},
): OpenNameCount => {
  const { why = { kind: "words" }, choices = [], ...more } = rest;
  return {
    field: "category",
    column: "Category",
    value,
    choices,
    rows: 1,
    titles: [],
    suggestions: choices.map((target) => ({ target, targetId: null, why })),
    ...more,
  };
};

const MUGS = openName("Home > Kitchen > Mugs", {
  choices: ["Ev > Mutfak > Kupa", "Bahçe > Hortum"],
  rows: 12,
  titles: ["Blue mug", "Red mug"],
  why: { kind: "store", similar: 9, of: 12 },
});
const BRAND = openName("KARACA HOM", { field: "brand", column: "Brand" });

async function createFile(names: readonly OpenNameCount[], platform?: string) {
  const test = await createTestConnection();
  await test.connection.memory.names.write(`${test.connection.baseUrl} categories`, CATEGORIES);
  const lists: Readonly<Record<string, readonly NameTarget[]>> = {
    category: CATEGORIES.slice(3).map(({ id, category_path: target }) => ({ id, target })),
    brand: [
      { id: "b-1", target: "Karaca" },
      { id: "b-2", target: "Karaca Home" },
      { id: "b-3", target: "2" },
    ],
  };
  const file: FileNames = {
    names,
    platform,
    searches: 0,
    search: async () => names,
    notes: () => [],
    targetsOf: async ({ field }) => lists[field] ?? [],
  };
  return { ...test, file };
}

const listRules = async ({ memory }: Connection): Promise<readonly string[]> =>
  (await memory.rules.list()).map(
    ({ field, value, target, targetId }) => `${field}: ${value} = ${target} ${targetId}`,
  );

type Meanings = Readonly<Record<string, readonly [meaning: string, id?: string]>>;

/** Writes the filled-in sheet: meaning and id by the name's value. */
async function fillIn(path: string, meanings: Meanings): Promise<void> {
  await using sheet = await openSheet({ path, sheet: "1" });
  const header = sheet.header.cells.map((cell) => ({ header: String(cell) }));
  const rows = (await Array.fromAsync(sheet.rows())).map(({ cells }) => {
    const [meaning = null, id = null] = meanings[String(cells[1])] ?? [];
    return cells.with(2, meaning).with(3, id);
  });
  await writeXlsx({ path, sheets: [{ name: "Names", columns: header, rows }] });
}

const SHEET_HEADER = "Field;Value in File;Meaning;ID;Suggestion 1;Suggestion 2;Suggestion 3";

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof InputError ? error.localized.en : String(error)),
  );

describe("a sheet of open names", () => {
  it("saves what was filled in, and counts what stays open and what is not open any more", async () => {
    const cups = openName("Cups");
    const { connection, folder, file } = await createFile([MUGS, BRAND, cups], "shopify");
    const path = join(folder, "names.xlsx");
    await writeNamesSheet(file, { path, lang: "en" });
    await fillIn(path, { [MUGS.value]: ["1"], "KARACA HOM": ["karaca home"], Cups: [""] });

    const saved = await importNamesSheet(connection, file, { path });
    const again = await importNamesSheet(connection, { ...file, names: [cups] }, { path });

    expect([saved.left, saved.others, again.left, again.others]).toEqual([1, 0, 1, 2]);
    expect(await listRules(connection)).toEqual([
      "brand: KARACA HOM = Karaca Home null",
      "category@shopify: Home > Kitchen > Mugs = Ev > Mutfak > Kupa null",
    ]);
    await connection.memory.rules.undo(saved.batch);
    expect(await listRules(connection)).toEqual([]);
  });

  it("says every mistake at its cell, and saves nothing then", async () => {
    const names = ["A", "B", "C", "D", "E"].map((value) =>
      openName(value, { field: "brand", choices: ["Karaca", "Karaca Home"] }),
    );
    const { connection, folder, file } = await createFile([MUGS, ...names]);
    const path = join(folder, "names.xlsx");
    await writeNamesSheet(file, { path, lang: "en" });
    const meanings: Meanings = {
      A: ["Karacaa"],
      B: ["2"],
      C: ["Karaca", "b-9"],
      D: ["Karaca"],
      E: ["3"],
    };
    await fillIn(path, { [MUGS.value]: ["Ev > Mutfak"], ...meanings });

    const refusal = await refusalOf(importNamesSheet(connection, file, { path }));

    expect(refusal.split("\n")).toEqual([
      "No meaning was saved. Correct these cells:",
      "  C2 “Ev > Mutfak”: It has 4 categories below it; choose one: “Ev > Mutfak > Çay > Kupa”, “Ev > Mutfak > Çay > Demlik”, “Ev > Mutfak > Kupa”, “Ev > Mutfak > Tabak”.",
      "  C3 “Karacaa”: The store's list does not have it. Similar ones: “Karaca”, “Karaca Home”.",
      "  C4 “2”: This may be “2” of the list, or suggestion 2 (“Karaca Home”); write its id in the column ID.",
      "  D5 “b-9”: The store's list has no such id.",
      "  C7 “3”: This row has no suggestion 3; write the store's name, or fill in the column ID.",
    ]);
    expect(await listRules(connection)).toEqual([]);
  });

  it("takes a number for the suggestion of that number, whatever columns were deleted", async () => {
    const { connection, write, file } = await createFile([BRAND]);
    const { importRules } = openRemembered(connection);
    const writeRow = (number: number): string =>
      write(
        "names.csv",
        `Field;Value in File;Meaning;Suggestion 2\nBrand;KARACA HOM;${number};Karaca Home\n`,
      );

    const gone = writeRow(1);
    const refusals = [
      await refusalOf(importNamesSheet(connection, file, { path: gone })),
      await refusalOf(importRules({ path: gone })),
    ];
    await importRules({ path: writeRow(2) });

    const line = "  C2 “1”: The sheet has no column “Suggestion 1”; write the store's name.";
    expect(refusals.map((refusal) => refusal.split("\n")[1])).toEqual([line, line]);
    expect(await listRules(connection)).toEqual(["brand: KARACA HOM = Karaca Home null"]);
  });

  it.each([
    [
      "another name",
      "Karaca",
      "b-2",
      "D2 “b-2”: This id is “Karaca Home”, but the meaning says “Karaca”",
    ],
    ["another suggestion", "1", "b-2", "but the meaning says “Karaca”"],
    ["an unknown name", "Karacaa", "b-1", "but the meaning says “Karacaa”"],
  ])("refuses an id that contradicts %s", async (_, meaning, id, words) => {
    const { connection, write, file } = await createFile([BRAND]);
    const path = write(
      "names.csv",
      `${SHEET_HEADER}\nBrand;KARACA HOM;${meaning};${id};Karaca;Karaca Home;\n`,
    );

    expect(await refusalOf(importNamesSheet(connection, file, { path }))).toContain(words);
  });

  it.each([
    ["of several with the name", "Category;Home > Kitchen > Mugs;Kupa;c-5"],
    ["below the name", "Category;Home > Kitchen > Mugs;Ev > Mutfak;c-5"],
    ["of the name in other letters", "Brand;KARACA HOM;karaca  HOME;b-2"],
    ["of the name that a number is", "Brand;KARACA HOM;2;b-3;Karaca;Karaca Home"],
    ["of the suggestion of a number", "Brand;KARACA HOM;2;b-2;Karaca;Karaca Home"],
  ])("takes an id %s", async (_, row) => {
    const { connection, write, file } = await createFile([MUGS, BRAND]);
    const path = write("names.csv", `${SHEET_HEADER}\n${row}\n`);

    const { rules } = await importNamesSheet(connection, file, { path });

    expect(rules.map(({ targetId }) => targetId)).toEqual([row.split(";")[3]]);
  });

  it("says every mistake of a sheet of rules at its cell, too, and saves nothing then", async () => {
    const { connection, write } = await createFile([]);
    const { importRules } = openRemembered(connection);
    const suggested = "Karaca;Karaca Home;";
    const [right, same] = [`Brand;E;2;;${suggested}`, "Brand;e;KARACA HOME"];
    const size = "Property: Beden;M;38;;40;;";
    const rows = [
      `Brand;A;7;;${suggested}`,
      `Brand;B;3;;${suggested}`,
      `Brand;C;-;;${suggested}`,
      `Brand;D;…;;${suggested}`,
      right,
      same,
      "Brand;E;Karaca",
      "Category;G;Ev > Fincan",
      "Category;g;Ev > Tabak",
      "Colours;x;Blue",
      size,
      "Brand;F;;;Karaca",
    ];
    const toPath = (lines: readonly string[]): string =>
      write("names.csv", [SHEET_HEADER, ...lines].join("\n"));

    const refusal = await refusalOf(importRules({ path: toPath(rows) }));
    const none = await listRules(connection);
    const { rules, open } = await importRules({ path: toPath([right, same, size, "Brand;F"]) });

    const [first, ...lines] = refusal.split("\n");
    expect(first).toBe("No meaning was saved. Correct these cells:");
    expect(lines.map((line) => line.slice(0, 42))).toEqual([
      "  C2 “7”: This row has no suggestion 7; wr",
      "  C3 “3”: This row has no suggestion 3; wr",
      "  C4 “-”: This is no name; write the store",
      "  C5 “…”: The meaning is missing: write th",
      "  C10 “Ev > Tabak”: The same name has anot",
      "  A11 “Colours”: There are no rules for “C",
    ]);
    expect(none).toEqual([]);
    expect([rules.length, open]).toEqual([2, 1]);
    expect(await listRules(connection)).toEqual([
      "brand: E = Karaca Home null",
      "property:Beden: M = 38 null",
    ]);
  });

  it("is a sheet of rules for another store; a number may be an option of a property", async () => {
    const colour = openName("Navy", { field: "property:Renk", choices: ["Lacivert"] });
    const { connection, folder, file } = await createFile([MUGS, BRAND, colour], "shopify");
    const { importRules } = openRemembered(connection);
    const path = join(folder, "names.xlsx");
    await writeNamesSheet(file, { path, lang: "tr" });

    await fillIn(path, { Navy: ["1"] });
    const refusal = await refusalOf(importRules({ path }));
    await fillIn(path, { [MUGS.value]: ["1"], Navy: ["Lacivert"] });
    const { rules, open } = await importRules({ path });

    expect(refusal).toContain("C4 “1”: This may be an option, or suggestion 1 (“Lacivert”)");
    expect([rules.length, open]).toEqual([2, 1]);
    expect(await listRules(connection)).toEqual([
      "category@shopify: Home > Kitchen > Mugs = Ev > Mutfak > Kupa null",
      "property:Renk: Navy = Lacivert null",
    ]);
  });

  it("offers the suggestions of each name first, then what the store has, also as CSV", async () => {
    const { folder, file } = await createFile([MUGS, BRAND]);
    const [book, text] = [join(folder, "names.xlsx"), join(folder, "names.csv")];

    await writeNamesSheet(file, { path: book, lang: "tr" });
    await writeNamesSheet(file, { path: text, lang: "tr" });

    await using lists = await openSheet({ path: text });
    const rows = await Array.fromAsync(lists.rows());
    expect(lists.header.cells.slice(0, 8)).toEqual([
      "Alan",
      "Dosyadaki Değer",
      "Karşılığı",
      "ID",
      "Satır",
      "Örnek 1",
      "Örnek 2",
      "Öneri 1",
    ]);
    expect(rows[0]?.cells.slice(0, 9)).toEqual([
      "Kategori",
      "Home > Kitchen > Mugs",
      null,
      null,
      "12",
      "Blue mug",
      "Red mug",
      "Ev > Mutfak > Kupa",
      "Mağazanızdaki 12 benzer üründen 9 tanesi burada",
    ]);
  });
});

describe("answerBelow", () => {
  const names = [
    MUGS,
    openName("Home > Kitchen > Tea > Kupa"),
    openName("home>kitchen>tabak"),
    openName("Home > Kitchen > Çay > Kupa"),
    openName("Home > Kitchenware"),
    BRAND,
  ];

  it("takes a leaf for all names below", async () => {
    const { connection } = await createFile(names);
    const options = { from: "Home > Kitchen", to: "Ev > Mutfak > Tabak" };

    const { answers, open } = await answerBelow(connection, names, options);

    expect(answers.map(({ value }) => value)).toEqual(names.slice(0, 4).map(({ value }) => value));
    expect(new Set(answers.map(({ target }) => target))).toEqual(new Set([options.to]));
    expect(open).toEqual([]);
  });

  it("takes only what is exact below any other category, and suggests within it for the rest", async () => {
    const { connection } = await createFile(names);

    const found = await answerBelow(connection, names, {
      from: "Home > Kitchen",
      to: "Ev > Mutfak",
    });

    expect(found.answers.map(({ value, target }) => [value, target])).toEqual([
      ["home>kitchen>tabak", "Ev > Mutfak > Tabak"],
      ["Home > Kitchen > Çay > Kupa", "Ev > Mutfak > Çay > Kupa"],
    ]);
    expect(found.open.map(({ value, choices }) => [value, choices[0]])).toEqual([
      [MUGS.value, "Ev > Mutfak > Kupa"],
      ["Home > Kitchen > Tea > Kupa", expect.stringContaining("Kupa")],
    ]);
    expect(found.open.flatMap(({ choices }) => choices)).not.toContain("Bahçe > Hortum");
  });

  it.each([
    ["Kupa", "may be more than one category"],
    ["Kupaa", "The store has no category “Kupaa”"],
  ])("refuses %s, which is not one category", async (to, words) => {
    const { connection } = await createFile(names);

    expect(await refusalOf(answerBelow(connection, names, { from: "Home", to }))).toContain(words);
  });
});

describe("answerByReason", () => {
  it("takes first suggestions of one reason with a large enough share", () => {
    const names = [
      MUGS,
      openName("Cups", { choices: ["Bahçe > Hortum"], why: { kind: "store", similar: 5, of: 10 } }),
      openName("Tea", { choices: ["Bahçe > Hortum"] }),
      BRAND,
    ];
    const taken = (kind: "store" | "words", minShare?: number): readonly string[] =>
      answerByReason(names, { kind, minShare }).map(({ value }) => value);

    expect([taken("store"), taken("store", 0.6), taken("words", 0.9)]).toEqual([
      [MUGS.value, "Cups"],
      [MUGS.value],
      ["Tea"],
    ]);
  });
});

it("answers only names that are open", async () => {
  const { connection, file } = await createFile([MUGS]);
  const answer = { field: "category", target: "Ev > Mutfak > Tabak", targetId: null };

  await saveMeanings(connection, file, [
    { ...answer, value: MUGS.value },
    { ...answer, value: "Cups" },
  ]);

  expect(await listRules(connection)).toEqual([
    "category: Home > Kitchen > Mugs = Ev > Mutfak > Tabak null",
  ]);
});
