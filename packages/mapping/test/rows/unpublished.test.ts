import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { PLATFORMS } from "../../src/platforms/platform-matcher.ts";
import { createUnpublishedSearch } from "../../src/rows/row-kinds.ts";
import { joinSheet, toRows, type VariantSheet } from "../helpers/join-sheet.ts";

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
