import { describe, expect, it } from "vitest";

import { MESSAGES } from "../src/sheet-error.ts";

const DETAILS = {
  file: "liste.csv",
  row: 3,
  column: 2,
  limit: 1_048_576,
  found: "x",
  names: ["A", "B"],
  hint: "html",
  setting: "rows",
} as const;

describe("MESSAGES", () => {
  for (const [code, write] of Object.entries(MESSAGES)) {
    it(`leaves no parameter unfilled in the text of ${code}`, () => {
      const { tr, en } = write(DETAILS);

      expect(`${tr} ${en}`).not.toMatch(/undefined|NaN|\[object/);
      expect(tr).not.toBe(en);
    });
  }

  it.each([
    ["E_TOO_MANY_ROWS", "rows"],
    ["E_TOO_MANY_COLUMNS", "columns"],
    ["E_CELL_TOO_LONG", "cellChars"],
    ["E_CSV_QUOTE", "recordChars"],
    ["E_TOO_LARGE", "fileMb"],
    ["E_ZIP_RATIO", "unpackedMb"],
    ["E_ZIP_RATIO", "zipEntries"],
    ["E_ZIP_RATIO", "zipRatio"],
    ["E_READER_LIMIT", "readerHeapMb"],
    ["E_READER_LIMIT", "readerRssMb"],
    ["E_READER_LIMIT", "readerSeconds"],
  ] as const)("names the limit to raise in the text of %s: %s", (code, setting) => {
    const { tr, en } = MESSAGES[code]({ ...DETAILS, setting });

    expect(tr).toContain(`limits.${setting} değerini yükseltin`);
    expect(en).toContain(`raise limits.${setting} in catalog.config.json`);
    expect([tr.includes("1.048.576"), en.includes("1,048,576")]).toEqual([true, true]);
  });
});
