import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import exceljs from "exceljs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { wasSavedSince, writeXlsx } from "../../../src/index.ts";
import { DEFAULT_LIMITS } from "../../../src/sheet-rows.ts";
import {
  type ByteSource,
  createUnpacker,
  fromZipError,
  isOpenDocument,
  type PackageParts,
  readPackage,
  readZipDirectory,
  refuseOtherKinds,
  ZipError,
} from "../../../src/xlsx/zip/read-zip.ts";
import { refusal } from "../../helpers/files.ts";
import { toStoredZip } from "../../helpers/stored-zip.ts";
import { zipOf, type ZipPart } from "../../helpers/workbooks.ts";

const bytesOf = (buffer: Buffer): ByteSource => ({
  sizeBytes: buffer.length,
  read: (offset, length) => {
    if (offset + length > buffer.length) throw new ZipError("truncated", "beyond the end");
    return buffer.subarray(offset, offset + length);
  },
});

const reasonOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof ZipError) return error.reason;
    throw error;
  }
  return "none";
};

const NO_LIMITS = { unpackedMb: Infinity, zipRatio: Infinity };

const readEverything = (zip: Buffer): readonly (readonly [string, string])[] =>
  readZipDirectory(bytesOf(zip), 100).map((entry) => [
    entry.name,
    createUnpacker(bytesOf(zip), NO_LIMITS).whole(entry, 1_000_000).toString(),
  ]);

describe("a zip", () => {
  it("returns packed parts unchanged", () => {
    const zip = zipOf([
      { name: "a.xml", content: "şeker" },
      { name: "b/ç.xml", content: "" },
    ]);

    expect(readEverything(zip)).toEqual([
      ["a.xml", "şeker"],
      ["b/ç.xml", ""],
    ]);
  });

  it("returns stored parts unchanged", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: ([name]) => name }),
        (parts) => {
          const wellFormed = parts.map(
            ([name, content]) => [name.toWellFormed(), content.toWellFormed()] as const,
          );
          const zip = toStoredZip(
            new Map(wellFormed.map(([name, content]) => [name, Buffer.from(content)])),
          );

          expect(readEverything(Buffer.concat(zip))).toEqual(wellFormed);
        },
      ),
    );
  });

  it("is found before a comment", () => {
    const zip = zipOf([{ name: "a", content: "x" }]);
    const comment = Buffer.from("not PK\u0005\u0006 the end");
    zip.writeUInt16LE(comment.length, zip.length - 2);

    expect(readEverything(Buffer.concat([zip, comment]))).toEqual([["a", "x"]]);
  });

  it("is truncated wherever it is cut", () => {
    const zip = zipOf([
      { name: "a.xml", content: "x".repeat(500) },
      { name: "b.xml", content: "y" },
    ]);

    for (let length = 4; length < zip.length; length += 1) {
      expect(reasonOf(() => readZipDirectory(bytesOf(zip.subarray(0, length)), 100))).toBe(
        "truncated",
      );
    }
  });

  it("is damaged if a part unpacks to more or less than the directory says", () => {
    for (const claims of [3, 5]) {
      const zip = zipOf([{ name: "a", content: "1234", claims }]);

      expect(reasonOf(() => readEverything(zip))).toBe("damaged");
    }
  });

  it("is a bomb if it has more parts than allowed", () => {
    const zip = zipOf([
      { name: "a", content: "1" },
      { name: "b", content: "2" },
    ]);

    expect(reasonOf(() => readZipDirectory(bytesOf(zip), 1))).toBe("bomb");
  });
});

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

  it.each([
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
  ] as const)("refuses %s", async (what, parts, expected) => {
    expect(
      await refusal(Promise.try(() => refuseOtherKinds(check(parts), "a.xlsx"))),
    ).toMatchObject(expected);
  });
});

it("isOpenDocument recognises an OpenDocument file by its parts", () => {
  const open = [
    { name: "mimetype", content: "" },
    { name: "content.xml", content: "" },
  ];

  expect([isOpenDocument(check(open)), isOpenDocument(check([WORKBOOK]))]).toEqual([true, false]);
});

it("fromZipError distinguishes a file that was cut off from a damaged one", () => {
  const truncated = fromZipError(new ZipError("truncated", "x"), "a");
  const damaged = fromZipError(new ZipError("damaged", "x"), "a");

  expect(truncated).toMatchObject({ code: "E_FILE_TRUNCATED" });
  expect(damaged).toMatchObject({ code: "E_FILE_DAMAGED", details: { found: "x" } });
});

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "saved-since-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function writeOwn(): Promise<string> {
  const path = join(folder, "failed.xlsx");
  const columns = [{ header: "Kod" }, { header: "Onay", choices: ["Evet", "Hayır"] }];
  const rows = [{ cells: ["A-1", null], notes: { 0: "bak" }, fills: { 0: "error" } as const }];
  await writeXlsx({ path, sheets: [{ name: "Ürünler", columns, rows }] });
  return path;
}

describe("a workbook that a person may have edited", () => {
  it("is not saved since it was written", async () => {
    expect(wasSavedSince(await writeOwn())).toBe(false);
  });

  it("is recognised after another program has saved it", async () => {
    const path = await writeOwn();
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.readFile(path);
    await workbook.xlsx.writeFile(path);

    expect(wasSavedSince(path)).toBe(true);
  });

  it("is recognised where another file took its place", () => {
    const path = join(folder, "failed.xlsx");
    writeFileSync(path, "Kod;Onay\nA-1;Evet\n");

    expect(wasSavedSince(path)).toBe(true);
  });

  it("is not there", () => {
    expect(wasSavedSince(join(folder, "failed.xlsx"))).toBe(false);
  });
});
