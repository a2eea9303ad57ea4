import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  type Cell,
  goodRow,
  type ProductRow,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

type Renamed = Readonly<Record<string, string>>;

const quote = (text: Cell): string => `"${String(text ?? "").replaceAll('"', '""')}"`;

/** Good rows as a CSV file, with some headers renamed. */
function writeProducts(
  shop: TestStore,
  rows: readonly ProductRow[],
  renamed: Renamed = {},
): string {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    headers.map((header) => quote(renamed[header] ?? header)),
    ...rows.map((row) => headers.map((header) => quote(row[header] ?? null))),
  ];
  return writeText(shop.folder, "liste.csv", lines.map((line) => line.join(";")).join("\n"));
}

const importJson = async (shop: TestStore, ...args: readonly string[]) => {
  const { code, out } = await shop.run("import", ...args, "--yes", "--json");
  return { code, ...JSON.parse(out) };
};

const issuesOf = (issues: readonly { readonly code: string; readonly column: string }[]) =>
  issues.map(({ code, column }) => `${code} ${column}`);

const sent = (shop: TestStore) =>
  shop.sandbox
    .products()
    .map(({ price, currency, stock_count: stock }) => ({ price, currency, stock }));

describe("a column beside the price column", () => {
  it.each([
    ["Fiyat (USD)", "12,50"],
    ["Fiyat (KDV'siz)", "416,58"],
  ])("is not mapped under “%s”, and both are named with their contents", async (header, value) => {
    const shop = await openTestStore();
    const row = goodRow(1, { "Fiyat *": "499,90", "Stok *": 7, [header]: value });
    const file = writeProducts(shop, [row], { "Fiyat *": "Satış Fiyatı" });

    const { code, warnings } = await importJson(shop, file);

    expect(code).toBe(0);
    expect(sent(shop)).toMatchObject([{ price: 49_990, stock: 7 }]);
    expect(sent(shop)[0]?.currency ?? "TL").toBe("TL");
    expect(warnings.join("\n")).toContain(
      `“${header}” sütunu (N: ${value}) kullanılmadı: “Fiyat” alanı “Satış Fiyatı” (H: 499,90) sütunundan alındı.`,
    );
  });

  it("is not mapped as the price when it is the only one", async () => {
    const shop = await openTestStore();
    const file = writeProducts(shop, [goodRow(1, { "Fiyat *": "12,50" })], {
      "Fiyat *": "Fiyat (USD)",
    });

    const { code } = await importJson(shop, file);

    expect(code).toBe(3);
    expect(sent(shop)).toEqual([]);
  });

  it("needs a currency when a person maps it by a header that names one", async () => {
    const shop = await openTestStore();
    const file = writeProducts(shop, [goodRow(1, { "Fiyat *": "12,50" })], {
      "Fiyat *": "Fiyat (USD)",
    });
    const map = ["--map", "Fiyat (USD)=price"];

    const refused = await importJson(shop, file, ...map);
    const accepted = await importJson(shop, file, ...map, "--set", "currency=USD");

    expect(issuesOf(refused.issues)).toEqual(["E_HEADER_CURRENCY Fiyat (USD)"]);
    expect(accepted.code).toBe(0);
    expect(sent(shop)).toMatchObject([{ price: 1250, currency: "USD" }]);
  });

  it.each(["Sale price", "Perakende Satış Fiyatı"])(
    "is asked about under “%s”, as it would change the meaning of the other",
    async (header) => {
      const shop = await openTestStore();
      const rows = [goodRow(1, { "Fiyat *": "899,90", [header]: "499,90" })];
      const file = writeProducts(shop, rows);

      const refused = await importJson(shop, file);
      const accepted = await importJson(shop, file, "--map", `${header}=price`);

      expect(refused).toMatchObject({ code: 3, error: { code: "E_FILE_COLUMNS" } });
      expect(issuesOf(refused.issues)).toEqual([`E_COLUMN_PRICE ${header}`]);
      expect(refused.issues[0].suggestion.en).toContain(`--map "${header}=-"`);
      expect(accepted.code).toBe(0);
      expect(sent(shop)).toMatchObject([{ price: 49_990 }]);
    },
  );

  it("may be the discounted price, and rows without one have no discount", async () => {
    const shop = await openTestStore();
    const rows = [
      goodRow(1, { "Fiyat *": "899,90", "Sale price": "499,90" }),
      goodRow(2, { "Fiyat *": "100,00", "Sale price": "" }),
    ];
    const file = writeProducts(shop, rows);

    const { code } = await importJson(shop, file, "--map", "Sale price=discount_value");

    expect(code).toBe(0);
    const products = shop.sandbox.products().toSorted((a, b) => b.price - a.price);
    expect(products).toMatchObject([
      { price: 89_990, discount_type: 3, discount_value: 49_990 },
      { price: 10_000 },
    ]);
  });

  it("causes no question under “Sale price” while it is empty", async () => {
    const shop = await openTestStore();
    const file = writeProducts(shop, [goodRow(1, { "Fiyat *": "10,00", "Sale price": "" })]);

    expect((await importJson(shop, file)).code).toBe(0);
    expect(sent(shop)).toMatchObject([{ price: 1000 }]);
  });
});

