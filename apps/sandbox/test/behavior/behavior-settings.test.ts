import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { DEFAULT_BEHAVIOR, resolveBehavior } from "../../src/behavior/behavior-settings.ts";
import {
  BEHAVIOR_SETTINGS,
  type BehaviorSetting,
  FAULT_KINDS,
  listBehaviorSettings,
  parseBehavior,
  startSandbox,
} from "../../src/index.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** Rows of the README's tables, without the blanks that pad the columns. */
const rows = readme.split("\n").map((line) => line.replaceAll(/ +/gu, " "));

describe("SWITCHES", () => {
  const switches: readonly (readonly [string, BehaviorSetting<string>])[] =
    Object.entries(BEHAVIOR_SETTINGS);

  it.each(switches)("describe %s and its values in both languages", (_, one) => {
    const texts = [one.means, ...Object.values(one.values)];

    expect(Object.keys(one.values)).toContain(one.default);
    expect(texts.flatMap(({ en, tr }) => [en, tr]).filter((text) => text.trim() === "")).toEqual(
      [],
    );
  });

  it.each(listBehaviorSettings())("are described in the README: $name", ({ name, values }) => {
    const one: BehaviorSetting<string> = BEHAVIOR_SETTINGS[name];
    const told = values.map((value) => `\`${value}\` ${one.values[value]?.en}`).join("; ");

    expect(rows).toContain(`| \`${name}\` | ${one.means.en} | ${told} |`);
  });

  it("cover every setting that the README describes", () => {
    const names = rows.flatMap((row) => /^\| `([a-z-]+)` \|/u.exec(row)?.[1] ?? []);

    expect(names).toEqual([...Object.keys(BEHAVIOR_SETTINGS), ...Object.keys(FAULT_KINDS)]);
  });
});

describe("FAULT_KINDS", () => {
  it.each(Object.entries(FAULT_KINDS))("are described in the README: %s", (kind, { en, tr }) => {
    expect(rows).toContain(`| \`${kind}\` | ${en} |`);
    expect(tr).not.toBe("");
  });
});

describe("resolveBehavior", () => {
  it("fills in the safe values", () => {
    const behavior = resolveBehavior({ prices: "major", total: undefined });

    expect(behavior).toEqual({ ...DEFAULT_BEHAVIOR, prices: "major" });
  });
});

describe("listBehaviorSettings", () => {
  it("lists every setting once, its default first", () => {
    const settings = listBehaviorSettings();

    expect(Object.fromEntries(settings.map(({ name, values }) => [name, values[0]]))).toEqual(
      DEFAULT_BEHAVIOR,
    );
    expect(settings.every(({ values }) => new Set(values).size === values.length)).toBe(true);
  });
});

describe("parseBehavior", () => {
  it("reads every value of every setting", () => {
    for (const { name, values } of listBehaviorSettings()) {
      for (const value of values) {
        expect(parseBehavior([`${name}=${value}`])).toEqual({ [name]: value });
      }
    }
  });

  it("takes the last of two values for one setting", () => {
    expect(parseBehavior(["prices=major", "prices=text"])).toEqual({ prices: "text" });
  });

  it.each([
    ["prices", "not of the form"],
    ["price=major", 'no behavior is named "price"; there are auth-error'],
    ["prices=maj", 'prices cannot be "maj"; it can be minor, major, text'],
    ["__proto__=x", "no behavior is named"],
  ])("refuses %s", (text, message) => {
    expect(() => parseBehavior([text])).toThrow(message);
  });
});

describe("startSandbox with a personality", () => {
  it("refuses an unknown value at run time", async () => {
    const behavior = JSON.parse('{"prices":"free"}');

    await expect(startSandbox({ personality: behavior })).rejects.toThrow(
      'prices cannot be "free"',
    );
  });
});
