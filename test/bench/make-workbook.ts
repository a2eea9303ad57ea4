/** A large workbook as Excel writes it: shared texts after the sheet, most of them Turkish. */

import { closeSync, openSync, writeSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";

export const BENCH_COLUMNS = 25;

const LETTERS = Array.from({ length: BENCH_COLUMNS }, (_, index) =>
  String.fromCharCode(65 + index),
);
const WORDS = ["çelik", "ılık", "şişe", "gümüş", "örgü", "ığdır", "İnce", "kâse", "soğuk", "düğme"];
/** Characters of XML that are packed at a time. */
const BLOCK_CHARS = 1024 * 1024;

/** The text of a cell; the first three columns are numbers and are not passed. */
function textAt(row: number, column: number): string {
  const word = (step: number): string => WORDS[(row * 7 + column * 3 + step) % WORDS.length] ?? "";
  if (column === 3) return `ÜRÜN-${row}`;
  if (column === 4) return `${word(0)} ${word(1)} ${row} <&> ${word(2)}`;
  if (column === 5) return Array.from({ length: 60 }, (_, step) => word(step)).join(" ") + row;
  if (column < 9) return `https://resim.example/${row}/${column}.jpg`;
  return `${word(column)} ${(row * column) % 1000}`;
}

export const valueAt = (row: number, column: number): string | number =>
  column < 3 ? (row * 100 + column) / 4 : textAt(row, column);

/** A part of a zip whose text is packed as it comes. */
interface Part {
  readonly name: string;
  readonly offset: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

/** Writes `rows` rows below one header. */
export function makeWorkbook(path: string, rows: number): void {
  const fd = openSync(path, "w");
  let position = 0;
  const write = (bytes: Buffer): void => {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    position += bytes.length;
  };
  const parts: Part[] = [];
  for (const [name, texts] of workbookParts(rows)) parts.push(writePart(name, texts));
  const start = position;
  for (const part of parts) write(directoryRecord(part));
  write(directoryEnd(parts.length, start, position - start));
  closeSync(fd);

  function writePart(name: string, texts: Iterable<string>): Part {
    const offset = position;
    write(localHeader(name));
    const data = position;
    let crc = 0;
    let unpackedBytes = 0;
    for (const text of inBlocks(texts)) {
      const bytes = Buffer.from(text);
      crc = crc32(bytes, crc);
      unpackedBytes += bytes.length;
      // A full flush ends on a whole byte, so that the blocks can be concatenated.
      write(deflateRawSync(bytes, { level: 3, finishFlush: 3 }));
    }
    write(Buffer.from([3, 0]));
    const part = { name, offset, crc, packedBytes: position - data, unpackedBytes };
    // Some readers use only the sizes before the part.
    writeSync(fd, directoryRecord(part), 16, 12, offset + 14);
    return part;
  }
}

function* inBlocks(texts: Iterable<string>): Generator<string> {
  let block = "";
  for (const text of texts) {
    block += text;
    if (block.length < BLOCK_CHARS) continue;
    yield block;
    block = "";
  }
  yield block;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

function* workbookParts(rows: number): Generator<readonly [string, Iterable<string>]> {
  const types = ["workbook", "worksheet", "sharedStrings", "styles"];
  const paths = ["workbook", "worksheets/sheet1", "sharedStrings", "styles"];
  const mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.";
  const overrides = paths.map(
    (part, index) =>
      `<Override PartName="/xl/${part}.xml" ContentType="${mime}${index === 0 ? "sheet.main" : types[index]}+xml"/>`,
  );
  const targets = paths
    .slice(1)
    .map(
      (part, index) =>
        `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${types[index + 1]}" Target="${part}.xml"/>`,
    );
  yield [
    "[Content_Types].xml",
    [
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join("")}</Types>`,
    ],
  ];
  yield [
    "_rels/.rels",
    [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
  ];
  yield [
    "xl/workbook.xml",
    [
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Ürünler" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
  ];
  yield [
    "xl/_rels/workbook.xml.rels",
    [`${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${targets.join("")}</Relationships>`],
  ];
  yield [
    "xl/styles.xml",
    [
      `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`,
    ],
  ];
  yield ["xl/worksheets/sheet1.xml", sheetXml(rows)];
  yield ["xl/sharedStrings.xml", stringsXml(rows)];
}

const TEXT_COLUMNS = BENCH_COLUMNS - 3;

function* sheetXml(rows: number): Generator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`;
  yield `<row r="1">${LETTERS.map((letter, index) => `<c r="${letter}1" t="inlineStr"><is><t>Sütun ${index}</t></is></c>`).join("")}</row>`;
  for (let row = 2; row <= rows + 1; row += 1) {
    const cells = LETTERS.map((letter, column) =>
      column < 3
        ? `<c r="${letter}${row}"><v>${valueAt(row, column)}</v></c>`
        : `<c r="${letter}${row}" s="0" t="s"><v>${(row - 2) * TEXT_COLUMNS + column - 3}</v></c>`,
    );
    yield `<row r="${row}" spans="1:25">${cells.join("")}</row>`;
  }
  yield "</sheetData></worksheet>";
}

function* stringsXml(rows: number): Generator<string> {
  yield `${HEAD}<sst xmlns="${MAIN}">`;
  for (let row = 2; row <= rows + 1; row += 1) {
    let texts = "";
    for (let column = 3; column < BENCH_COLUMNS; column += 1) {
      const text = textAt(row, column).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      texts += `<si><t>${text.replaceAll(">", "&gt;")}</t></si>`;
    }
    yield texts;
  }
  yield "</sst>";
}

function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function directoryRecord({ name, offset, crc, packedBytes, unpackedBytes }: Part): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(20, 4);
  record.writeUInt16LE(20, 6);
  record.writeUInt16LE(8, 10);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(packedBytes, 20);
  record.writeUInt32LE(unpackedBytes, 24);
  record.writeUInt16LE(Buffer.byteLength(name), 28);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, Buffer.from(name)]);
}

function directoryEnd(count: number, start: number, length: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(start, 16);
  return end;
}
