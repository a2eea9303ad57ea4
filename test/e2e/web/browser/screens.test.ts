import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";

import { formatFeed, readStore } from "../../../helpers/feed.ts";
import { openTestStore, type TestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeText, writeWorkbook } from "../../../helpers/product-sheet.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook, type Look } from "../../../helpers/web/look.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import {
  cellAt,
  goToPreview,
  goToRows,
  PAGE_POLL,
  press as pressButton,
  typeRowCount,
  uploadFile,
  linkTo,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

/** Before a file is there: every page, and the dialogs of the first one. */
async function lookAtPages(page: Page, { screen, dialog, press }: Look): Promise<void> {
  await page.locator("input[type=file]").waitFor({ state: "attached" });
  await screen("upload");
  await dialog("link", ["Bağlantıdan al", "Take from a link"]);
  await dialog("paste", ["Hücre yapıştır", "Paste cells"]);
  await dialog("help", ["Yardım", "Help"]);
  for (const name of ["history", "exports", "feeds", "rules", "templates", "settings", "none"]) {
    await page.goto(new URL(`/${name}`, page.url()).href);
    await page.locator("main h1, main p").first().waitFor();
    await screen(name);
  }
  await page.goto(new URL("/settings", page.url()).href);
  await press(["Denetle", "Check"]);
  await page.locator("main li").first().waitFor();
  await page.locator("main").getByRole("button", { name: "English" }).waitFor();
  await screen("settings, checked");
}

/** From the upload to the preview. */
async function lookAtDraft(
  page: Page,
  { screen, dialog, press, inBoth }: Look,
  file: string,
): Promise<void> {
  await page.goto(new URL("/upload", page.url()).href);
  await page.locator("input[type=file]").setInputFiles(file);
  await page.waitForURL("**/d/*/file");
  await screen("file");
  const draft = page.url();
  await page.goto(new URL("/upload", draft).href);
  await dialog("remove a draft", ["Sil: a.xlsx", "Delete: a.xlsx"]);
  await page.goto(draft);
  await press(["Sütunlara geç", "Go to the columns"]);
  await page.waitForURL("**/columns");
  await screen("columns");
  await press(["Düzeltmeye geç", "Go to correcting"]);
  await inBoth("cell editor", async () => {
    await cellAt(page, 4, 6).dblclick();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
  });
  await inBoth("names", async () => {
    await press(["Tanınmayan 1 ad", "1 unknown name"]);
    await page.getByRole("dialog").getByRole("gridcell").nth(1).click();
    await page.getByRole("dialog").getByText("Hiç Duyulmamış").nth(1).waitFor();
  });
  const openReasons = async (): Promise<void> => {
    await press(["Tanınmayan 1 ad", "1 unknown name"]);
    await press(["Nedene göre…", "By reason…"]);
  };
  await inBoth("names by their reason", openReasons, 2);
  await inBoth("change in bulk", async () => {
    await press(["Toplu değiştir", "Change in bulk"]);
    await page.getByRole("dialog").getByRole("textbox").first().fill("8");
    await page.getByRole("dialog").getByRole("table").waitFor();
  });
  await inBoth("find and replace", async () => {
    await page.keyboard.press("Control+h");
    await page.getByRole("dialog").getByRole("textbox").first().fill("Kısa");
    await page.getByRole("dialog").getByRole("table").waitFor();
  });
  await press(["Önizlemeye geç", "Go to the preview"]);
  await page.waitForURL("**/r/*/preview");
  await screen("preview");
}

/** From the preview to the history. */
async function lookAtRun(page: Page, { screen, dialog, press }: Look): Promise<void> {
  await press(["Göndermeye geç", "Go to sending"]);
  await page.waitForURL("**/send");
  await screen("send");
  await dialog("confirm", ["Göndermeyi onayla…", "Approve sending…"]);
  await press(["Göndermeyi onayla…", "Approve sending…"]);
  await typeRowCount(page);
  await press(["Şimdi gönder", "Send now"]);
  await page.getByRole("progressbar").waitFor();
  await screen("sending");
  await press(["Raporu aç", "Open the report"]);
  await page.waitForURL("**/report");
  await page.getByRole("grid").last().waitFor();
  await screen("report");
  await dialog("undo", ["Geri al", "Undo"]);
  await page.goto(new URL("/history", page.url()).href);
  await page.getByRole("table").waitFor();
  await screen("history, filled");
}

/** A rule, a synced feed and three products, of which one becomes much cheaper. */
async function fillStore(store: TestStore): Promise<string> {
  await writeConfig(store, { priceUnit: "minor" });
  const feed = writeText(store.folder, "stok.csv", formatFeed(readStore(store.sandbox)));
  await store.run("sync", feed, "--yes");
  await store.run("rules", "add", "brand", "Boş", String(goodRow(4)["Marka *"]));
  const [known] = store.sandbox.products();
  const rows = goodRows(20);
  rows[2] = { ...rows[2], "Marka *": "Hiç Duyulmamış", "Fiyat *": "on iki" };
  rows[4] = { "Ürün Kodu *": known?.product_code ?? "", "Fiyat *": (known?.price ?? 0) / 1000 };
  return await writeWorkbook(store.folder, "a.xlsx", rows);
}

describe.skipIf(!hasBrowser)("screens of the page", () => {
  it("break no rule of accessibility, in both languages, light and dark", async () => {
    const store = await openTestStore({
      products: 3,
      faults: [{ kind: "latency", endpoint: "product.add", ms: 2_000 }],
      breaks: { "unknown-path": "the check asks whether the address answers" },
    });
    const file = await fillStore(store);
    const { page, errors } = await openBrowserPage({ width: 1600, height: 1000 });
    await addAxe(page);
    await page.goto(linkTo((await openWeb(store)).url));
    const look = createLook(page);

    await lookAtPages(page, look);
    await lookAtDraft(page, look, file);
    await lookAtRun(page, look);

    expect(look.found).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("of no known store break none either", async () => {
    const { folder } = await openTestStore();
    const { page } = await openBrowserPage();
    await addAxe(page);
    const web = await openWeb({ env: { CATALOG_HOME: `${folder}/empty` }, folder });
    const { found, screen } = createLook(page);
    await page.goto(web.origin);
    await page.locator("code", { hasText: / web$/u }).waitFor();
    await screen("session over");
    // Only the part after the sign changes, which loads nothing.
    await page.goto(web.url);
    await page.reload();
    await page.locator("input[type=password]").waitFor();
    await screen("login");

    expect(found).toEqual([]);
  });
});

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
const CODE = /HTTP|[{}<>]|\b[EW]_[A-Z]|\b[45]\d\d\b|(?<!XML veya )JSON(?! Lines)|fetch|undefined/u;

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

describe.skipIf(!hasBrowser)("states of the screens", () => {
  it("explain late, refused, unreadable and interrupted answers", async () => {
    const store = await openTestStore({ products: 3 });
    const file = await writeWorkbook(store.folder, "a.xlsx", goodRows(3));
    const { page, errors } = await openBrowserPage();
    page.setDefaultTimeout(PAGE_POLL.timeout);
    await page.clock.install();
    const faults = await routeFaults(page);
    await page.goto(linkTo((await openWeb(store)).url));
    await uploadFile(page, file);
    const draft = new URL(page.url()).pathname.replace("/file", "");
    await goToRows(page);
    await goToPreview(page);
    const run = new URL(page.url()).pathname.replace("/preview", "");
    const screens: readonly Screen[] = [
      { path: "/upload", api: /\/drafts$/u, shows: "a.xlsx" },
      { path: "/history", api: /\/runs$/u, shows: "a.xlsx" },
      { path: "/exports", api: /\/exports/u, shows: "Dosyayı hazırla" },
      { path: "/feeds", api: /\/feeds$/u, shows: "Henüz kaynak yok." },
      { path: "/rules", api: /\/rules$/u, shows: "Henüz" },
      { path: "/settings", api: /\/settings$/u, shows: "Kayıtların klasörü" },
      { path: `${draft}/file`, api: /\/drafts\/[^/]+$/u, shows: "Dosya doğru okunmuş mu?" },
      { path: `${draft}/fix`, api: /\/order$/u, shows: "Hata kalmadı" },
      { path: `${run}/preview`, api: /\/runs\/[^/]+$/u, shows: "Göndermeye geç" },
      { path: `${run}/preview`, api: /\/order$/u, shows: "Göndermeye geç" },
      { path: "/history", api: /\/me$/u, shows: "a.xlsx" },
    ];
    const actions: readonly Action[] = [
      {
        path: "/upload",
        api: /\/uploads$/u,
        fault: "html",
        act: async () => page.locator("input[type=file]").setInputFiles(file),
      },
      {
        path: "/exports",
        api: /\/exports$/u,
        fault: "busy",
        act: async () => pressButton(page, "Dosyayı hazırla"),
      },
      {
        path: "/templates",
        api: /\/templates$/u,
        fault: "login",
        act: async () => pressButton(page, "Şablonu hazırla"),
      },
      {
        path: "/settings",
        api: /\/settings\/check$/u,
        fault: "html",
        act: async () => pressButton(page, "Denetle"),
      },
      {
        path: `${run}/send`,
        api: /\/send$/u,
        fault: "busy",
        act: async () => {
          await pressButton(page, "Göndermeyi onayla…");
          await typeRowCount(page);
          await pressButton(page, "Şimdi gönder");
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
