import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { openTestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { hasTerminal, startOnTerminal } from "../../helpers/processes/terminal-process.ts";
import {
  goodRow,
  goodRows,
  writeCsv,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

describe("catalog plan --run-id", () => {
  it("makes one plan of an id, also where two processes are asked for it at once", async () => {
    const shop = await openTestStore();
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(3));
    const id = "r-261121-0930-4f2a";
    const plan = ["plan", file, "--run-id", id, "--json"] as const;

    const both = [shop.start(...plan), shop.start(...plan)];
    const codes = await Promise.all(both.map(async ({ finished }) => (await finished).code));
    const again = await shop.json("plan", file, "--run-id", id);
    const wrong = await shop.json("plan", file, "--run-id", "../r-1");
    const { runs } = await shop.json("runs");

    expect(codes).toContain(0);
    expect(again).toMatchObject({ exit: 2, error: { code: "E_RUN_KNOWN" } });
    expect(wrong).toMatchObject({ exit: 2, error: { code: "E_USAGE" } });
    expect(runs.map(({ run }: { run: string }) => run)).toEqual([id]);
  });
});

describe("catalog import", () => {
  it("adds every product once, and the second time finds nothing to do", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(25));

    const first = await shop.start("import", file, "--yes", "--json").finished;
    const second = await shop.start("import", file, "--yes", "--json").finished;

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.err).toBe("");
    const document = JSON.parse(first.out);
    expect(document).toMatchObject({
      command: "import",
      state: "finished",
      exit: 0,
      counts: { rows: 25, added: 25, updated: 0, unchanged: 0, invalid: 0, pending: 0 },
      planned: { add: 25, update: 0, unchanged: 0, requests: 26 },
      requests: { token: 1, write: 25 },
      warnings: [],
      issues: [],
    });
    expect(JSON.parse(second.out)).toMatchObject({
      counts: { rows: 25, added: 0, updated: 0, unchanged: 25 },
      requests: { token: 0, write: 0 },
    });
    expect(shop.sandbox.stats()).toMatchObject({ products: 25, adds: 25, updates: 0, tokens: 1 });
    const total = document.requests.total + JSON.parse(second.out).requests.total;
    expect(shop.sandbox.stats().requests).toBe(total);
  });

  it("prints its documented keys, in one document", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(1));

    const document = await shop.json("import", file, "--yes");
    expect(Object.keys(document)).toEqual([
      "command",
      "run",
      "state",
      "exit",
      "counts",
      "platform",
      "planned",
      "unsendable",
      "requests",
      "verification",
      "files",
      "warnings",
      "notes",
      "open_names",
      "issues",
      "more_issues",
    ]);
    expect(Object.keys(document.counts)).toEqual([
      "rows",
      "added",
      "updated",
      "unchanged",
      "skipped",
      "invalid",
      "duplicate",
      "rejected",
      "held",
      "unknown",
      "cancelled",
      "pending",
    ]);
    expect(Object.keys(document.planned)).toEqual([
      "add",
      "update",
      "unchanged",
      "invalid",
      "duplicate",
      "held",
      "stock",
      "requests",
      "seconds",
    ]);
    expect(document.run).toMatch(/^r-/u);
    expect(JSON.parse(readFileSync(document.files.summary, "utf8"))).toEqual(document);
    expect(existsSync(document.files.result)).toBe(true);
    expect(document.files.failed).toBeNull();
  });

  it("updates only the products that changed, with only the fields that changed", async () => {
    const shop = await openTestStore();
    const before = await writeWorkbook(shop.folder, "once.xlsx", goodRows(5));
    await shop.run("import", before, "--yes", "--json");
    const rows = goodRows(5).with(2, goodRow(3, { "Fiyat *": 30, "Stok *": 3 }));
    const after = await writeWorkbook(shop.folder, "sonra.xlsx", rows);

    const plan = await shop.json("plan", after);
    const applied = await shop.json("import", after, "--yes");

    expect(plan).toMatchObject({
      state: "planned",
      planned: { add: 0, update: 1, unchanged: 4, requests: 3 },
    });
    expect(applied).toMatchObject({ counts: { updated: 1, unchanged: 4 } });
    expect(shop.sandbox.stats()).toMatchObject({ adds: 5, updates: 1, products: 5 });
    const changed = shop.sandbox.products().find(({ product_code: code }) => code === "TST-00003");
    expect(changed).toMatchObject({ price: 3_000, stock_count: 3, title: "Deneme ürünü 3" });
  });

  it("keeps every input column in the result, codes as text, with the outcome of each row", async () => {
    const shop = await openTestStore();
    const rows = [goodRow(1, { "Ürün Kodu *": "000042", Not: "=1+1" }), goodRow(2, { Not: null })];
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", rows);

    const document = await shop.json("import", file, "--yes");

    await using sheet = await openSheet({ path: document.files.result });
    const [first] = await Array.fromAsync(sheet.rows());
    const headers = sheet.header.cells;
    const cellOf = (header: string) => first?.cells[headers.indexOf(header)];
    expect(headers.slice(0, 4)).toEqual(["Sonuç", "Ürün Kodu *", "Hata", "Öneri"]);
    expect(headers.slice(-6)).toEqual([
      "Not",
      "Ürün ID",
      "Mağazada",
      "Hata Kodu",
      "Dosyadaki Satır",
      "Satır Kaydı",
    ]);
    expect(["Sonuç", "Ürün Kodu *", "Not"].map(cellOf)).toEqual(["Eklendi", "000042", "=1+1"]);
    const [product] = shop.sandbox.products();
    expect(cellOf("Ürün ID")).toBe(product?.id);
    expect(product?.product_code).toBe("000042");
  });

  it("makes no write when it only plans", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(3));

    const { code } = await shop.run("plan", file);

    expect(code).toBe(0);
    const { byEndpoint } = shop.sandbox.stats();
    expect(byEndpoint["product.add"]).toBeUndefined();
    expect(byEndpoint["token.create"]).toBe(1);
  });

  it("applies a stored plan with resume", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(3));
    const plan = await shop.json("plan", file);

    const resumed = await shop.json("resume", plan.run);

    expect(resumed.exit).toBe(0);
    expect(resumed).toMatchObject({ state: "finished", counts: { added: 3 } });
    expect(shop.sandbox.stats().products).toBe(3);
  });

  it("reads the products of a filled store and adds to them", async () => {
    const shop = await openTestStore({ products: 120 });
    const rows = [goodRow(1), goodRow(2, { "Ürün Kodu *": "SBX-000007" })];
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", rows);

    const allow = ["--allow", "price-drop,price-rise,price-scale"];
    const document = await shop.json("import", file, "--yes", ...allow);

    expect(document).toMatchObject({ counts: { added: 1, updated: 1 } });
    expect(shop.sandbox.stats()).toMatchObject({ products: 121, adds: 1, updates: 1 });
  });

  it("lists its runs and rewrites a report", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(2));
    const { run, files } = await shop.json("import", file, "--yes");
    const before = readFileSync(files.result);

    const runs = await shop.json("runs");
    const report = await shop.json("report", run);

    expect(runs.runs).toMatchObject([{ run, counts: { added: 2 } }]);
    expect(report.exit).toBe(0);
    expect(readFileSync(files.result).equals(before)).toBe(true);
  });
});

