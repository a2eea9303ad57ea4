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
  await page.emulateMedia({ reducedMotion: "reduce" });
}

/** Rules that the page breaks as it is shown, each with its first place. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  return await page.evaluate(async (values) => {
    const axe: { run(options: object): Promise<AxeResults> } = Reflect.get(globalThis, "axe");
    const results = await axe.run({
      runOnly: { type: "tag", values },
      resultTypes: ["violations"],
    });
    return results.violations.map(
      ({ id, nodes }) =>
        `${id} in ${nodes.length}: ${nodes[0]?.html.slice(0, 120)} ${nodes[0]?.any[0]?.message}`,
    );
  }, TAGS);
}
