import { createSandboxCatalog } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { readFirstSheet } from "../../helpers/independent-readers.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { writeSheets, writeText } from "../../helpers/product-sheet.ts";
import {
  type Export,
  exportProduct,
  imageOf,
  LEAF,
  type Row,
  SHOPIFY_HEADERS,
} from "../../helpers/shopify-export.ts";
import { formatRows, MISSING_FLAGS } from "../../helpers/variant-file.ts";

const category = LEAF?.category_path ?? "";
const [brand] = LEAF === undefined ? [] : createSandboxCatalog().brands(LEAF.id);

const writeShopify = (shop: TestStore, rows: readonly Row[]): string =>
  writeText(shop.folder, "urunler.csv", formatRows(SHOPIFY_HEADERS, rows));

const importFile = (shop: TestStore, file: string, ...flags: readonly string[]) =>
  shop.json("import", file, ...MISSING_FLAGS, ...flags, "--images", "off", "--yes");

/** The fields of the sandbox's products that a shop shows, by code, in the order of adding. */
const shown = (shop: TestStore) =>
  new Map(
    shop.sandbox.products().map((product) => {
      const { product_code: code, title, description, price, stock_count: stock, images } = product;
      const { brand_id: brandId, category_id: of } = product;
      return [code, { title, description, price, stock, images, brand: brandId, category: of }];
    }),
  );

const errorsOf = (issues: readonly { readonly code: string }[]) =>
  issues.map(({ code }) => code).filter((code) => code.startsWith("E_"));

describe("an export of Shopify", () => {
  it("of 150 rows becomes the products that the shop shows, each field of them", async () => {
    const shop = await openTestStore();
    const before = shop.sandbox.products().length;
    const products = Array.from({ length: 50 }, (_, n) => exportProduct(n + 1));
    const whole: Export[] = [];
    for (const product of products) {
      const size = whole.reduce((sum, { rows }) => sum + rows.length, 0);
      if (size + product.rows.length <= 150) whole.push(product);
    }
    const rows = whole.flatMap((product) => product.rows);
    // A product without an image cannot be added, which is a fault of the file.
    const sound = whole
      .flatMap(({ expected }) => expected)
      .filter(({ images }) => images.length > 0);
    const bare = whole.flatMap(({ expected }) => expected).length - sound.length;
    const imageRows = rows.filter((row) => row["Variant SKU"] === undefined).length;

    const { counts, issues } = await importFile(shop, writeShopify(shop, rows));

    expect(rows.length).toBeGreaterThan(140);
    expect(counts).toMatchObject({
      rows: rows.length,
      added: sound.length,
      invalid: bare,
      skipped: imageRows,
    });
    expect(errorsOf(issues).filter((code) => code !== "E_REQUIRED")).toEqual([]);
    expect(shop.sandbox.products()).toHaveLength(before + sound.length);
    const found = shown(shop);
    for (const { code, ...product } of sound) {
      expect(found.get(code)).toEqual({ ...product, category: LEAF?.id });
    }
  });

  it("names the real faults at their cells, and sends the rest", async () => {
    const shop = await openTestStore();
    const { rows } = exportProduct(6);
    const codes = new Map([
      [1, ""],
      [3, "SH-6-2"],
    ]);
    const broken = rows.map((row, at) =>
      codes.has(at) ? Object.assign({}, row, { "Variant SKU": codes.get(at) }) : row,
    );
    const apart = { Handle: "urun-6", "Option1 Value": "Mor", "Variant SKU": "SH-6-9" };
    const other = exportProduct(9).rows.slice(0, 1);

    const { counts, issues } = await importFile(
      shop,
      writeShopify(shop, [...broken, ...other, apart]),
    );

    expect(counts).toMatchObject({ added: 5, invalid: 2, duplicate: 2 });
    expect(
      issues
        .map(
          ({ code, cell }: { readonly code: string; readonly cell: string }) => `${cell} ${code}`,
        )
        .filter((issue: string) => issue.includes(" E_")),
    ).toEqual([
      "O3 E_KEY_MISSING",
      "O4 E_CODE_DUPLICATE",
      "O5 E_CODE_DUPLICATE",
      "A10 E_VARIANT_PARENT",
    ]);
  });

  it("writes failed rows that can be imported on their own", async () => {
    const shop = await openTestStore();
    const { rows, expected } = exportProduct(6);
    const file = writeShopify(shop, rows);

    const first = await shop.json("import", file, "--images", "off", "--yes");
    const { counts, files } = first;
    const second = await importFile(shop, files.failed);

    expect(counts).toMatchObject({ added: 0, invalid: expected.length });
    expect(second.counts).toMatchObject({ added: expected.length, invalid: 0 });
    for (const { code, ...product } of expected) {
      expect(shown(shop).get(code)).toEqual({ ...product, category: LEAF?.id });
    }
  });
});

