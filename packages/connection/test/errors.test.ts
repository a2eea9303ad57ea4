import { describe, expect, it } from "vitest";

import { ToolkitError } from "../src/errors.ts";
import { createIssue } from "../src/testing/stored-run.ts";

describe("ToolkitError", () => {
  it("says in both languages what it is about", () => {
    const { localized, message, issues } = new ToolkitError("E_NO_ROWS", "urunler.xlsx");

    expect(localized.tr).toContain('"urunler.xlsx"');
    expect(localized.en).toContain('"urunler.xlsx"');
    expect(localized.tr).not.toBe(localized.en);
    expect(message).toBe(localized.en);
    expect(issues).toEqual([]);
  });

  it("keeps what is wrong cell by cell", () => {
    expect(new ToolkitError("E_FILE_COLUMNS", "a", [createIssue()]).issues).toEqual([
      createIssue(),
    ]);
  });
});
