import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type {
  BulkPreviewView,
  DraftSummary,
  DraftView,
  OpenedDraft,
  ProductsView,
  ProductView,
  RowView,
  RunView,
} from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openRecordingMarket, type RecordedCall } from "../../helpers/markets/recording-market.ts";
import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import type { WatchOptions } from "../../helpers/markets/watched-sandbox.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { planDraft, sendRun, waitForDraft } from "../../helpers/web/drafts.ts";
import { openWeb, startWeb, type WebProcess, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody, waitForRun } from "../../helpers/web/runs.ts";

interface RecordedStore extends TestStore {
  readonly calls: readonly RecordedCall[];
}

async function openRecorded(
  products: number,
  faults: WatchOptions["faults"] = [],
): Promise<RecordedStore> {
  const shop = await openTestStore({ products, faults, breaks: PANEL_BREAKS });
  const { baseUrl, calls } = await openRecordingMarket(shop.sandbox);
  const store = { ...shop.at({ CATALOG_BASE_URL: baseUrl }), calls };
  await writeConfig(store, { priceUnit: "minor" });
  return store;
}

/** Changes of the store; the order of calls that are made at the same time is not fixed. */
const writesOf = ({ calls }: RecordedStore): readonly string[] =>
  calls
    .filter(({ method, path }) => method !== "GET" && path.includes("/product/"))
    .map(({ method, path, body }) => `${method} ${path} ${body}`)
    .toSorted();

/** Reads the store, and opens a draft of the products of a filter. */
async function openDraft(
  session: WebSession,
  body: Readonly<Record<string, unknown>> = { products: { filter: {} } },
): Promise<DraftView> {
  await postBody(session, "/products/read", {});
  await waitUntil(async () => (await getBody<ProductsView>(session, "/products")).reading === null);
  const { draft } = await postBody<OpenedDraft>(session, "/products/draft", body);
  return await waitForDraft(session, draft);
}

const readRows = (session: WebSession, { id, counts }: DraftView): Promise<readonly RowView[]> => {
  const numbers = Array.from({ length: counts?.rows ?? 0 }, (_, at) => at + 2);
  return getBody<readonly RowView[]>(session, `/drafts/${id}/rows?n=${numbers.join(",")}`);
};

type Edit = readonly [row: number, header: string, value: string];

async function edit(
  session: WebSession,
  { id, version, columns }: DraftView,
  edits: readonly Edit[],
): Promise<DraftView> {
  const indexes = new Map(columns?.columns.map(({ header, index }) => [header, index]));
  const cells = edits.map(([row, header, value]) => ({ row, column: indexes.get(header), value }));
  await postBody(session, `/drafts/${id}/edits`, { version, edits: cells });
  return await waitForDraft(session, id);
}

