import { readFileSync } from "node:fs";

import { DEFAULT_DOWNLOAD_LIMITS, DEFAULT_IMAGE_LIMITS } from "@catalog/images";
import { DEFAULT_LIMITS } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import {
  LIMIT_SETTINGS,
  type LimitSettings,
  limitsSchema,
} from "../../src/settings/limit-settings.ts";

const DEFAULTS: LimitSettings = {
  ...DEFAULT_LIMITS,
  ...DEFAULT_DOWNLOAD_LIMITS,
  ...DEFAULT_IMAGE_LIMITS,
};

const page = readFileSync(new URL("../../../../docs/limits.md", import.meta.url), "utf8");

/** The rows of the table, without the blanks that pad its columns. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `") && !line.startsWith("| `limits.`"))
  .map((line) => line.replaceAll(/ +/gu, " "));

const shown = (value: number): string => value.toLocaleString("en-US");

describe("the table of limits in docs/limits.md", () => {
  it("lists every limit with its default, its range and its meaning in both languages", () => {
    const defaults = new Map(Object.entries(DEFAULTS));

    expect(rows).toEqual(
      Object.entries(LIMIT_SETTINGS).map(([name, { min, max, means }]) => {
        const numbers = [defaults.get(name) ?? Number.NaN, min, max].map(shown);
        return `| \`${name}\` | ${numbers.join(" | ")} | ${means.en} | ${means.tr} |`;
      }),
    );
  });

  it("has a setting for every limit of the packages", () => {
    expect(Object.keys(LIMIT_SETTINGS).toSorted()).toEqual(Object.keys(DEFAULTS).toSorted());
  });
});

describe("limitsSchema", () => {
  it("takes the defaults, and the ends of every range", () => {
    const ends = Object.entries(LIMIT_SETTINGS).map(([name, { min, max }]) => [name, min, max]);

    expect(limitsSchema.parse(DEFAULTS)).toEqual(DEFAULTS);
    for (const [name, min, max] of ends) {
      const [low, high] = [{ [String(name)]: min }, { [String(name)]: max }];
      expect([limitsSchema.parse(low), limitsSchema.parse(high)]).toEqual([low, high]);
    }
  });

  it.each(Object.entries(LIMIT_SETTINGS))("refuses nonsense for %s", (name, { min, max }) => {
    for (const value of [min - 1, max + 1, min + 0.5, -1, "10", null, Number.NaN]) {
      expect(limitsSchema.safeParse({ [name]: value }).success, String(value)).toBe(false);
    }
  });

  it("refuses an unknown limit", () => {
    expect(limitsSchema.safeParse({ row: 10 }).success).toBe(false);
  });
});
