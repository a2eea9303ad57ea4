/** A real Chromium: the one that is named, an installed one, or the one that a package ships. */

import { existsSync } from "node:fs";

import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

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

let found: Promise<string | undefined> | undefined;

/** Path of the browser; `undefined` where there is none. */
export function findBrowser(): Promise<string | undefined> {
  found ??= find();
  return found;
}

async function find(): Promise<string | undefined> {
  const named = process.env["CATALOG_CHROMIUM"];
  if (named !== undefined) return named;
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  try {
    const shipped = await import("@sparticuz/chromium");
    return await shipped.default.executablePath();
  } catch {
    // There is none for this system.
    return undefined;
  }
}

export interface OpenPageOptions {
  readonly lang?: "tr" | "en";
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** A page of a browser of its own, with what went wrong in it. */
export interface OpenedPage {
  readonly page: Page;
  readonly browser: Browser;
  /** Messages of the console that are errors, and errors that no code caught. */
  readonly errors: readonly string[];
  /** Hosts that the page has asked. */
  readonly hosts: ReadonlySet<string>;
}

/** Opens an empty page; the browser is closed when the test ends. */
export async function openBrowserPage(options: OpenPageOptions = {}): Promise<OpenedPage> {
  const { lang = "tr", colorScheme = "light", width = 1280, height = 800 } = options;
  const executablePath = await findBrowser();
  if (executablePath === undefined) throw new Error("there is no Chromium on this machine");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  onTestFinished(async () => browser.close());
  const context = await browser.newContext({
    locale: lang === "tr" ? "tr-TR" : "en-GB",
    colorScheme,
    viewport: { width, height },
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:") hosts.add(host);
  });
  return { page, browser, errors, hosts };
}
