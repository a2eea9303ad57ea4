import { describe, expect, it } from "vitest";

import { TEXTS } from "../../../client/texts/texts.ts";

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

const listLeaves = (value: unknown, path = ""): readonly Leaf[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, part]) => listLeaves(part, `${path}.${key}`))
    : [{ path, value }];

/** The words of a leaf; those that are made are made with numbers. */
const wordsOf = ({ value }: Leaf): string =>
  typeof value === "function" ? String(value(2, 2, 2)) : String(value);

const tr = listLeaves(TEXTS.tr);
const en = listLeaves(TEXTS.en);

/** Words that are the same in both languages. */
const SAME = new Set([
  ".fix.ofTotal",
  ".fix.cellName",
  ".file.encodings.utf-8",
  ".file.encodings.iso-8859-9",
]);

const isKey = (leaf: Leaf): boolean => /^\.help\.keys\.\d+\.0$/u.test(leaf.path);

const shape = (leaves: readonly Leaf[]): readonly string[] =>
  leaves.map(({ path, value }) => `${path} ${typeof value}`).toSorted();

describe("texts", () => {
  it("are complete in both languages, kind for kind", () => {
    expect(shape(en)).toEqual(shape(tr));
  });

  it("are never empty", () => {
    expect([...tr, ...en].filter((leaf) => wordsOf(leaf).trim() === "")).toEqual([]);
  });

  it("are translated", () => {
    const turkish = new Map(tr.map((leaf) => [leaf.path, wordsOf(leaf)]));
    const same = en.filter((leaf) => turkish.get(leaf.path) === wordsOf(leaf));

    expect(same.filter((leaf) => !SAME.has(leaf.path) && !isKey(leaf))).toEqual([]);
  });

  it("have no word of the code", () => {
    const words = /undefined|null|\bNaN\b|\b[EW]_[A-Z]+|draft|HTTP/u;

    const shown = tr.map(wordsOf).filter((text) => words.test(text));

    expect(shown).toEqual([]);
  });

  it("put counts into the singular and the plural of English", () => {
    expect(TEXTS.en.preview.rowCount(1)).toBe("1 row");
    expect(TEXTS.en.preview.rowCount(1_200)).toBe("1,200 rows");
    expect(TEXTS.tr.preview.rowCount(1_200)).toBe("1.200 satır");
  });
});

/** A noun that a number is before, such as "2 new rows"; "0" and more have the plural. */
const NOUN =
  "(?:new |added |held )?(row|column|guess|product|call|cell|sheet|rule|value|name|file|thing)";
const WRONG_EN: Readonly<Record<number, RegExp>> = {
  0: new RegExp(String.raw`\b0 ${NOUN}\b`, "u"),
  1: new RegExp(
    String.raw`\b1 ${NOUN}e?s\b|\b(?:all|every) 1\b|\b1 [a-z ]+ (?:that change|wait|go|(?<!do not )need)\b`,
    "u",
  ),
  2: new RegExp(String.raw`\b2 ${NOUN}\b`, "u"),
};
/** Turkish has no plural behind a number, and one thing is not "all" of something. */
const WRONG_TR: Readonly<Record<number, RegExp>> = {
  0: /\b0 [a-zçğıöşü]+(?:lar|ler)\b/u,
  1: /\b1 [a-zçğıöşü]+(?:lar|ler)\b|\b1 .*\bhepsi/u,
  2: /\b2 [a-zçğıöşü]+(?:lar|ler)\b/u,
};

describe("texts with a number", () => {
  for (const count of [0, 1, 2]) {
    const callWith = ({ value }: Leaf): string =>
      typeof value === "function" ? String(value(count, count, count)) : "";

    it(`are right for ${count}`, () => {
      const english = en.map(callWith).filter((text) => WRONG_EN[count]?.test(text));
      const turkish = tr.map(callWith).filter((text) => WRONG_TR[count]?.test(text));

      expect([...english, ...turkish]).toEqual([]);
    });
  }
});

describe("the sentence about errors", () => {
  it("says nothing of warnings where there are none", () => {
    const { fix } = TEXTS.tr;

    expect(fix.status(2, 0, 10)).toBe("2 satırda hata var.");
    expect(fix.status(2, 1, 10)).toBe("2 satırda hata, 1 satırda uyarı var.");
    expect(fix.status(0, 1, 10)).toBe("Hata kalmadı: 10 satır, 1 satırda uyarı var.");
    expect(fix.status(0, 0, 10)).toBe("Hata kalmadı: 10 satır.");
  });
});
