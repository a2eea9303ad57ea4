/** Pages of a browser for tests. */

import type { Browser, Page, ConsoleMessage } from "playwright-core";
import { onTestFinished } from "vitest";

import { launchBrowser } from "./launch-browser.ts";

export interface OpenPageOptions {
  readonly lang?: "tr" | "en";
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** Pixels of the screen for one of the page, as zooming sets it. @default 1 */
  readonly scale?: number;
  /** Whether the server has a certificate that nobody but the test has signed. @default false */
  readonly isOwnCertificate?: boolean;
}

/** A page without cookies and storage of others, with what went wrong in it. */
export interface OpenedPage {
  readonly page: Page;
  /** The browser of all tests of this process. */
  readonly browser: Browser;
  /** Messages of the console that are errors, and errors that no code caught. */
  readonly errors: readonly string[];
  /** Hosts that the page has asked. */
  readonly hosts: ReadonlySet<string>;
}

/** Longest wait for something on a page, on a busy machine. */
export const MAX_WAIT_MS = 120_000;

let shared: Promise<Browser> | undefined;

/** A start takes a second of processor time. The browser ends with the process. */
async function takeBrowser(): Promise<Browser> {
  const known = await shared;
  if (known?.isConnected() === true) return known;
  shared = launchBrowser();
  return await shared;
}

/** Images are made while the page is shown, and a product may have none: then the box stays empty. */
const isMissingImage = (message: ConsoleMessage): boolean =>
  message.text().includes("status of 404") &&
  new URL(message.location().url).pathname.endsWith("/image");

/** Opens an empty page; it is closed when the test ends. */
export async function openBrowserPage(options: OpenPageOptions = {}): Promise<OpenedPage> {
  const {
    isOwnCertificate = false,
    lang = "tr",
    colorScheme = "light",
    width = 1280,
    height = 800,
    scale = 1,
  } = options;
  const browser = await takeBrowser();
  const context = await browser.newContext({
    locale: lang === "tr" ? "tr-TR" : "en-GB",
    colorScheme,
    // Nothing that turns or slides is painted 60 times a second, without a graphics card.
    reducedMotion: "reduce",
    viewport: { width, height },
    deviceScaleFactor: scale,
    acceptDownloads: true,
    ignoreHTTPSErrors: isOwnCertificate,
  });
  onTestFinished(async () => context.close());
  context.setDefaultTimeout(MAX_WAIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => {
    if (message.type() === "error" && !isMissingImage(message)) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:") hosts.add(host);
  });
  return { page, browser, errors, hosts };
}
