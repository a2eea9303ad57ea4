import { createSandboxCatalog } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import {
  type Export,
  exportProduct,
  imageOf,
  LEAF,
  type Row,
  SHOPIFY_HEADERS,
} from "../../helpers/shopify-export.ts";

const catalog = createSandboxCatalog();
const leaf = LEAF;
const category = leaf?.category_path ?? "";
const brands = leaf === undefined ? [] : catalog.brands(leaf.id);
const template = catalog.shippingTemplates[0]?.template_name ?? "";

/** What none of these platforms has. */
const MISSING = [
  "sub_title=Kısa açıklama",
  "brand_model=Model",
  "warranty_type=Garantisiz",
  "warranty_period=0",
  `shipping_template=${template}`,
].flatMap((text) => ["--set", text]);

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Writes rows as a CSV file with these headers. */
function writeRows(shop: TestStore, headers: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => headers.map((header) => quote(row[header] ?? "")).join(","));
  return writeText(shop.folder, "urunler.csv", [headers.join(","), ...lines].join("\n"));
}

async function importFile(shop: TestStore, file: string, ...flags: readonly string[]) {
  const { code, out } = await shop.run(
    "import",
    file,
    ...MISSING,
    ...flags,
    "--images",
    "off",
    "--yes",
    "--json",
  );
  return { code, ...JSON.parse(out) };
}

/** The fields of the sandbox's products that a shop shows, by code. */
const shown = (shop: TestStore) =>
  new Map(
    shop.sandbox.products().map((product) => {
      const { product_code: code, title, description, price, stock_count: stock, images } = product;
      const { brand_id: brand, category_id: of } = product;
      return [code, { title, description, price, stock, images, brand, category: of }];
    }),
  );

const errorsOf = (issues: readonly { readonly code: string; readonly cell: string }[]) =>
  issues.map(({ code }) => code).filter((code) => code.startsWith("E_"));

describe("an export of Shopify", () => {
  it("of 300 rows becomes the products that the shop shows, each field of them", async () => {
    const shop = await openTestStore();
    const before = shop.sandbox.products().length;
    const products = Array.from({ length: 100 }, (_, n) => exportProduct(n + 1));
    const whole: Export[] = [];
    for (const product of products) {
      const size = whole.reduce((sum, { rows }) => sum + rows.length, 0);
      if (size + product.rows.length <= 300) whole.push(product);
    }
    const rows = whole.flatMap((product) => product.rows);
    // A product without an image cannot be added, which is a fault of the file.
    const sound = whole
      .flatMap(({ expected }) => expected)
      .filter(({ images }) => images.length > 0);
    const bare = whole.flatMap(({ expected }) => expected).length - sound.length;
    const imageRows = rows.filter((row) => row["Variant SKU"] === undefined).length;

    const { counts, issues } = await importFile(shop, writeRows(shop, SHOPIFY_HEADERS, rows));

    expect(rows.length).toBeGreaterThan(290);
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
      expect(found.get(code)).toEqual({ ...product, category: leaf?.id });
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
      writeRows(shop, SHOPIFY_HEADERS, [...broken, ...other, apart]),
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

  it("has failed rows that stand for themselves when their file is imported again", async () => {
    const shop = await openTestStore();
    const { rows, expected } = exportProduct(6);
    const file = writeRows(shop, SHOPIFY_HEADERS, rows);

    const first = await shop.run("import", file, "--images", "off", "--yes", "--json");
    const { counts, files } = JSON.parse(first.out);
    const second = await importFile(shop, files.failed);

    expect(counts).toMatchObject({ added: 0, invalid: expected.length });
    expect(second.counts).toMatchObject({ added: expected.length, invalid: 0 });
    for (const { code, ...product } of expected) {
      expect(shown(shop).get(code)).toEqual({ ...product, category: leaf?.id });
    }
  });
});

describe("an export of WooCommerce", () => {
  it("becomes its variations, with the values of parents that are named by code or by id", async () => {
    const shop = await openTestStore();
    const headers = [
      "ID|Type|SKU|Name|Published|Is featured?|Visibility in catalog|Description|",
      "Tax status|In stock?|Stock|Regular price|Categories|Images|Parent|Brands|",
      "Attribute 1 name|Attribute 1 value(s)",
    ]
      .join("")
      .split("|");
    const parent = {
      Type: "variable",
      Description: "<p>Yün</p>",
      Categories: category,
      Brands: brands[0]?.name ?? "",
      "Attribute 1 name": "Beden",
      "Attribute 1 value(s)": "S, M",
    };
    const file = writeRows(shop, headers, [
      { ID: "1", SKU: "KAZAK", Name: "Kazak", Images: imageOf(1, 1), ...parent },
      { ID: "2", Name: "Bere", Images: `${imageOf(2, 1)}, ${imageOf(2, 2)}`, ...parent },
      {
        ...parent,
        ID: "3",
        Type: "simple",
        SKU: "ATKI",
        Name: "Atkı",
        Stock: "4",
        "Regular price": "80",
        Images: imageOf(3, 1),
        "Attribute 1 value(s)": "Tek",
      },
      {
        ID: "11",
        Type: "variation",
        SKU: "KAZAK-S",
        Name: "Kazak - S",
        Stock: "5",
        "Regular price": "100",
        Parent: "KAZAK",
        "Attribute 1 value(s)": "S",
      },
      {
        ID: "12",
        Type: "variation",
        SKU: "KAZAK-M",
        Name: "Kazak",
        Stock: "6",
        "Regular price": "110",
        Parent: "KAZAK",
        "Attribute 1 value(s)": "M",
        Images: imageOf(1, 2),
      },
      {
        ID: "13",
        Type: "variation",
        SKU: "BERE-S",
        Stock: "7",
        "Regular price": "50",
        Parent: "id:2",
        "Attribute 1 value(s)": "S",
      },
      // A draft, and its variation, are not on sale.
      { ...parent, ID: "4", SKU: "TASLAK", Name: "Taslak", Published: "-1" },
      {
        ID: "14",
        Type: "variation",
        SKU: "TASLAK-S",
        Published: "1",
        Stock: "7",
        "Regular price": "50",
        Parent: "TASLAK",
        "Attribute 1 value(s)": "S",
      },
    ]);

    const { code, counts, issues } = await importFile(shop, file);

    expect(errorsOf(issues)).toEqual([]);
    expect([code, counts]).toEqual([0, expect.objectContaining({ added: 4, skipped: 2 })]);
    const same = { description: "<p>Yün</p>", brand: brands[0]?.id, category: leaf?.id };
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
      "BERE-S": {
        ...same,
        title: "Bere S",
        price: 5000,
        stock: 7,
        images: [imageOf(2, 1), imageOf(2, 2)],
      },
    });
  });
});

