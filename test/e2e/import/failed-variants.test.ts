import { createSandboxCatalog } from "@catalog/sandbox";
import { expect, it } from "vitest";

import { readFirstSheet } from "../../helpers/independent-readers.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { writeSheets, writeText } from "../../helpers/product-sheet.ts";
import { imageOf, LEAF } from "../../helpers/shopify-export.ts";
import { MISSING_FLAGS } from "../../helpers/variant-file.ts";

const catalog = createSandboxCatalog();
const category = LEAF?.category_path ?? "";
const brand = LEAF === undefined ? "" : (catalog.brands(LEAF.id)[0]?.name ?? "");

async function importFile(shop: TestStore, file: string) {
  const flags = [...MISSING_FLAGS, "--images", "off", "--yes", "--json"];
  const { code, out } = await shop.run("import", file, ...flags);
  return { code, ...JSON.parse(out) };
}

/** The rows of a failed file below its headers. */
async function readFailed(path: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const [header = [], ...rows] = await readFirstSheet(path);
  return rows.map((cells) =>
    Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])),
  );
}

/** The newest products of the sandbox. */
const shown = (shop: TestStore, count: number) =>
  shop.sandbox
    .products()
    .slice(-count)
    .map(({ product_code: code, title, price, stock_count: stock, images }) => ({
      code,
      title,
      price,
      stock,
      images,
    }));

it("the failed rows of WooCommerce have their parent rows, and are imported once corrected", async () => {
  const shop = await openTestStore();
  const before = shop.sandbox.products().length;
  const first = await importFile(
    shop,
    writeText(
      shop.folder,
      "woo.csv",
      [
        "ID,Type,SKU,Name,Description,Is featured?,In stock?,Stock,Regular price,Categories,Images,Parent,Brands,Attribute 1 value(s)",
        `1,variable,KAZAK,Kazak,Yün,0,1,10,,${category},${imageOf(1, 1)},,${brand},"S, M"`,
        `2,variable,,Bere,Yün,0,1,,,${category},${imageOf(2, 1)},,${brand},S`,
        `3,simple,ATKI,Atkı,Yün,0,1,4,80,${category},${imageOf(3, 1)},,${brand},`,
        "11,variation,KAZAK-S,Kazak,,0,1,parent,100,,,KAZAK,,S",
        "12,variation,KAZAK-M,Kazak,,0,1,6,110,,,KAZAK,,M",
        "13,variation,BERE-S,S,,0,1,7,elli,,,id:2,,",
      ].join("\n"),
    ),
  );

  const rows = await readFailed(first.files.failed);
  const corrections = new Map([
    ["KAZAK-S", { Stock: "5" }],
    ["BERE-S", { "Regular price": "50" }],
  ]);
  const corrected = rows.map((row) => Object.assign({}, row, corrections.get(row["SKU"] ?? "")));
  const file = await writeSheets(shop.folder, "duzeltilmis.xlsx", { Ürünler: corrected });
  const second = await importFile(shop, file);
  const third = await importFile(shop, file);

  expect(first.counts).toMatchObject({ rows: 6, added: 2, skipped: 2, invalid: 2 });
  expect(rows.map((row) => [row["Type"], row["SKU"]])).toEqual([
    ["variable", "KAZAK"],
    ["variable", ""],
    ["variation", "KAZAK-S"],
    ["variation", "BERE-S"],
  ]);
  expect(second.counts).toMatchObject({ rows: 4, added: 2, skipped: 2, invalid: 0 });
  expect(third.counts).toMatchObject({ rows: 4, unchanged: 2, skipped: 2, added: 0 });
  expect(shop.sandbox.products()).toHaveLength(before + 4);
  expect(shown(shop, 2)).toEqual([
    { code: "KAZAK-S", title: "Kazak S", price: 10_000, stock: 5, images: [imageOf(1, 1)] },
    { code: "BERE-S", title: "Bere S", price: 5000, stock: 7, images: [imageOf(2, 1)] },
  ]);
});

