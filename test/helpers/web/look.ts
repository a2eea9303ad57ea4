/** Looks at screens of the page in both languages, light and dark, with the eyes of axe. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** The dark look differs from the light one in its colours alone. */
const RUN_ONLY: Readonly<
  Record<"light" | "dark", { readonly type: string; readonly values: readonly string[] }>
> = {
  light: { type: "tag", values: TAGS },
  dark: { type: "rule", values: ["color-contrast"] },
};

const LANGUAGES = ["tr", "en"] as const;

/** The same words in Turkish and in English. */
export type Words = readonly [tr: string, en: string];

/** Makes axe part of every document that the page loads from now on. */
export async function addAxe(page: Page): Promise<void> {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.addInitScript({ content: readFileSync(path, "utf8") });
}

/** Looks at screens and collects what is wrong in them. */
export interface Look {
  /** Rules that a screen breaks, each with its first place. */
  readonly found: readonly string[];
  /** Looks at what is shown. */
  readonly screen: (name: string) => Promise<void>;
  /** Looks at the dialog that a button opens, and closes it. */
  readonly dialog: (name: string, button: Words) => Promise<void>;
  /**
   * Looks at what `open` shows in both languages. Escape closes it, once for each thing that is open
   * in another. @default `depth` is 1
   */
  readonly inBoth: (name: string, open: () => Promise<void>, depth?: number) => Promise<void>;
  /** Presses the button of this name, that of the dialog where one is open. */
  readonly press: (name: Words) => Promise<void>;
}

/** The page begins in Turkish. */
export function createLook(page: Page): Look {
  const found: string[] = [];
  let lang: (typeof LANGUAGES)[number] = "tr";
  let isDark = false;
  const turnTo = async (next: typeof lang): Promise<void> => {
    if (next !== lang) {
      lang = next;
      await page.locator(`.top .languages button[lang=${lang}]`).click();
      await page.locator(`html[lang=${lang}]`).waitFor();
    }
    // The screen is read again in another language, and takes no key until then.
    await page.locator("main .waiting").first().waitFor({ state: "detached" });
  };
  const look = async (name: string): Promise<void> => {
    // The look that is shown first, so that it is changed once for each screen.
    for (const scheme of isDark ? (["dark", "light"] as const) : (["light", "dark"] as const)) {
      const violations = await findViolations(page, scheme);
      found.push(...violations.map((text) => `${name}, ${lang}, ${scheme}, ${text}`));
    }
    isDark = !isDark;
  };
  const press = (name: Words): Promise<void> =>
    page
      .getByRole("button", { name: lang === "tr" ? name[0] : name[1], exact: true })
      .last()
      .click();
  const inBoth: Look["inBoth"] = async (name, open, depth = 1) => {
    for (const next of LANGUAGES) {
      await turnTo(next);
      await open();
      await look(name);
      for (let at = 0; at < depth; at += 1) await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  };
  return {
    found,
    press,
    inBoth,
    async screen(name) {
      // The language that is shown first, so that it is changed once for each screen.
      for (const next of lang === "tr" ? LANGUAGES : LANGUAGES.toReversed()) {
        await turnTo(next);
        await look(name);
      }
    },
    dialog: (name, button) =>
      inBoth(name, async () => {
        await press(button);
        await page.getByRole("dialog").waitFor();
      }),
  };
}

/** Rules that the page breaks as it is shown. */
export async function findViolations(
  page: Page,
  colorScheme: "light" | "dark",
): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme });
  return await page.evaluate(async (runOnly) => {
    const axe: { run(options: object): Promise<AxeResults> } = Reflect.get(globalThis, "axe");
    const results = await axe.run({ runOnly, resultTypes: ["violations"] });
    return results.violations.map(
      ({ id, nodes }) =>
        `${id} in ${nodes.length}: ${nodes[0]?.html.slice(0, 120)} ${nodes[0]?.any[0]?.message}`,
    );
  }, RUN_ONLY[colorScheme]);
}
