import { describe, expect, it } from "vitest";

import { brief, mapOne, mapSheet } from "../helpers/map-sheet.ts";

describe("warranty", () => {
  const cases: readonly (readonly [string, string, unknown])[] = [
    ["Garantisiz", "0", { warranty_type: 1, warranty_period: 0 }],
    ["İthalatçı", "2 Yıl", { warranty_type: 2, warranty_period: 24 }],
    ["Servis", "", { warranty_type: 4 }],
    ["", "12 Ay", { warranty_period: 12 }],
    ["Garantisiz", "24", ["C2 E_WARRANTY"]],
    ["Tedarikçi", "0 Ay", ["C2 E_WARRANTY"]],
    ["Tedarikçi", "18", ["C2 E_VALUE_UNKNOWN"]],
    ["Ömürlük", "18", ["B2 E_VALUE_UNKNOWN", "C2 E_VALUE_UNKNOWN"]],
  ];
  for (const [type, period, expected] of cases) {
    it(`is as expected for type ${type || "nothing"} and period ${period || "nothing"}`, async () => {
      const row = await mapOne("SKU|Garanti Tipi|Garanti Süresi", ["K1", type, period]);
      const { product_code: _, ...changes } = row.changes;

      expect(row.issues.length > 0 ? brief(row.issues) : changes).toEqual(expected);
    });
  }

  it("is reported at the type when the period is a constant", async () => {
    const constants = new Map([["warranty_period", "0"]]);
    const row = await mapOne("SKU|Garanti Tipi", ["K1", "Servis"], { constants });

    expect(brief(row.issues)).toEqual(["B2 E_WARRANTY"]);
  });
});

const IMAGE = "https://img.example.com";

describe("images", () => {
  const a = "https://example.com/a.jpg";
  const b = "https://example.com/b.jpg";
  const c = "https://example.com/c.jpg";

  it("are sent in the order of their numbers, whatever the order of the columns, then the list", async () => {
    const row = await mapOne("SKU|Görsel 2|Görseller|Görsel 1", ["K1", b, `${c}; ${a}2`, a]);

    expect(row.changes.images).toEqual([a, b, c, `${a}2`]);
  });

  it("are sent once each, with a warning", async () => {
    const row = await mapOne("SKU|Görsel 1|Görsel 2|Görseller", ["K1", a, a, `${b}|${b}`]);

    expect(row.changes.images).toEqual([a, b]);
    expect(brief(row.warnings)).toEqual(["C2 W_IMAGE_TWICE", "D2 W_IMAGE_TWICE"]);
  });

  it("are reported one by one, also within a cell, and not sent in part", async () => {
    const row = await mapOne("SKU|Görsel 1|Görseller", ["K1", a, `x.jpg; http://y.z/1; ${b}`]);

    expect(row.issues.map(({ cell, code, value }) => [cell, code, value])).toEqual([
      ["C2", "E_IMAGE_FILE", "x.jpg"],
      ["C2", "E_IMAGE_URL", "http://y.z/1"],
    ]);
    expect(row.changes.images).toBeUndefined();
  });
});

describe("images given by file name", () => {
  it("are accepted where the caller takes file names, each with its location", async () => {
    const cells = ["K1", "kaşık.jpg", "https://example.com/a.jpg; mutfak/çatal.png"];

    const row = await mapOne("SKU|Görsel 1|Görseller", cells, { takesImageFiles: true });

    expect(brief(row.issues)).toEqual([]);
    expect(
      row.imageFiles.map(({ kind, text, place }) => [kind, text, place.cell, place.value]),
    ).toEqual([
      ["file", "kaşık.jpg", "B2", "kaşık.jpg"],
      ["address", "https://example.com/a.jpg", "C2", "https://example.com/a.jpg"],
      ["file", "mutfak/çatal.png", "C2", "mutfak/çatal.png"],
    ]);
    expect(row.changes.images).toEqual(row.imageFiles.map(({ text }) => text));
  });

  it("are an issue when they are paths", async () => {
    const cells = ["K1", "file:///etc/passwd", "C:\\kaşık.jpg"];

    const row = await mapOne("SKU|Görsel 1|Görsel 2", cells, { takesImageFiles: true });

    expect(brief(row.issues)).toEqual(["B2 E_PATH", "C2 E_PATH"]);
    expect(row.imageFiles).toEqual([]);
  });
});

