import { describe, expect, it } from "vitest";

import { isClearKeyword } from "../../src/rows/row-work.ts";
import { brief, mapOne, mapSheet } from "../helpers/map-sheet.ts";

describe("a default value that the store does not have", () => {
  const header =
    "SKU|Başlık|Alt Başlık|Kategori|Marka|Model|Açıklama|Fiyat|Stok|Garanti Tipi|Garanti Süresi|" +
    "Görsel 1|Kargo Şablonu";
  const file = { header, rows: [["K1"]] } as const;

  it("is named in the issue, with the command that corrects it", async () => {
    const defaults = new Map([["shipping_template", "Standart Krgo"]]);

    const { rows } = await mapSheet({ ...file, defaults });

    const [issue] = rows[0]?.asAdd?.().issues ?? [];
    expect(issue).toMatchObject({ code: "E_TEMPLATE_UNKNOWN", value: "Standart Krgo" });
    expect(issue?.message.en).toContain("its saved default “Standart Krgo”");
    expect(issue?.suggestion?.tr).toContain(
      'catalog rules default "Teslimat Şablonu" "Standart Kargo"',
    );
  });

  it("leaves the name open in the command where none is near, and asks for no rule", async () => {
    const defaults = new Map([["shipping_template", "Yokşablon"]]);

    const { mapper, rows } = await mapSheet({ ...file, defaults });

    const [issue] = rows[0]?.asAdd?.().issues ?? [];
    expect(issue?.suggestion?.en).toContain('rules default "Shipping Template" "…"');
    expect(await mapper.findOpenNames({ row: 2, cells: ["K1"] })).toEqual([]);
  });
});

describe("isClearKeyword", () => {
  it.each(["<CLEAR>", "<SİL>", "<SIL>", "<sil>", "< clear >"])(
    "accepts %s as clear keyword",
    (text) => expect(isClearKeyword(text)).toBe(true),
  );
  it.each(["SİL", "<b>", "<silme>", "clear", "<>"])("does not accept %s as clear keyword", (text) =>
    expect(isClearKeyword(text)).toBe(false),
  );
});

describe("a clear keyword", () => {
  it("removes a discount and a personalisation", async () => {
    const row = await mapOne("SKU|İndirim Değeri|Kişiselleştirme", ["K1", "<SİL>", "<CLEAR>"]);

    expect(row.issues).toEqual([]);
    expect(row.clears).toEqual(["discount_value", "custom_order"]);
    expect(row.changes).toEqual({
      product_code: "K1",
      has_discount: false,
      custom_order_input: false,
    });
  });

  it("is refused for a required field and for one that cannot be cleared", async () => {
    const row = await mapOne("SKU|Başlık|Para Birimi", ["K1", "<SİL>", "<SİL>"]);

    expect(brief(row.issues)).toEqual(["B2 E_CLEAR_REQUIRED", "C2 E_CLEAR"]);
    expect(row.clears).toEqual([]);
    expect(row.changes).toEqual({ product_code: "K1" });
  });
});

describe("a formula without its result", () => {
  it("is refused in every column that is sent", async () => {
    const row = await mapOne("SKU|Başlık|Fiyat|Not", ["=A1", '="a"&"b"', "=1+1", "x"], {
      traits: { 0: "formula", 1: "formula", 2: "formula" },
    });

    expect(brief(row.issues)).toEqual(["A2 E_FORMULA", "B2 E_FORMULA", "C2 E_FORMULA"]);
    expect(row.code).toBeUndefined();
    expect(row.warnings).toEqual([]);
  });

  it("is text in a text cell of a workbook", async () => {
    expect((await mapOne("SKU|Başlık", ["K1", "=1+1"])).changes.title).toBe("=1+1");
  });
});

describe("broken cells", () => {
  it("are reported in any column, found by trait or by text", async () => {
    const row = await mapOne("SKU|Başlık|Fiyat|Not", ["K1", "#YOK", "#REF!", "x"], {
      traits: { 3: "error" },
    });

    expect(brief(row.issues)).toEqual(["B2 E_CELL_ERROR", "C2 E_CELL_ERROR", "D2 E_CELL_ERROR"]);
  });

  it("are reported when they became dates, with an own text for the code", async () => {
    const row = await mapOne("SKU|Fiyat|Model", [44927, 44928, 44929], {
      traits: { 0: "date", 1: "date", 2: "date" },
    });

    expect(brief(row.issues)).toEqual(["A2 E_CODE_NOT_TEXT", "B2 E_CELL_DATE", "C2 E_CELL_DATE"]);
  });

  it("do not include the dates of a note, which is not sent", async () => {
    const row = await mapOne("SKU|Fiyat|Not", ["K1", 5, "2026-03-01"], { traits: { 2: "date" } });

    expect(row.issues).toEqual([]);
  });

  it("do not include formulas, which only warn", async () => {
    const row = await mapOne("SKU|Fiyat", ["K1", 19.99], { traits: { 1: "formula" } });

    expect(row.issues).toEqual([]);
    expect(brief(row.warnings)).toEqual(["B2 W_FORMULA"]);
    expect(row.changes.price).toBe(1999);
  });
});

describe("a constant", () => {
  const constants = new Map([
    ["currency", "USD"],
    ["stock", "7"],
  ]);

  it("is used where the cell is empty or the column is missing", async () => {
    const row = await mapOne("SKU|Stok", ["K1", ""], { constants });

    expect(row.changes).toEqual({ product_code: "K1", currency: "USD", stock_count: 7 });
  });

  it("is not used where the cell has a value", async () => {
    const row = await mapOne("SKU|Stok", ["K1", 3], { constants });

    expect(row.changes.stock_count).toBe(3);
  });

  it("is reported without a cell when it is wrong", async () => {
    const row = await mapOne("SKU", ["K1"], { constants: new Map([["stock", "çok"]]) });

    expect(row.issues).toMatchObject([
      { code: "E_NOT_A_NUMBER", column: "Stok", cell: "", row: 2, value: "çok" },
    ]);
  });
});

it("reports the issues of a row in the order of its columns", async () => {
  const row = await mapOne("Stok|Fiyat|SKU", ["x", "y", 1.5]);

  expect(brief(row.issues)).toEqual([
    "A2 E_NOT_A_NUMBER",
    "B2 E_NOT_A_NUMBER",
    "C2 E_CODE_NOT_TEXT",
  ]);
});
