import { describe, expect, it } from "vitest";

import { readWords, wordsOf } from "../../src/row/answer-words.ts";

const REFUSED = { kind: "refused", status: 422, phase: "body", message: "no stock" } as const;

describe("wordsOf", () => {
  it("returns the answer's text in both languages where it has both", () => {
    const words = { tr: "stok yok", en: "no stock" };

    expect(wordsOf({ ...REFUSED, words }, "no stock")).toEqual(words);
    expect(wordsOf(REFUSED, "no stock")).toEqual({ tr: "no stock", en: "no stock" });
  });

  it("says in both languages that no reason was given", () => {
    expect(wordsOf({ kind: "answered", data: {}, phase: "body" }, undefined)).toEqual({
      tr: "neden belirtilmedi",
      en: "it gave no reason",
    });
  });
});

describe("readWords", () => {
  it.each([
    ["stok yok", { tr: "stok yok", en: "stok yok" }],
    [
      { tr: "stok yok", en: "no stock" },
      { tr: "stok yok", en: "no stock" },
    ],
    [{ tr: "stok yok" }, undefined],
    [undefined, undefined],
    [null, undefined],
  ])("reads %j", (stored, words) => {
    expect(readWords(stored)).toEqual(words);
  });
});
