import { describe, expect, it } from "vitest";

import { applyTyping, showText } from "../../../client/grid/blocks.ts";

const SIGNS = ["a", " ", "\t", "\u00a0", "\u0001", "\n", "\r", "\r\n"];

/** Every text of up to so many signs. */
const textsOf = (length: number): readonly (readonly string[])[] =>
  length === 0
    ? [[]]
    : [[], ...textsOf(length - 1).flatMap((text) => SIGNS.map((sign) => text.concat(sign)))];

const TEXTS = [...new Map(textsOf(4).map((text) => [JSON.stringify(text), text])).values()];
const CONTROLS = ["\n", ""] as const;

/** The signs without those of the text that are one line break together. */
const hasOwnBreaks = (signs: readonly string[]): boolean =>
  signs.every((sign, at) => !(sign === "\r" && signs[at + 1] === "\n"));

describe("applyTyping", () => {
  it("gives back every text that nobody has changed", () => {
    for (const lineBreak of CONTROLS) {
      for (const signs of TEXTS) {
        const text = signs.join("");
        expect(applyTyping(text, showText(text, lineBreak), lineBreak)).toBe(text);
      }
    }
  });

  it("leaves everything as it is but for the one sign that was typed", () => {
    for (const lineBreak of CONTROLS) {
      for (const signs of TEXTS) {
        const shown = showText(signs.join(""), lineBreak);
        for (let at = 0; at <= shown.length; at += 1) {
          const typed = `${shown.slice(0, at)}x${shown.slice(at)}`;
          const after = applyTyping(signs.join(""), typed, lineBreak);
          expect(after.replace("x", "")).toBe(signs.join(""));
          expect(showText(after, lineBreak)).toBe(typed);
        }
      }
    }
  });

  it("takes out no more than the sign that was deleted", () => {
    for (const lineBreak of CONTROLS) {
      for (const signs of TEXTS.filter(hasOwnBreaks)) {
        const text = ["<", ...signs, ">"].join("");
        const shown = showText(text, lineBreak);
        expect(applyTyping(text, shown.slice(1), lineBreak)).toBe(text.slice(1));
        expect(applyTyping(text, shown.slice(0, -1), lineBreak)).toBe(text.slice(0, -1));
      }
    }
  });

  const cases: readonly (readonly [text: string, typed: string, after: string])[] = [
    ["one\r\ntwo", "one\n\ntwo", "one\r\n\r\ntwo"],
    ["one\rtwo", "one\ntwo\n", "one\rtwo\r"],
    ["one", "one\ntwo", "one\ntwo"],
    ["a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\nc\r\n"],
    ["a\r\nb", "ab", "ab"],
    ["a\r\nb", "", ""],
  ];
  for (const [text, typed, after] of cases) {
    it(`makes ${JSON.stringify(typed)} of ${JSON.stringify(text)} as it is broken there`, () => {
      expect(applyTyping(text, typed, "\n")).toBe(after);
    });
  }
});
