import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { type BiggestChanges, EMPTY_SUMMARY, readColumnUses } from "@catalog/report";
import { describe, expect, it } from "vitest";

import { formatChanges, formatColumnUses, listAssumed } from "../src/planned-tables.ts";

const PRICE: BiggestChanges["prices"][number] = {
  row: 2,
  code: "SBX-000001",
  field: "price",
  old: 328_390,
  new: 1_116_526,
  percent: 240,
  isHeld: true,
};
const STOCK: BiggestChanges["prices"][number] = {
  ...PRICE,
  row: 9,
  field: "stock_count",
  old: 69,
  new: 0,
  percent: -100,
  isHeld: false,
};

it("shows below a price what the buyer pays, where a discount makes that differ", () => {
  const paid = { ...PRICE, paid: { old: 300_000, new: 300_000, percent: null } };
  const unsure = { ...PRICE, row: 3, paid: { old: 300_000, new: null, percent: null } };
  const none = { stocks: [], others: [], names: {}, rows: { price: 2, stock_count: 0 } };

  const lines = formatChanges({ ...none, prices: [paid, unsure] }, "tr")
    .trimEnd()
    .split("\n");

  expect(lines.slice(2)).toEqual([
    "     2  SBX-000001                 3.283,90 →    11.165,26    +%240  bekler",
    "        alıcının ödediği           3.000,00 →     3.000,00",
    "     3  SBX-000001                 3.283,90 →    11.165,26    +%240  bekler",
    "        alıcının ödediği           3.000,00 →  belli değil",
  ]);
});

describe("listAssumed", () => {
  it("names fields of unproven capability, by call", () => {
    const field = { rows: 8, capability: "assumed" } as const;
    const lines = listAssumed(
      [
        { ...field, action: "add", field: "properties", rows: 1 },
        { ...field, action: "update", field: "stock_count" },
        { ...field, action: "update", field: "price", capability: "documented" },
        { ...field, action: "update", field: "images", capability: "proven" },
      ],
      "tr",
    );

    expect(lines).toEqual([
      expect.stringContaining(
        "eklerken gönderilebileceği yazmayan alanlar da gönderilir: Özellikler (1 satır).",
      ),
      expect.stringContaining("güncellenebileceği yazmayan alanlar da gönderilir: Stok (8 satır)."),
    ]);
  });
});

describe("formatChanges", () => {
  it("shows prices in major units and stocks in pieces, in Turkish", () => {
    const rows = { price: 5, stock_count: 1 };
    expect(formatChanges({ prices: [PRICE], stocks: [STOCK], others: [], names: {}, rows }, "tr"))
      .toMatchInlineSnapshot(`
      "
      En büyük fiyat değişimleri (5 satırdan)
           2  SBX-000001                 3.283,90 →    11.165,26    +%240  bekler

      En büyük stok değişimleri (1 satırdan)
           9  SBX-000001                       69 →            0    −%100
      "
    `);
  });

  it("names the ids of brands and categories, and says which have no known name", () => {
    const sample = { row: 3, code: "K-1", old: "5b1e", new: "5b2f", isHeld: false };
    const others = [{ field: "brand_id", rows: 9, samples: [sample] }];
    const rows = { price: 0, stock_count: 0 };

    const text = formatChanges(
      { prices: [], stocks: [], others, rows, names: { "5b1e": "Bosch" } },
      "en",
    );

    expect(text).toContain("Bosch → unknown (ID 5b2f)");
  });

  it("shows of every other field the rows that keep the least", () => {
    const sample = {
      row: 12,
      code: "SBX-000001",
      old: "Uzaylux Lale Serisi Dönence",
      isHeld: true,
    };
    const others = [{ field: "title", rows: 50, samples: [{ ...sample, new: "Ölçü" }] }];
    const rows = { price: 0, stock_count: 0 };

    expect(formatChanges({ prices: [], stocks: [], others, rows, names: {} }, "tr"))
      .toMatchInlineSnapshot(`
      "
      Değişen alan: Başlık (50 satır)
          12  SBX-000001            Uzaylux Lale Seris… → Ölçü  bekler
      "
    `);
  });

  it("writes less than a percent with a decimal", () => {
    const small = { ...PRICE, old: 34_990, new: 35_100, percent: 0.3 };
    const changes = {
      prices: [small],
      stocks: [],
      others: [],
      names: {},
      rows: { price: 1, stock_count: 0 },
    };

    expect(formatChanges(changes, "tr")).toContain("+%0,3 ");
    expect(formatChanges({ ...changes, prices: [{ ...small, percent: 33.3 }] }, "en")).toContain(
      "+33% ",
    );
  });

  it.each([
    [1, "(of 1 row)"],
    [5, "(of 5 rows)"],
  ])("counts %s in English", (price, counted) => {
    const changes = {
      prices: [PRICE],
      stocks: [],
      others: [],
      names: {},
      rows: { price, stock_count: 0 },
    };

    expect(formatChanges(changes, "en")).toContain(counted);
  });

  it("shows nothing where nothing changes", () => {
    const rows = { price: 0, stock_count: 0 };
    expect(formatChanges({ prices: [], stocks: [], others: [], names: {}, rows }, "en")).toBe("");
  });

  it.each(["tr", "en"] as const)(
    "fits into 80 columns, whatever the code and the amounts (%s)",
    (lang) => {
      const long = {
        ...PRICE,
        row: 99_999,
        code: "K".repeat(80),
        new: 99_999_999_999,
        percent: 30_451,
      };
      const lines = formatChanges(
        { prices: [long], stocks: [], others: [], names: {}, rows: { price: 1, stock_count: 0 } },
        lang,
      ).split("\n");

      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    },
  );
});

it("shows each column with its field and the first value that is not empty", async () => {
  const { connection } = await createTestConnection();
  const stored = await storeRun(connection, {
    header: ["Stok Kodu", "Satış", "Renk", "KDV", "", "Handle", "Alış", "Bayi", "Desen"],
    rows: [
      { cells: ["A-1", null, "", 20] },
      { cells: ["A-2", 12.5, "Mavi", 20, "x", "kupa", 9, 10, "Puantiyeli"] },
    ],
  });
  const columns = {
    profile: null,
    columns: {},
    chosen: [],
    constants: { currency: "TL" },
    decimal: null,
    used: "product_code,price,property:Renk,-,?,variants,cost,rules,option2".split(","),
  };
  const run = {
    ...stored,
    progress: { reading: { defaults: [["sub_title", "Mağazamızdan"] as const] } },
    facts: {
      readBy: "listing",
      priceUnit: "minor",
      planned: EMPTY_SUMMARY.planned,
      reading: { notes: [], openNames: [], columns },
    } as const,
  };

  const uses = await readColumnUses(connection, run);

  expect(formatColumnUses(uses, { lang: "tr", columns: 100 })).toMatchInlineSnapshot(`
    "
    Hangi sütun hangi alan (örnek değerle)
      A  Stok Kodu                    → Ürün Kodu           A-1
      B  Satış                        → Fiyat               12.5
      C  Renk                         → Özellik: Renk       Mavi
      D  KDV                          → kullanılmadı        20
      F  Handle                       → (varyantlar)        kupa
      G  Alış                         → Maliyet             9
      H  Bayi                         → (fiyat kuralları)   10
      I  Desen                        → Varyant seçeneği 2  Puantiyeli
         (bütün satırlar)             → Para Birimi         TL
         (yeni ürünlerde varsayılan)  → Alt Başlık          Mağazamızdan
    "
  `);
  expect(formatColumnUses([], { lang: "tr", columns: 100 })).toBe("");
});
