import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { priceMinor as toPrice } from "@catalog/contract";
import type { TriedRow } from "@catalog/importer";
import type { RowIssue } from "@catalog/runs";
import { openSheet } from "@catalog/sheets";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { PASSWORD, serveFeed } from "../../helpers/login-server.ts";
import { markHeld } from "../../helpers/mark-held.ts";
import { openSellerPanel, PANEL_BREAKS } from "../../helpers/markets/seller-panel.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeCsv, writeText } from "../../helpers/product-sheet.ts";

/** Saves rules, one line each below the headers. */
async function saveRules(shop: TestStore, ...lines: readonly string[]): Promise<void> {
  const sheet = writeText(shop.folder, "kurallar.csv", lines);
  expect(await shop.json("rules", "price", "import", sheet)).toMatchObject({ exit: 0 });
}

/** Sets the costs of products in TL. */
async function saveCosts(shop: TestStore, costs: readonly (readonly [string, string])[]) {
  const lines = costs.map(([code, cost]) => `${code};${cost}`);
  const sheet = writeText(shop.folder, "maliyet.csv", ["Ürün Kodu;Maliyet", ...lines]);
  expect(await shop.json("rules", "costs", "import", sheet)).toMatchObject({
    exit: 0,
    saved: costs.length,
  });
}

const pricesOf = ({ sandbox }: TestStore): readonly number[] =>
  sandbox.products().map(({ price }) => price);

/** What a shop owner would calculate: so many percent more, ending on ,90 above it. */
const raised = (minor: number, percent: number): number => {
  const exact = BigInt(minor) * BigInt(100 + percent);
  const above = (exact + 99n) / 100n;
  const rest = (above - 90n) % 100n;
  return Number(rest === 0n ? above : above - rest + (rest < 0n ? 0n : 100n));
};

const writeStocks = ({ folder, sandbox }: TestStore, stock: number): string => {
  const lines = sandbox.products().map(({ product_code: code }) => `${code};${stock}`);
  return writeText(folder, "stok.csv", ["Ürün Kodu;Stok", ...lines]);
};

const single = async (): Promise<{ shop: TestStore; line: FeedLine; feed: string }> => {
  const shop = await openTestStore({ products: 1 });
  const [line] = readStore(shop.sandbox);
  if (line === undefined) throw new Error("the sandbox has no product");
  const feed = join(shop.folder, "stok.csv");
  writeFeed(feed, [{ ...line, priceMinor: line.priceMinor + 100 }]);
  return { shop, line, feed };
};

const money = (minor: number): string => (minor / 100).toFixed(2).replace(".", ",");

/** Whole liras with a point in them, a name for the price that says nothing, and sets beside it. */
const toAwkwardXml = (lines: readonly FeedLine[]): string => {
  const products = lines.map(
    ({ code, stock, priceMinor }) =>
      `<Urun><Kod>${code}</Kod><Stok>${stock}</Stok><Ucret>${priceMinor / 100_000}.000</Ucret></Urun>`,
  );
  const sets = "<Set><Kod>S-1</Kod><Ucret>1.000</Ucret></Set>".repeat(lines.length * 2);
  return `<Katalog><Urunler>${products.join("\n")}</Urunler><Setler>${sets}</Setler></Katalog>`;
};

const dearer = (minor: number): number => Math.round((minor * 112) / 100);