describe("a draft of products that were chosen on the page", () => {
  it("sends what an import of the same file sends, call for call", async () => {
    const [page, terminal] = [await openRecorded(6), await openRecorded(6)];
    const session = await (await openWeb(page)).openSession();
    const opened = await openDraft(session, {
      products: { filter: {} },
      fields: [
        "product_code",
        "title",
        "sub_title",
        "price",
        "discount_type",
        "discount_value",
        "stock",
        "description",
      ],
    });

    const edited = await edit(session, opened, [
      [2, "Başlık *", "Yeni başlık"],
      [3, "Stok *", "41"],
      [4, "Fiyat *", "199,90"],
      [4, "İndirim Tipi", "İndirim Oranı (%)"],
      [4, "İndirim Değeri", "15"],
      [5, "Alt Başlık *", "Yeni alt başlık"],
      [5, "Açıklama *", "<p>Yeni açıklama</p>"],
      [6, "Fiyat *", "on iki"],
      [7, "Fiyat *", "1,00"],
    ]);
    const { origin = "" } = session.headers;
    const file = await fetch(`${origin}/api/drafts/${opened.id}/files/taslak.xlsx`, session);
    const path = join(terminal.folder, "taslak.xlsx");
    writeFileSync(path, new Uint8Array(await file.arrayBuffer()));
    const sent = await sendRun(session, await planDraft(session, edited));
    const imported = await terminal.json("import", path, "--mode", "update", "--yes");

    expect(opened).toMatchObject({ name: "Ürünler: 6 ürün", state: "ready" });
    expect(opened.shownAt).not.toBeNull();
    expect(writesOf(page).length).toBeGreaterThan(2);
    expect(writesOf(page)).toEqual(writesOf(terminal));
    const counts = { updated: 3, held: 2, invalid: 1 };
    expect([sent, imported]).toMatchObject([{ counts }, { counts }]);
  });

  it("sends what its cells say, whatever price rules and earlier files say", async () => {
    const store = await openRecorded(3);
    const [product] = store.sandbox.products();
    const { product_code: code = "", price = 0 } = product ?? {};
    const session = await (await openWeb(store)).openSession();
    const first = await openDraft(session);
    const headers = first.columns?.columns.map(({ header }) => header) ?? [];
    const cells = headers.map((header) =>
      header === "Ürün Kodu *" ? code : header === "Başlık *" ? "Dosyadaki başlık" : "",
    );
    const file = writeText(store.folder, "dosya.csv", [headers.join(";"), cells.join(";")]);
    const mapped = ["--map", "Fiyat *=-", "--map", "Stok *=-"];
    expect(await store.json("import", file, "--yes", ...mapped)).toMatchObject({ exit: 0 });
    const rules = writeText(store.folder, "kurallar.csv", ["No;Kâr ekle %;Stok payı", "1;50;2"]);
    expect(await store.json("rules", "price", "import", rules)).toMatchObject({ exit: 0 });

    const opened = await openDraft(session, { products: { filter: { text: code } } });
    const typed = price + 123;
    const edited = await edit(session, opened, [
      [2, "Fiyat *", (typed / 100).toFixed(2).replace(".", ",")],
      [2, "Stok *", ""],
    ]);
    const before = writesOf(store).length;
    const { counts } = await sendRun(session, await planDraft(session, edited));

    const sent = writesOf(store).filter((call) => call.includes(`"price"`));
    expect(counts).toMatchObject({ updated: 1, held: 0 });
    expect(writesOf(store)).toHaveLength(before + 1);
    expect(sent.map((call) => JSON.parse(call.slice(call.indexOf("{"))))).toEqual([
      { price: typed, product_id: product?.id },
    ]);
  });

  it("has the values of now, also of products that were read long ago", async () => {
    const store = await openRecorded(3);
    const panel = await openSellerPanel(store);
    const session = await (await openWeb(store)).openSession();
    const { id } = await openDraft(session);
    await session.call("DELETE", `/drafts/${id}`);
    const [product] = store.sandbox.products();
    await panel.edit(product?.product_code ?? "", { title: "Panelde" });

    const draft = await openDraft(session, { products: { filter: { text: "panelde" } } });
    const [row] = await readRows(session, draft);
    const list = await getBody<readonly DraftSummary[]>(session, "/drafts");

    expect(row?.cells).toContain("Panelde");
    expect(list).toMatchObject([{ name: expect.stringContaining("1 ürün"), isOfStore: true }]);
  });

  it("has a product once that was chosen twice", async () => {
    const store = await openRecorded(2);
    const session = await (await openWeb(store)).openSession();

    const draft = await openDraft(session, { products: { numbers: [2, 1, 2] } });

    expect(draft.counts).toMatchObject({ rows: 2, sound: 2 });
  });

  it.each([
    ["no product", { products: { filter: { text: "hiç yok" } } }, "E_NO_ROWS"],
    ["an unknown column", { products: { filter: {} }, fields: ["nothing"] }, "E_USAGE"],
    ["no choice", { products: {} }, "E_REQUEST"],
  ])("is refused for %s", async (_name, body, code) => {
    const store = await openRecorded(1);
    const session = await (await openWeb(store)).openSession();
    await openDraft(session);

    const { status, body: answer } = await session.call("POST", "/products/draft", body);

    expect([status, answer]).toMatchObject([expect.any(Number), { code }]);
    expect(status).toBeLessThan(500);
    expect(await getBody<readonly DraftSummary[]>(session, "/drafts")).toHaveLength(1);
  });
});

