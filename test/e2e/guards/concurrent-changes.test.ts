import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { priceMinor } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { hasTerminal, startOnTerminal } from "../../helpers/processes/terminal-process.ts";
import { goodRow, goodRows, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";

const BREAKS = { "early-token": "a second home has a token of its own" } as const;

/** Runs a command on the same store from another home, as another machine would. */
const elsewhere = ({ env, folder }: TestStore, ...args: readonly string[]) =>
  callCatalog(args, { cwd: folder, env: { ...env, CATALOG_HOME: join(folder, "elsewhere") } });

const code = (number: number): string => `TST-${String(number).padStart(5, "0")}`;

const productOf = ({ sandbox }: TestStore, number: number) =>
  sandbox.products().find(({ product_code }) => product_code === code(number));

const doublesOf = ({ sandbox }: TestStore): number =>
  Object.values(sandbox.inspect().doubles).reduce((sum, ids) => sum + ids.length - 1, 0);

describe("what is changed elsewhere while the confirmation waits", { timeout: 120_000 }, () => {
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
    await elsewhere(shop, "import", theirs, "--yes");
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

describe("codes that look like those of a stored plan", { timeout: 120_000 }, () => {
  it("hold its rows once products have them, added from this home or another", async () => {
    const shop = await openTestStore({ breaks: BREAKS });
    const sheet = async (name: string, ...codes: readonly string[]): Promise<string> => {
      const rows = codes.map((text, at) => goodRow(at + 1, { "Ürün Kodu *": text }));
      return await writeWorkbook(shop.folder, name, rows);
    };
    const planned = await shop.run("plan", await sheet("plan.xlsx", "aa-1", "aa-2"), "--json");
    await elsewhere(shop, "import", await sheet("onlar.xlsx", "AA-1"), "--yes");
    await shop.run("import", await sheet("biz.xlsx", "AA-2"), "--yes");

    const applied = await shop.run("apply", JSON.parse(planned.out).run, "--json");

    expect(JSON.parse(applied.out)).toMatchObject({ exit: 5, counts: { added: 0, held: 2 } });
    expect(shop.sandbox.stats().adds).toBe(2);
  });
});

const list = async (shop: TestStore, header: string, cells: readonly string[]): Promise<string> => {
  const { folder, sandbox } = shop;
  await writeConfig(shop, { priceUnit: "minor" });
  const codes = sandbox.products().map(({ product_code }) => product_code);
  const lines = cells.map((cell, index) => `${codes[index]};${cell}`);
  return writeText(folder, "liste.csv", [`Ürün Kodu;${header}`, ...lines, ""].join("\n"));
};
const priceOf = ({ sandbox }: TestStore, at: number): number | undefined =>
  sandbox.products()[at]?.price;

describe(
  "what is changed elsewhere before a retry or the rest of a canary",
  { timeout: 120_000 },
  () => {
    it.skipIf(!hasTerminal)("is not overwritten by the retry", async () => {
      const personality = { "update-stock": "refused" } as const;
      const shop = await openTestStore({ products: 2, personality, breaks: PANEL_BREAKS });
      const panel = await openSellerPanel(shop);
      const [product] = shop.sandbox.products();
      const raised = (product?.price ?? 0) + 100;
      const cell = `${(raised / 100).toFixed(2).replace(".", ",")};999`;
      const imported = await shop.run(
        "import",
        await list(shop, "Fiyat;Stok", [cell]),
        "--yes",
        "--json",
      );
      const { run, counts } = JSON.parse(imported.out);

      const terminal = startOnTerminal(shop, "retry", run, "--lang", "tr");
      await terminal.shows("Devam edilsin mi?");
      await panel.edit(product?.product_code ?? "", { price: priceMinor.parse(raised + 77) });
      terminal.type("e");
      const { code: exit, screen } = await terminal.finished;

      expect(counts).toMatchObject({ rejected: 1 });
      expect([exit, priceOf(shop, 0)]).toEqual([5, raised + 77]);
      expect(screen).toContain("mağazada değişti");
    });

    it("is not overwritten by the rows after a canary", async () => {
      const personality = { "update-stock": "ignored" } as const;
      const shop = await openTestStore({ products: 4, personality, breaks: PANEL_BREAKS });
      const panel = await openSellerPanel(shop);
      const products = shop.sandbox.products();
      const raised = products.map(({ price }) => price + 100);
      const cells = raised.map((minor, at) =>
        at === 0 ? ";999" : `${(minor / 100).toFixed(2).replace(".", ",")};`,
      );
      const given = ["--yes", "--json", "--canary", "1"];
      const first = await shop.run("import", await list(shop, "Fiyat;Stok", cells), ...given);
      await panel.edit(products[2]?.product_code ?? "", { price: priceMinor.parse(4_242) });

      const resumed = await shop.run("resume", JSON.parse(first.out).run, "--json");

      expect([first.code, JSON.parse(first.out).counts]).toMatchObject([6, { pending: 3 }]);
      expect([resumed.code, JSON.parse(resumed.out).counts]).toMatchObject([5, { held: 1 }]);
      expect([1, 2, 3].map((at) => priceOf(shop, at))).toEqual([raised[1], 4_242, raised[3]]);
    });
  },
);

/** A run of which the first add was sent, and an earlier copy of its home. */
const begin = async (): Promise<{ readonly shop: TestStore; readonly run: string }> => {
  const shop = await openTestStore({ personality: { "new-product": "after-approval" } });
  const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(6));
  const given = ["--yes", "--json", "--no-verify", "--canary", "1"];
  const { run } = JSON.parse((await shop.run("import", file, ...given)).out);
  cpSync(join(shop.folder, "home"), join(shop.folder, "yedek"), { recursive: true });
  return { shop, run };
};
const restore = ({ folder }: TestStore): void => {
  renameSync(join(folder, "home"), join(folder, "kayıp"));
  renameSync(join(folder, "yedek"), join(folder, "home"));
};

describe("a restored copy of the home", { timeout: 120_000 }, () => {
  it("adds nothing again in a store that hides new products", async () => {
    const { shop, run } = await begin();
    const before = shop.sandbox.stats().adds;
    await shop.run("resume", run, "--json", "--no-verify");
    const sent = shop.sandbox.stats().adds;
    restore(shop);

    const resumed = await shop.run("resume", run, "--json", "--no-verify");
    const again = await shop.run("import", "a.xlsx", "--yes", "--json", "--no-verify");
    const first = await shop.run("release", run, "--rows", "3", "--resend", "--yes", "--json");
    const known = await shop.run(
      "release",
      run,
      "--rows",
      "3",
      "--resend-blind",
      "--yes",
      "--json",
    );

    expect([before, sent]).toEqual([1, 6]);
    expect([resumed.code, JSON.parse(resumed.out).counts]).toMatchObject([5, { held: 5 }]);
    const { issues } = JSON.parse(resumed.out);
    expect(issues).toContainEqual(expect.objectContaining({ code: "E_ADD_UNSEEN", row: 3 }));
    expect([again.code, JSON.parse(again.out).counts]).toMatchObject([5, { held: 5 }]);
    expect(first.code).toBe(5);
    // A person accepts that the store may hide the products.
    expect([known.code, shop.sandbox.stats().adds]).toEqual([5, 7]);
  });
});
