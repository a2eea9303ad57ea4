import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createRowKinds, type RowKind } from "../../src/rows/row-kinds.ts";
import type { CellValue, SourceRow } from "../../src/source-row.ts";

const HEADER = ["Ürün Kodu", "Başlık", "Fiyat", "Stok", "Raf"];
const KEYS = ["product_code", "title", "price", "stock"];

interface Place {
  readonly row?: number;
  readonly header?: readonly string[];
  readonly below?: readonly string[];
  readonly traits?: SourceRow["traits"];
}

function kindOf(cells: readonly CellValue[], place: Place = {}): RowKind {
  const { row = 20, header = HEADER, below, traits } = place;
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header, below });
  return createRowKinds(mapping, 1)({ row, cells, ...(traits !== undefined && { traits }) });
}

describe("createRowKinds", () => {
  const cases: readonly (readonly [string, readonly CellValue[], RowKind])[] = [
    ["a row without cells", [], "empty"],
    ["a row of blanks and invisible marks", [null, " ", "\u00a0", "\u200b\ufeff"], "empty"],
    ["a row with a zero", [null, 0], "product"],
    ["a sharp with nothing beside it", ["#örnek", "", null], "remark"],
    ["a sharp with a blank behind it", ["# örnek", "1"], "remark"],
    ["a code that begins with a sharp", ["#1002", "Fincan", 5], "product"],
    ["a code of a sharp elsewhere", ["K1", "#1"], "product"],
    ["a formula error in the first cell", ["#N/A", "1"], "product"],
    ["a number too wide for its column", ["#####", "1"], "product"],
    ["a line of sharps", ["#####", "", null], "remark"],
    ["a total in the code cell", ["TOPLAM", null, 1299.9, 40], "total"],
    ["a total in the title cell", [null, "Genel Toplam:", "1.299,90 TL", "40 adet"], "total"],
    ["a total in the first cell", ["Total", null, null, 40], "total"],
    ["a count of rows", ["Toplam 50 ürün"], "total"],
    ["a subtotal in English", ["Sub-total", "", "", "12"], "total"],
    ["a total beside a code", ["K1", "Total", 5, 1], "product"],
    ["a total beside a title", ["TOPLAM", "Toplam kalite", 5, 1], "product"],
    ["a total beside another text", ["TOPLAM", null, 5, 1, "B rafı"], "product"],
    ["a title that only begins so", [null, "Total Quartz 9000", 5], "product"],
    ["a name alone in the code cell", ["ELEKTRONİK", null, "", null, null], "group"],
    ["a name with a number alone", ["01 Beyaz Eşya"], "group"],
    ["a name alone in another cell", [null, "Mutfak Gereçleri"], "group"],
    ["a code alone", ["K-1"], "product"],
    ["a number alone", [153], "product"],
    ["a name beside a price", ["ELEKTRONİK", null, 5], "product"],
    ["a formula error alone", [null, "#YOK"], "product"],
    ["headers repeated", ["Ürün Kodu", "Başlık", "Fiyat", "", ""], "header"],
    ["a code that is its own header", ["Ürün Kodu", "Fincan", 5], "product"],
    ["headers under other headers", ["item", "Stok Kodu", "Price", "Quantity"], "product"],
  ];
  for (const [name, cells, kind] of cases) {
    it(`takes ${name} for ${kind === "empty" ? "empty" : `a ${kind}`}`, () => {
      expect(kindOf(cells)).toBe(kind);
    });
  }

  it("takes no name for a group below machine keys, or in a list of codes", () => {
    expect(kindOf(["ELEKTRONİK"], { below: KEYS })).toBe("product");
    expect(kindOf(["ELEKTRONİK"], { header: ["Ürün Kodu", "Stok"] })).toBe("product");
  });

  it("takes every row with a sharp for a remark below machine keys", () => {
    expect(kindOf(["#1002", "Fincan", 5], { below: KEYS })).toBe("remark");
  });

  it("takes a second row of headers right below the first for no product", () => {
    const cells = ["sku", "title", "price", "quantity", "note"];

    expect(kindOf(cells, { row: 2 })).toBe("header");
    expect(kindOf(cells, { row: 4 })).toBe("product");
  });

  it("takes a title that begins with a sharp for a product", () => {
    const header = ["Başlık", "Ürün Kodu", "Stok"];

    expect(kindOf(["#evdekal Tişört", "K1", 5], { header })).toBe("product");
  });

  it("keeps a row whose only content is a formula without a result", () => {
    expect(kindOf([null, null], { traits: { 1: "formula" } })).toBe("product");
  });
});
