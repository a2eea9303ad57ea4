import { describe, expect, it } from "vitest";

import { readAnswerText, answerText } from "../../src/row/issues.ts";

const REFUSED = { kind: "refused", status: 422, phase: "body", message: "no stock" } as const;

describe("answerText", () => {
  it("returns the answer's text in both languages where it has both", () => {
    const words = { tr: "stok yok", en: "no stock" };

    expect(answerText({ ...REFUSED, words }, "no stock")).toEqual(words);
    expect(answerText(REFUSED, "no stock")).toEqual({ tr: "no stock", en: "no stock" });
  });

  it("says in both languages that no reason was given", () => {
    expect(answerText({ kind: "answered", data: {}, phase: "body" }, undefined)).toEqual({
      tr: "neden belirtilmedi",
      en: "it gave no reason",
    });
  });
});

describe("readAnswerText", () => {
  it.each([
    ["stok yok", undefined],
    [
      { tr: "stok yok", en: "no stock" },
      { tr: "stok yok", en: "no stock" },
    ],
    [{ tr: "stok yok" }, undefined],
    [undefined, undefined],
    [null, undefined],
  ])("reads %j", (stored, words) => {
    expect(readAnswerText(stored)).toEqual(words);
  });
});
