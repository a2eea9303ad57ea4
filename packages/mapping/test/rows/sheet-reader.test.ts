import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { PLATFORMS } from "../../src/platforms/platform-matcher.ts";
import {
  createRowKinds,
  createUnpublishedSearch,
  type RowKind,
} from "../../src/rows/sheet-reader.ts";
import type { CellValue, SourceRow } from "../../src/source-row.ts";
import { joinSheet, toRows, type VariantSheet } from "../helpers/join-sheet.ts";

const HEADER = ["Ürün Kodu", "Başlık", "Fiyat", "Stok", "Raf"];
const KEYS = ["product_code", "title", "price", "stock"];

interface Place {
  readonly row?: number;
  readonly header?: readonly string[];
  readonly below?: readonly string[];
  readonly traits?: SourceRow["traits"];
}

function kindOf(cells: readonly CellValue[], place: Place = {}): RowKind {
  const { row = 20, header = HEADER, below, traits } = place;
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header, below });
  return createRowKinds(mapping, 1)({ row, cells, ...(traits !== undefined && { traits }) });
}

describe("createRowKinds", () => {
  const cases: readonly (readonly [string, readonly CellValue[], RowKind])[] = [
    ["a row without cells", [], "empty"],
    ["a row of blanks and invisible marks", [null, " ", "\u00a0", "\u200b\ufeff"], "empty"],
    ["a row with a zero", [null, 0], "product"],
    ["a sharp with nothing beside it", ["#örnek", "", null], "remark"],
    ["a sharp with a blank behind it", ["# örnek", "1"], "remark"],
    ["a code that begins with a sharp", ["#1002", "Fincan", 5], "product"],
    ["a code of a sharp elsewhere", ["K1", "#1"], "product"],
    ["a formula error in the first cell", ["#N/A", "1"], "product"],
    ["a number too wide for its column", ["#####", "1"], "product"],
    ["a line of sharps", ["#####", "", null], "remark"],
    ["a total in the code cell", ["TOPLAM", null, 1299.9, 40], "total"],
    ["a total in the title cell", [null, "Genel Toplam:", "1.299,90 TL", "40 adet"], "total"],
    ["a total in the first cell", ["Total", null, null, 40], "total"],
    ["a count of rows", ["Toplam 50 ürün"], "total"],
    ["a subtotal in English", ["Sub-total", "", "", "12"], "total"],
    ["a total beside a code", ["K1", "Total", 5, 1], "product"],
    ["a total beside a title", ["TOPLAM", "Toplam kalite", 5, 1], "product"],
    ["a total beside another text", ["TOPLAM", null, 5, 1, "B rafı"], "product"],
    ["a title that only begins so", [null, "Total Quartz 9000", 5], "product"],
    ["a name alone in the code cell", ["ELEKTRONİK", null, "", null, null], "group"],
    ["a name with a number alone", ["01 Beyaz Eşya"], "group"],
    ["a name alone in another cell", [null, "Mutfak Gereçleri"], "group"],
    ["a code alone", ["K-1"], "product"],
    ["a number alone", [153], "product"],
    ["a name beside a price", ["ELEKTRONİK", null, 5], "product"],
    ["a formula error alone", [null, "#YOK"], "product"],
    ["headers repeated", ["Ürün Kodu", "Başlık", "Fiyat", "", ""], "header"],
    ["a code that is its own header", ["Ürün Kodu", "Fincan", 5], "product"],
    ["headers under other headers", ["item", "Stok Kodu", "Price", "Quantity"], "product"],
  ];
  for (const [name, cells, kind] of cases) {
    it(`takes ${name} for ${kind === "empty" ? "empty" : `a ${kind}`}`, () => {
      expect(kindOf(cells)).toBe(kind);
    });
  }

  it("takes no name for a group below machine keys, or in a list of codes", () => {
    expect(kindOf(["ELEKTRONİK"], { below: KEYS })).toBe("product");
    expect(kindOf(["ELEKTRONİK"], { header: ["Ürün Kodu", "Stok"] })).toBe("product");
  });

  it("takes every row with a sharp for a remark below machine keys", () => {
    expect(kindOf(["#1002", "Fincan", 5], { below: KEYS })).toBe("remark");
  });

  it("takes a second row of headers right below the first for no product", () => {
    const cells = ["sku", "title", "price", "quantity", "note"];

    expect(kindOf(cells, { row: 2 })).toBe("header");
    expect(kindOf(cells, { row: 4 })).toBe("product");
  });

  it("takes a title that begins with a sharp for a product", () => {
    const header = ["Başlık", "Ürün Kodu", "Stok"];

    expect(kindOf(["#evdekal Tişört", "K1", 5], { header })).toBe("product");
  });

  it("keeps a row whose only content is a formula without a result", () => {
    expect(kindOf([null, null], { traits: { 1: "formula" } })).toBe("product");
  });
});

interface Sheet extends VariantSheet {
  readonly overrides?: ReadonlyMap<string, string>;
}

/** The cells that say that a row is not on sale, by row. */
async function findAll(sheet: Sheet): Promise<Readonly<Record<number, readonly string[]>>> {
  const { platform, overrides, broken = [] } = sheet;
  const header = sheet.header.split("|");
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header, platform, overrides });
  const find = createUnpublishedSearch(mapping, ({ row }) => !broken.includes(row));
  const hasVariants = platform === "shopify" || platform === "woocommerce";
  const rows = hasVariants ? await joinSheet(sheet) : toRows(sheet.rows);
  return Object.fromEntries(
    rows.map((row) => [
      row.row,
      (find?.(row) ?? []).map((cell) => `${cell.column.letter}${cell.row} ${cell.text}`),
    ]),
  );
}

