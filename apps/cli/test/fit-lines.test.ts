import { expect, it } from "vitest";

import { fitLines } from "../src/fit-lines.ts";

const TEXT =
  "Besleme çok eski; hiçbir şey gönderilmedi.\n    at somewhere far away in a long place";

it("breaks a line between words where a terminal is too narrow, and leaves lines that are set in", () => {
  expect(fitLines(TEXT, { isTerminal: true, columns: 30 })).toBe(
    "Besleme çok eski; hiçbir şey\ngönderilmedi.\n    at somewhere far away in a long place",
  );
});

it("leaves what a program reads in one line", () => {
  expect(fitLines(TEXT, { isTerminal: false, columns: 30 })).toBe(TEXT);
});