describe("a column of currencies that is not mapped", () => {
  it.each(["Satış Döviz", "Birim"])(
    "stops the plan under “%s”, and is read once it is mapped",
    async (header) => {
      const shop = await openTestStore();
      const rows = [
        goodRow(1, { "Fiyat *": "12,50", [header]: "USD" }),
        goodRow(2, { "Fiyat *": "13,50", [header]: "TL" }),
      ];
      const file = writeProducts(shop, rows);

      const refused = await importJson(shop, file);
      const accepted = await importJson(shop, file, "--map", `${header}=currency`);

      expect(refused.code).toBe(3);
      expect(issuesOf(refused.issues)).toEqual([`E_COLUMN_CURRENCY ${header}`]);
      expect(refused.issues[0].suggestion.tr).toContain(`--map "${header}=Para Birimi"`);
      expect(refused.issues[0].suggestion.tr).toContain(`--map "${header}=-"`);
      expect(accepted.code).toBe(0);
      const prices = sent(shop).toSorted((a, b) => a.price - b.price);
      expect(prices).toMatchObject([
        { price: 1250, currency: "USD" },
        { price: 1350, currency: "TL" },
      ]);
    },
  );

  it.each(["CURRENCY_CODE", "Döviz Cinsi"])(
    "is mapped under “%s”, which has no other meaning",
    async (header) => {
      const shop = await openTestStore();
      const file = writeProducts(shop, [goodRow(1, { "Fiyat *": "12,50", [header]: "USD" })]);

      expect((await importJson(shop, file)).code).toBe(0);
      expect(sent(shop)).toMatchObject([{ price: 1250, currency: "USD" }]);
    },
  );

  it("is ignored while it has the currency of the prices", async () => {
    const shop = await openTestStore();
    const rows = [
      goodRow(1, { "Satış Döviz": "TL" }),
      goodRow(2, { "Satış Döviz": "" }),
      goodRow(3, { "Satış Döviz": "₺" }),
    ];

    const { code } = await importJson(shop, writeProducts(shop, rows));

    expect(code).toBe(0);
    expect(sent(shop)).toHaveLength(3);
  });
});

describe("a supplier's list", () => {
  const LIST = { "Fiyat *": "Birim Fiyat", "Stok *": "Adet" };

  it("is refused until a person maps its columns", async () => {
    const shop = await openTestStore();
    const file = writeProducts(shop, [goodRow(1, { "Fiyat *": "12,50", "Stok *": 3 })], LIST);

    const refused = await importJson(shop, file);

    expect(refused.code).toBe(3);
    expect(issuesOf(refused.issues)).toEqual([
      "E_COLUMN_UNSURE Birim Fiyat",
      "E_COLUMN_UNSURE Adet",
    ]);
    expect(refused.issues[0].message.tr).toContain("(H: 12,50)");
    expect(refused.issues[0].suggestion.tr).toContain('--map "Birim Fiyat=Fiyat"');
    expect(refused.issues[0].suggestion.tr).toContain('--map "Birim Fiyat=-"');
    expect(sent(shop)).toEqual([]);
  });

  it("is sent as it was mapped, and recognized again", async () => {
    const shop = await openTestStore();
    const file = writeProducts(shop, [goodRow(1, { "Fiyat *": "12,50", "Stok *": 3 })], LIST);
    const maps = ["--map", "Birim Fiyat=price", "--map", "Adet=stock"];

    const accepted = await importJson(shop, file, ...maps);
    const again = await importJson(shop, file);

    expect(accepted.code).toBe(0);
    expect(sent(shop)).toMatchObject([{ price: 1250, stock: 3 }]);
    expect(again).toMatchObject({ code: 0, counts: { unchanged: 1 } });
    expect(again.notes.join("\n")).toContain("“Birim Fiyat” → Fiyat · “Adet” → Stok");
  });

  it("is not asked about when clearer columns give price and stock", async () => {
    const shop = await openTestStore();
    const row = goodRow(1, { "Fiyat *": "20,00", "Stok *": 7, "Birim Fiyat": "12,50", Adet: 3 });

    const { code, warnings } = await importJson(shop, writeProducts(shop, [row]));

    expect(code).toBe(0);
    expect(sent(shop)).toMatchObject([{ price: 2000, stock: 7 }]);
    expect(warnings.join("\n")).toContain("“Birim Fiyat” sütunu (N: 12,50) kullanılmadı");
    expect(warnings.join("\n")).toContain("“Adet” sütunu (O: 3) kullanılmadı");
  });
});

