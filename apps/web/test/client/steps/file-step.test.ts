import { describe, expect, it } from "vitest";

import { isOpenSetting, tickedSheets } from "../../../client/steps/file/file-step.tsx";

it("asks for the setting that keeps a file from being read, and for no other one", () => {
  const encoding = { problem: { code: "E_ENCODING", message: "" } };

  expect(isOpenSetting(encoding, "encoding")).toBe(true);
  expect(isOpenSetting(encoding, "delimiter")).toBe(false);
  expect(isOpenSetting({ problem: null }, "sheet")).toBe(false);
});

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
