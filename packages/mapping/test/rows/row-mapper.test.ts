import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createRowMapper } from "../../src/rows/row-mapper.ts";
import { createNotationObserver } from "../../src/values/notation.ts";
import { createCatalog, id } from "../helpers/catalog.ts";
import { brief, mapOne, mapSheet, missingForAdd } from "../helpers/map-sheet.ts";
import { MISTAKES } from "../helpers/mistakes.ts";

describe("code and id of a row", () => {
  it("are the code as typed, trimmed, its key, and the id", async () => {
    const row = await mapOne("Ürün Kodu|Ürün ID", [" 00 12\u00a0", id(7)]);

    expect(row).toMatchObject({ code: "00 12", codeKey: "00 12", productId: id(7), issues: [] });
    expect(row.changes).toEqual({ product_code: "00 12" });
  });

  it("are refused where they are not valid", async () => {
    const row = await mapOne("Ürün Kodu|Ürün ID", ["8,69E+12", "123"]);

    expect(brief(row.issues)).toEqual(["A2 E_CODE_NOT_TEXT", "B2 E_PRODUCT_ID"]);
    expect(row).toMatchObject({ code: undefined, productId: undefined, changes: {} });
  });

  it("must not both be missing", async () => {
    expect(brief((await mapOne("Stok|Ürün Kodu", [5, ""])).issues)).toEqual(["B2 E_KEY_MISSING"]);
    expect(brief((await mapOne("Stok|Ürün ID", [5, ""])).issues)).toEqual(["B2 E_KEY_MISSING"]);
    expect((await mapOne("Stok|Ürün Kodu|Ürün ID", [5, "", id(7)])).issues).toEqual([]);
  });

  it.each([
    ["an id", id(7), undefined],
    ["an id between blanks", ` ${id(7)} `, undefined],
    ["something else", "123", undefined],
    ["a number", 123, undefined],
    ["nothing", null, undefined],
    ["a formula", "=A1", undefined],
    ["an error", "#N/A", undefined],
    ["a formula's id", id(7), { 1: "formula" }],
    ["an error's text", id(7), { 1: "error" }],
  ] as const)("are the same where the id is read alone, from %s", async (_name, value, traits) => {
    const cells = ["K1", value];
    const options = { header: "Ürün Kodu|Ürün ID", rows: [cells], ...(traits && { traits }) };
    const { mapper, rows } = await mapSheet(options);

    const alone = mapper.readProductId?.({ row: 2, cells, ...(traits && { traits }) });

    expect(alone).toBe(rows[0]?.productId);
  });

  it("are not read alone where the file has no ids", async () => {
    const { mapper } = await mapSheet({ header: "Ürün Kodu", rows: [["K1"]] });

    expect(mapper.readProductId).toBeUndefined();
  });
});

describe("map", () => {
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header: ["SKU", "Kategori", "Marka"] });
  const notations = createNotationObserver(mapping).decide();
  const row = { row: 2, cells: ["K1", "Kaşık", "Kuzey Ahşap"] };

  it("is synchronous once the lists of the row's names were fetched", async () => {
    const mapper = createRowMapper({ sheet: "S", mapping, notations, names: createCatalog() });

    await mapper.findOpenNames(row);

    expect(mapper.map(row).names).toMatchObject({ category: "Kaşık", brand: "Kuzey Ahşap" });
  });

  it("throws where a list that the row needs was not fetched", () => {
    const mapper = createRowMapper({ sheet: "S", mapping, notations, names: createCatalog() });

    expect(() => mapper.map(row)).toThrow("a list that row 2 needs was not fetched");
  });
});

describe("the action of a row", () => {
  it("is automatic unless the row says otherwise", async () => {
    const { rows } = await mapSheet({
      header: "SKU|İşlem",
      rows: [
        ["K1", ""],
        ["K2", "EKLE"],
        ["K3", "guncelle"],
        ["K4", "sil"],
      ],
    });

    expect(rows.map((row) => row.action)).toEqual(["auto", "add", "update", "auto"]);
    expect(rows.map((row) => brief(row.issues))).toEqual([[], [], [], ["B5 E_VALUE_UNKNOWN"]]);
  });

  it("leaves the rest of the row unread when it is skip", async () => {
    const row = await mapOne("SKU|İşlem|Fiyat", ["K1", "Atla", "x"]);

    expect(row).toMatchObject({ action: "skip", code: "K1", changes: {}, issues: [] });
  });
});

it("changes only the fields that the row gives", async () => {
  const row = await mapOne("SKU|Başlık|Fiyat|Stok", ["K1", "", "19,99", ""]);

  expect(row.changes).toEqual({ product_code: "K1", price: 1999 });
  expect(row.given).toEqual(["product_code", "price"]);
});

it("passes a rejection of the name source on", async () => {
  const names = { ...createCatalog(), categories: () => Promise.reject(new Error("no answer")) };

  await expect(mapOne("SKU|Kategori", ["K1", "Kaşık"], { names })).rejects.toThrow("no answer");
});

it("finds 37 mistakes in 20 rows, each at its own cell", async () => {
  const { header, rows: mistakes } = MISTAKES;
  const { mapper, rows } = await mapSheet({ header, rows: mistakes.map(({ cells }) => cells) });

  const found = rows.map((row) => brief([...row.issues, ...missingForAdd(mapper, row)]));

  expect(found).toEqual(mistakes.map(({ expected }) => expected));
  expect(found).toHaveLength(20);
  expect(found.flat()).toHaveLength(37);
});

const image = (name: string): string => `https://a.example/${name}.jpg`;

it.each([
  ["Görsel 1|Görsel 2", [image("1"), ""], true],
  ["Görsel 1", [image("1")], true],
  ["Görsel 1|Görsel 2", [image("1"), "<SİL>"], false],
  ["Görsel 1|Görseller", [image("1"), image("9")], false],
])("says whether images stay that a row does not name: %s %j", async (header, cells, keeps) => {
  const row = await mapOne(`SKU|${header}`, ["K1", ...cells]);

  expect([brief(row.issues), row.keepsImages]).toEqual([[], keeps]);
});

it("points at a column that says only whether there is stock, where the file has no other", async () => {
  const header = "g:id|title|g:price|g:availability|g:image_link";
  const cells = ["K1", "Tencere", "310.00 TRY", "in stock", "https://x.example/1.jpg"];
  const overrides = new Map([["g:id", "Ürün Kodu"]]);
  const { mapper, rows } = await mapSheet({
    header,
    rows: [cells],
    overrides,
    platform: "google-merchant",
  });
  const [row] = rows;
  const added = row === undefined ? undefined : mapper.completeAdd(row);
  const advice = JSON.stringify(added?.ok === false ? added.issues : []);

  expect(advice).toContain(String.raw`--map \"g:availability=Stok\"`);
  expect(advice).toContain(String.raw`catalog rules add \"Stok\" \"in stock\" 10`);
  expect(advice).toContain(String.raw`--set \"Stok=10\"`);
});
