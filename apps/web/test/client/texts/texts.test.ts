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

describe("the sentence about errors", () => {
  it("says nothing of warnings where there are none", () => {
    const { fix } = TEXTS.tr;

    expect(fix.status(2, 0, 10)).toBe("2 satırda hata var.");
    expect(fix.status(2, 1, 10)).toBe("2 satırda hata, 1 satırda uyarı var.");
    expect(fix.status(0, 1, 10)).toBe("Hata kalmadı: 10 satır, 1 satırda uyarı var.");
    expect(fix.status(0, 0, 10)).toBe("Hata kalmadı: 10 satır.");
  });
});
