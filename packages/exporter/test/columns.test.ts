import { idSchemas } from "@catalog/contract";
import { InputError, type Localized } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { toSheetAmount, withUnit } from "../src/columns/amount-columns.ts";
import { chooseColumns, listExportColumns } from "../src/columns/choose-columns.ts";
import { ORDER_COLUMNS } from "../src/columns/order-columns.ts";
import { priceFields } from "../src/columns/product-columns.ts";
import { EXPORT_KINDS } from "../src/kinds.ts";

it.each(EXPORT_KINDS)("lists the columns of %s by keys that are all different", (kind) => {
  const columns = listExportColumns(kind, "tr");

  expect(columns.length).toBeGreaterThan(1);
  expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
  expect(columns.filter(({ label }) => /\*|\(/u.test(label))).toEqual([]);
});

it("lists keys that an export takes", () => {
  const keys = listExportColumns("orders", "en").map(({ key }) => key);

  expect(chooseColumns(withUnit(ORDER_COLUMNS, "unknown"), keys).map(({ key }) => key)).toEqual(
    keys,
  );
});

it("tells which product columns need all that the listing has", () => {
  const columns = listExportColumns("products", "en");

  expect(columns[0]).toMatchObject({ key: "product_id", isFurther: false });
  expect(columns.at(-1)?.isFurther).toBe(true);
});

describe("toSheetAmount", () => {
  const cases = [
    [328390, "minor", 3283.9],
    ["3283.90", "major", 3283.9],
    [12.345, "major", 12.345],
    [1234.5, "minor", 12.345],
    [0.1 + 0.2, "major", 0.3],
    [5, "unknown", undefined],
  ] as const;
  it.each(cases)("turns %s in %s units into %s", (amount, unit, expected) => {
    expect(toSheetAmount(amount, unit)).toBe(expected);
  });
});

it.each([
  [1, true],
  [2, false],
  [3, true],
])("priceFields takes the value of a discount of type %d for money: %s", (type, isMoney) => {
  const column = priceFields("minor").find(({ key }) => key === "discount_value");
  const product = { price: 9000, has_discount: true, discount_type: type, discount_value: 20 };

  const found = column?.isMoney?.({
    product: { id: idSchemas.product.parse("a".repeat(24)), ...product },
    status: "approved",
  });

  expect(found).toBe(isMoney);
});

const column = (key: string, tr: string, en: string) => ({
  key,
  header: { tr, en },
  cell: () => "",
});

const COLUMNS = [
  column("title", "Başlık *", "Title *"),
  column("brand_name", "Marka", "Brand"),
  column("brand", "Marka ID", "Brand ID"),
  column("stock", "Stok", "Stock"),
  ...["1", "2", "3"].map((n) => column(`image_${n}`, `Görsel ${n}`, `Image ${n}`)),
  column("paid_price", "Satış Tutarı, birimi bilinmiyor", "Paid Price, unit unknown"),
];

function complain(...wanted: readonly string[]): Localized {
  try {
    chooseColumns(COLUMNS, wanted);
  } catch (error) {
    if (error instanceof InputError) return error.localized;
    throw error;
  }
  throw new Error("not refused");
}

const LISTED = "Sütunlar: Başlık, Marka, Marka ID, Stok, Görsel 1-3, paid_price";

describe("chooseColumns", () => {
  it("takes keys and headers of both languages, in the given order", () => {
    const chosen = chooseColumns(COLUMNS, ["stock", "Başlık", "Brand ID"]);

    expect(chosen.map(({ key }) => key)).toEqual(["stock", "title", "brand"]);
  });

  it("names the nearest columns before the short list of all", () => {
    expect(complain("marca")).toEqual({
      tr: `--columns: “marca” diye bir sütun yok. Bunlardan biri mi: “Marka”, “Marka ID”?\n${LISTED}`,
      en: "--columns: there is no column “marca”. Did you mean one of these: “Brand”, “Brand ID”?\nThe columns: Title, Brand, Brand ID, Stock, Image 1-3, paid_price",
    });
  });

  it("names every unknown column at once, with the nearest one of each", () => {
    expect(complain("sto", "title", "baslik2", "foo").tr).toBe(
      `--columns: “sto”, “baslik2”, “foo” diye sütun yok. Bunlardan biri mi: “Stok”, “Başlık”?\n${LISTED}`,
    );
  });

  it("asks about a single near column as about one", () => {
    const { tr, en } = complain("stoc");

    expect([tr, en]).toEqual([
      expect.stringContaining(" Bunu mu demek istediniz: “Stok”?"),
      expect.stringContaining(" Did you mean “Stock”?"),
    ]);
  });

  it("lists the columns only where no name is near", () => {
    expect(complain("foo").tr).toBe(`--columns: “foo” diye bir sütun yok.\n${LISTED}`);
  });
});