it("the failed rows of IdeaSoft have their main products, which are not sent again", async () => {
  const shop = await openTestStore();
  const before = shop.sandbox.products().length;
  const first = await importFile(
    shop,
    writeText(
      shop.folder,
      "ideasoft.csv",
      [
        "stockCode,label,brand,subCategory,rootProductStockCode,price1,currencyAbbr,stockAmount,stockType,picture1Path,details",
        `FINDIK,Fındık,${brand},${category},0,300,TL,3,Adet,${imageOf(1, 1)},İç fındık`,
        "FINDIK-250,250,,,FINDIK,90,,az,Adet,,",
        "FINDIK-500,500,,,FINDIK,160,,9,Adet,,",
      ].join("\n"),
    ),
  );
  const newPrice = writeText(shop.folder, "fiyat.csv", "Ürün Kodu;Fiyat\nFINDIK;310,00\n");
  const changed = await importFile(shop, newPrice);

  const rows = await readFailed(first.files.failed);
  const corrected = rows.map((row) =>
    row["stockCode"] === "FINDIK-250" ? Object.assign({}, row, { stockAmount: "8" }) : row,
  );
  const file = await writeSheets(shop.folder, "duzeltilmis.xlsx", { Ürünler: corrected });
  const second = await importFile(shop, file);

  expect(first.counts).toMatchObject({ rows: 3, added: 2, invalid: 1 });
  expect(changed.counts).toMatchObject({ updated: 1 });
  expect(rows.map((row) => [row["stockCode"], row["label"], row["İşlem"]])).toEqual([
    ["FINDIK", "Fındık", "Atla"],
    ["FINDIK-250", "250", ""],
  ]);
  expect(second.counts).toMatchObject({ rows: 2, added: 1, skipped: 1, updated: 0 });
  expect(shop.sandbox.products()).toHaveLength(before + 3);
  expect(shown(shop, 3).map(({ code, price }) => [code, price])).toEqual([
    ["FINDIK", 31_000],
    ["FINDIK-500", 16_000],
    ["FINDIK-250", 9000],
  ]);
  expect(shown(shop, 1)[0]).toMatchObject({ title: "Fındık 250", images: [imageOf(1, 1)] });
});

/** A property of the category, and one of its options. */
function readColour() {
  const [property] = LEAF === undefined ? [] : catalog.properties(LEAF.id);
  const option = property?.property_options[0];
  if (property === undefined || option === undefined) throw new Error("no category has a colour");
  return { name: property.name, option: option.display_name };
}

it("the failed rows of Shopify take nothing from another variant that stands first in their file", async () => {
  const shop = await openTestStore();
  const colour = readColour();
  const first = await importFile(
    shop,
    writeText(
      shop.folder,
      "shopify.csv",
      [
        `Handle,Title,Body (HTML),Vendor,Product Category,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Image Src,${colour.name}`,
        `kazak,Kazak,Yün,${brand},${category},S,KAZAK-S,100,5,${imageOf(1, 1)},`,
        `kazak,,,,,M,KAZAK-M,elli,6,,${colour.option}`,
        "kazak,,,,,L,KAZAK-L,elli,7,,",
        `bere,Bere,Yün,${brand},${category},S,BERE-S,50,5,${imageOf(2, 1)},`,
        "kazak,,,,,XL,KAZAK-XL,50,8,,",
      ].join("\n"),
    ),
  );

  const rows = await readFailed(first.files.failed);
  const corrected = rows
    .filter((row) => row["Variant SKU"] !== "KAZAK-XL")
    .map((row) =>
      row["Variant Price"] === "elli" ? Object.assign({}, row, { "Variant Price": "50" }) : row,
    );
  const file = await writeSheets(shop.folder, "duzeltilmis.xlsx", { Ürünler: corrected });
  const second = await importFile(shop, file);

  expect(rows.map((row) => [row["Variant SKU"], row["Title"], row["İşlem"]])).toEqual([
    ["KAZAK-S", "Kazak", "Atla"],
    ["KAZAK-M", "Kazak", ""],
    ["KAZAK-L", "Kazak", ""],
    ["KAZAK-XL", "", ""],
  ]);
  expect(second.counts).toMatchObject({ rows: 3, added: 2, skipped: 1 });
  const added = shop.sandbox.products().slice(-2);
  expect(added.map(({ title, properties = [] }) => [title, properties.length])).toEqual([
    ["Kazak M", 1],
    ["Kazak L", 0],
  ]);
});
