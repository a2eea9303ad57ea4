import { describe, expect, it } from "vitest";

import { tickedSheets } from "../../../client/steps/file/file-step.tsx";

const sheetOf = (name: string, hasProducts: boolean | null) => ({
  name,
  rows: 2,
  hasMoreRows: false,
  hasProducts,
});

const SHEETS = [sheetOf("Yaz", true), sheetOf("Notlar", false), sheetOf("Kış", true)];

describe("the ticks of the sheets", () => {
  it("begin with the sheets that have headers of products, where none is chosen", () => {
    expect(tickedSheets({ sheet: null, sheets: SHEETS })).toEqual(["Yaz", "Kış"]);
  });

  it("show what is read", () => {
    const sheet = { value: ["Kış"], isGuessed: true };

    expect(tickedSheets({ sheet, sheets: SHEETS })).toEqual(["Kış"]);
  });
});
