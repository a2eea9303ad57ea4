import { createTestConnection, RUN_ID, storeRun } from "@catalog/connection/testing";
import type { CellValue, RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { findFieldLocation } from "../src/field-values.ts";

const COLUMNS = {
  Kod: "product_code",
  "Satış Fiyatı": "price",
  "Piyasa Fiyatı": "list_price",
  Adet: "stock",
  Resim: "image_1",
  Renk: "property:Renk",
  Barkod: "-",
};

/** The address of a field in a row with these cells, in the order of {@link COLUMNS}. */
async function locationOf(field: string, cells: readonly CellValue[]): Promise<string> {
  const { connection } = await createTestConnection();
  const stored = await storeRun(connection, { header: Object.keys(COLUMNS), rows: [{ cells }] });
  const reading = { profile: null, columns: COLUMNS, chosen: [], constants: {}, decimal: null };
  const planned = { add: 0, update: 1, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };
  const run: RunRecord = {
    ...stored,
    facts: {
      readBy: "listing",
      priceUnit: "minor",
      planned: { ...planned, requests: 1, seconds: 1 },
      reading: { notes: [], openNames: [], columns: reading },
    },
  };
  const [record] = await connection.journal.readRows(RUN_ID, { limit: 1 });
  if (record === undefined) throw new Error("the row was not stored");
  const { cell, column, value } = findFieldLocation(run, record, field);
  return `${cell} ${column} ${value}`;
}

describe("the cell of a field", () => {
  const cells = ["KOD-1", 12.5, null, 7, "a.jpg", "Mavi", "869"];
  it.each([
    ["stock_count", cells, "D2 Adet 7"],
    ["price", cells, "B2 Satış Fiyatı 12.5"],
    ["properties", cells, "F2 Renk Mavi"],
    ["images", cells, "E2 Resim a.jpg"],
    // The sale price is compared with what is sent as the price.
    ["price", cells.with(2, 20), "C2 Piyasa Fiyatı 20"],
    ["discount_value", cells.with(2, 20), "B2 Satış Fiyatı 12.5"],
    // A value that was given for every row has no cell.
    ["stock_count", cells.with(3, null), "  KOD-1"],
    ["description", cells, "  KOD-1"],
  ] as const)("of the field %s is found", async (field, row, expected) => {
    expect(await locationOf(field, row)).toBe(expected);
  });
});
