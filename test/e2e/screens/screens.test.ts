import { NAMED_COMMANDS } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { playScenario, showHelp } from "./scenario.ts";

const looks = (["tr", "en"] as const).flatMap((lang) =>
  [60, 80, 120].map((columns) => ({ lang, columns })),
);

/**
 * Every command of the day in each language and at each width. What depends on both is how a text
 * is wrapped, of which the help below has more than the day.
 */
const DAYS = [
  { lang: "tr", columns: 60 },
  { lang: "en", columns: 80 },
  { lang: "tr", columns: 120 },
] as const;

const KINDS = ["products", "comments", "orders", "questions", "payments"];

describe("what a person reads", { timeout: 120_000 }, () => {
  it.each(DAYS)("on a day with the program in $lang at $columns columns", async (look) => {
    const text = await playScenario(look);

    // No command of the day may end as a failure of the program, in whatever words.
    expect(text).not.toMatch(/^\[1\]$/mu);
    await expect(text).toMatchFileSnapshot(`golden/day.${look.lang}.${look.columns}.txt`);
  });

  it.each(looks)("as help in $lang at $columns columns", async (look) => {
    const names = NAMED_COMMANDS.filter((name) => name !== "help");
    const text = await showHelp([...names, ...KINDS.map((kind) => `export ${kind}`)], look);

    await expect(text).toMatchFileSnapshot(`golden/help.${look.lang}.${look.columns}.txt`);
  });
});