describe("a template in a draft of products", () => {
  it.each([
    ["the brand's column for reading", undefined, "{brand}", "brand"],
    ["no column of the category", undefined, "{category}", "category"],
    ["no column of the category, in Turkish", undefined, "{Kategori}", "category"],
    ["the brand's id alone", ["product_code", "title", "brand"], "{brand}", "brand"],
    ["the brand's id, asked for itself", ["product_code", "title", "brand"], "{Marka ID}", "brand"],
    ["neither", ["product_code", "title"], "{Marka}", "brand"],
  ] as const)("names what is known by an id, with %s", async (_name, fields, place, key) => {
    const store = await openRecorded(1);
    const session = await (await openWeb(store)).openSession();
    const opened = await openDraft(session, { products: { filter: {} }, fields });
    const column = opened.columns?.columns.find(({ header }) => header === "Başlık *")?.index;
    const change = { kind: "template", column, template: `${place} Tabak` };
    const bulk = { version: opened.version, scope: {}, change };

    const seen = await postBody<BulkPreviewView>(session, `/drafts/${opened.id}/bulk`, {
      ...bulk,
      isPreview: true,
    });
    await postBody(session, `/drafts/${opened.id}/bulk`, { ...bulk, isPreview: false });
    const [row] = await readRows(session, await waitForDraft(session, opened.id));

    const [product] = await getBody<readonly ProductView[]>(session, "/products/rows?n=1");
    const title = `${product?.[key] ?? "?"} Tabak`;
    expect(seen.samples).toMatchObject([{ code: product?.code, after: title }]);
    expect(row?.cells[column ?? -1]).toBe(title);
  });
});

const KILLED_ROWS = 12;

describe("a server that is killed at each step of such a draft", () => {
  it("loses nothing and sends nothing twice", async () => {
    const slow = { kind: "latency", endpoint: "product.update", ms: 300 } as const;
    const store = await openRecorded(KILLED_ROWS, [slow]);
    const updates = (): number => store.sandbox.stats().updates;
    let web: WebProcess = await startWeb(store);
    const restart = async (): Promise<WebSession> => {
      web.process.child.kill("SIGKILL");
      await web.process.finished;
      web = await startWeb(store);
      return await web.openSession();
    };
    let session = await web.openSession();
    const { id } = await openDraft(session);

    session = await restart();
    const made = await waitForDraft(session, id);
    // A row of numbers would be held as a column that was filled by mistake.
    const stocks = Array.from({ length: KILLED_ROWS }, (_, at) =>
      String(900 + ((at * at * 37) % 97)),
    );
    await edit(
      session,
      made,
      stocks.map((stock, at) => [at + 2, "Stok *", stock]),
    );

    session = await restart();
    const edited = await waitForDraft(session, id);
    await postBody(session, `/drafts/${id}/plan`, { version: edited.version });

    session = await restart();
    // The store may still be held by the plan that the killed server has started.
    const isBusy = /E_STORE_BUSY/u;
    let run: RunView | undefined;
    while (run === undefined) {
      run = await planDraft(session, edited).catch((error: unknown) => {
        if (!isBusy.test(String(error))) throw error;
        return undefined;
      });
    }

    session = await restart();
    const planned = await getBody<RunView>(session, `/runs/${run.id}`);
    await postBody(session, `/runs/${run.id}/send`, {
      planHash: planned.planHash,
      release: [],
      hold: [],
    });
    await waitUntil(() => Promise.resolve(updates() > 1));

    session = await restart();
    const sent = await waitForRun(session, run.id);

    expect([made.counts, edited.counts]).toMatchObject([
      { rows: KILLED_ROWS },
      { edited: KILLED_ROWS },
    ]);
    expect(planned).toMatchObject({ state: "planned" });
    expect(sent.counts).toMatchObject({ updated: KILLED_ROWS });
    expect(updates()).toBe(KILLED_ROWS);
    const shown = store.sandbox.products().map(({ stock_count: stock }) => String(stock));
    expect(shown.toSorted()).toEqual(stocks.toSorted());
  });
});
