/** What a person does on the page, from the link to the report, in the words of the page. */

import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../markets/test-store.ts";
import type { OnEnd, WatchOptions } from "../markets/watched-sandbox.ts";
import { MAX_WAIT_MS, type OpenedPage, openBrowserPage, type OpenPageOptions } from "./browser.ts";
import { callWeb, openWeb, type WebServer } from "./open-web.ts";

/** Limit of a wait for the page on a busy machine. */
export const PAGE_POLL: { readonly timeout: number; readonly interval: number } = {
  timeout: MAX_WAIT_MS,
  interval: 25,
};

/** A store whose page's server runs, for several tests or so that a test can kill it. */
export interface SharedStore extends TestStore {
  readonly web: WebServer;
}

/** Opens a store and its page once for the tests of this describe or file. */
export function shareStore(options: WatchOptions = {}): () => SharedStore {
  let shared: SharedStore | undefined;
  beforeAll(async () => {
    const ends: Parameters<OnEnd>[0][] = [];
    const store = await openTestStore(options, (end) => ends.unshift(end));
    const web = await callWeb(store);
    ends.unshift(web.close);
    shared = { ...store, web };
    return async () => {
      for (const end of ends) await end();
    };
  });
  return () => {
    if (shared === undefined) throw new Error("the store is not open yet");
    return shared;
  };
}

/** A page that its link has opened. */
export interface VisitedPage extends OpenedPage {
  readonly web: WebServer;
}

export interface VisitOptions extends OpenPageOptions {
  /** Whether the test kills the server, of which the browser tells as an error. @default false */
  readonly isServerKilled?: boolean;
  /** Whether the test ends the session, of which the browser tells as well. @default false */
  readonly isSessionLost?: boolean;
  /** Whether the test types what is refused, of which the browser tells as well. @default false */
  readonly isRefused?: boolean;
  /** The path that the link opens. @default that of uploads */
  readonly path?: string;
}

/** The link that opens a session at a path of the page; at its uploads unless one is named. */
export function linkTo(url: string, path: string = "/upload"): string {
  const { origin, hash } = new URL(url);
  return origin + path + hash;
}

/** What the browser tells of a request that found no server. */
const NO_SERVER = /net::ERR_/u;
const NO_SESSION = /status of 401/u;
const REFUSED = /status of 400/u;

/**
 * Starts the server, or takes the one that the store has, and opens a link of it. When the test ends,
 * nothing may have gone wrong in the page, and it may have asked no other host.
 */
export async function visitPage(
  store: Pick<TestStore, "env" | "folder"> | SharedStore,
  {
    isServerKilled = false,
    isSessionLost = false,
    isRefused = false,
    path = "/upload",
    ...options
  }: VisitOptions = {},
): Promise<VisitedPage> {
  const web = "web" in store ? store.web : await openWeb(store);
  const { url } = "web" in store ? await store.json("web") : web;
  const opened = await openBrowserPage(options);
  onTestFinished(() => {
    expect([...opened.hosts]).toEqual([new URL(web.origin).host]);
    const meant = [
      ...(isServerKilled ? [NO_SERVER] : []),
      ...(isSessionLost ? [NO_SESSION] : []),
      ...(isRefused ? [REFUSED] : []),
    ];
    expect(opened.errors.filter((text) => !meant.some((each) => each.test(text)))).toEqual([]);
  });
  await opened.page.goto(linkTo(url, path));
  // A link opens one session: a page that is left before it has the answer has none.
  await opened.page.waitForFunction(() => localStorage.getItem("catalog-write-key") !== null);
  return { ...opened, web };
}

/** Chooses a file on the page of uploads, and waits until it is open. */
export async function uploadFile(page: Page, path: string): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(path);
  await page.waitForURL("**/d/*/file");
}

/** Opens the rows of a file on a page of its own. */
export async function visitRows(
  store: Pick<TestStore, "env" | "folder"> | SharedStore,
  path: string,
  options?: VisitOptions,
): Promise<VisitedPage> {
  const visited = await visitPage(store, options);
  await uploadFile(visited.page, path);
  await goToRows(visited.page);
  return visited;
}

/** Waits until the element has this text. */
export const expectText = (element: Locator, text: string | undefined): Promise<void> =>
  expect.poll(() => element.textContent(), PAGE_POLL).toBe(text);

/** Drops a file with the mouse on the page of uploads, and waits until it is open. */
export async function dropFile(page: Page, path: string): Promise<void> {
  const box = await page.locator(".drop").boundingBox();
  const place = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...place, data });
  }
  await page.waitForURL("**/d/*/file");
}

/** Goes from the file to its rows, past its columns. */
export async function goToRows(page: Page): Promise<void> {
  await press(page, "Sütunlara geç");
  await press(page, "Düzeltmeye geç");
  await cellAt(page, 2, 2).waitFor();
}

/** Goes from the rows to the preview of their plan. */
export async function goToPreview(page: Page): Promise<void> {
  await press(page, "Önizlemeye geç");
  await page.waitForURL("**/r/*/preview");
  const go = page.getByRole("button", { name: /^(?:Göndermeye|Onay istemeye) geç$/u });
  await go.waitFor().catch(async (cause: unknown) => {
    const shown = await page.locator("main").innerText();
    throw new Error(`the preview at ${page.url()} shows only: ${shown}`, { cause });
  });
}

/** Goes from the preview of a plan to its sending, and approves it. */
export async function approve(page: Page): Promise<void> {
  await press(page, "Göndermeye geç");
  await press(page, "Göndermeyi onayla…");
  await typeRowCount(page);
  await press(page, "Şimdi gönder");
}

/** Types the number of rows into the dialog that asks for it before a live store changes. */
export async function typeRowCount(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  const label = await dialog.locator("label").innerText();
  await dialog.getByRole("textbox").fill(/\d+$/u.exec(label)?.[0] ?? "");
}

/** Presses the button of this name, that of the dialog where one is open. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).last().click();
}

/** A cell of the unfiltered grid by the row of the file; column 1 holds the rows' numbers. */
export function cellAt(page: Page, row: number, column: number): Locator {
  return page.locator(`[role=row][aria-rowindex="${row}"] > [aria-colindex="${column}"]`);
}

/** Writes a text into a cell as a person types it. */
export async function typeInCell(page: Page, cell: Locator, text: string): Promise<void> {
  await cell.click();
  await page.keyboard.press("F2");
  await page.locator(".cell-input").fill(text);
  await page.keyboard.press("Enter");
}

/** Waits until the line below the grid says so. */
export async function waitForStatus(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.locator(".go p").first().textContent(), PAGE_POLL).toContain(text);
}

/** Name of the active cell, such as "30. satır · Fiyat *". */
export async function activeCellName(page: Page): Promise<string> {
  const title = page.locator("#cell-panel .panel-title");
  if ((await title.count()) === 0) return "";
  return await title.evaluate((element) => element.firstChild?.textContent ?? "");
}
