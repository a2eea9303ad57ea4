import { describe, expect, it } from "vitest";

import { DEFAULT_LIMITS } from "../../../src/sheet-rows.ts";
import {
  fromZipError,
  isOpenDocument,
  type PackageParts,
  readPackage,
  refuseOtherKinds,
  ZipError,
} from "../../../src/xlsx/zip/read-zip.ts";
import { refusal } from "../../helpers/files.ts";
import { zipOf, type ZipPart } from "../../helpers/workbooks.ts";

const WORKBOOK: ZipPart = { name: "xl/workbook.xml", content: "<workbook/>" };

const check = (parts: readonly ZipPart[]): PackageParts => {
  const zip = zipOf(parts);
  const read = (offset: number, length: number): Buffer => zip.subarray(offset, offset + length);
  return readPackage({ sizeBytes: zip.length, read }, DEFAULT_LIMITS, "a.xlsx");
};

describe("readPackage", () => {
  it("lists the parts of a workbook", () => {
    expect(check([WORKBOOK, { name: "../../tmp/x", content: "" }]).names).toEqual([
      "xl/workbook.xml",
      "../../tmp/x",
    ]);
  });

  const refused = [
    [
      "a binary workbook",
      [{ name: "xl/workbook.bin", content: "" }],
      { code: "E_FILE_TYPE", details: { hint: "binary-excel" } },
    ],
    ["two parts of one name", [WORKBOOK, WORKBOOK], { code: "E_ZIP_DUP_ENTRY" }],
    [
      "two parts whose names differ only in spelling",
      [WORKBOOK, { name: "XL\\Workbook.xml", content: "" }],
      { code: "E_ZIP_DUP_ENTRY" },
    ],
    [
      "a part over the compression limit",
      [WORKBOOK, { name: "xl/a.xml", content: " ".repeat(2_000_000) }],
      { code: "E_ZIP_RATIO" },
    ],
    [
      "parts over the limit of unpacked bytes",
      [WORKBOOK, { name: "xl/a.xml", content: "x", claims: 600_000_000 }],
      { code: "E_ZIP_RATIO" },
    ],
  ] as const;
  for (const [what, parts, expected] of refused) {
    it(`refuses ${what}`, async () => {
      expect(
        await refusal(Promise.try(() => refuseOtherKinds(check(parts), "a.xlsx"))),
      ).toMatchObject(expected);
    });
  }
});

describe("isOpenDocument", () => {
  it("recognises an OpenDocument file by its parts", () => {
    const open = [
      { name: "mimetype", content: "" },
      { name: "content.xml", content: "" },
    ];

    expect([isOpenDocument(check(open)), isOpenDocument(check([WORKBOOK]))]).toEqual([true, false]);
  });
});

describe("fromZipError", () => {
  it("distinguishes a file that was cut off from a damaged one", () => {
    const truncated = fromZipError(new ZipError("truncated", "x"), "a");
    const damaged = fromZipError(new ZipError("damaged", "x"), "a");

    expect(truncated).toMatchObject({ code: "E_FILE_TRUNCATED" });
    expect(damaged).toMatchObject({ code: "E_FILE_DAMAGED", details: { found: "x" } });
  });
});
