import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import {
  addressOf,
  goodRow,
  type HEADERS,
  type ProductRow,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

type Header = (typeof HEADERS)[number];
type Mistake = readonly [header: Header, value: string | number | null, code: string];

const PRICE = "Fiyat *";
const STOCK = "Stok *";
const TITLE = "Başlık *";
const BRAND = "Marka *";
const CATEGORY = "Kategori *";
const TYPE = "Garanti Tipi *";
const PERIOD = "Garanti Süresi *";
const TEMPLATE = "Teslimat Şablonu *";
const IMAGE = "Görsel 1 *";
const CODE = "Ürün Kodu *";

/** 20 rows with 37 mistakes between them; the rows are interleaved with good ones. */
const MISTAKES: readonly (readonly Mistake[])[] = [
  [[PRICE, "on iki", "E_NOT_A_NUMBER"]],
  [[STOCK, -5, "E_STOCK_NEGATIVE"]],
  [
    [PRICE, 0, "E_PRICE_NOT_POSITIVE"],
    [STOCK, 1.5, "E_NOT_INTEGER"],
  ],
  [[TITLE, null, "E_REQUIRED"]],
  [
    [TITLE, null, "E_REQUIRED"],
    ["Alt Başlık *", null, "E_REQUIRED"],
    ["Açıklama *", null, "E_REQUIRED"],
  ],
  [[CATEGORY, "Böyle Bir Kategori Yok", "E_CATEGORY_UNKNOWN"]],
  [[CATEGORY, "Aksesuar", "E_CATEGORY_AMBIGUOUS"]],
  [
    [BRAND, "Hiç Duyulmamış Marka", "E_BRAND_UNKNOWN"],
    [PRICE, 19.999, "E_PRICE_PRECISION"],
  ],
  [
    [TYPE, "Ömür Boyu", "E_VALUE_UNKNOWN"],
    [TEMPLATE, "Olmayan Şablon", "E_TEMPLATE_UNKNOWN"],
  ],
  [[PERIOD, "24 Ay", "E_WARRANTY"]],
  [
    [IMAGE, "http://ornek.example/a.jpg", "E_IMAGE_URL"],
    [STOCK, "çok", "E_NOT_A_NUMBER"],
  ],
  [
    [TITLE, null, "E_REQUIRED"],
    [PRICE, null, "E_REQUIRED"],
    [STOCK, null, "E_REQUIRED"],
    [TEMPLATE, null, "E_REQUIRED"],
    [IMAGE, null, "E_REQUIRED"],
  ],
  [[PRICE, "1E+3", "E_NOT_A_NUMBER"]],
  [
    [PRICE, "12,3456", "E_PRICE_PRECISION"],
    [STOCK, "-1", "E_STOCK_NEGATIVE"],
  ],
  [
    ["Model *", null, "E_REQUIRED"],
    [PRICE, "1,234.5,6", "E_NOT_A_NUMBER"],
  ],
  [
    [BRAND, null, "E_REQUIRED"],
    ["Açıklama *", null, "E_REQUIRED"],
  ],
  [[CODE, "8,69E+12", "E_CODE_NOT_TEXT"]],
  [
    [CODE, null, "E_KEY_MISSING"],
    [TYPE, "?", "E_VALUE_UNKNOWN"],
  ],
  [
    [PERIOD, "5 Yıl", "E_VALUE_UNKNOWN"],
    [IMAGE, "resim.jpg", "E_IMAGE_FILE"],
    [PRICE, -1, "E_PRICE_NOT_POSITIVE"],
  ],
  [
    [STOCK, "12,0", "E_NOT_INTEGER"],
    [TITLE, null, "E_REQUIRED"],
  ],
];

/** Rows 2, 4, … are bad, and rows 3, 5, … below each of them are good. */
function sheetRows(): ProductRow[] {
  return MISTAKES.flatMap((mistakes, index) => [
    goodRow(index + 1, Object.fromEntries(mistakes.map(([header, value]) => [header, value]))),
    goodRow(index + 101),
  ]);
}

const expected = MISTAKES.flatMap((mistakes, index) =>
  mistakes.map(([header, , code]) => `${addressOf(header, 2 * index + 2)} ${code}`),
).toSorted();

interface Document {
  readonly issues: readonly { readonly cell: string; readonly code: string }[];
}

const found = ({ issues }: Document): string[] =>
  issues.map(({ cell, code }) => `${cell} ${code}`).toSorted();

describe("a file with 37 mistakes in 20 rows", () => {
  it("has 37 mistakes in 20 rows", () => {
    expect([MISTAKES.length, expected.length]).toEqual([20, 37]);
  });

  it("gets exactly 37 issues, each at its cell, and the other rows are sent", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", sheetRows());

    const { code, out } = await shop.run("import", file, "--yes", "--json");

    const document = JSON.parse(out);
    expect(found(document)).toEqual(expected);
    expect(code).toBe(5);
    expect(document).toMatchObject({ exit: 5, counts: { rows: 40, added: 20, invalid: 20 } });
    const codes = shop.sandbox.products().map(({ product_code }) => product_code);
    expect(codes.toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => `TST-${String(index + 101).padStart(5, "0")}`),
    );
  });

  it("sends nothing with --strict", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", sheetRows());

    const { code, out, err } = await shop.run("import", file, "--yes", "--json", "--strict");

    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ exit: 3, counts: { added: 0, pending: 20 } });
    expect(err).toContain("--strict");
    expect(shop.sandbox.stats()).toMatchObject({ products: 0, adds: 0 });
  });

  it("sends nothing with fewer --max-errors than there are bad rows", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", sheetRows());

    const few = await shop.run("import", file, "--yes", "--json", "--max-errors", "19");
    const share = await shop.run("import", file, "--yes", "--json", "--max-errors", "10%");
    const enough = await shop.run("import", file, "--yes", "--json", "--max-errors", "50%");

    expect([few.code, share.code, enough.code]).toEqual([3, 3, 5]);
    expect(shop.sandbox.stats().adds).toBe(20);
  });

  it("writes the bad rows into a file that can be corrected and imported again", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", sheetRows());
    const first = await shop.run("import", file, "--yes", "--json");
    const { failed } = JSON.parse(first.out).files;

    const again = await shop.run("import", failed, "--yes", "--json");

    expect(JSON.parse(again.out)).toMatchObject({
      exit: 3,
      counts: { rows: 20, invalid: 20, added: 0, unchanged: 0 },
    });
    expect(found(JSON.parse(again.out)).length).toBe(37);
  });
});
