import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { priceMinor } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import {
  openSellerPanel,
  PANEL_BREAKS,
  type SellerPanel,
} from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { hasTerminal, startOnTerminal } from "../../helpers/processes/terminal-process.ts";
import { goodRow, goodRows, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";

const isApproved = ({ status }: { readonly status: string }): boolean => status === "approved";

interface Store {
  readonly shop: TestStore;
  readonly panel: SellerPanel;
  readonly codes: readonly string[];
  /** Writes a list of two columns. */
  readonly list: (name: string, header: string, cells: readonly string[]) => string;
}

/** A store whose products cost 65,00, with a person who uses its panel. */
async function openStore(products: number, latencyMs = 0): Promise<Store> {
  const shop = await openTestStore({ products, latencyMs, breaks: PANEL_BREAKS });
  await writeConfig(shop, { priceUnit: "minor" });
  const panel = await openSellerPanel(shop);
  const all = shop.sandbox.products();
  const codes = all.filter(isApproved).map(({ product_code }) => product_code);
  const list = (name: string, header: string, cells: readonly string[]): string => {
    const lines = cells.map((cell, index) => `${codes[index]};${cell}`);
    return writeText(shop.folder, name, [`Ürün Kodu;${header}`, ...lines, ""].join("\n"));
  };
  return { shop, panel, codes, list };
}

const money = (major: number): { readonly price: ReturnType<typeof priceMinor.parse> } => ({
  price: priceMinor.parse(major * 100),
});

const priceOf = ({ shop }: Store, at = 0): number | undefined => shop.sandbox.products()[at]?.price;

/** The stocks of these products, in their order. */
function stocksOf({ shop }: Store, codes: readonly string[]): readonly (number | undefined)[] {
  const stocks = shop.sandbox.products().map((one) => [one.product_code, one.stock_count] as const);
  const stockOf = new Map(stocks);
  return codes.map((code) => stockOf.get(code));
}

describe("what is changed elsewhere after the plan", () => {
  it("is not overwritten by apply, and is restored by an undo after a release", async () => {
    const store = await openStore(2);
    const { shop, panel, codes, list } = store;
    for (const code of codes) await panel.edit(code, money(65));
    const { run } = await shop.json("plan", list("m.csv", "Fiyat", ["70,00", "70,00"]));
    await panel.edit(codes[0] ?? "", money(75));

    const applied = await shop.json("apply", run);
    const kept = priceOf(store);
    const undoneNow = await shop.json("undo", run, "--yes");
    const released = await shop.json("release", run, "--rows", "2", "--resend", "--yes");
    const sent = priceOf(store);
    await shop.json("undo", run, "--yes");

    expect(applied).toMatchObject({ exit: 5, counts: { updated: 1, held: 1 } });
    expect(applied.issues).toMatchObject([{ code: "E_CHANGED", row: 2, value: codes[0] }]);
    const { tr, en } = applied.issues[0].message;
    expect(tr).toContain("Fiyat: planda 65,00, şimdi 75,00, gönderilecek 70,00");
    expect(en).toContain("Price: 65.00 in the plan, 75.00 now, 70.00 to be sent");
    expect(kept).toBe(7_500);
    expect(undoneNow.counts).toMatchObject({ rows: 1, updated: 1 });
    expect(released).toMatchObject({ exit: 0, counts: { updated: 2 } });
    expect(sent).toBe(7_000);
    expect([priceOf(store), priceOf(store, 1)]).toEqual([7_500, 6_500]);
  });

  it("is not overwritten when another run of this program has changed it", async () => {
    const store = await openStore(1);
    const { shop, panel, codes, list } = store;
    await panel.edit(codes[0] ?? "", money(50));
    const { run } = await shop.json("plan", list("eski.csv", "Fiyat", ["55,00"]));
    await shop.run("import", list("yeni.csv", "Fiyat", ["70,00"]), "--yes");

    const applied = await shop.json("apply", run);

    expect(applied).toMatchObject({ exit: 5, counts: { updated: 0, held: 1 } });
    expect(priceOf(store)).toBe(7_000);
  });

  it("is not overwritten by a resume after a kill", async () => {
    const store = await openStore(75, 20);
    const { shop, panel, codes, list } = store;
    const file = list(
      "stok.csv",
      "Stok",
      codes.map(() => "777"),
    );
    const { child, finished } = shop.start("import", file, "--yes", "--json", "--concurrency", "1");
    while (shop.sandbox.stats().updates < 3) await wait(2);
    child.kill("SIGKILL");
    await finished;
    await panel.edit(codes[58] ?? "", { stock_count: 5 });
    // A field that the row does not send may change.
    await panel.edit(codes[59] ?? "", { title: "Başka bir başlık" });
    const [{ run }] = (await shop.json("runs")).runs;

    const resumed = await shop.json("resume", run);

    expect(resumed).toMatchObject({ exit: 5, counts: { updated: codes.length - 1, held: 1 } });
    expect(resumed.issues).toMatchObject([{ code: "E_CHANGED", value: codes[58] }]);
    expect(stocksOf(store, codes)).toEqual(codes.map((_, at) => (at === 58 ? 5 : 777)));
  });

  it("is held again when it changes once more after a release", async () => {
    const store = await openStore(1);
    const { shop, panel, codes, list } = store;
    const [code = ""] = codes;
    await panel.edit(code, money(65));
    const { run } = await shop.json("plan", list("m.csv", "Fiyat", ["70,00"]));
    await panel.edit(code, money(75));
    const held = await shop.json("apply", run);
    await panel.edit(code, money(76));

    const released = await shop.json("release", run, "--rows", "2", "--resend", "--yes");

    expect(held.counts).toMatchObject({ held: 1 });
    expect(released).toMatchObject({ exit: 5, counts: { updated: 0, held: 1 } });
    expect(released.issues[0].message.tr).toContain(
      "planda 75,00, şimdi 76,00, gönderilecek 70,00",
    );
    expect(priceOf(store)).toBe(7_600);
  });
});

describe("300 updates of which 15 have changed since the plan", () => {
  it("are sent for 285 and held for 15 with 6 more calls, and an undo restores the 285", async () => {
    // One in five products of the sandbox is not approved and needs further calls.
    const store = await openStore(380);
    const { shop, panel, list } = store;
    const codes = store.codes.slice(0, 300);
    const before = stocksOf(store, codes);
    const changed = new Set(codes.filter((_, index) => index % 20 === 7));
    const file = list(
      "stok.csv",
      "Stok",
      codes.map(() => "4321"),
    );
    const { run } = await shop.json("plan", file);
    for (const code of changed) await panel.edit(code, { stock_count: 4_000 });
    const planned = shop.sandbox.stats();

    const applied = await shop.json("apply", run, "--no-verify");
    const sent = shop.sandbox.stats();
    const undone = await shop.json("undo", run, "--yes", "--no-verify");

    expect(applied).toMatchObject({ exit: 5, counts: { updated: 285, held: 15 } });
    expect(sent.updates - planned.updates).toBe(285);
    expect(sent.requests - planned.requests).toBe(285 + 6);
    expect(undone.counts).toMatchObject({ rows: 285, updated: 285 });
    expect(codes).toHaveLength(300);
    expect(stocksOf(store, codes)).toEqual(
      codes.map((code, at) => (changed.has(code) ? 4_000 : before[at])),
    );
  });
});

const BREAKS = { "early-token": "a second home has a token of its own" } as const;

/** The same store from another home, as another machine would use it. */
const elsewhere = (shop: TestStore): TestStore =>
  shop.at({ CATALOG_HOME: join(shop.folder, "elsewhere") });

const code = (number: number): string => `TST-${String(number).padStart(5, "0")}`;

const productOf = ({ sandbox }: TestStore, number: number) =>
  sandbox.products().find(({ product_code }) => product_code === code(number));

const doublesOf = ({ sandbox }: TestStore): number =>
  Object.values(sandbox.inspect().doubles).reduce((sum, ids) => sum + ids.length - 1, 0);

describe("what is changed elsewhere while the confirmation waits", () => {
  // Needs a terminal, which `script` of util-linux provides.
  it.skipIf(!hasTerminal)("is neither added twice nor overwritten", async () => {
    const shop = await openTestStore({ breaks: { ...BREAKS, ...PANEL_BREAKS } });
    const old = [goodRow(9), goodRow(10)];
    await shop.run("import", await writeWorkbook(shop.folder, "eski.xlsx", old), "--yes");
    const file = await writeWorkbook(shop.folder, "yeni.xlsx", [
      ...goodRows(8),
      { ...goodRow(9), "Fiyat *": 30 },
      { ...goodRow(10), "Stok *": 25 },
    ]);
    const panel = await openSellerPanel(shop);

    const terminal = startOnTerminal(shop, "import", "yeni.xlsx", "--lang", "tr");
    await terminal.shows("Devam edilsin mi?");
    const askedMs = Date.now();
    const theirs = await writeWorkbook(shop.folder, "onlar.xlsx", goodRows(8));
    await elsewhere(shop).run("import", theirs, "--yes");
    await panel.edit(code(9), { price: priceMinor.parse(3_100) });
    await panel.edit(code(10), { stock_count: 26 });
    // An answer within three seconds would be accepted without reading the store again.
    await wait(Math.max(0, askedMs + 3_100 - Date.now()));
    terminal.type("e");
    const { code: exit, screen } = await terminal.finished;

    expect(file).toContain("yeni.xlsx");
    expect([exit, doublesOf(shop), shop.sandbox.stats().adds]).toEqual([5, 0, 10]);
    expect([productOf(shop, 9)?.price, productOf(shop, 10)?.stock_count]).toEqual([3_100, 26]);
    expect(screen).toContain("plan yapıldıktan sonra mağazada ortaya çıktı");
  });
});

describe("codes that look like those of a stored plan", () => {
  it("hold its rows once products have them, added from this home or another", async () => {
    const shop = await openTestStore({ breaks: BREAKS });
    const sheet = async (name: string, ...codes: readonly string[]): Promise<string> => {
      const rows = codes.map((text, at) => goodRow(at + 1, { "Ürün Kodu *": text }));
      return await writeWorkbook(shop.folder, name, rows);
    };
    const planned = await shop.json("plan", await sheet("plan.xlsx", "aa-1", "aa-2"));
    await elsewhere(shop).run("import", await sheet("onlar.xlsx", "AA-1"), "--yes");
    await shop.run("import", await sheet("biz.xlsx", "AA-2"), "--yes");

    const applied = await shop.json("apply", planned.run);

    expect(applied).toMatchObject({ exit: 5, counts: { added: 0, held: 2 } });
    expect(shop.sandbox.stats().adds).toBe(2);
  });
});

/** Writes a list of the first products. */
function writeList(
  { folder, sandbox }: TestStore,
  header: string,
  cells: readonly string[],
): string {
  const codes = sandbox.products().map(({ product_code }) => product_code);
  const lines = cells.map((cell, index) => `${codes[index]};${cell}`);
  return writeText(folder, "liste.csv", [`Ürün Kodu;${header}`, ...lines]);
}

describe("what is changed elsewhere before a retry or the rest of a canary", () => {
  it.skipIf(!hasTerminal)("is not overwritten by the retry", async () => {
    const personality = { "update-stock": "refused" } as const;
    const shop = await openTestStore({ products: 2, personality, breaks: PANEL_BREAKS });
    await writeConfig(shop, { priceUnit: "minor" });
    const panel = await openSellerPanel(shop);
    const [product] = shop.sandbox.products();
    const raised = (product?.price ?? 0) + 100;
    const cell = `${(raised / 100).toFixed(2).replace(".", ",")};999`;
    const file = writeList(shop, "Fiyat;Stok", [cell]);
    const { run, counts } = await shop.json("import", file, "--yes");

    const terminal = startOnTerminal(shop, "retry", run, "--lang", "tr");
    await terminal.shows("Devam edilsin mi?");
    await panel.edit(product?.product_code ?? "", { price: priceMinor.parse(raised + 77) });
    terminal.type("e");
    const { code: exit, screen } = await terminal.finished;

    expect(counts).toMatchObject({ rejected: 1 });
    expect([exit, shop.sandbox.products()[0]?.price]).toEqual([5, raised + 77]);
    expect(screen).toContain("mağazada değişti");
  });

  it("is not overwritten by the rows after a canary", async () => {
    const personality = { "update-stock": "ignored" } as const;
    const shop = await openTestStore({ products: 4, personality, breaks: PANEL_BREAKS });
    await writeConfig(shop, { priceUnit: "minor" });
    const panel = await openSellerPanel(shop);
    const products = shop.sandbox.products();
    const raised = products.map(({ price }) => price + 100);
    const cells = raised.map((minor, at) =>
      at === 0 ? ";999" : `${(minor / 100).toFixed(2).replace(".", ",")};`,
    );
    const file = writeList(shop, "Fiyat;Stok", cells);
    const first = await shop.json("import", file, "--yes", "--canary", "1");
    await panel.edit(products[2]?.product_code ?? "", { price: priceMinor.parse(4_242) });

    const resumed = await shop.json("resume", first.run);

    expect(first).toMatchObject({ exit: 6, counts: { pending: 3 } });
    expect(resumed).toMatchObject({ exit: 5, counts: { held: 1 } });
    expect([1, 2, 3].map((at) => shop.sandbox.products()[at]?.price)).toEqual([
      raised[1],
      4_242,
      raised[3],
    ]);
  });
});

describe("a restored copy of the home", () => {
  it("adds nothing again in a store that hides new products", async () => {
    const shop = await openTestStore({ personality: { "new-product": "after-approval" } });
    const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(6));
    const [home, copy] = [join(shop.folder, "home"), join(shop.folder, "yedek")];
    const { run } = await shop.json("import", file, "--yes", "--no-verify", "--canary", "1");
    const before = shop.sandbox.stats().adds;
    cpSync(home, copy, { recursive: true });
    await shop.run("resume", run, "--no-verify");
    const sent = shop.sandbox.stats().adds;
    renameSync(home, join(shop.folder, "kayıp"));
    renameSync(copy, home);

    const resumed = await shop.json("resume", run, "--no-verify");
    const again = await shop.json("import", "a.xlsx", "--yes", "--no-verify");
    const first = await shop.json("release", run, "--rows", "3", "--resend", "--yes");
    const known = await shop.json("release", run, "--rows", "3", "--resend-blind", "--yes");

    expect([before, sent]).toEqual([1, 6]);
    expect(resumed).toMatchObject({ exit: 5, counts: { held: 5 } });
    expect(resumed.issues).toContainEqual(
      expect.objectContaining({ code: "E_ADD_UNSEEN", row: 3 }),
    );
    expect(again).toMatchObject({ exit: 5, counts: { held: 5 } });
    expect(first.exit).toBe(5);
    // A person accepts that the store may hide the products.
    expect([known.exit, shop.sandbox.stats().adds]).toEqual([5, 7]);
  });
});
