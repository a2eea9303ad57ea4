import { describe, expect, it } from "vitest";

import { DEFAULT_LIMITS } from "../../src/limits.ts";
import { fromZipError, readPackage } from "../../src/xlsx/package-check.ts";
import { ZipError } from "../../src/xlsx/zip.ts";
import { refusal } from "../helpers/files.ts";
import { type ZipPart, zipOf } from "../helpers/workbooks.ts";

const WORKBOOK: ZipPart = { name: "xl/workbook.xml", content: "<workbook/>" };

const check = (parts: readonly ZipPart[]): ReadonlyMap<string, unknown> => {
  const zip = zipOf(parts);
  const read = (offset: number, length: number): Buffer => zip.subarray(offset, offset + length);
  return readPackage({ sizeBytes: zip.length, read }, DEFAULT_LIMITS, "a.xlsx");
};

describe("readPackage", () => {
  it("lists the parts of a workbook", () => {
    expect([...check([WORKBOOK, { name: "../../tmp/x", content: "" }]).keys()]).toEqual([
      "xl/workbook.xml",
      "../../tmp/x",
    ]);
  });

  const refused = [
    ["a zip of something else", [{ name: "foto.jpg", content: "" }], { code: "E_NOT_XLSX" }],
    [
      "an OpenDocument file",
      [
        { name: "mimetype", content: "" },
        { name: "content.xml", content: "" },
      ],
      { code: "E_FILE_TYPE", details: { hint: "open-document" } },
    ],
    [
      "a binary workbook",
      [{ name: "xl/workbook.bin", content: "" }],
      { code: "E_FILE_TYPE", details: { hint: "binary-excel" } },
    ],
    ["two parts of one name", [WORKBOOK, WORKBOOK], { code: "E_FILE_UNSAFE" }],
    [
      "a part that is packed too far",
      [WORKBOOK, { name: "xl/a.xml", content: " ".repeat(2_000_000) }],
      { code: "E_FILE_UNSAFE" },
    ],
    [
      "more than may be unpacked",
      [WORKBOOK, { name: "xl/a.xml", content: "x", claims: 600_000_000 }],
      { code: "E_FILE_UNSAFE" },
    ],
  ] as const;
  for (const [what, parts, expected] of refused) {
    it(`refuses ${what}`, async () => {
      expect(await refusal(Promise.try(() => check(parts)))).toMatchObject(expected);
    });
  }
});

describe("fromZipError", () => {
  it("tells a file that was cut off from one that is damaged", () => {
    const truncated = fromZipError(new ZipError("truncated", "x"), "a");
    const damaged = fromZipError(new ZipError("damaged", "x"), "a");

    expect(truncated).toMatchObject({ code: "E_FILE_TRUNCATED" });
    expect(damaged).toMatchObject({ code: "E_FILE_UNSAFE", details: { found: "x" } });
  });
});
