import { describe, expect, it } from "vitest";

import { wrap } from "../src/wrap.ts";

describe("wrap", () => {
  it.each([
    ["keeps a line that fits", "bir iki üç", 10, ["bir iki üç"]],
    ["breaks at the last blank that fits", "bir iki üç", 9, ["bir iki", "  üç"]],
    ["counts the indent", "aa bb cc dd", 6, ["aa bb", "  cc", "  dd"]],
    ["keeps a word that is too long", "uzunkelime a", 4, ["uzunkelime", "  a"]],
    ["keeps leading and double blanks", "  a  b c", 6, ["  a  b", "  c"]],
    ["counts wide letters twice", "日本 語", 6, ["日本", "  語"]],
    ["keeps all on one line into a file", "bir iki üç", Infinity, ["bir iki üç"]],
    ["keeps nothing as nothing", "", 10, [""]],
  ] as const)("%s", (...[, text, columns, expected]) => {
    expect(wrap(text, { columns, indent: 2 }).split("\n")).toEqual(expected);
  });

  it("loses no word", () => {
    const text = "Satırı düzeltip yeniden yükleyin ya da bu satırı atlayın";

    for (let columns = 1; columns < 60; columns += 1) {
      expect(wrap(text, { columns, indent: 3 }).split(/\s+/u).join(" ")).toBe(text);
    }
  });
});
