import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeText } from "../../helpers/product-sheet.ts";

const SUB_TITLE = "Alt Başlık *";
const LACKING: ReadonlySet<string> = new Set([SUB_TITLE, "Garanti Tipi *", "Garanti Süresi *"]);

/** A CSV file of these rows without the columns that the source never has. */
function writeRows(
  shop: TestStore,
  rows: readonly ProductRow[],
  isKept: (header: string) => boolean = (header) => !LACKING.has(header),
): string {
  const headers = Object.keys(rows[0] ?? {}).filter(isKept);
  const lines = [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ""))];
  const text = lines
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(";"))
    .join("\n");
  return writeText(shop.folder, "erp.csv", text);
}

const hasNoTemplate = (header: string): boolean =>
  !LACKING.has(header) && header !== "Teslimat Şablonu *";

const OFF = ["--images", "off", "--json"];

async function setDefaults(shop: TestStore): Promise<void> {
  for (const [field, value] of [
    ["Alt Başlık", "Mağazamızdan"],
    ["warranty_type", "Garantisiz"],
    ["Warranty Period", "0 Ay"],
  ] as const) {
    expect((await shop.run("rules", "default", field, value)).code).toBe(0);
  }
}

const subTitles = (shop: TestStore): readonly unknown[] =>
  shop.sandbox
    .products()
    .filter(({ product_code: code }) => code.startsWith("TST-"))
    .map((product) => product.sub_title);

describe("defaults of a store", () => {
  it("are taken by new products whose file has no such column, and shown in the plan", async () => {
    const shop = await openTestStore();
    await setDefaults(shop);
    const path = writeRows(shop, [goodRow(5), goodRow(10)]);

    const { code, out } = await shop.run("import", path, "--yes", ...OFF);

    const { counts, issues, notes } = JSON.parse(out);
    expect([code, counts.added, issues]).toEqual([0, 2, []]);
    expect(notes.join("\n")).toContain(
      "Değeri boş yeni ürünlere kayıtlı varsayılanlar yazıldı: Alt Başlık = “Mağazamızdan”, Garanti Tipi = “Garantisiz”, Garanti Süresi = “0 Ay”",
    );
    expect(subTitles(shop)).toEqual(["Mağazamızdan", "Mağazamızdan"]);
    await using sheet = await openSheet({ path: JSON.parse(out).files.plan, sheet: "Sütunlar" });
    const columns = (await Array.fromAsync(sheet.rows())).map(({ cells }) => cells);
    expect(columns[0]).toEqual(["A", "Ürün Kodu *", "Ürün Kodu", "TST-00005"]);
    expect(columns.slice(-3)).toEqual([
      [null, "(yeni ürünlerde varsayılan)", "Alt Başlık", "Mağazamızdan"],
      [null, "(yeni ürünlerde varsayılan)", "Garanti Tipi", "Garantisiz"],
      [null, "(yeni ürünlerde varsayılan)", "Garanti Süresi", "0 Ay"],
    ]);
  });

  it("leave the value of a cell, and of products that the store has", async () => {
    const shop = await openTestStore();
    await setDefaults(shop);
    const own = writeRows(shop, [goodRow(5), goodRow(10, { [SUB_TITLE]: "" })], () => true);
    await shop.run("import", own, "--yes", ...OFF);
    await shop.run("rules", "default", "sub_title", "Başka");

    const lacking = writeRows(shop, [goodRow(5), goodRow(10), goodRow(20, { "Fiyat *": 39 })]);
    const again = await shop.run("import", lacking, "--yes", ...OFF);

    expect(JSON.parse(again.out).counts).toMatchObject({ added: 1, updated: 0, unchanged: 2 });
    expect(subTitles(shop)).toEqual(["Kısa açıklama", "Mağazamızdan", "Başka"]);
  });

  it("give way to --set", async () => {
    const shop = await openTestStore();
    await setDefaults(shop);

    await shop.run(
      "import",
      writeRows(shop, [goodRow(5)]),
      "--set",
      "Alt Başlık=Elle",
      "--yes",
      ...OFF,
    );

    expect(subTitles(shop)).toEqual(["Elle"]);
  });

  it("are checked like a cell, and keep only new products from being sent", async () => {
    const shop = await openTestStore();
    await setDefaults(shop);
    await shop.run("import", writeRows(shop, [goodRow(5)]), "--yes", ...OFF);
    await shop.run("rules", "default", "Teslimat Şablonu", "Yok Böyle Şablon");

    const rows = [goodRow(5, { "Stok *": 1 }), goodRow(10)];
    const { out } = await shop.run("import", writeRows(shop, rows, hasNoTemplate), "--yes", ...OFF);

    const { counts, issues } = JSON.parse(out);
    expect(counts).toMatchObject({ updated: 1, added: 0, invalid: 1 });
    expect(issues.map(({ code, row }: { code: string; row: number }) => [code, row])).toEqual([
      ["E_TEMPLATE_UNKNOWN", 3],
    ]);
  });

  it("are not asked for where the file cannot add a product", async () => {
    const shop = await openTestStore();
    await shop.run("rules", "default", "Teslimat Şablonu", "Yok Böyle Şablon");
    const path = writeRows(shop, [goodRow(5)], (header) =>
      ["Ürün Kodu *", "Stok *"].includes(header),
    );

    const { out } = await shop.run("plan", path, ...OFF);

    const { open_names: names, issues } = JSON.parse(out);
    expect(names).toEqual([]);
    expect(issues[0].message.tr).not.toContain("Teslimat Şablonu");
  });

  it("are no value that advice leaves open", async () => {
    const shop = await openTestStore();

    const { code } = await shop.run("rules", "default", "Alt Başlık", "…");
    const listed = await shop.run("rules", "--json");

    expect([code, JSON.parse(listed.out).defaults]).toEqual([2, {}]);
  });

  it("are removed by rules forget", async () => {
    const shop = await openTestStore();
    await setDefaults(shop);

    const forgotten = await shop.run("rules", "forget", "Alt Başlık");
    const listed = await shop.run("rules", "--json");

    expect(forgotten.code).toBe(0);
    expect(JSON.parse(listed.out).defaults).toEqual({
      warranty_type: "Garantisiz",
      warranty_period: "0 Ay",
    });
  });
});

