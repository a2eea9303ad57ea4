import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { createNamesKey } from "../../src/rows/names.ts";

const HEADER = ["SKU", "Kategori", "Marka", "Başlık", "Renk", "Özellik: Beden"];
const mapping = mapColumns({ sheet: "S", headerRow: 1, header: HEADER });
const toRow = (...cells: readonly (string | number | null)[]) => ({ row: 2, cells });

describe("the key of a row's names", () => {
  const { keyOf, hasLoose } = createNamesKey(mapping);
  const key = keyOf(toRow("K1", "Kaşık", "A", "x", "Siyah", "M"));

  it("is equal for rows with the same names", () => {
    expect(keyOf(toRow("K2", "Kaşık", "A", "y", "Gri", "M"))).toBe(key);
  });

  it("differs for rows with other names or named properties", () => {
    expect(keyOf(toRow("K1", "Kaşık", "B", "x", "Siyah", "M"))).not.toBe(key);
    expect(keyOf(toRow("K1", "Kaşık", "A", "x", "Siyah", "L"))).not.toBe(key);
    expect(keyOf(toRow("K1", "Kaşık", 5, "x", "Siyah", "M"))).not.toBe(
      keyOf(toRow("K1", "Kaşık", "5", "x", "Siyah", "M")),
    );
  });

  it("differs for rows whose names are displayed differently", () => {
    const five = toRow("K1", "Kaşık", 5);

    expect(keyOf({ ...five, formats: { 2: '"TR"0000' } })).not.toBe(keyOf(five));
    expect(keyOf({ ...five, formats: { 0: '"TR"0000' } })).toBe(keyOf({ ...five, formats: {} }));
    expect(keyOf({ ...five, traits: { 2: "formula" } })).not.toBe(keyOf(five));
  });

  it("differs by a column of an unknown header where that column counts", () => {
    const loose = createNamesKey(mapping, new Set([4]));

    expect(loose.keyOf(toRow("K1", "Kaşık", "A", "x", "Siyah", "M"))).not.toBe(
      loose.keyOf(toRow("K1", "Kaşık", "A", "x", "Gri", "M")),
    );
  });

  it("says whether a column of an unknown header is filled", () => {
    expect(hasLoose(toRow("K1", "Kaşık", "A", "x", " Gri", "M"))).toBe(true);
    expect(hasLoose(toRow("K1", "Kaşık", "A", "x", " ", "M"))).toBe(false);
  });
});
