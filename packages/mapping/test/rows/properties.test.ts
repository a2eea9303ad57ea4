import { describe, expect, it } from "vitest";

import { createCatalog, id } from "../helpers/catalog.ts";
import { brief, mapOne, mapSheet } from "../helpers/map-sheet.ts";

const BLACK = [{ property_id: id(0x31), option_id: id(0x42) }];

it("resolves a property column by option name and by option id", async () => {
  const named = await mapOne("SKU|Kategori|Özellik: renk", ["K1", "Kaşık", "SİYAH"]);
  const byId = await mapOne("SKU|Kategori|property:Renk", ["K1", "Kaşık", id(0x42)]);

  expect(named.changes.properties).toEqual(BLACK);
  expect(byId.changes.properties).toEqual(BLACK);
});

it("reads an unknown header as a property where the category has it", async () => {
  const { rows, mapper } = await mapSheet({
    header: "SKU|Kategori|Renk|Beden",
    rows: [
      ["K1", "Kaşık", "Siyah", "M"],
      ["K2", "Oto > Aksesuar", "Siyah", "M"],
      ["K3", "", "Siyah", "M"],
    ],
  });

  expect(rows.map((row) => row.changes.properties)).toEqual([BLACK, undefined, undefined]);
  expect(rows.flatMap((row) => row.issues)).toEqual([]);
  expect([...mapper.propertyColumns]).toEqual([2]);
});

describe("a property in two columns", () => {
  const header = "SKU|Kategori|Renk|Özellik: Renk";

  it("is refused where the two options differ", async () => {
    const row = await mapOne(header, ["K1", "Kaşık", "Siyah", "Açık Kahve"]);

    expect(brief(row.issues)).toEqual(["D2 E_COLUMN_TWICE"]);
    expect(row.issues[0]?.message.tr).toContain("(Renk): C ve D");
  });

  it("is sent once where the two options agree", async () => {
    const row = await mapOne(header, ["K1", "Kaşık", "Siyah", "SİYAH"]);

    expect(row.issues).toEqual([]);
    expect(row.changes.properties).toEqual(BLACK);
  });
});

it("reports a property or an option that the category does not have", async () => {
  const { rows } = await mapSheet({
    header: "SKU|Kategori|Özellik: Renk|Özellik: Beden",
    rows: [
      ["K1", "Kaşık", "Mor", "M"],
      ["K2", "", "Siyah", ""],
      ["K3", "Yok Böyle", "Siyah", ""],
    ],
  });

  expect(rows.map((row) => brief(row.issues))).toEqual([
    ["C2 E_OPTION_UNKNOWN", "D2 E_PROPERTY_UNKNOWN"],
    ["C3 E_PROPERTY_NEEDS_CATEGORY"],
    ["B4 E_CATEGORY_UNKNOWN"],
  ]);
  expect(rows[0]?.issues[0]?.suggestion?.en).toContain("Açık Kahve");
});

it("reports a broken cell of a property", async () => {
  const row = await mapOne("SKU|Kategori|Renk", ["K1", "Kaşık", "#N/A"]);

  expect(brief(row.issues)).toEqual(["C2 E_CELL_ERROR"]);
});

it("fetches no properties where all property cells are empty", async () => {
  const names = createCatalog();

  await mapOne("SKU|Kategori|Renk", ["K1", "Kaşık", ""], { names });

  expect(names.calls).toEqual(["categories"]);
});