const writeWhole = (shop: TestStore): string => writeRows(shop, [goodRow(5)], () => true);

describe("what an accepted plan leaves", () => {
  it("is nothing before the plan is accepted", async () => {
    const shop = await openTestStore();

    await shop.run("plan", writeWhole(shop), "--map", "Başlık *=Alt Başlık", ...OFF);

    const { remembered } = JSON.parse((await shop.run("rules", "--json")).out);
    expect(remembered).toEqual([]);
  });

  it("is nothing where every row of it was refused", async () => {
    const shop = await openTestStore();

    const words = ["--map", "Başlık *=Alt Başlık", "--yes", ...OFF];
    const { out } = await shop.run("import", writeWhole(shop), ...words);

    const { remembered } = JSON.parse((await shop.run("rules", "--json")).out);
    expect(JSON.parse(out).counts.invalid).toBe(1);
    expect(remembered).toEqual([]);
  });

  it("is listed by rules, and forgotten by its id", async () => {
    const shop = await openTestStore();
    const path = writeWhole(shop);
    await shop.run(
      "import",
      path,
      "--map",
      "Açıklama *=-",
      "--set",
      "description=x",
      "--yes",
      ...OFF,
    );

    const { remembered } = JSON.parse((await shop.run("rules", "--json")).out);
    const shown = await shop.run("rules");
    const ids = remembered.map(({ id }: { id: string }) => id);
    for (const id of ids) expect((await shop.run("rules", "forget", id)).code).toBe(0);
    const after = JSON.parse((await shop.run("rules", "--json")).out);

    expect(remembered).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/u),
      kind: "columns",
      learntFrom: "erp.csv",
      entries: { "Açıklama *": "-" },
    });
    expect(shown.out).toContain("sütunlar, erp.csv: Açıklama * → kullanılmaz");
    expect(after.remembered).toEqual([]);
    expect((await shop.run("rules", "forget", "00000000")).code).not.toBe(0);
  });

  it("names the file from which each decimal sign was learnt", async () => {
    const shop = await openTestStore();
    const whole = writeWhole(shop);
    const prices = writeText(shop.folder, "fiyat.csv", "Ürün Kodu;Fiyat\nTST-00005;12,50\n");
    await shop.run("import", whole, "--yes", ...OFF);
    await shop.run("import", prices, "--yes", "--price-unit", "minor", ...OFF);

    const { out } = await shop.run("rules");
    const { remembered } = JSON.parse((await shop.run("rules", "--json")).out);

    expect(out).toContain("ondalık ayırıcı, fiyat.csv (2 sütun): Fiyat → virgül\n");
    expect(out).toMatch(/ondalık ayırıcı, erp\.csv \(\d+ sütun\): Fiyat/u);
    expect(remembered).toContainEqual({
      id: expect.any(String),
      kind: "decimals",
      learntFrom: "fiyat.csv",
      columnCount: 2,
      entries: { Fiyat: "comma" },
    });
  });
});
