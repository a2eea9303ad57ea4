import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { FILE_FLAGS, LIMIT_FLAGS, parseMaxErrors, UNKNOWN_FLAG } from "../../src/shared/flags.ts";

/** Texts of a refusal in both languages. */
function refusalOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return [error.localized.tr, error.localized.en];
    throw error;
  }
  return [];
}

describe("the flags", () => {
  it("are described in both languages", () => {
    const described = Object.entries({ ...FILE_FLAGS, ...LIMIT_FLAGS, ...UNKNOWN_FLAG });

    for (const [name, { describe: words }] of described) {
      expect([name, words.tr.length > 3, words.en.length > 3]).toEqual([name, true, true]);
      expect(words.tr).not.toBe(words.en);
    }
  });

  it("have the least surprising defaults", () => {
    const flags = { ...FILE_FLAGS, ...LIMIT_FLAGS, ...UNKNOWN_FLAG };
    const defaults = Object.entries(flags).flatMap(([name, flag]) =>
      flag.default === undefined ? [] : [[name, flag.default]],
    );

    expect(Object.fromEntries(defaults)).toEqual({
      mode: "upsert",
      properties: "send",
      report: "catalog-results/{run}",
    });
  });
});

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
