import { describe, expect, it } from "vitest";

import { CatalogError } from "../src/errors.ts";
import { createIssue } from "../src/testing/stored-run.ts";

describe("CatalogError", () => {
  it("describes the error in both languages", () => {
    const { localized, message, issues } = new CatalogError("E_NO_ROWS", "urunler.xlsx");

    expect(localized.tr).toContain("“urunler.xlsx”");
    expect(localized.en).toContain("“urunler.xlsx”");
    expect(localized.tr).not.toBe(localized.en);
    expect(message).toBe(localized.en);
    expect(issues).toEqual([]);
  });

  it("keeps the issues of each cell", () => {
    expect(new CatalogError("E_FILE_COLUMNS", "a", [createIssue()]).issues).toEqual([
      createIssue(),
    ]);
  });
});
