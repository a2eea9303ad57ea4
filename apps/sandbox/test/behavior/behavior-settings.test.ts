import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import {
  FAULT_KINDS,
  listBehaviorSettings,
  type BehaviorSetting,
  BEHAVIOR_SETTINGS,
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
