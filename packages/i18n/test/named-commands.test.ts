import { execFileSync } from "node:child_process";

import { describe, expect, it } from "vitest";

import { nameProgram, quoteText, quoteWord } from "../src/named-commands.ts";

const cases: readonly (readonly [text: string, named: string])[] = [
  ["To go on: catalog resume r-1", "To go on: npx catalog-toolkit resume r-1"],
  [
    '"catalog runs" lists them; catalog --help too',
    '"npx catalog-toolkit runs" lists them; npx catalog-toolkit --help too',
  ],
  ["catalog plan a.xlsx", "npx catalog-toolkit plan a.xlsx"],
  ["npx catalog-toolkit plan a.xlsx", "npx catalog-toolkit plan a.xlsx"],
  ["to keep it: catalog\n    rules default", "to keep it: npx catalog-toolkit\n    rules default"],
  ["the sample catalog\nimport it", "the sample catalog\nimport it"],
  ["/opt/catalog plan", "/opt/catalog plan"],
  ["the catalog planner, the catalog of 2026", "the catalog planner, the catalog of 2026"],
  ["ürünkatalog catalog imports", "ürünkatalog catalog imports"],
];

describe("nameProgram", () => {
  it.each(cases)("turns %s into %s", (text, named) => {
    expect(nameProgram(text, "npx catalog-toolkit")).toBe(named);
  });

  it("leaves a text as it is where the program is called catalog", () => {
    expect(nameProgram("catalog plan a.xlsx", "catalog")).toBe("catalog plan a.xlsx");
  });

  it("takes a path with the signs of a replacement as it is", () => {
    expect(nameProgram("catalog plan", "node '/a/$&/catalog.js'")).toBe(
      "node '/a/$&/catalog.js' plan",
    );
  });
});

describe("a text in which the program is named", () => {
  const programs = [
    "npx catalog-toolkit",
    "pnpm catalog",
    "node /opt/catalog/bin/catalog.js",
    'node "/a b/catalog.js"',
    "node '/my catalog plan/it'\\''s/catalog.js'",
    'node "/catalog /bin.js"',
  ];
  const pieces = [
    "catalog plan",
    "catalog\n  import",
    " ",
    "“",
    "”",
    '"',
    "'",
    "a.xlsx",
    '"/x catalog apply/é.xlsx"',
  ];
  const texts = pieces.flatMap((a) =>
    pieces.flatMap((b) => pieces.flatMap((c) => [`${a}${b}${c}`, `${a} ${b} ${c}`])),
  );

  it.each(programs)("stays as it is when it is named again: %s", (program) => {
    for (const text of texts) {
      const named = nameProgram(text, program);
      expect(nameProgram(named, program), text).toBe(named);
    }
  });

  it.each([
    '"/Yaz catalog plan/ürünler.xlsx"',
    "'/Yaz! catalog plan/x.xlsx'",
    String.raw`'/Ayşe'\''nin! catalog plan/x.xlsx'`,
    "“my catalog plan”",
  ])("leaves what is quoted alone: %s", (quoted) => {
    expect(nameProgram(`catalog import ${quoted}.`, "npx catalog-toolkit")).toBe(
      `npx catalog-toolkit import ${quoted}.`,
    );
  });

  it.each(["“catalog plan”", '"catalog plan"', "'catalog plan'", '15" catalog plan "a"'])(
    "names a command in quotes: %s",
    (text) => {
      expect(nameProgram(text, "npx catalog-toolkit")).toBe(
        text.replace("catalog", "npx catalog-toolkit"),
      );
    },
  );
});

describe("quoteWord", () => {
  it.each([
    ["catalog-results/r-1/failed.xlsx", "catalog-results/r-1/failed.xlsx"],
    ["ürünler.xlsx", "ürünler.xlsx"],
    ["Yaz Kış.xlsx", '"Yaz Kış.xlsx"'],
    ['$a`b"c\\d', `'$a\`b"c\\d'`],
    ["Kış!7", "'Kış!7'"],
    ["Ayşe'nin", `"Ayşe'nin"`],
    ["Ayşe'nin!", String.raw`'Ayşe'\''nin!'`],
    ["~/a.csv", '"~/a.csv"'],
    ["a;b", '"a;b"'],
    ["", '""'],
  ])("writes %s as %s", (word, written) => {
    expect(quoteWord(word)).toBe(written);
  });

  it("is read back by a shell that replaces words of its history", () => {
    const words = [
      "a!b",
      "!!",
      "it's !x",
      '"q"',
      "$HOME",
      "`id`",
      "a\\b",
      "!\"'$`\\",
      "~",
      "#",
      "*",
      "",
    ];
    const lines = words.map((word) => `printf '%s\\0' ${quoteWord(word)} ${quoteText(word)}`);
    const input = ["set -o history -H", ...lines].join("\n");
    const env = { ...process.env, HISTFILE: "" };
    const printed = execFileSync("bash", ["--norc"], { input, env, encoding: "utf8" });

    expect(printed.split("\0").slice(0, -1)).toEqual(words.flatMap((word) => [word, word]));
  });
});
