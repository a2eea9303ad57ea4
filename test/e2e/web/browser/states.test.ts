import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../../helpers/product-sheet.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import {
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  typeRowCount,
  uploadFile,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** What becomes of the requests of a screen. */
type Fault = "hang" | "html" | "login" | "busy" | "cut" | "none";

const PROBLEMS = {
  login: { status: 503, message: "Mağazanın bağlantı bilgileri yok." },
  busy: { status: 423, message: "Mağazada şu an başka bir çalışma var." },
} as const;

const answer = async (route: Route, fault: Exclude<Fault, "none" | "hang">): Promise<void> => {
  if (fault === "cut") return await route.abort();
  if (fault === "html") {
    return await route.fulfill({ status: 500, contentType: "text/html", body: "<h1>502</h1>" });
  }
  const { status, message } = PROBLEMS[fault];
  await route.fulfill({ status, json: { code: "E_TEST", message } });
};

interface Faults {
  /** Lets the requests that match meet this from now on. */
  readonly set: (fault: Fault, api?: RegExp) => void;
}

/** Puts faults between the page and its server. */
async function routeFaults(page: Page): Promise<Faults> {
  let now: { readonly fault: Fault; readonly api: RegExp } = { fault: "none", api: /./u };
  await page.route("**/api/**", async (route) => {
    const { fault, api } = now;
    const { pathname } = new URL(route.request().url());
    if (fault === "none") return await route.continue();
    // The stream tells whole documents, so it would hide what goes wrong with requests.
    if (pathname === "/api/events") return undefined;
    if (!api.test(pathname)) return await route.continue();
    if (fault !== "hang") await answer(route, fault);
  });
  return {
    set: (fault, api = now.api) => {
      now = { fault, api };
    },
  };
}

/** What a person reads on the screen for each fault. */
const SENTENCES = {
  html: "Program beklenen yanıtı vermedi.",
  login: PROBLEMS.login.message,
  busy: PROBLEMS.busy.message,
  cut: "Programa ulaşılamıyor.",
} as const;

/** A status, a code, a document or a word of the browser. */
const CODE = /HTTP|[{}<>]|\b[EW]_[A-Z]|\b[45]\d\d\b|JSON(?! Lines)|fetch|undefined/u;

const SLOW = "Bu, beklenenden uzun sürüyor.";

interface Screen {
  readonly path: string;
  /** Requests that go wrong. */
  readonly api: RegExp;
  /** Shown once all is well. */
  readonly shows: string;
}

const textOf = async (page: Page): Promise<string> =>
  (await page.locator("main").innerText()) ?? "";

/** Goes through all states of a screen; returns what is wrong with them. */
async function findFlaws(page: Page, faults: Faults, screen: Screen): Promise<readonly string[]> {
  const flaws: string[] = [];
  const main = page.locator("main");
  const note = async (state: string): Promise<void> => {
    const text = await textOf(page);
    if (CODE.test(text)) flaws.push(`${screen.path}, ${state}: ${text}`);
  };
  faults.set("hang", screen.api);
  await page.goto(new URL(screen.path, page.url()).href);
  await main.locator(".waiting").first().waitFor();
  await note("hang");
  const skipTime = async (): Promise<number> => {
    await page.clock.fastForward(20_000);
    return await main.getByText(SLOW).count();
  };
  // The code of a screen may still be loaded when the time is first put forward.
  await expect.poll(skipTime, { ...PAGE_POLL, interval: 200 }).toBeGreaterThan(0);
  for (const fault of ["cut", "html", "login", "busy"] as const) {
    faults.set(fault);
    await main.getByRole("button", { name: "Yeniden dene", exact: true }).first().click();
    await main.locator(".message-error").getByText(SENTENCES[fault]).first().waitFor();
    await note(fault);
    // What else the screen reads may come a moment later.
    const spinners = main.locator(".spinner").first();
    await spinners
      .waitFor({ state: "detached" })
      .catch(() => flaws.push(`${screen.path}, ${fault}: waits`));
  }
  faults.set("none");
  await main.getByRole("button", { name: "Yeniden dene", exact: true }).first().click();
  await main.getByText(screen.shows).first().waitFor();
  await expect.poll(() => main.locator(".message-error").count(), PAGE_POLL).toBe(0);
  return flaws;
}

/** An action that is refused. */
interface Action {
  readonly path: string;
  readonly api: RegExp;
  readonly fault: keyof typeof SENTENCES;
  readonly act: (page: Page) => Promise<void>;
}

async function findActionFlaws(
  page: Page,
  faults: Faults,
  { path, api, fault, act }: Action,
): Promise<readonly string[]> {
  await page.goto(new URL(path, page.url()).href);
  faults.set(fault, api);
  await act(page);
  const told = page.getByRole("alert").getByText(SENTENCES[fault]).first();
  await told.waitFor();
  const text = await textOf(page);
  // A list beside the action may still be read, but nothing waits for ever.
  await page.locator("main .spinner, main .waiting").first().waitFor({ state: "detached" });
  faults.set("none");
  return CODE.test(text) ? [`${path}: ${text}`] : [];
}

describe.skipIf(!hasBrowser)("states of the screens", { timeout: 240_000 }, () => {
  it("say what to do while answers are late, refused, unreadable or cut off", async () => {
    const store = await openTestStore({ products: 3 });
    const file = await writeWorkbook(store.folder, "a.xlsx", goodRows(3));
    const { page, errors } = await openBrowserPage();
    page.setDefaultTimeout(PAGE_POLL.timeout);
    await page.clock.install();
    const faults = await routeFaults(page);
    await page.goto((await openWeb(store)).url);
    await uploadFile(page, file);
    const draft = new URL(page.url()).pathname.replace("/file", "");
    await goToRows(page);
    await goToPreview(page);
    const run = new URL(page.url()).pathname.replace("/preview", "");
    const screens: readonly Screen[] = [
      { path: "/", api: /\/drafts$/u, shows: "a.xlsx" },
      { path: "/history", api: /\/runs$/u, shows: "a.xlsx" },
      { path: "/exports", api: /\/exports/u, shows: "Dosyayı hazırla" },
      { path: "/feeds", api: /\/feeds$/u, shows: "Henüz eşitlenen bir kaynak yok." },
      { path: "/rules", api: /\/rules$/u, shows: "Henüz" },
      { path: "/settings", api: /\/settings$/u, shows: "Mağaza numarası" },
      { path: `${draft}/file`, api: /\/drafts\/[^/]+$/u, shows: "Dosya doğru okunmuş mu?" },
      { path: `${draft}/fix`, api: /\/order$/u, shows: "Hata kalmadı" },
      { path: `${run}/preview`, api: /\/runs\/[^/]+$/u, shows: "Göndermeye geç" },
      { path: `${run}/preview`, api: /\/rows$/u, shows: "Göndermeye geç" },
      { path: "/history", api: /\/me$/u, shows: "a.xlsx" },
    ];
    const actions: readonly Action[] = [
      {
        path: "/",
        api: /\/uploads$/u,
        fault: "html",
        act: async () => page.locator("input[type=file]").setInputFiles(file),
      },
      {
        path: "/exports",
        api: /\/exports$/u,
        fault: "busy",
        act: async () => press(page, "Dosyayı hazırla"),
      },
      {
        path: "/templates",
        api: /\/templates$/u,
        fault: "login",
        act: async () => press(page, "Şablonu hazırla"),
      },
      {
        path: "/settings",
        api: /\/settings\/check$/u,
        fault: "html",
        act: async () => press(page, "Kurulumu denetle"),
      },
      {
        path: `${run}/send`,
        api: /\/send$/u,
        fault: "busy",
        act: async () => {
          await press(page, "Göndermeyi onayla…");
          await typeRowCount(page);
          await press(page, "Şimdi gönder");
        },
      },
    ];
    const flaws: string[] = [];
    for (const screen of screens) flaws.push(...(await findFlaws(page, faults, screen)));
    for (const action of actions) flaws.push(...(await findActionFlaws(page, faults, action)));

    expect(flaws).toEqual([]);
    expect(errors.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
  });
});
