import { describe, expect, it } from "vitest";

import { FILE_FLAGS, LIMIT_FLAGS, UNKNOWN_FLAG } from "../../src/flags.ts";

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