describe("a product table of IdeaSoft", () => {
  it("becomes its main products and their variants", async () => {
    const shop = await openTestStore();
    const headers = [
      "stockCode|label|status|brand|barcode|mainCategory|subCategory|",
      "rootProductStockCode|price1|tax|currencyAbbr|stockAmount|stockType|picture1Path|",
      "picture2Path|details|variantName1|variantValue1",
    ]
      .join("")
      .split("|");
    const file = writeRows(shop, headers, [
      {
        stockCode: "FINDIK",
        label: "Fındık",
        brand: brands[0]?.name ?? "",
        subCategory: category,
        rootProductStockCode: "0",
        price1: "300",
        currencyAbbr: "TL",
        stockAmount: "3",
        picture1Path: imageOf(1, 1),
        details: "İç fındık",
      },
      {
        stockCode: "FINDIK-250",
        label: "250",
        rootProductStockCode: "FINDIK",
        price1: "90",
        stockAmount: "8",
      },
      {
        stockCode: "FINDIK-500",
        label: "Fındık",
        rootProductStockCode: "FINDIK",
        price1: "160",
        stockAmount: "9",
        picture1Path: imageOf(1, 2),
        variantName1: "Gramaj",
        variantValue1: "500 gr",
      },
    ]);

    const { code, counts, issues } = await importFile(shop, file);

    expect(errorsOf(issues)).toEqual([]);
    expect([code, counts]).toEqual([0, expect.objectContaining({ added: 3, skipped: 0 })]);
    const same = { description: "İç fındık", brand: brands[0]?.id, category: leaf?.id };
    expect(Object.fromEntries([...shown(shop)].slice(-3))).toEqual({
      FINDIK: { ...same, title: "Fındık", price: 30_000, stock: 3, images: [imageOf(1, 1)] },
      "FINDIK-250": {
        ...same,
        title: "Fındık 250",
        price: 9000,
        stock: 8,
        images: [imageOf(1, 1)],
      },
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
