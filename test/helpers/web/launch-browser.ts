/** A browser without a window, for tests and benchmarks. */

import { type Browser, chromium } from "playwright-core";

import { findBrowser } from "./find-browser.ts";

/** The tests run as root in containers, where the sandbox of Chromium cannot start. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts Chromium; throws where there is none for this system. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error("there is no Chromium on this machine");
  return await chromium.launch({ executablePath, args: FLAGS });
}
