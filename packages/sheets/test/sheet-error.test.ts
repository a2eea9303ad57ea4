import { describe, expect, it } from "vitest";

import { fromFileError, SheetError } from "../src/sheet-error.ts";

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

describe("SheetError", () => {
  it("says what happened and what to do in both languages", () => {
    const error = new SheetError("E_CSV_QUOTE", { file: "a.csv", row: 7 });

    expect(error.localized.tr).toContain("“a.csv”, 7. satır");
    expect(error.localized.tr).toContain("Tırnağı kapatın");
    expect(error.message).toContain("“a.csv”, row 7");
    expect(error.message).toContain("Close or remove it");
  });
});

describe("fromFileError", () => {
  for (const [system, code] of [
    ["ENOENT", "E_FILE_MISSING"],
    ["ENOTDIR", "E_FILE_MISSING"],
    ["EISDIR", "E_FILE_DIRECTORY"],
    ["EACCES", "E_FILE_UNREADABLE"],
    ["EPERM", "E_FILE_UNREADABLE"],
  ] as const) {
    it(`turns ${system} into ${code} and keeps the cause`, () => {
      const cause = systemError(system);

      expect(fromFileError(cause, "a.csv")).toMatchObject({
        code,
        cause,
        details: { file: "a.csv" },
      });
    });
  }

  it("returns any other value as it is", () => {
    const error = systemError("ENOSPC");

    expect(fromFileError(error, "a.csv")).toBe(error);
    expect(fromFileError("text", "a.csv")).toBe("text");
  });

  it("returns a SheetError as it is", () => {
    const error = new SheetError("E_NUL");

    expect(fromFileError(error, "a.csv")).toBe(error);
  });
});
