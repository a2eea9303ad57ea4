import { describe, expect, it } from "vitest";

import { detectKind } from "../src/file-kind.ts";

describe("detectKind", () => {
  const cases = [
    ["a zip", Buffer.from("504b0304", "hex"), { kind: "workbook" }],
    ["an empty zip", Buffer.from("504b0506", "hex"), { kind: "workbook" }],
    ["an old Excel file", Buffer.from("d0cf11e0a1b11ae1", "hex"), { kind: "workbook" }],
    ["a PDF", Buffer.from("%PDF-1.7"), { kind: "other", hint: "pdf" }],
    ["a PNG", Buffer.from("89504e470d0a", "hex"), { kind: "other", hint: "picture" }],
    ["an HTML page", Buffer.from("\ufeff \n<!DOCTYPE html>"), { kind: "workbook" }],
    ["an HTML table", Buffer.from("<TABLE><tr>"), { kind: "workbook" }],
    ["a part of a page", Buffer.from("<div class='x'>"), { kind: "workbook" }],
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
