import { existsSync, readFileSync } from "node:fs";

import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";

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

    const { out } = await shop.run("import", file, "--yes", "--json");

    const document = JSON.parse(out);
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

    const plan = await shop.run("plan", after, "--json");
    const applied = await shop.run("import", after, "--yes", "--json");

    expect(JSON.parse(plan.out)).toMatchObject({
      state: "planned",
      planned: { add: 0, update: 1, unchanged: 4, requests: 3 },
    });
    expect(JSON.parse(applied.out)).toMatchObject({ counts: { updated: 1, unchanged: 4 } });
    expect(shop.sandbox.stats()).toMatchObject({ adds: 5, updates: 1, products: 5 });
    const changed = shop.sandbox.products().find(({ product_code: code }) => code === "TST-00003");
    expect(changed).toMatchObject({ price: 3_000, stock_count: 3, title: "Deneme ürünü 3" });
  });

  it("keeps every input column in the result, codes as text, with the outcome of each row", async () => {
    const shop = await openTestStore();
    const rows = [goodRow(1, { "Ürün Kodu *": "000042", Not: "=1+1" }), goodRow(2, { Not: null })];
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", rows);

    const { out } = await shop.run("import", file, "--yes", "--json");

    await using sheet = await openSheet({ path: JSON.parse(out).files.result });
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
    const plan = await shop.run("plan", file, "--json");

    const resumed = await shop.run("resume", JSON.parse(plan.out).run, "--json");

    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.out)).toMatchObject({ state: "finished", counts: { added: 3 } });
    expect(shop.sandbox.stats().products).toBe(3);
  });

  it("reads the products of a filled store and adds to them", async () => {
    const shop = await openTestStore({ products: 120 });
    const rows = [goodRow(1), goodRow(2, { "Ürün Kodu *": "SBX-000007" })];
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", rows);

    const allow = ["--allow", "price-drop,price-rise,price-scale"];
    const { out } = await shop.run("import", file, "--yes", "--json", ...allow);

    expect(JSON.parse(out)).toMatchObject({ counts: { added: 1, updated: 1 } });
    expect(shop.sandbox.stats()).toMatchObject({ products: 121, adds: 1, updates: 1 });
  });

  it("lists its runs and writes a report again", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(2));
    const { run, files } = JSON.parse((await shop.run("import", file, "--yes", "--json")).out);
    const before = readFileSync(files.result);

    const runs = await shop.run("runs", "--json");
    const report = await shop.run("report", run, "--json");

    expect(JSON.parse(runs.out).runs).toMatchObject([{ run, counts: { added: 2 } }]);
    expect(report.code).toBe(0);
    expect(readFileSync(files.result).equals(before)).toBe(true);
  });
});