describe("a file of another shop", () => {
  const expected = { brand: brand?.id, category: LEAF?.id };

  it("of WooCommerce becomes its variations, with the values of parents named by code or by id", async () => {
    const shop = await openTestStore();
    const parent = `<p>Yün</p>,1,,,${category},${brand?.name}`;
    const file = writeText(
      shop.folder,
      "woo.csv",
      [
        "ID,Type,SKU,Name,Description,In stock?,Stock,Regular price,Categories,Brands,Images,Parent,Published,Is featured?,Attribute 1 value(s)",
        `1,variable,KAZAK,Kazak,${parent},${imageOf(1, 1)},,,,"S, M"`,
        `2,variable,,Bere,${parent},"${imageOf(2, 1)}, ${imageOf(2, 2)}",,,,"S, M"`,
        `3,simple,ATKI,Atkı,<p>Yün</p>,1,4,80,${category},${brand?.name},${imageOf(3, 1)},,,,Tek`,
        "11,variation,KAZAK-S,Kazak - S,,,5,100,,,,KAZAK,,,S",
        `12,variation,KAZAK-M,Kazak,,,6,110,,,${imageOf(1, 2)},KAZAK,,,M`,
        "13,variation,BERE-S,,,,7,50,,,,id:2,,,S",
        // A draft, and its variation, are not on sale.
        `4,variable,TASLAK,Taslak,${parent},,,-1,,"S, M"`,
        "14,variation,TASLAK-S,,,,7,50,,,,TASLAK,1,,S",
      ].join("\n"),
    );

    const { exit, counts, issues } = await importFile(shop, file);

    expect(errorsOf(issues)).toEqual([]);
    expect([exit, counts]).toEqual([0, expect.objectContaining({ added: 4, skipped: 2 })]);
    const same = { ...expected, description: "<p>Yün</p>" };
    const images = [imageOf(2, 1), imageOf(2, 2)];
    expect(Object.fromEntries([...shown(shop)].slice(-4))).toEqual({
      ATKI: { ...same, title: "Atkı", price: 8000, stock: 4, images: [imageOf(3, 1)] },
      "KAZAK-S": { ...same, title: "Kazak - S", price: 10_000, stock: 5, images: [imageOf(1, 1)] },
      "KAZAK-M": {
        ...same,
        title: "Kazak M",
        price: 11_000,
        stock: 6,
        images: [imageOf(1, 2), imageOf(1, 1)],
      },
      "BERE-S": { ...same, title: "Bere S", price: 5000, stock: 7, images },
    });
  });

  it("of IdeaSoft becomes its main products and their variants", async () => {
    const shop = await openTestStore();
    const file = writeText(
      shop.folder,
      "ideasoft.csv",
      [
        "stockCode,label,brand,subCategory,rootProductStockCode,price1,currencyAbbr,stockAmount,picture1Path,details,variantName1,variantValue1",
        `FINDIK,Fındık,${brand?.name},${category},0,300,TL,3,${imageOf(1, 1)},İç fındık,,`,
        "FINDIK-250,250,,,FINDIK,90,,8,,,,",
        `FINDIK-500,Fındık,,,FINDIK,160,,9,${imageOf(1, 2)},,Gramaj,500 gr`,
      ].join("\n"),
    );

    const { exit, counts, issues } = await importFile(shop, file);

    expect(errorsOf(issues)).toEqual([]);
    expect([exit, counts]).toEqual([0, expect.objectContaining({ added: 3, skipped: 0 })]);
    const same = { ...expected, description: "İç fındık", images: [imageOf(1, 1)] };
    expect(Object.fromEntries([...shown(shop)].slice(-3))).toEqual({
      FINDIK: { ...same, title: "Fındık", price: 30_000, stock: 3 },
      "FINDIK-250": { ...same, title: "Fındık 250", price: 9000, stock: 8 },
      "FINDIK-500": {
        ...same,
        title: "Fındık 500 gr",
        price: 16_000,
        stock: 9,
        images: [imageOf(1, 2), imageOf(1, 1)],
      },
    });
  });
});

