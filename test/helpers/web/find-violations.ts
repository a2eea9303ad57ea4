/** Rules of accessibility that a page breaks, by axe. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** Makes axe part of every document that the page loads from now on. */
export async function addAxe(page: Page): Promise<void> {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.addInitScript({ content: readFileSync(path, "utf8") });
}

/** Rules that are broken, each with its first place, in the light and in the dark look. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The dark look has other colours and nothing else.
    const rules = colorScheme === "light" ? { type: "tag", values: TAGS } : DARK_RULES;
    const violations = await page.evaluate(async (runOnly) => {
      const axe: { run(options: object): Promise<AxeResults> } = Reflect.get(globalThis, "axe");
      const results = await axe.run({ runOnly, resultTypes: ["violations"] });
      return results.violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 120)}`);
    }, rules);
    found.push(...violations.map((text) => `${colorScheme}: ${text}`));
  }
  return found;
}

const DARK_RULES = { type: "rule", values: ["color-contrast"] };
