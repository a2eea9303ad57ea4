import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  HEADERS,
  type ProductRow,
  writeCsv,
  writeText,
} from "../../helpers/product-sheet.ts";
import { readTable } from "../../helpers/read-table.ts";

const SUB_TITLE = "Alt Başlık *";
const LACKING: readonly string[] = [SUB_TITLE, "Garanti Tipi *", "Garanti Süresi *"];

/** A CSV file without the columns that the source never has. */
function writeLacking(shop: TestStore, rows: readonly ProductRow[], lacking = LACKING): string {
  const headers = HEADERS.filter((header) => !lacking.includes(header));
  return writeCsv(shop.folder, "erp.csv", rows, { headers });
}

const importFile = (shop: TestStore, path: string, ...flags: readonly string[]) =>
  shop.json("import", path, "--yes", "--images", "off", ...flags);

async function openWithDefaults(): Promise<TestStore> {
  const shop = await openTestStore();
  for (const [field, value] of [
    ["Alt Başlık", "Mağazamızdan"],
    ["warranty_type", "Garantisiz"],
    ["Warranty Period", "0 Ay"],
  ] as const) {
    expect((await shop.run("rules", "default", field, value)).code).toBe(0);
  }
  return shop;
}

const subTitles = (shop: TestStore): readonly unknown[] =>
  shop.sandbox.products().map((product) => product.sub_title);

describe("defaults of a store", () => {
  it("are taken by new products whose file has no such column, and shown in the plan", async () => {
    const shop = await openWithDefaults();
    const path = writeLacking(shop, [goodRow(5), goodRow(10)]);

    const { exit, counts, issues, notes, files } = await importFile(shop, path);

    expect([exit, counts.added, issues]).toEqual([0, 2, []]);
    expect(notes.join("\n")).toContain(
      "Değeri boş yeni ürünlere kayıtlı varsayılanlar yazıldı: Alt Başlık = “Mağazamızdan”, Garanti Tipi = “Garantisiz”, Garanti Süresi = “0 Ay”",
    );
    expect(subTitles(shop)).toEqual(["Mağazamızdan", "Mağazamızdan"]);
    const { rows } = await readTable(files.plan, "Sütunlar");
    expect(rows[0]).toEqual(["A", "Ürün Kodu *", "Ürün Kodu", "TST-00005"]);
    expect(rows.slice(-3)).toEqual([
      [null, "(yeni ürünlerde varsayılan)", "Alt Başlık", "Mağazamızdan"],
      [null, "(yeni ürünlerde varsayılan)", "Garanti Tipi", "Garantisiz"],
      [null, "(yeni ürünlerde varsayılan)", "Garanti Süresi", "0 Ay"],
    ]);
  });

  it("leave the value of a cell, of --set, and of products that the store has", async () => {
    const shop = await openWithDefaults();
    await importFile(shop, writeLacking(shop, [goodRow(5), goodRow(10, { [SUB_TITLE]: "" })], []));
    await shop.run("rules", "default", "sub_title", "Başka");

    const lacking = [goodRow(5), goodRow(10), goodRow(20, { "Fiyat *": 39 })];
    const again = await importFile(shop, writeLacking(shop, lacking));
    await importFile(shop, writeLacking(shop, [goodRow(25)]), "--set", "Alt Başlık=Elle");

    expect(again.counts).toMatchObject({ added: 1, updated: 0, unchanged: 2 });
    expect(subTitles(shop)).toEqual(["Kısa açıklama", "Mağazamızdan", "Başka", "Elle"]);
  });

  it("are checked like a cell, and keep only new products from being sent", async () => {
    const shop = await openWithDefaults();
    await importFile(shop, writeLacking(shop, [goodRow(5)]));
    await shop.run("rules", "default", "Teslimat Şablonu", "Yok Böyle Şablon");

    const rows = [goodRow(5, { "Stok *": 1 }), goodRow(10)];
    const lacking = [...LACKING, "Teslimat Şablonu *"];
    const { counts, issues } = await importFile(shop, writeLacking(shop, rows, lacking));

    expect(counts).toMatchObject({ updated: 1, added: 0, invalid: 1 });
    expect(issues).toMatchObject([{ code: "E_TEMPLATE_UNKNOWN", row: 3 }]);
    expect(issues).toHaveLength(1);
  });

  it("are not asked for where the file cannot add a product", async () => {
    const shop = await openTestStore();
    await shop.run("rules", "default", "Teslimat Şablonu", "Yok Böyle Şablon");
    const path = writeText(shop.folder, "erp.csv", "Ürün Kodu;Stok\nTST-00005;15\n");

    const { open_names: names, issues } = await shop.json("plan", path);

    expect(names).toEqual([]);
    expect(issues[0].message.tr).not.toContain("Teslimat Şablonu");
  });

  it("are refused with a placeholder value, and removed by rules forget", async () => {
    const shop = await openWithDefaults();

    const open = await shop.run("rules", "default", "Alt Başlık", "…");
    const forgotten = await shop.run("rules", "forget", "Alt Başlık");

    expect([open.code, forgotten.code]).toEqual([2, 0]);
    expect((await shop.json("rules")).defaults).toEqual({
      warranty_type: "Garantisiz",
      warranty_period: "0 Ay",
    });
  });
});

const remembered = async (shop: TestStore) => (await shop.json("rules")).remembered;

describe("what an accepted plan leaves", () => {
  it("is nothing before the plan is accepted, and where every row of it was refused", async () => {
    const shop = await openTestStore();
    const file = writeCsv(shop.folder, "erp.csv", [goodRow(5)]);
    const map = ["--map", "Başlık *=Alt Başlık"];

    await shop.run("plan", file, ...map);
    const planned = await remembered(shop);
    const { counts } = await importFile(shop, file, ...map);

    expect([counts.invalid, planned, await remembered(shop)]).toEqual([1, [], []]);
  });

  it("is listed by rules, and forgotten by its id", async () => {
    const shop = await openTestStore();
    const file = writeCsv(shop.folder, "erp.csv", [goodRow(5)]);
    await importFile(shop, file, "--map", "Açıklama *=-", "--set", "description=x");

    const before = await remembered(shop);
    const shown = await shop.run("rules");
    for (const { id } of before) expect((await shop.run("rules", "forget", id)).code).toBe(0);

    expect(before).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/u),
      kind: "columns",
      learntFrom: "erp.csv",
      entries: { "Açıklama *": "-" },
    });
    expect(shown.out).toContain("sütunlar, erp.csv: Açıklama * → kullanılmaz");
    expect(await remembered(shop)).toEqual([]);
    expect((await shop.run("rules", "forget", "00000000")).code).not.toBe(0);
  });

  it("names the file from which each decimal sign was learnt", async () => {
    const shop = await openTestStore();
    const prices = writeText(shop.folder, "fiyat.csv", "Ürün Kodu;Fiyat\nTST-00005;12,50\n");
    await importFile(shop, writeCsv(shop.folder, "erp.csv", [goodRow(5)]));
    await importFile(shop, prices, "--price-unit", "minor");

    const { out } = await shop.run("rules");

    expect(out).toContain("ondalık ayırıcı, fiyat.csv (2 sütun): Fiyat → virgül\n");
    expect(out).toMatch(/ondalık ayırıcı, erp\.csv \(\d+ sütun\): Fiyat/u);
    expect(await remembered(shop)).toContainEqual({
      id: expect.any(String),
      kind: "decimals",
      learntFrom: "fiyat.csv",
      columnCount: 2,
      entries: { Fiyat: "comma" },
    });
  });
});
