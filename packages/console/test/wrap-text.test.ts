import { describe, expect, it } from "vitest";

import { breakLine } from "../src/index.ts";
import { wrapText } from "../src/wrap-text.ts";

describe("wrapText", () => {
  it.each([
    ["keeps a line that fits", "bir iki üç", 10, ["bir iki üç"]],
    ["breaks at the last blank that fits", "bir iki üç", 9, ["bir iki", "  üç"]],
    ["counts the indent", "aa bb cc dd", 6, ["aa bb", "  cc", "  dd"]],
    ["keeps a word that is too long", "uzunkelime a", 4, ["uzunkelime", "  a"]],
    ["turns a line feed of a text into a blank", "bir\niki", 20, ["bir iki"]],
    ["keeps leading and double blanks", "  a  b c", 6, ["  a  b", "  c"]],
    ["counts wide letters twice", "日本 語", 6, ["日本", "  語"]],
    ["keeps all on one line into a file", "bir iki üç", Infinity, ["bir iki üç"]],
    ["keeps nothing as nothing", "", 10, [""]],
  ] as const)("breaks lines at blanks: %s", (...[, text, columns, expected]) => {
    expect(wrapText(text, { columns, indent: 2 }).split("\n")).toEqual(expected);
  });

  it("loses no word", () => {
    const text = "Satırı düzeltip yeniden yükleyin ya da bu satırı atlayın";

    for (let columns = 1; columns < 60; columns += 1) {
      expect(wrapText(text, { columns, indent: 3 }).split(/\s+/u).join(" ")).toBe(text);
    }
  });

  it("does not indent lines by default", () => {
    expect(wrapText("bir iki", { columns: 4 })).toBe("bir\niki");
  });

  it("counts letters with combining marks once", () => {
    expect(wrapText("u\u0308ru\u0308n bir", { columns: 8 })).toBe("u\u0308ru\u0308n bir");
  });

  it("does not break at a no-break space", () => {
    expect(wrapText("1\u00A0000 satır", { columns: 4 })).toBe("1\u00A0000\nsatır");
  });
});

describe("breakLine", () => {
  it("uses the given function to measure", () => {
    const options = { columns: 9, indent: 1, widthOf: (text: string) => text.length * 2 };

    expect(breakLine("aa bb", options)).toBe("aa\n bb");
  });

  it.each(["catalog", "npx catalog-toolkit", 'node "/a b/catalog.js"'])(
    "keeps a command at the end in one piece where the program is %s",
    (program) => {
      const command = `${program} lookup brands --category "Ev"`;

      expect(wrapText(`Adların listesi: ${command}`, { columns: 30, indent: 2 })).toBe(
        `Adların listesi:\n    ${command}`,
      );
      expect(wrapText(`  ${command}`, { columns: 30, indent: 2 })).toBe(`  ${command}`);
    },
  );
});