it("trims texts and otherwise sends them as they are", async () => {
  const header = "SKU|Başlık|Alt Başlık|Açıklama|Not";
  const row = await mapOne(header, ["K1", " Kaşık ", 30, "<p>a</p>\n b", "x"]);

  expect(row.changes).toEqual({
    product_code: "K1",
    title: "Kaşık",
    sub_title: "30",
    description: "<p>a</p>\n b",
  });
});

it("reads booleans of the spreadsheet, and the condition", async () => {
  const row = await mapOne("SKU|Kişiselleştirme|Kondisyon", ["K1", true, "2. el"]);

  expect(row.changes).toEqual({
    product_code: "K1",
    custom_order_input: true,
    product_condition: "used",
  });
});

it("reads stock counts, zero included", async () => {
  expect((await mapOne("SKU|Stok", ["K1", "0"])).changes.stock_count).toBe(0);
  expect(brief((await mapOne("SKU|Stok", ["K1", "12,5"])).issues)).toEqual(["B2 E_NOT_INTEGER"]);
});

it("warns of HTML codes in a title, which is sent as it is written", async () => {
  const header = "Ürün Kodu|Başlık|Alt Başlık|Açıklama";
  const { rows } = await mapSheet({
    header,
    rows: [
      ["K1", "Tava &amp; Kapak", "Ev & Bahçe", "a &amp; b"],
      ["K2", "AT&T kablosu", "R&D;", null],
    ],
  });

  expect(rows.map(({ warnings }) => brief(warnings))).toEqual([["B2 W_TEXT_CODES"], []]);
  expect(rows[0]?.changes.title).toBe("Tava &amp; Kapak");
  expect(rows[0]?.warnings[0]?.suggestion?.tr).toContain("“Tava & Kapak”");
});

describe("a value for all rows", () => {
  const cases: readonly (readonly [string, string, string, readonly string[] | undefined])[] = [
    ["image_1", "Ürün Kodu|Görseller", `${IMAGE}/1.jpg;${IMAGE}/2.jpg`, ["1", "2"]],
    ["image_1", "Ürün Kodu|Görsel 2", `${IMAGE}/1.jpg`, ["1"]],
    ["images", "Ürün Kodu|Görsel 3", `${IMAGE}/1.jpg`, ["1"]],
    ["image_1", "Ürün Kodu|Görseller", "", ["0"]],
    ["images", "Ürün Kodu|Görsel 1", "", ["0"]],
  ];
  it.each(cases)("of %s under %s beside %j gives %j", async (field, header, cell, images) => {
    const constants = new Map([[field, `${IMAGE}/0.jpg`]]);

    const { rows } = await mapSheet({ header, constants, rows: [["A-1", cell]] });

    expect(rows[0]?.changes.images).toEqual(images?.map((name) => `${IMAGE}/${name}.jpg`));
  });

  it("gives no second discount to a row that has one", async () => {
    const constants = new Map([
      ["discount_value", "5"],
      ["discount_type", "1"],
    ]);

    const header = "Ürün Kodu|Fiyat|Piyasa Fiyatı";
    const { rows } = await mapSheet({
      header,
      constants,
      rows: [
        ["A", 10, 20],
        ["B", 10, null],
      ],
    });

    expect(rows.map(({ issues }) => issues)).toEqual([[], []]);
    expect(rows[0]?.changes).toMatchObject({ price: 2000, discount_type: 3, discount_value: 1000 });
    expect(rows[1]?.changes).toMatchObject({ price: 1000, discount_type: 1, discount_value: 500 });
  });
});