describe("an export of Shopify with products that are not on sale", () => {
  const draft = exportProduct(6);
  const active = exportProduct(9);
  const rows = [
    ...draft.rows.map((row, at) => (at === 0 ? { ...row, Status: "draft" } : row)),
    ...active.rows,
  ];

  it("adds the products on sale and names the ones it skips", async () => {
    const shop = await openTestStore();

    const file = writeShopify(shop, rows);

    const plan = await shop.json("plan", file, ...MISSING_FLAGS, "--images", "off");
    const { counts } = await importFile(shop, file);

    expect(counts).toMatchObject({ rows: active.rows.length, added: active.expected.length });
    const codes = [...shown(shop).keys()];
    expect(codes).toEqual(expect.arrayContaining(active.expected.map(({ code }) => code)));
    expect(codes.filter((code) => code.startsWith("SH-6-"))).toEqual([]);
    expect(
      plan.warnings.filter((line: string) => line.startsWith("Kaynağında satışta olmayan")),
    ).toEqual([
      expect.stringMatching(
        new RegExp(`${draft.rows.length} satır.*\\(SH-6-0\\).*--map "Status=-"`, "u"),
      ),
    ]);
  });

  it("sends nothing when no product in the file is on sale", async () => {
    const shop = await openTestStore();
    const before = shop.sandbox.products().length;
    const drafts = rows.map((row) => ({ ...row, Status: "archived" }));

    const { exit, counts } = await importFile(shop, writeShopify(shop, drafts));

    expect([exit, counts.rows, counts.added]).toEqual([0, 0, 0]);
    expect(shop.sandbox.products()).toHaveLength(before);
  });

  it("adds every product when the status column is excluded", async () => {
    const shop = await openTestStore();
    const file = writeShopify(shop, rows);

    const { counts } = await importFile(shop, file, "--map", "Status=-");

    const all = draft.expected.length + active.expected.length;
    expect(counts).toMatchObject({ rows: rows.length, added: all });
  });

  it("refuses a new product with untracked stock, and keeps the stock of an update", async () => {
    const shop = await openTestStore();
    const [first] = exportProduct(4).rows;
    const row: Row = { ...first, "Image Src": imageOf(4, 1) };
    const untracked = { ...row, "Variant Inventory Tracker": "", "Variant Inventory Qty": "0" };
    const code = row["Variant SKU"] ?? "";

    const refused = await importFile(shop, writeShopify(shop, [untracked]));
    const added = await importFile(shop, writeShopify(shop, [row]));
    const before = shown(shop).get(code);
    const dearer = { ...untracked, "Variant Price": "110.00" };
    const updated = await importFile(shop, writeShopify(shop, [dearer]));

    expect(errorsOf(refused.issues)).toEqual(["E_STOCK_STATE"]);
    expect(added.counts).toMatchObject({ added: 1 });
    expect(updated.counts).toMatchObject({ updated: 1, invalid: 0 });
    expect(shown(shop).get(code)).toEqual({ ...before, price: 11_000 });
  });
});

/** The rows of a failed file below its headers. */
async function readFailed(path: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const [header = [], ...rows] = await readFirstSheet(path);
  return rows.map((cells) =>
    Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])),
  );
}

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
        `1,variable,KAZAK,Kazak,Yün,0,1,10,,${category},${imageOf(1, 1)},,${brand?.name},"S, M"`,
        `2,variable,,Bere,Yün,0,1,,,${category},${imageOf(2, 1)},,${brand?.name},S`,
        `3,simple,ATKI,Atkı,Yün,0,1,4,80,${category},${imageOf(3, 1)},,${brand?.name},`,
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
  expect([...shown(shop)].slice(-2)).toMatchObject([
    ["KAZAK-S", { title: "Kazak S", price: 10_000, stock: 5, images: [imageOf(1, 1)] }],
    ["BERE-S", { title: "Bere S", price: 5000, stock: 7, images: [imageOf(2, 1)] }],
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
        `FINDIK,Fındık,${brand?.name},${category},0,300,TL,3,Adet,${imageOf(1, 1)},İç fındık`,
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
  expect([...shown(shop)].slice(-3)).toMatchObject([
    ["FINDIK", { price: 31_000 }],
    ["FINDIK-500", { price: 16_000 }],
    ["FINDIK-250", { price: 9000, title: "Fındık 250", images: [imageOf(1, 1)] }],
  ]);
});

/** A property of the category, and one of its options. */
function readColour() {
  const [property] = LEAF === undefined ? [] : createSandboxCatalog().properties(LEAF.id);
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
        `kazak,Kazak,Yün,${brand?.name},${category},S,KAZAK-S,100,5,${imageOf(1, 1)},`,
        `kazak,,,,,M,KAZAK-M,elli,6,,${colour.option}`,
        "kazak,,,,,L,KAZAK-L,elli,7,,",
        `bere,Bere,Yün,${brand?.name},${category},S,BERE-S,50,5,${imageOf(2, 1)},`,
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
