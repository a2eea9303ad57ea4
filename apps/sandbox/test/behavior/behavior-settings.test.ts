import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { FAULT_KINDS, listSwitches, type Switch, SWITCHES } from "../../src/index.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** Rows of the README's tables, without the blanks that pad the columns. */
const rows = readme.split("\n").map((line) => line.replaceAll(/ +/gu, " "));

describe("SWITCHES", () => {
  const switches: readonly (readonly [string, Switch<string>])[] = Object.entries(SWITCHES);

  it.each(switches)("describe %s and its values in both languages", (_, one) => {
    const texts = [one.means, ...Object.values(one.values)];

    expect(Object.keys(one.values)).toContain(one.default);
    expect(texts.flatMap(({ en, tr }) => [en, tr]).filter((text) => text.trim() === "")).toEqual(
      [],
    );
  });

  it.each(listSwitches())("are described in the README: $name", ({ name, values }) => {
    const one: Switch<string> = SWITCHES[name];
    const told = values.map((value) => `\`${value}\` ${one.values[value]?.en}`).join("; ");

    expect(rows).toContain(`| \`${name}\` | ${one.means.en} | ${told} |`);
  });

  it("cover every switch that the README describes", () => {
    const names = rows.flatMap((row) => /^\| `([a-z-]+)` \|/u.exec(row)?.[1] ?? []);

    expect(names).toEqual([...Object.keys(SWITCHES), ...Object.keys(FAULT_KINDS)]);
  });
});

describe("FAULT_KINDS", () => {
  it.each(Object.entries(FAULT_KINDS))("are described in the README: %s", (kind, { en, tr }) => {
    expect(rows).toContain(`| \`${kind}\` | ${en} |`);
    expect(tr).not.toBe("");
  });
});