describe("price rules", () => {
  it("make the prices and stocks of a file, and each row says which rule did", async () => {
    const shop = await openTestStore({ products: 3 });
    const before = readStore(shop.sandbox);
    const [first] = before;
    await saveRules(shop, "No;Kâr ekle %;Yuvarlama;Stok payı;En çok stok", "3;12;,90;2;10");
    const file = writeFeed(join(shop.folder, "liste.csv"), before);

    const plan = await shop.json("plan", file, "--price-unit", "minor");
    const applied = await shop.json("apply", plan.run);
    const explained = await shop.run("explain", plan.run, "2", "--lang", "tr");

    expect(applied).toMatchObject({ exit: 0, counts: { updated: 3 } });
    expect(pricesOf(shop)).toEqual(before.map(({ priceMinor }) => raised(priceMinor, 12)));
    expect(readStore(shop.sandbox).map(({ stock }) => stock)).toEqual(
      before.map(({ stock }) => Math.min(10, Math.max(0, stock - 2))),
    );
    expect(explained.out).toMatch(/R3: \+%12, ,90'a yuvarlandı: [\d.]+,\d\d → [\d.]+,90/u);
    await using sheet = await openSheet({ path: join(plan.files.dir, "plan.xlsx"), sheet: "Plan" });
    const cells: string[] = [];
    for await (const row of sheet.rows()) cells.push(row.cells.join(" "));
    expect(cells[0]).toContain("R3: +%12");
    expect(readFileSync(join(plan.files.dir, "report.html"), "utf8")).toContain("R3: +%12");
    expect(first?.priceMinor).toBeGreaterThan(0);
  });

  it("make the price of new products from a column of costs", async () => {
    const shop = await openTestStore();
    await saveRules(
      shop,
      "No;Kaynak;Marj %;Yuvarlama;Kategori;Komisyon %",
      "1;Maliyet;20;,90;;",
      `2;;;;${String(goodRow(1)["Kategori *"]).split(" > ")[0] ?? ""};10`,
    );
    const rows = [goodRow(1, { Maliyet: "70,00" })];
    const file = writeCsv(shop.folder, "yeni.csv", rows);

    const imported = await shop.json("import", file, "--yes");

    // 70 / (1 − 0,20 − 0,10) = 100
    expect(imported).toMatchObject({ exit: 0, counts: { added: 1 } });
    expect(pricesOf(shop)).toEqual([10_090]);
  });

  it("make new products of a feed with costs only, whose other values are defaults", async () => {
    const shop = await openTestStore();
    const row = goodRow(1, { Maliyet: "70,00" });
    const defaults = ["Teslimat Şablonu *", "Model *", "Garanti Tipi *"];
    for (const header of defaults) {
      await shop.run("rules", "default", header.replace(" *", ""), String(row[header]));
    }
    await saveRules(shop, "No;Kaynak;Kâr ekle %", "1;Maliyet;20");
    const left = new Set([...defaults, "Fiyat *"]);
    const headers = Object.keys(row).filter((header) => !left.has(header));
    const file = writeCsv(shop.folder, "tedarik.csv", [row], { headers });

    const imported = await shop.json("import", file, "--yes");

    expect(imported).toMatchObject({ exit: 0, counts: { added: 1 } });
    expect(pricesOf(shop)).toEqual([8_400]);
  });

  it("are named as the use of the columns that nothing else needs", async () => {
    const shop = await openTestStore({ products: 1 });
    const [line] = readStore(shop.sandbox);
    await saveRules(shop, "No;Tedarikçi;Kaynak;Kâr ekle %", "1;abc;Bayi Net;10", "2;;Bayi Brüt;10");
    const header = "Ürün Kodu;Stok;Alış Fiyatı;Bayi Net;Bayi Brüt;Tedarikçi;Raf";
    const row = `${line?.code};5;1,00;2,00;3,00;abc;K1`;
    const file = writeText(shop.folder, "bayi.csv", [header, row]);

    const { out } = await shop.run("plan", file, "--show-columns", "--lang", "en");

    const uses = [...out.matchAll(/^ {2}[A-G] .*→ (.*?) {2}/gmu)].map(([, use]) => use?.trim());
    const ofRules = ["(price rules)", "(price rules)", "(price rules)"];
    expect(uses).toEqual(["Product Code", "Stock", "Cost", ...ofRules, "not used"]);
  });

  it("are refused with every mistake at its place, and nothing is saved", async () => {
    const shop = await openTestStore();
    const sheet = writeText(shop.folder, "kurallar.csv", [
      "No;Kâr ekle %;Yuvarlama",
      "1;on;,90",
      "1;12;9,90",
    ]);

    const refused = await shop.run("rules", "price", "import", sheet, "--lang", "tr");
    const listed = await shop.json("rules", "price");

    expect(refused.code).toBe(2);
    expect(refused.err).toContain("B2 “on”");
    expect(refused.err).toContain("C3 “9,90”");
    expect(listed).toMatchObject({ rules: [], version: 0 });
  });

  it("come back from the workbook that they were exported to, in both languages", async () => {
    const shop = await openTestStore();
    await saveRules(
      shop,
      "No;Marka;Kâr ekle %;Yuvarlama;Yön",
      "1;Işıl;12,5;,99;en yakın",
      "2;;10;tam;",
    );
    const { rules } = await shop.json("rules", "price");
    const file = join(shop.folder, "out.xlsx");

    await shop.run("rules", "price", "export", file, "--lang", "en");
    await shop.run("rules", "price", "import", file);

    expect(await shop.json("rules", "price")).toMatchObject({ rules, version: 2 });
    const listed = await shop.run("rules", "price", "--lang", "tr");
    expect(listed.out).toContain("R1  marka Işıl: +%12,5, en yakın ,99'a yuvarlanır");
  });

  it("are tried on a file without changing anything", async () => {
    const shop = await openTestStore({ products: 25 });
    const file = writeFeed(join(shop.folder, "liste.csv"), readStore(shop.sandbox));
    const sheet = writeText(shop.folder, "deneme.csv", ["No;Kâr ekle %;Yuvarlama", "1;12;,90"]);

    const tried = await shop.json("rules", "try", file, "--rules", sheet);
    const all = await shop.json("rules", "try", file, "--rules", sheet, "--all");
    const told = await shop.run("rules", "try", file, "--rules", sheet, "--lang", "tr");

    const [first] = readStore(shop.sandbox);
    const price = first?.priceMinor ?? 0;
    expect(tried).toMatchObject({ exit: 0, total: 25, ruled: 25 });
    expect(tried["rows"]).toHaveLength(20);
    expect(tried["rows"][0]).toMatchObject({
      before: { price },
      after: { price: raised(price, 12) },
      rules: [{ en: expect.stringContaining("R1: +12%") }],
    });
    expect(all["rows"]).toHaveLength(25);
    expect(told.out).toContain("25 satıra kural uygulandı");
    expect(await shop.json("rules", "price")).toMatchObject({ version: 0 });
    expect(shop.sandbox.stats().updates).toBe(0);
  });

  it("are tried on a feed that needs flags to be read, and find the prices of its sync", async () => {
    const shop = await openTestStore({ products: 6 });
    const lines = readStore(shop.sandbox).map(({ code, stock, priceMinor }) => ({
      code,
      stock,
      priceMinor: Math.ceil(priceMinor / 100_000 + 1) * 100_000,
    }));
    const server = await serveFeed(() => writeText(shop.folder, "bayi.xml", [toAwkwardXml(lines)]));
    const at = shop.at({ BAYI: `bayi42:${PASSWORD}` });
    const reading = [
      "--record",
      "Katalog/Urunler/Urun",
      "--map",
      "Ucret=price",
      "--decimal",
      "comma",
      "--platform",
      "none",
      "--feed-auth",
      "basic:env:BAYI",
      "--allow-host",
      server.host,
    ];

    const rulesTry = async () =>
      await at.json("rules", "try", server.address, ...reading, "--all", "--lang", "en");
    await saveRules(shop, "No;Tedarikçi;Kâr ekle %", "1;Başka Bayi;12");
    const raw = await rulesTry();
    await saveRules(shop, "No;Tedarikçi;Kâr ekle %;Yuvarlama", "1;127.0.0.1;12;,90");
    const tried = await rulesTry();
    const sync = ["sync", server.address, ...reading, "--dry-run", "--price-unit", "minor"];
    const synced = await at.json(...sync);

    expect(raw).toMatchObject({ total: 6, ruled: 0 });
    expect(raw.notes.join("\n")).toContain("No price rule fits any row of this file");
    const prices = lines.map(({ priceMinor }) => raised(priceMinor, 12));
    const triedRows: readonly TriedRow[] = tried.rows;
    expect(triedRows.map(({ after }) => after.price)).toEqual(prices);
    const changes: readonly { readonly row: number; readonly new: number }[] =
      synced.changes.prices;
    expect(changes.length).toBeGreaterThan(2);
    expect(changes.map((change) => change.new)).toEqual(changes.map(({ row }) => prices[row - 1]));
    expect(synced.issues.map(({ message }: RowIssue) => message)).toEqual(
      triedRows.map(({ rules }) => rules[0]),
    );
  });

  it("are tried with the price that a discount leaves", async () => {
    const shop = await openTestStore();
    await saveRules(shop, "No;Kâr ekle %", "1;10");
    const lines = ["Ürün Kodu;Fiyat;İndirim %;Stok", "A-1;100,00;25;3"];
    const file = writeText(shop.folder, "liste.csv", lines);

    const tried = await shop.run("rules", "try", file, "--lang", "en");

    expect(tried.out).toContain("price 100.00 → 110.00 · discounted 75.00 → 82.50");
  });

  it("make the same values however the rows are grouped into files", async () => {
    const shop = await openTestStore({ products: 24 });
    await saveRules(
      shop,
      "No;Fiyat ≥;Fiyat <;Kâr ekle %;Marj %;Komisyon %;Yuvarlama;Stok payı",
      "1;;500;12,5;;;,90;1",
      "2;500;2000;;20;10;,99;",
      "3;2000;;7;;;;3",
    );
    const lines = readStore(shop.sandbox);
    const tryRules = async (part: readonly FeedLine[]) => {
      const file = writeFeed(join(shop.folder, "parca.csv"), part);
      const { rows } = await shop.json("rules", "try", file, "--all");
      return rows.map(({ code, after }: Readonly<Record<string, unknown>>) => [code, after]);
    };
    const whole = new Map(await tryRules(lines));

    const grouping = fc.array(fc.nat({ max: 2 }), { minLength: 24, maxLength: 24 });
    for (const groups of fc.sample(grouping, { numRuns: 2, seed: 11 })) {
      const parts = Map.groupBy(lines.toReversed(), (line) => groups[lines.indexOf(line)]);
      const values = [];
      for (const part of parts.values()) values.push(...(await tryRules(part)));

      expect(new Map(values)).toEqual(whole);
    }
  });

  it("leave an export of the store alone, as its prices are the store's own", async () => {
    const shop = await openTestStore({ products: 3 });
    const before = pricesOf(shop);
    await saveRules(shop, "No;Kâr ekle %", "1;10");
    const file = join(shop.folder, "magaza.xlsx");
    await shop.run("export", "products", "--out", file, "--format", "xlsx");

    const imported = await shop.json("import", file, "--yes", "--price-unit", "minor");

    expect(imported).toMatchObject({ exit: 0, counts: { unchanged: 3 } });
    expect(pricesOf(shop)).toEqual(before);
  });

  it("convert a currency by a dated rate, and raise the discounted price with the price", async () => {
    const shop = await openTestStore();
    await saveRules(
      shop,
      "No;Tedarikçi;Para birimi;Kur;Kur tarihi;Kâr ekle %",
      "1;dolar*;USD;40,5;28.11.2026;",
      "2;;;;;10",
    );
    const dollars = [goodRow(1, { "Fiyat *": 10, "Para Birimi": "USD" })];
    const reduced = [goodRow(2, { "Fiyat *": 200, "İndirimli Fiyat": 100 })];

    await shop.json("import", writeCsv(shop.folder, "dolar-1.csv", dollars), "--yes");
    await shop.json("import", writeCsv(shop.folder, "lira.csv", reduced), "--yes");

    expect(shop.sandbox.products()).toMatchObject([
      { price: 40_500, currency: "TL" },
      { price: 22_000, has_discount: true, discount_value: 11_000 },
    ]);
  });

  it("make a plan stale when they are changed", async () => {
    const shop = await openTestStore({ products: 2 });
    const file = writeFeed(join(shop.folder, "liste.csv"), readStore(shop.sandbox));
    await saveRules(shop, "No;Kâr ekle %", "1;10");
    const { run } = await shop.json("plan", file, "--price-unit", "minor");
    await saveRules(shop, "No;Kâr ekle %", "1;20");

    const applied = await shop.json("apply", run);

    expect(applied).toMatchObject({ exit: 3, error: { code: "E_PLAN_RULES" } });
    expect(shop.sandbox.stats().updates).toBe(0);
  });

  it("leave a price whose rule needs a category that nobody knows, and send the stock", async () => {
    const shop = await openTestStore({ products: 2 });
    const before = pricesOf(shop);
    const lines = readStore(shop.sandbox).map(({ code, priceMinor }) => ({
      code,
      priceMinor,
      stock: 77,
    }));
    await saveRules(shop, "No;Kategori;Kâr ekle %", "1;Ayakkabı;30", "2;;10");
    const feed = writeFeed(join(shop.folder, "stok.csv"), lines);

    const synced = await shop.json("sync", feed, "--price-unit", "minor", "--lang", "en");

    expect(synced).toMatchObject({ counts: { updated: 2 } });
    expect(JSON.stringify(synced["warnings"])).toContain("left as the store has it");
    expect(pricesOf(shop)).toEqual(before);
    expect(readStore(shop.sandbox).map(({ stock }) => stock)).toEqual([77, 77]);
  });
});

/** A store with a rule, and a schedule for the first of two files with its prices. */
async function openScheduled(
  rule: readonly string[] = EVERY_PRICE,
  ...flags: readonly string[]
): Promise<TestStore> {
  const shop = await openTestStore({ products: 2 });
  await saveRules(shop, ...rule);
  const lines = readStore(shop.sandbox);
  for (const name of ["stok.csv", "liste.csv"]) writeFeed(join(shop.folder, name), lines);
  await shop.json("schedule", "add", "stok.csv", "--price-unit", "minor", ...flags);
  return shop;
}

const EVERY_PRICE = ["No;Kâr ekle %", "1;12"] as const;

/** What the plan of an undo says of schedules. */
async function warnOfSchedules(shop: TestStore, run: string): Promise<string[]> {
  const { warnings } = await shop.json("undo", run, "--plan");
  return warnings.filter((text: string) => text.includes("fiyat kurallarıyla gönderiyor"));
}

describe("an undo of prices that a rule has made", () => {
  it("names the schedule that sends them again, unless it is paused", async () => {
    const shop = await openScheduled();
    const { run } = await shop.json("schedule", "run", "stok.csv");
    const ruled = pricesOf(shop);

    const planned = await warnOfSchedules(shop, run);
    const shown = await shop.run("undo", run, "--plan", "--lang", "en");
    const undone = await shop.json("undo", run, "--yes");
    const restored = pricesOf(shop);
    await shop.json("schedule", "run", "stok.csv");
    const again = pricesOf(shop);
    await shop.json("schedule", "pause", "stok.csv");

    expect(planned).toEqual([expect.stringMatching(/stok\.csv” \(\w{6}\) zamanlaması fiyat/u)]);
    expect(shown.out.replaceAll(/\s+/gu, " ")).toMatch(
      /The schedule “\S*stok\.csv” \(\w{6}\) sends by price rules/u,
    );
    expect(undone.warnings).toEqual(expect.arrayContaining(planned));
    expect(restored).not.toEqual(ruled);
    expect(again).toEqual(ruled);
    expect(await warnOfSchedules(shop, run)).toEqual([]);
  });

  it("names the schedule of a folder by the file that its rule is for", async () => {
    const shop = await openTestStore({ products: 2 });
    await saveRules(shop, "No;Tedarikçi;Kâr ekle %", "1;acme*;12");
    const folder = join(shop.folder, "gelen");
    mkdirSync(folder);
    writeFeed(join(folder, "acme-1.csv"), readStore(shop.sandbox));
    await shop.json("schedule", "add", folder, "--price-unit", "minor");
    const { run } = await shop.json("schedule", "run", folder);

    expect(await warnOfSchedules(shop, run)).toHaveLength(1);
  });

  it.each([
    { what: "that of the file that was imported", warnings: 1 },
    { what: "nothing of one in shadow", flags: ["--shadow"] },
    {
      what: "nothing where its rule is for others",
      rule: ["No;Tedarikçi;Kâr ekle %", "1;liste;12"],
    },
    { what: "nothing of that of another file", file: "liste.csv" },
    {
      what: "that of another file, where the rule is on the store's price",
      rule: ["No;Kaynak;Kâr ekle %", "1;Mağaza;12"],
      file: "liste.csv",
      warnings: 1,
    },
  ])("says $what", async ({ rule, flags = [], file = "stok.csv", warnings = 0 }) => {
    const shop = await openScheduled(rule, ...flags);
    const how = ["--price-unit", "minor", "--allow", "no-rules", "--yes"];
    const { run } = await shop.json("import", file, ...how);

    expect(await warnOfSchedules(shop, run)).toHaveLength(warnings);
  });
});

describe("a rule on the store's own price", () => {
  const RULE = ["No;Kaynak;Kâr ekle %", "1;Mağaza;12"] as const;

  it("changes nothing after the first of many syncs", async () => {
    const shop = await openTestStore({ products: 2 });
    const before = pricesOf(shop);
    await saveRules(shop, ...RULE);
    const first = await shop.json("sync", writeStocks(shop, 5), "--price-unit", "minor");
    const { updates } = shop.sandbox.stats();

    for (let sync = 0; sync < 20; sync += 1) {
      if (sync % 5 === 0) writeStocks(shop, 6 + sync);
      await shop.run("sync", join(shop.folder, "stok.csv"), "--quiet");
    }

    expect(first).toMatchObject({ counts: { updated: 2 } });
    expect(pricesOf(shop)).toEqual(before.map(dearer));
    // Only the four new stocks were sent.
    expect(shop.sandbox.stats().updates).toBe(updates + 8);
  });

  it("holds a price that somebody else has changed, until its base is taken anew", async () => {
    const shop = await openTestStore({ products: 1, breaks: PANEL_BREAKS });
    const [product] = shop.sandbox.products();
    await saveRules(shop, ...RULE);
    await shop.json("sync", writeStocks(shop, 5), "--price-unit", "minor");
    const other = (product?.price ?? 0) + 1_000;
    const panel = await openSellerPanel(shop);
    await panel.edit(product?.product_code ?? "", { price: toPrice.parse(other) });

    const held = await shop.json("sync", writeStocks(shop, 6), "--reconcile", "0");
    const unasked = await shop.json("rules", "price", "rebase");
    await shop.json("rules", "price", "rebase", "--yes");
    const rebased = await shop.json("sync", writeStocks(shop, 7), "--reconcile", "0");

    expect(unasked).toMatchObject({ exit: 2 });
    expect(held).toMatchObject({ issues: [{ code: "E_PRICE_BASE" }, expect.anything()] });
    expect(pricesOf(shop)).toEqual([dearer(other)]);
    expect(rebased).toMatchObject({ counts: { updated: 1 } });
  });

  it.each([
    ["a plan", ["plan"], false],
    ["a plan that followed an import of the price", ["plan"], true],
    ["a dry run", ["sync", "--dry-run"], false],
    ["a shadow", ["sync", "--shadow"], false],
  ] as const)(
    "begins from the price that a person has set after %s, of which nothing was sent",
    async (_, words, isImported) => {
      const shop = await openTestStore({ products: 1, breaks: PANEL_BREAKS });
      const unit = ["--price-unit", "minor"];
      if (isImported) {
        const lines = readStore(shop.sandbox).map(({ code, stock, priceMinor }) => ({
          code,
          stock,
          priceMinor: priceMinor + 500,
        }));
        await shop.json("import", writeFeed(join(shop.folder, "a.csv"), lines), "--yes", ...unit);
      }
      const [product] = shop.sandbox.products();
      await saveRules(shop, ...RULE);
      const [command, ...flags] = words;
      const tried = await shop.json(command, writeStocks(shop, 5), ...flags, ...unit);
      const other = (product?.price ?? 0) + 1_000;
      const panel = await openSellerPanel(shop);
      await panel.edit(product?.product_code ?? "", { price: toPrice.parse(other) });

      const synced = await shop.json("sync", writeStocks(shop, 6), "--reconcile", "0", ...unit);
      const again = await shop.json("sync", writeStocks(shop, 7), "--reconcile", "0");

      expect(tried).toMatchObject({ planned: { update: 1 } });
      expect([synced.counts, again.counts]).toMatchObject([{ updated: 1 }, { updated: 1 }]);
      expect(pricesOf(shop)).toEqual([dearer(other)]);
    },
  );

  it("refuses a plan of bases that were taken anew since, as it would become the next one", async () => {
    const shop = await openTestStore({ products: 1 });
    const before = pricesOf(shop);
    await saveRules(shop, ...RULE);
    const unit = ["--price-unit", "minor"];
    const { run } = await shop.json("plan", writeStocks(shop, 5), ...unit);

    await shop.json("rules", "price", "rebase", "--yes");
    const applied = await shop.json("apply", run);
    await shop.json("sync", join(shop.folder, "stok.csv"), ...unit);

    expect(applied).toMatchObject({ error: { code: "E_PLAN_RULES" } });
    expect(pricesOf(shop)).toEqual(before.map(dearer));
  });

  it("begins from the same price after its run was undone", async () => {
    const shop = await openTestStore({ products: 1 });
    const before = pricesOf(shop);
    await saveRules(shop, ...RULE);
    const { run } = await shop.json(
      "import",
      writeStocks(shop, 5),
      "--yes",
      "--price-unit",
      "minor",
    );

    const undone = await shop.json("undo", run, "--yes");
    const restored = pricesOf(shop);
    await shop.json("import", writeStocks(shop, 6), "--yes");

    expect(undone).toMatchObject({ exit: 0 });
    expect(restored).toEqual(before);
    expect(pricesOf(shop)).toEqual(before.map(dearer));
  });
});

const lineOf = (text: string): string => text.replaceAll(/\s+/gu, " ");

describe("the guard below-cost", () => {
  it("holds a price with its arithmetic, sends the stock, and a person releases it", async () => {
    const { shop, line, feed } = await single();
    const price = line.priceMinor + 100;
    const [product] = shop.sandbox.products();
    // The discount that the product has in the store is part of what the buyer pays.
    const rate = product?.discount_type === 2 ? (product.discount_value ?? 0) : 0;
    const paid = Math.round((price * (100 - rate)) / 100);
    await saveCosts(shop, [[line.code, money(price)]]);
    await saveRules(shop, "No;Komisyon %", "1;15");
    writeFeed(feed, [{ ...line, priceMinor: price, stock: 9 }]);

    const held = await shop.json("sync", feed, "--price-unit", "minor", "--lang", "tr");
    const marked = await markHeld(held.files.held, { [line.code]: "Evet" });
    await shop.json("release", held.run, "--approved", marked, "--yes");
    const between = readStore(shop.sandbox);
    const sent = await shop.json("sync", feed);

    const fee = Math.round(paid * 0.15);
    expect(held).toMatchObject({ issues: [{ code: "E_GUARD_BELOW_COST" }] });
    expect(held.issues[0].message.tr).toContain(
      `− komisyon %15 (${money(fee)}) = ${money(paid - fee)} < maliyet ${money(price)}`.replaceAll(
        /(\d)(?=(\d{3})+,)/gu,
        "$1.",
      ),
    );
    expect(between).toEqual([{ ...line, stock: 9 }]);
    expect(sent).toMatchObject({ counts: { updated: 1 } });
    expect(readStore(shop.sandbox)).toEqual([{ ...line, priceMinor: price, stock: 9 }]);
  });

  it("shows why a row is held before the rule that made its price", async () => {
    const { shop, line, feed } = await single();
    await saveCosts(shop, [[line.code, money(line.priceMinor * 2)]]);
    await saveRules(shop, "No;Kâr ekle %", "1;12");
    writeFeed(feed, [line]);

    const held = await shop.run("sync", feed, "--price-unit", "minor", "--lang", "tr");
    const waiting = await shop.run("release", "--waiting", "--lang", "tr");

    expect(lineOf(held.err)).toMatch(/satır \d+ \S+ [^()]*< maliyet [^()]*\(R1: \+%12: /u);
    expect(lineOf(waiting.out)).toContain("< maliyet");
  });

  it("says of how many rows the cost is not known, and knows a bare Alış", async () => {
    const shop = await openTestStore({ products: 2 });
    await saveRules(shop, "No;Kâr ekle %;Komisyon %", "1;10;15");
    const write = (header: string): string =>
      writeText(shop.folder, "stok.csv", [
        `Ürün Kodu;Fiyat;${header}`,
        ...readStore(shop.sandbox).map(
          ({ code, priceMinor }) => `${code};${money(priceMinor)};${money(priceMinor * 2)}`,
        ),
      ]);

    const blind = await shop.json("sync", write("Not"), "--price-unit", "minor", "--dry-run");
    const seeing = await shop.json("sync", write("ALIŞ"), "--dry-run");

    expect(JSON.stringify(blind.warnings)).toContain("Maliyeti bilinmeyen satır: 2");
    expect(blind.counts.held).toBe(0);
    expect(JSON.stringify(seeing.warnings)).not.toContain("Maliyeti bilinmeyen");
    expect(seeing.counts.held).toBe(2);
  });

  it("counts the discounted price, by a cost that stands in the file", async () => {
    const shop = await openTestStore();
    const rows = [
      goodRow(1, { "Fiyat *": 200, "İndirimli Fiyat": 90, Maliyet: 100 }),
      goodRow(2, { "Fiyat *": 200, "İndirimli Fiyat": 100, Maliyet: 100 }),
    ];
    const file = writeCsv(shop.folder, "yeni.csv", rows);

    const imported = await shop.json("import", file, "--yes", "--lang", "tr");
    const allowed = await shop.json("import", file, "--yes", "--allow", "below-cost");

    expect(imported).toMatchObject({
      counts: { added: 1, held: 1 },
      issues: [{ code: "E_GUARD_BELOW_COST", row: 2 }],
    });
    expect(imported.issues[0].message.tr).toContain("90,00 < maliyet 100,00");
    expect(allowed).toMatchObject({ exit: 0, counts: { added: 1 } });
  });

  it("holds an undo that would go back below cost", async () => {
    const { shop, line, feed } = await single();
    const { run } = await shop.json("import", feed, "--yes", "--price-unit", "minor");
    await saveCosts(shop, [[line.code, money(line.priceMinor + 1)]]);

    const undone = await shop.json("undo", run, "--yes");

    expect(undone).toMatchObject({ counts: { held: 1 } });
    expect(pricesOf(shop)).toEqual([line.priceMinor + 100]);
  });

  it("holds 200 of 5,000 products under rules over all of them", async () => {
    const shop = await openTestStore({ products: 5_000 });
    const before = readStore(shop.sandbox);
    const reduced = shop.sandbox.products().filter(({ has_discount }) => has_discount);
    const isReduced = new Set(reduced.map(({ product_code }) => product_code));
    const plain = before.map(({ code }) => code).filter((code) => !isReduced.has(code));
    const dear = new Set(plain.slice(0, 200));
    const costs = before.map(({ code, priceMinor }): [string, string] => {
      const sale = isReduced.has(code) ? 1 : raised(priceMinor, 12);
      return [code, money(dear.has(code) ? sale + 1 : sale)];
    });
    await saveRules(shop, "No;Kâr ekle %;Yuvarlama", "1;12;,90");
    await saveCosts(shop, costs);
    const file = writeFeed(join(shop.folder, "liste.csv"), before);

    const planned = await shop.json("plan", file, "--price-unit", "minor");

    expect(planned).toMatchObject({ planned: { update: 4_800, held: 200, invalid: 0 } });
  });
});

describe("an import", () => {
  it("is as before where there is no rule and no cost", async () => {
    const shop = await openTestStore();

    const imported = await shop.json(
      "import",
      writeCsv(shop.folder, "yeni.csv", goodRows(2)),
      "--yes",
    );

    expect(imported).toMatchObject({ exit: 0, counts: { added: 2 }, issues: [] });
  });
});
