import { describe, expect, it } from "vitest";

import { detectKind, fromFileError, MESSAGES, SheetError } from "../src/sheet-error.ts";

it.each([
  ["a zip", Buffer.from("504b0304", "hex"), { kind: "workbook" }],
  ["an empty zip", Buffer.from("504b0506", "hex"), { kind: "workbook" }],
  ["an old Excel file", Buffer.from("d0cf11e0a1b11ae1", "hex"), { kind: "workbook" }],
  ["a workbook of Excel 2", Buffer.from("0900040002001000", "hex"), { kind: "workbook" }],
  ["a workbook of Excel 4", Buffer.from("0904060000001000", "hex"), { kind: "workbook" }],
  ["text that begins with a tab", Buffer.from("\t09;Ad\n"), { kind: "text" }],
  ["a gzip", Buffer.from("1f8b0800", "hex"), { kind: "other", hint: "archive" }],
  ["a RAR", Buffer.from("Rar!\u001a\u0007\u0000"), { kind: "other", hint: "archive" }],
  ["a 7z", Buffer.from("377abcaf271c", "hex"), { kind: "other", hint: "archive" }],
  ["a PDF", Buffer.from("%PDF-1.7"), { kind: "other", hint: "pdf" }],
  ["a PNG", Buffer.from("89504e470d0a", "hex"), { kind: "other", hint: "picture" }],
  ["an HTML page", Buffer.from("\ufeff \n<!DOCTYPE html>"), { kind: "workbook" }],
  ["an HTML table", Buffer.from("<TABLE><tr>"), { kind: "workbook" }],
  ["a part of a page", Buffer.from("<div class='x'>"), { kind: "workbook" }],
  [
    "a feed without a declaration",
    Buffer.from('\ufeff<yml_catalog date="2026-11-22">\n <shop><name>x'),
    { kind: "xml" },
  ],
  ["a header in angle brackets", Buffer.from("<Kod>;<Ad>\n1;2\n"), { kind: "text" }],
  ["JSON", Buffer.from('\ufeff [\n {"kod": 1}]'), { kind: "json" }],
  ["headers in brackets", Buffer.from("[Kod];[Ad]\n"), { kind: "text" }],
  ["an HTML page in UTF-16", Buffer.from("\ufeff<html>", "utf16le"), { kind: "workbook" }],
  ["text", Buffer.from("PK;Ad\n1;2"), { kind: "text" }],
  ["text that begins with an angle bracket", Buffer.from("<5 cm;Ad\n"), { kind: "text" }],
] as const)("detectKind recognises %s", (what, head, kind) => {
  expect(detectKind(head)).toEqual(kind);
});

const DETAILS = {
  file: "liste.csv",
  row: 3,
  column: 2,
  limit: 1_048_576,
  found: "x",
  names: ["A", "B"],
  hint: "html",
  setting: "rows",
} as const;

describe("MESSAGES", () => {
  it.each(Object.entries(MESSAGES))(
    "leaves no parameter unfilled in the text of %s",
    (_code, write) => {
      const { tr, en } = write(DETAILS);

      expect(`${tr} ${en}`).not.toMatch(/undefined|NaN|\[object/);
      expect(tr).not.toBe(en);
    },
  );

  it.each([
    ["E_TOO_MANY_ROWS", "rows"],
    ["E_TOO_MANY_COLUMNS", "columns"],
    ["E_CELL_TOO_LONG", "cellChars"],
    ["E_CSV_QUOTE", "recordChars"],
    ["E_TOO_LARGE", "fileMb"],
    ["E_ZIP_RATIO", "unpackedMb"],
    ["E_ZIP_RATIO", "zipEntries"],
    ["E_ZIP_RATIO", "zipRatio"],
    ["E_READER_LIMIT", "readerHeapMb"],
    ["E_READER_LIMIT", "readerRssMb"],
    ["E_READER_LIMIT", "readerSeconds"],
  ] as const)("names the limit to raise in the text of %s: %s", (code, setting) => {
    const { tr, en } = MESSAGES[code]({ ...DETAILS, setting });

    expect(tr).toContain(`limits.${setting} değerini yükseltin`);
    expect(en).toContain(`raise limits.${setting} in catalog.config.json`);
    expect([tr.includes("1.048.576"), en.includes("1,048,576")]).toEqual([true, true]);
  });
});

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

it("SheetError says what happened and what to do in both languages", () => {
  const error = new SheetError("E_CSV_QUOTE", { file: "a.csv", row: 7 });

  expect(error.localized.tr).toContain("“a.csv”, 7. satır");
  expect(error.localized.tr).toContain("Tırnağı kapatın");
  expect(error.message).toContain("“a.csv”, row 7");
  expect(error.message).toContain("Close or remove it");
});

describe("fromFileError", () => {
  it.each([
    ["ENOENT", "E_FILE_MISSING"],
    ["ENOTDIR", "E_FILE_MISSING"],
    ["EISDIR", "E_FILE_DIRECTORY"],
    ["EACCES", "E_FILE_UNREADABLE"],
    ["EPERM", "E_FILE_UNREADABLE"],
  ] as const)("turns %s into %s and keeps the cause", (system, code) => {
    const cause = systemError(system);

    expect(fromFileError(cause, "a.csv")).toMatchObject({
      code,
      cause,
      details: { file: "a.csv" },
    });
  });

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
