import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeCsv, writeText } from "../../helpers/product-sheet.ts";

const importFile = (shop: TestStore, ...args: readonly string[]) =>
  shop.json("import", ...args, "--yes");

const questionsOf = (issues: readonly { readonly code: string; readonly column: string }[]) =>
  issues.map(({ code, column }) => `${code} ${column}`);

interface Question {
  readonly row: ProductRow;
  readonly renamed?: Readonly<Record<string, string>>;
  readonly asked: readonly string[];
  /** What a person answers. */
  readonly flags: readonly string[];
  readonly sent: object;
}

const QUESTIONS: Readonly<Record<string, Question>> = {
  "a second price": {
    row: { "Fiyat *": "899,90", "Sale price": "499,90" },
    asked: ["E_COLUMN_PRICE Sale price"],
    flags: ["--map", "Sale price=price"],
    sent: { price: 49_990 },
  },
  "a price that may be the discounted one": {
    row: { "Fiyat *": "899,90", "Sale price": "499,90" },
    asked: ["E_COLUMN_PRICE Sale price"],
    flags: ["--map", "Sale price=discount_value"],
    sent: { price: 89_990, discount_type: 3, discount_value: 49_990 },
  },
  "currencies that are not mapped": {
    row: { "Fiyat *": "12,50", Birim: "USD" },
    asked: ["E_COLUMN_CURRENCY Birim"],
    flags: ["--map", "Birim=currency"],
    sent: { price: 1250, currency: "USD" },
  },
  "price and stock of a supplier's list": {
    row: { "Fiyat *": "12,50", "Stok *": 3 },
    renamed: { "Fiyat *": "Birim Fiyat", "Stok *": "Adet" },
    asked: ["E_COLUMN_UNSURE Birim Fiyat", "E_COLUMN_UNSURE Adet"],
    flags: ["--map", "Birim Fiyat=price", "--map", "Adet=stock"],
    sent: { price: 1250, stock_count: 3 },
  },
  "warranties as bare numbers": {
    row: { "Garanti Tipi *": "2", "Garanti Süresi *": "24 Ay" },
    renamed: { "Garanti Tipi *": "Garanti" },
    asked: ["E_COLUMN_NUMBERS Garanti"],
    flags: ["--map", "Garanti=warranty_type"],
    sent: { warranty_type: 2 },
  },
};

describe("a column whose meaning is in doubt", () => {
  it.each(Object.entries(QUESTIONS))(
    "stops the plan until it is answered, and is read so from then on: %s",
    async (_, { row, renamed = {}, asked, flags, sent }) => {
      const shop = await openTestStore();
      const file = writeCsv(shop.folder, "liste.csv", [goodRow(1, row)], { renamed });

      const refused = await importFile(shop, file);
      const before = shop.sandbox.products().length;
      const accepted = await importFile(shop, file, ...flags);
      const again = await importFile(shop, file);

      expect(refused).toMatchObject({ exit: 3, error: { code: "E_FILE_COLUMNS" } });
      expect(questionsOf(refused.issues)).toEqual(asked);
      expect(refused.issues[0].suggestion.tr).toContain(`--map "${asked[0]?.split(" ", 2)[1]}`);
      expect([before, accepted.exit]).toEqual([0, 0]);
      expect(shop.sandbox.products()).toMatchObject([sent]);
      expect(again).toMatchObject({ exit: 0, counts: { unchanged: 1 } });
    },
  );

  it("needs a currency where it is mapped by a header that names one", async () => {
    const shop = await openTestStore();
    const renamed = { "Fiyat *": "Fiyat (USD)" };
    const row = goodRow(1, { "Fiyat *": "12,50" });
    const file = writeCsv(shop.folder, "liste.csv", [row], { renamed });
    const map = ["--map", "Fiyat (USD)=price"];

    const unmapped = await importFile(shop, file);
    const refused = await importFile(shop, file, ...map);
    const accepted = await importFile(shop, file, ...map, "--set", "currency=USD");

    expect([unmapped.exit, accepted.exit]).toEqual([3, 0]);
    expect(questionsOf(refused.issues)).toEqual(["E_HEADER_CURRENCY Fiyat (USD)"]);
    expect(shop.sandbox.products()).toMatchObject([{ price: 1250, currency: "USD" }]);
  });
});

it("columns beside those that are used are named with their contents", async () => {
  const shop = await openTestStore();
  const row = { "Fiyat *": "499,90", "Stok *": 7, "Fiyat (USD)": "12,50", Adet: 3 };
  const renamed = { "Fiyat *": "Satış Fiyatı" };
  const file = writeCsv(shop.folder, "liste.csv", [goodRow(1, row)], { renamed });

  const { exit, warnings } = await importFile(shop, file);

  expect(exit).toBe(0);
  expect(shop.sandbox.products()).toMatchObject([{ price: 49_990, stock_count: 7 }]);
  expect(warnings.join("\n")).toContain(
    "“Fiyat (USD)” sütunu (N: 12,50) kullanılmadı: “Fiyat” alanı “Satış Fiyatı” (H: 499,90) sütunundan alındı.",
  );
  expect(warnings.join("\n")).toContain("“Adet” sütunu (O: 3) kullanılmadı");
});

it("a feed is refused with the same questions, and read with their answers", async () => {
  const shop = await openTestStore({ products: 3 });
  const [product] = shop.sandbox.products();
  const stock = (product?.stock_count ?? 0) + 2;
  const feed = writeText(shop.folder, "besleme.csv", [
    "Ürün Kodu;Birim Fiyat;Adet;Garanti;Döviz Kuru",
    `${product?.product_code};12,50;${stock};2;41,20`,
  ]);

  const refused = await shop.json("sync", feed);
  const before = shop.sandbox.stats().updates;
  const read = await shop.json("sync", feed, "--map", "Adet=stock", "--map", "Birim Fiyat=-");

  const asked = ["E_COLUMN_UNSURE Birim Fiyat", "E_COLUMN_UNSURE Adet"];
  expect([refused.exit, questionsOf(refused.issues), before]).toEqual([3, asked, 0]);
  expect([read.exit, shop.sandbox.products()[0]?.stock_count]).toEqual([0, stock]);
});

it("the accepted mapping of “Fiyat” is not used for “Fiyat $”", async () => {
  const shop = await openTestStore({ products: 1 });
  const [product] = shop.sandbox.products();
  const write = (header: string) =>
    writeText(shop.folder, "liste.csv", `Kod;${header};Stok\n${product?.product_code};12,50;5\n`);
  const code = ["--map", "Kod=product_code"];
  await importFile(shop, write("Fiyat"), ...code, "--map", "Fiyat=-");

  const other = await shop.json("plan", write("Fiyat $"), ...code);
  const wrong = await shop.json("plan", write("Fiyat $"), "--map", "Fiyat=price");

  // The header counts as unknown, not as one that a person has left out.
  expect(other.warnings.join("\n")).toContain("Tanınmayan 1 sütun kullanılmadı: “Fiyat $”.");
  expect(wrong.issues).toMatchObject([{ code: "W_MAP_HEADER", value: "Fiyat" }]);
});
