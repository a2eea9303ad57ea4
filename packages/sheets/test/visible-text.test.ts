import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toVisibleLine, toVisibleText, withoutControls } from "../src/visible-text.ts";

describe("toVisibleText", () => {
  it.each([
    ["a change of colour", "\u001b[31mKIRMIZI", "\\u001b[31mKIRMIZI"],
    ["a sequence with a one-byte introducer", "\u009b2J", "\\u009b2J"],
    ["a window title", "\u001b]0;x\u0007", "\\u001b]0;x\\u0007"],
    ["a return to the start of the line", "iyi\rkötü", "iyi\\u000dkötü"],
    ["a bell, a NUL and a DEL", "\u0007\0\u007f", "\\u0007\\u0000\\u007f"],
    ["line separators", "a\u2028b\u2029c\u0085", "a\\u2028b\\u2029c\\u0085"],
    ["marks of the text direction", "\u202egpj\u2066\u200f", "\\u202egpj\\u2066\\u200f"],
    ["unpaired surrogates", "\ud83d!\ude0d", "\\ud83d!\\ude0d"],
  ])("writes out %s", (_name, text, expected) => {
    expect(toVisibleText(text)).toBe(expected);
  });

  it.each([
    "İıŞşĞğÜüÖöÇç",
    "👨‍👩‍👧‍👦 🇹🇷 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "e\u0301 g\u0306",
    "مرحبا שלום",
    "iki\nsatır",
    "a\u00a0b",
  ])("leaves %j as it is", (text) => {
    expect(toVisibleText(text)).toBe(text);
  });

  it("keeps the value of every JSON document", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
        const document = { texts, more: "\u0085\u202e\ud83d\u007f" };

        const shown = toVisibleText(JSON.stringify(document));

        expect(JSON.parse(shown)).toEqual(document);
      }),
    );
  });

  it("takes time proportional to the length of the text", () => {
    const text = "\u001b\u202e\ud83d".repeat(400_000);

    expect(toVisibleText(text)).toHaveLength(text.length * 6);
  });
});

it("toVisibleLine returns one line", () => {
  expect(toVisibleLine("iki\nsatır\r\nüç\u001b")).toBe("iki satır üç\\u001b");
});

it("withoutControls removes control characters, and keeps letters and line breaks", () => {
  expect(withoutControls("Fi\u001b[31myat\r\n\t(TL)\u202e\ud83d")).toBe("Fi[31myat\r\n\t(TL)");
});
