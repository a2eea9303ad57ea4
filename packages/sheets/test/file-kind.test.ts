import { describe, expect, it } from "vitest";

import { detectKind } from "../src/sheet-error.ts";

describe("detectKind", () => {
  const cases = [
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
      { kind: "workbook" },
    ],
    ["a header in angle brackets", Buffer.from("<Kod>;<Ad>\n1;2\n"), { kind: "text" }],
    ["JSON", Buffer.from('\ufeff [\n {"kod": 1}]'), { kind: "other", hint: "json" }],
    ["headers in brackets", Buffer.from("[Kod];[Ad]\n"), { kind: "text" }],
    ["an HTML page in UTF-16", Buffer.from("\ufeff<html>", "utf16le"), { kind: "workbook" }],
    ["text", Buffer.from("PK;Ad\n1;2"), { kind: "text" }],
    ["text that begins with an angle bracket", Buffer.from("<5 cm;Ad\n"), { kind: "text" }],
  ] as const;
  for (const [what, head, kind] of cases) {
    it(`recognises ${what}`, () => {
      expect(detectKind(head)).toEqual(kind);
    });
  }
});