describe("a column “Garanti”", () => {
  const WARRANTY = { "Garanti Tipi *": "Garanti" };

  it("is asked about when it holds bare numbers, which mean years elsewhere", async () => {
    const shop = await openTestStore();
    const rows = [1, 2].map((n) =>
      goodRow(n, { "Garanti Tipi *": n === 1 ? "Garantisiz" : 2, "Garanti Süresi *": "0 Ay" }),
    );

    const refused = await importJson(shop, writeProducts(shop, rows, WARRANTY));

    expect(refused.code).toBe(3);
    expect(issuesOf(refused.issues)).toEqual(["E_COLUMN_NUMBERS Garanti"]);
    expect(sent(shop)).toEqual([]);
  });

  it("is the warranty type when it holds words, and our own header accepts numbers", async () => {
    const shop = await openTestStore();
    const words = goodRow(1, {
      "Garanti Tipi *": "İthalatçı Garantili",
      "Garanti Süresi *": "24 Ay",
    });
    const numbers = goodRow(2, { "Garanti Tipi *": 2, "Garanti Süresi *": "24 Ay" });
    const own = await writeWorkbook(shop.folder, "kendi.xlsx", [numbers]);

    const codes = [
      (await importJson(shop, writeProducts(shop, [words], WARRANTY))).code,
      (await importJson(shop, own)).code,
    ];

    expect(codes).toEqual([0, 0]);
    expect(shop.sandbox.products()).toMatchObject([{ warranty_type: 2 }, { warranty_type: 2 }]);
  });
});

describe("a feed", () => {
  it("is refused with the same text, as no question can be asked", async () => {
    const shop = await openTestStore({ products: 3 });
    const [product] = shop.sandbox.products();
    const before = sent(shop);
    const text = `Ürün Kodu;Birim Fiyat;Adet;Garanti\n${product?.product_code};12,50;3;2\n`;
    const feed = writeText(shop.folder, "besleme.csv", text);

    const { code, out } = await shop.run("sync", feed, "--json");

    expect(code).toBe(3);
    expect(issuesOf(JSON.parse(out).issues)).toEqual([
      "E_COLUMN_UNSURE Birim Fiyat",
      "E_COLUMN_UNSURE Adet",
    ]);
    expect(sent(shop)).toEqual(before);
  });

  it("is read with --map, whatever its other columns are", async () => {
    const shop = await openTestStore({ products: 3 });
    const [product] = shop.sandbox.products();
    const stock = (product?.stock_count ?? 0) + 2;
    const text = `Ürün Kodu;Adet;Döviz Kuru\n${product?.product_code};${stock};41,20\n`;
    const feed = writeText(shop.folder, "besleme.csv", text);

    const { code } = await shop.run("sync", feed, "--json", "--map", "Adet=stock");

    expect(code).toBe(0);
    expect(shop.sandbox.products()[0]?.stock_count).toBe(stock);
  });
});

it("the accepted mapping of “Fiyat” is not used for “Fiyat $”", async () => {
  const shop = await openTestStore({ products: 1 });
  const [product] = shop.sandbox.products();
  const write = (header: string) =>
    writeText(shop.folder, "liste.csv", `Kod;${header};Stok\n${product?.product_code};12,50;5\n`);
  const code = ["--map", "Kod=product_code"];
  await importJson(shop, write("Fiyat"), ...code, "--map", "Fiyat=-");

  const other = await shop.run("plan", write("Fiyat $"), "--json", ...code);
  const wrong = await shop.run("plan", write("Fiyat $"), "--json", "--map", "Fiyat=price");

  // The header counts as unknown, not as one that a person has left out.
  expect(JSON.parse(other.out).warnings.join("\n")).toContain(
    "Tanınmayan 1 sütun kullanılmadı: “Fiyat $”.",
  );
  expect(JSON.parse(wrong.out).issues).toMatchObject([{ code: "W_MAP_HEADER", value: "Fiyat" }]);
});
