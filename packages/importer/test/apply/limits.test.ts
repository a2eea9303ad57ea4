import { InputError } from "@catalog/i18n";
import { toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  badRows,
  countErrorsLeft,
  findLimitRefusal,
  parseMaxErrors,
} from "../../src/apply/limits.ts";

const NO_ROWS = toCounts([]);

/** Counts of 200 rows, of which `invalid` are bad. */
const withBad = (invalid: number): typeof NO_ROWS => ({ ...NO_ROWS, rows: 200, invalid });

/** Texts of a refusal in both languages. */
function refusalOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return [error.localized.tr, error.localized.en];
    throw error;
  }
  return [];
}

describe("parseMaxErrors", () => {
  it.each([
    [undefined, undefined],
    ["0", 0],
    ["10", 10],
    [" 10 ", 10],
    ["10.9", 10],
    ["0%", 0],
    ["5%", 10],
    ["5,5%", 11],
    ["5.5%", 11],
    ["0.4%", 0],
    ["100%", 200],
  ])("reads %j of 200 rows as %j", (text, expected) => {
    expect(parseMaxErrors(text, 200)).toBe(expected);
  });

  it.each([["abc"], [""], ["-1"], ["%"], ["5 %"], ["5%%"], ["1e3"], [",5"]])(
    "refuses %j and shows both forms",
    (text) => {
      const [tr = "", en = ""] = refusalOf(() => parseMaxErrors(text, 200));

      expect(tr).toContain(`--max-errors "${text}"`);
      expect(en).toContain("10 or 5%");
    },
  );
});

describe("badRows", () => {
  it("counts only the rows that need a person", () => {
    const counts = {
      rows: 2047,
      added: 1,
      updated: 2,
      unchanged: 4,
      skipped: 8,
      invalid: 16,
      duplicate: 32,
      rejected: 64,
      held: 128,
      unknown: 256,
      cancelled: 512,
      pending: 1024,
    };

    expect(badRows(counts)).toBe(16 + 32 + 64 + 128 + 256);
  });
});

describe("findLimitRefusal", () => {
  it("allows any number of bad rows where no limit is set", () => {
    expect(findLimitRefusal(withBad(200), {})).toBeUndefined();
  });

  it("refuses a strict run for one bad row", () => {
    expect(findLimitRefusal(withBad(0), { strict: true })).toBeUndefined();
    expect(findLimitRefusal(withBad(1), { strict: true })).toMatchObject({
      code: "E_LIMIT_STRICT",
      localized: {
        tr: "--strict verildiği ve 1 satır hatalı olduğu için hiçbir şey gönderilmedi.",
        en: "Nothing was sent: 1 bad row, and --strict was given.",
      },
    });
  });

  it("refuses more bad rows than the limit, and allows as many as the limit", () => {
    expect(findLimitRefusal(withBad(10), { maxErrors: "5%" })).toBeUndefined();
    expect(findLimitRefusal(withBad(11), { maxErrors: "5%" })).toMatchObject({
      code: "E_LIMIT_ERRORS",
      localized: {
        tr: "11 satır hatalı; --max-errors en çok 10 hataya izin veriyor. Hiçbir şey gönderilmedi.",
        en: "Nothing was sent: 11 bad rows, and --max-errors allows 10.",
      },
    });
  });
});

describe("countErrorsLeft", () => {
  it.each([
    [undefined, Infinity],
    ["12", 5],
    ["7", 0],
    ["3", 0],
  ])("leaves of a limit of %j, with 7 bad rows, %d", (maxErrors, expected) => {
    expect(countErrorsLeft(withBad(7), { maxErrors })).toBe(expected);
  });
});