const SHOPIFY = {
  platform: "shopify",
  header: "Handle|Title|Option1 Value|Variant SKU|Published|Status",
};

describe("a row of Shopify", () => {
  it("is unpublished as a draft, archived, or not published, and else on sale", async () => {
    const rows = [
      "a|A|Default Title|A|true|draft",
      "b|B|Default Title|B|TRUE|Archived",
      "c|C|Default Title|C|FALSE|active",
      "d|D|Default Title|D|true|active",
      "e|E|Default Title|E||",
    ];

    expect(await findAll({ ...SHOPIFY, rows })).toEqual({
      2: ["F2 draft"],
      3: ["F3 Archived"],
      4: ["E4 FALSE"],
      5: [],
      6: [],
    });
  });

  it("is what the first row of its product says, and not what that of another one says", async () => {
    const rows = ["k|K|S|K-S|true|draft", "k||M|K-M||", "b|B|S|B-S|true|active", "b||M|B-M||"];

    expect(await findAll({ ...SHOPIFY, rows })).toEqual({
      2: ["F2 draft"],
      3: ["F2 draft"],
      4: [],
      5: [],
    });
  });

  it("is on sale by a column that a person leaves out", async () => {
    const rows = ["a|A|Default Title|A|false|draft"];

    expect(await findAll({ ...SHOPIFY, rows, overrides: new Map([["Status", "-"]]) })).toEqual({
      2: ["E2 false"],
    });
    const both = new Map(["Status", "Published"].map((header) => [header, "-"] as const));
    expect(await findAll({ ...SHOPIFY, rows, overrides: both })).toEqual({ 2: [] });
  });

  it("is not judged by cells that may stand in other columns", async () => {
    const rows = ["a|A|Default Title|A|true|draft"];

    expect(await findAll({ ...SHOPIFY, rows, broken: [2] })).toEqual({ 2: [] });
  });
});

describe("a row of a marketplace or a feed", () => {
  it.each([
    ["hepsiburada", "Satıcı Stok Kodu|Durum", "Satışta", "Satışa Kapalı"],
    ["hepsiburada", "Satıcı Stok Kodu|Durum", "", "KİLİTLİ"],
    ["trendyol", "Stok Kodu|Durum", "Tükendi", "Arşivde"],
    ["n11", "Mağaza Ürün Kodu|Ürün Statüsü", "Satışta", "Satışa kapalı"],
    ["ciceksepeti", "Tedarikçi Ürün Stok Kodu|Durum", "Aktif", "Pasif"],
    ["amazon", "seller-sku|status", "Active", "Inactive"],
    ["facebook", "id|status", "active", "archived"],
    ["facebook", "id|visibility", "published", "hidden"],
  ])("of %s is on sale or not by its state", async (platform, header, on, off) => {
    const found = await findAll({ platform, header, rows: [`A|${on}`, `B|${off}`] });

    expect(found).toEqual({ 2: [], 3: [`B3 ${off}`] });
  });
});

describe("a row of WooCommerce", () => {
  it("is unpublished by its own cell or that of its parent", async () => {
    const header = "ID|Type|SKU|Name|Yayımlanmış|Parent";
    const rows: readonly (string | readonly (string | number)[])[] = [
      "1|variable|K|Kazak|-1|",
      "2|variable|B|Bere|1|",
      [3, "simple", "A", "Atkı", 0, ""],
      "4|variation|K-S|Kazak S|1|K",
      "5|variation|B-S|Bere S|0|B",
      "6|variation|B-M|Bere M|1|id:2",
    ];

    expect(await findAll({ platform: "woocommerce", header, rows })).toEqual({
      2: ["E2 -1"],
      3: [],
      4: ["E4 0"],
      5: ["E2 -1"],
      6: ["E6 0"],
      7: [],
    });
  });
});

describe("a row of a platform without variants", () => {
  it.each([
    ["trendyol", "Durum", "ARŞİVDE", "Satışta"],
    ["magento", "product_online", "2", "1"],
    ["prestashop", "Active (0/1)", "0", "1"],
    ["opencart", "status", "false", "true"],
    ["ideasoft", "status", "0", "1"],
    ["ikas", "Varyant Aktiflik", "FALSE", "TRUE"],
    ["ikas", "Silindi mi?", "TRUE", "FALSE"],
    ["ticimax", "URUNAKTIF", "0", "1"],
    ["t-soft", "Aktif", "Hayır", "Evet"],
  ])("of %s is unpublished by %s: %s, and not by %s", async (platform, column, off, on) => {
    const header = `Kod|${column}`;

    expect(await findAll({ platform, header, rows: [`A|${off}`, `B|${on}`, "C|"] })).toEqual({
      2: [`B2 ${off}`],
      3: [],
      4: [],
    });
  });
});

it("no column of a status is read for a field, in any profile", () => {
  for (const { statuses = [], fields } of PLATFORMS) {
    const read = new Set(Object.values(fields).flat());
    expect(statuses.flatMap(({ headers }) => headers).filter((each) => read.has(each))).toEqual([]);
  }
});
