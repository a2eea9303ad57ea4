import { describe, expect, it } from "vitest";

import { MESSAGES } from "../src/sheet-error-messages.ts";

const DETAILS = {
  file: "liste.csv",
  row: 3,
  column: 2,
  limit: 1_048_576,
  found: "x",
  names: ["A", "B"],
  hint: "html",
} as const;

describe("MESSAGES", () => {
  for (const [code, write] of Object.entries(MESSAGES)) {
    it(`leaves no parameter unfilled in the text of ${code}`, () => {
      const { tr, en } = write(DETAILS);

      expect(`${tr} ${en}`).not.toMatch(/undefined|NaN|\[object/);
      expect(tr).not.toBe(en);
    });
  }
});