const QUESTION = "Devam edilsin mi?";

describe("the question before sending", () => {
  // Needs a terminal, which `script` of util-linux provides.
  it.skipIf(!hasTerminal).each([
    ["y", "\r"],
    ["\re\r", "h"],
  ])(
    "drops the keys %j that were typed during planning, so that %j sends nothing",
    async (early, late) => {
      const shop = await openTestStore({ latencyMs: 30 });
      await writeWorkbook(shop.folder, "a.xlsx", goodRows(3));
      const terminal = startOnTerminal(shop, "import", "a.xlsx", "--lang", "tr");

      terminal.type(early);
      await terminal.shows(QUESTION);
      terminal.type(late);

      const { code, screen } = await terminal.finished;
      expect(screen).toContain("Gönderilmedi.");
      expect([code, shop.sandbox.stats().adds]).toEqual([0, 0]);
    },
  );

  it.skipIf(!hasTerminal)("sends after the key e, typed after the question is shown", async () => {
    const shop = await openTestStore();
    await writeWorkbook(shop.folder, "a.xlsx", goodRows(2));
    const terminal = startOnTerminal(shop, "import", "a.xlsx", "--lang", "tr");

    await terminal.shows(QUESTION);
    terminal.type("e");

    const { code } = await terminal.finished;
    expect([code, shop.sandbox.stats().adds]).toEqual([0, 2]);
  });
});

describe("a command whose file or run does not exist", () => {
  it("says so before a login or --yes is missing", async () => {
    const shop = await openTestStore();
    const nameless = shop.at({ CATALOG_BASE_URL: "", CATALOG_CLIENT_KEY: "" });
    const named = ["release", "r-1", "--approved", "held.xlsx"];

    for (const [code, ...args] of [
      ["E_FILE_MISSING", "import", "yok.xlsx"],
      ["E_FILE_MISSING", "plan", "yok.xlsx"],
      ["E_FILE_MISSING", "rules", "import", "yok.csv"],
      ["E_FILE_MISSING", ...named],
      ["E_FEED_MISSING", "sync", "yok.csv"],
    ] as const) {
      expect([args, (await nameless.json(...args)).error.code]).toEqual([args, code]);
    }
    writeFileSync(join(shop.folder, "held.xlsx"), "");
    for (const [code, ...args] of [
      ["E_RUN_UNKNOWN", "release", "r-1", "--cancel"],
      ["E_RUN_UNKNOWN", ...named],
      ["E_USAGE", "release", "r-1", "--approved", "a", "--rows", "2"],
      ["E_RUN_UNKNOWN", "retry", "r-1"],
      ["E_RUN_UNKNOWN", "undo", "r-1"],
    ] as const) {
      expect([args, (await shop.json(...args)).error.code]).toEqual([args, code]);
    }
  });
});

