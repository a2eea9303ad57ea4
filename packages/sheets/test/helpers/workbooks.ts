import { readFileSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";

import { createUnpacker, readZipDirectory } from "../../src/xlsx/zip/read-zip.ts";

/** One part of a zip; `claims` is the unpacked size that its directory states. */
export interface ZipPart {
  readonly name: string;
  readonly content: string | Buffer;
  readonly claims?: number;
}

/** A zip of packed parts, whose directory may state wrong sizes. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const chunks: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claims } of parts) {
    const packed = deflateRawSync(content);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt16LE(Buffer.byteLength(name), 26);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(8, 10);
    record.writeUInt32LE(crc32(content), 16);
    record.writeUInt32LE(packed.length, 20);
    record.writeUInt32LE(claims ?? Buffer.byteLength(content), 24);
    record.writeUInt16LE(Buffer.byteLength(name), 28);
    record.writeUInt32LE(offset, 42);
    records.push(record, Buffer.from(name));
    chunks.push(header, Buffer.from(name), packed);
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, directory, end]);
}

const SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export interface MadeSheet {
  readonly name: string;
  /** The rows, as XML. */
  readonly rows: string;
  readonly state?: string;
}

/** The parts of a workbook with these sheets. */
export function workbookParts(sheets: readonly MadeSheet[]): readonly ZipPart[] {
  const listed = sheets.map(
    ({ name, state = "visible" }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="r${index + 1}"/>`,
  );
  const targets = sheets.map(
    (_, index) =>
      `<Relationship Id="r${index + 1}" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return [
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONSHIPS}"><sheets>${listed.join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.join("")}</Relationships>`,
    },
    ...sheets.map(({ rows }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet xmlns="${SPREADSHEET}"><sheetData>${rows}</sheetData></worksheet>`,
    })),
  ];
}

/** A text cell, as XML. */
export const textCell = (address: string, text: string): string =>
  `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** A header in row 1 with the columns A and B, and one row of data. */
export const SMALL_ROWS: string =
  `<row r="1">${textCell("A1", "Kod")}${textCell("B1", "Ad")}</row>` +
  `<row r="2">${textCell("A2", "1")}${textCell("B2", "Kaşık")}</row>`;

export const xlsxOf = (rows: string): Buffer => zipOf(workbookParts([{ name: "Sayfa1", rows }]));

/** The text of one part of a workbook. */
export function partOf(path: string, name: string): string {
  const zip = readFileSync(path);
  const source = {
    sizeBytes: zip.length,
    read: (offset: number, length: number): Buffer => zip.subarray(offset, offset + length),
  };
  const entry = readZipDirectory(source, 1_000).find((it) => it.name === name);
  if (entry === undefined) throw new Error(`There is no part ${name}.`);
  return createUnpacker(source, { unpackedMb: Infinity, zipRatio: Infinity })
    .whole(entry, 2 ** 30)
    .toString("utf8");
}