describe("a limit of the configuration", () => {
  const PRICES = ["Ürün Kodu;Fiyat", "KOD-1;12,50", "KOD-2;13", "KOD-3;14"];

  it.each([
    ["rows", 2, "E_TOO_MANY_ROWS", { tr: "2 satırdan uzun", en: "more than 2 rows" }],
    ["columns", 1, "E_TOO_MANY_COLUMNS", { tr: "1 sütundan", en: "beyond column 1" }],
    ["cellChars", 3, "E_CELL_TOO_LONG", { tr: "3 karakterden", en: "longer than 3" }],
  ] as const)("refuses a file with too many: %s", async (name, max, code, { tr, en }) => {
    const shop = await openTestStore();
    const file = writeText(shop.folder, "liste.csv", PRICES);
    await writeConfig(shop, { limits: { [name]: max } });

    const turkish = await shop.json("plan", file, "--lang", "tr");
    const english = await shop.run("plan", file, "--lang", "en");

    expect(turkish).toMatchObject({ exit: 3, error: { code } });
    expect(turkish.err).toContain(tr);
    expect(turkish.err).toContain(`catalog.config.json içinde limits.${name} değerini yükseltin`);
    expect(english.err).toContain(en);
    expect(english.err).toContain(`raise limits.${name} in catalog.config.json`);
    expect(shop.sandbox.stats().requests).toBe(0);
  });

  it("refuses a larger file, a feed and a JSON feed", async () => {
    const shop = await openTestStore();
    const products = PRICES.map((code) => ({ product_code: code, stock: 1 }));
    const large = [PRICES[0] ?? "", `KOD-1;${" ".repeat(1_100_000)}5`];
    await writeConfig(shop, { limits: { rows: 2, fileMb: 1 } });

    const outputs = [
      await shop.run("plan", writeText(shop.folder, "liste.csv", large)),
      await shop.run("sync", writeText(shop.folder, "besleme.csv", PRICES)),
      await shop.run("sync", writeText(shop.folder, "besleme.json", JSON.stringify(products))),
    ];

    const limits = outputs.map(({ err }) => /limits\.\w+/u.exec(err)?.[0]);
    expect(limits).toEqual(["limits.fileMb", "limits.rows", "limits.rows"]);
  });

  it("lets a file through that the default refuses", async () => {
    const shop = await openTestStore();
    const wide = Array.from({ length: 301 }, (_, index) => `Not ${index}`).join(";");
    const path = writeText(shop.folder, "genis.csv", [`Ürün Kodu;${wide}`, `KOD-1;${wide}`]);

    const before = await shop.json("plan", path);
    await writeConfig(shop, { limits: { columns: 400 } });
    const after = await shop.json("plan", path);

    expect(before).toMatchObject({ error: { code: "E_TOO_MANY_COLUMNS" } });
    expect(after).toMatchObject({ counts: { rows: 1 } });
  });

  it("counts only once the file is confirmed, and is named where it is no number in its range", async () => {
    const shop = await openTestStore();
    const file = writeText(shop.folder, "liste.csv", PRICES);
    for (const [limits, says] of [
      [{ rows: 2_000_000 }, "trust"],
      [{ rows: 0 }, "limits.rows"],
      [{ zipRatio: "many" }, "limits.zipRatio"],
      [{ satir: 5 }, "satir"],
    ] as const) {
      writeText(shop.folder, "catalog.config.json", JSON.stringify({ limits }));

      const { code, err } = await shop.run("plan", file);

      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
  });
});

describe("one store under many spellings of its address", () => {
  it("gets the products of a file once, before it shows them", async () => {
    const shop = await openTestStore({ personality: { "new-product": "after-approval" } });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(10));
    const { port } = new URL(shop.sandbox.baseUrl);
    const id = shop.sandbox.storeId;
    const spellings = [
      [shop.sandbox.baseUrl, id],
      [`HTTP://127.1:${port}//`, id],
      [`http://LocalHost:${port}/./`, id],
      [` ${shop.sandbox.baseUrl} `, ` ${id}`],
    ] as const;
    const counts: unknown[] = [];

    for (const [CATALOG_BASE_URL, CATALOG_STORE_ID] of spellings) {
      const named = shop.at({ CATALOG_BASE_URL, CATALOG_STORE_ID });
      counts.push((await named.json("import", file, "--yes", "--no-verify")).counts.added);
    }

    expect(counts).toEqual([10, 0, 0, 0]);
    expect(shop.sandbox.stats().products).toBe(10);
    expect(shop.sandbox.stats().tokens).toBe(1);
  });
});
