/**
 * Encodes rows as bytes, between the process that reads a workbook and the consumer of its rows. A
 * frame holds its length, the number of its row, the number of cells and of cells with a format, a
 * type letter for each cell, the numbers of the formats, and the texts of the cells with separators
 * between them: texts that arrive as UTF-8 are never decoded.
 */

import type { CellTrait, CellValue, SheetRow } from "../../../cell.ts";
import { createFormatTable, type FormatTable, NO_FORMAT } from "../format-table.ts";
import { copyBytes, type StoredRange } from "./byte-store.ts";

/** Length, row, number of cells and number of formats, four bytes each. */
const FRAME_HEAD_BYTES = 16;
const FORMAT_BYTES = 4;
/** Separator between two cells. A text that contains it is written as JSON. */
export const CELL_SEPARATOR = 0x1f;
const SEPARATOR_TEXT = "\u001f";

const TRAITS: readonly (CellTrait | undefined)[] = [undefined, "date", "error", "formula"];
const KIND = { none: 0, text: 1, number: 2, yes: 3, no: 4, quoted: 5 } as const;
const FIRST_LETTER = 65;
const EMPTY = FIRST_LETTER;
const TEXT = FIRST_LETTER + KIND.text * TRAITS.length;
const NUMBER = FIRST_LETTER + KIND.number * TRAITS.length;
/** Bit in the letter of a cell that has a number format. */
const FORMATTED = 0x80;

const FIRST_TEXT_BYTES = 64 * 1024;
const FIRST_CELLS = 1024;

/** Receives the cells of one row after another. Columns count from 1. */
export interface RowWriter {
  /** Begins a row and puts all its cells. */
  write(row: SheetRow): void;
  begin(row: number): void;
  /** The number of the row. */
  row(): number;
  /** Number of cells up to the last one. */
  size(): number;
  isFilled(column: number): boolean;
  /** Puts a cell; it may have been put before only as an empty one. */
  put(column: number, value: CellValue, trait?: CellTrait): void;
  /** Sets the format number of a cell that was put. */
  setFormat(column: number, format: number): void;
  /** Puts a text as UTF-8 without a separator in it. */
  putText(column: number, range: Readonly<StoredRange>): void;
  /** Puts a number in digits that JavaScript can parse, with the number of its format. */
  putNumber(column: number, range: Readonly<StoredRange>, format: number): void;
  /** Length of the row's frame in bytes. */
  frameBytes(): number;
  copyFrame(target: Buffer, at: number): void;
}

/** Makes a row writer; the numbers of formats are those of `table`. */
export const createRowWriter = (table: FormatTable = createFormatTable()): RowWriter =>
  new Writer(table);

class Writer implements RowWriter {
  readonly #table: FormatTable;
  #row = 0;
  #size = 0;
  #letters = new Uint8Array(FIRST_CELLS).fill(EMPTY);
  #text = Buffer.allocUnsafeSlow(FIRST_TEXT_BYTES);
  #length = 0;
  /** By column; valid only where the letter has the format bit. */
  #formats = new Uint32Array(FIRST_CELLS);
  #formatted = 0;

  constructor(table: FormatTable) {
    this.#table = table;
  }

  write({ row, cells, traits, formats }: SheetRow): void {
    this.begin(row);
    for (const [index, cell] of cells.entries()) {
      this.put(index + 1, cell, traits?.[index]);
      this.setFormat(index + 1, this.#table.idOf(formats?.[index]));
    }
  }

  begin(row: number): void {
    this.#letters.fill(EMPTY, 0, this.#size);
    this.#row = row;
    this.#size = 0;
    this.#length = 0;
    this.#formatted = 0;
  }

  row(): number {
    return this.#row;
  }

  size(): number {
    return this.#size;
  }

  isFilled(column: number): boolean {
    return column <= this.#size && toKind(this.#letters[column - 1] ?? EMPTY) !== KIND.none;
  }

  put(column: number, value: CellValue, trait?: CellTrait): void {
    const kind = kindOf(value);
    const text = kind === KIND.text || kind === KIND.number ? String(value) : "";
    const bytes = Buffer.from(kind === KIND.quoted ? JSON.stringify(value) : text);
    const letter = FIRST_LETTER + kind * TRAITS.length + TRAITS.indexOf(trait);
    this.#write(column, letter, { bytes, start: 0, end: bytes.length });
  }

  putText(column: number, range: Readonly<StoredRange>): void {
    this.#write(column, TEXT, range);
  }

  putNumber(column: number, range: Readonly<StoredRange>, format: number): void {
    this.#write(column, NUMBER, range);
    this.setFormat(column, format);
  }

  frameBytes(): number {
    return FRAME_HEAD_BYTES + this.#size + this.#formatted * FORMAT_BYTES + this.#length;
  }

  copyFrame(target: Buffer, at: number): void {
    target.writeUInt32LE(this.frameBytes(), at);
    target.writeUInt32LE(this.#row, at + 4);
    target.writeUInt32LE(this.#size, at + 8);
    target.writeUInt32LE(this.#formatted, at + 12);
    const letters = at + FRAME_HEAD_BYTES;
    copyBytes({ bytes: this.#letters, start: 0, end: this.#size }, target, letters);
    const text = this.#copyFormats(target, letters + this.#size);
    copyBytes({ bytes: this.#text, start: 0, end: this.#length }, target, text);
  }

  /** Returns the position behind the formats. */
  #copyFormats(target: Buffer, start: number): number {
    let at = start;
    if (this.#formatted === 0) return at;
    for (let index = 0; index < this.#size; index += 1) {
      if (((this.#letters[index] ?? EMPTY) & FORMATTED) === 0) continue;
      target.writeUInt32LE(this.#formats[index] ?? NO_FORMAT, at);
      at += FORMAT_BYTES;
    }
    return at;
  }

  setFormat(column: number, format: number): void {
    if (format === NO_FORMAT) return;
    this.#letters[column - 1] = (this.#letters[column - 1] ?? EMPTY) | FORMATTED;
    this.#formats[column - 1] = format;
    this.#formatted += 1;
  }

  #write(column: number, letter: number, source: Readonly<StoredRange>): void {
    const at = column >= this.#size ? this.#extend(column) : this.#placeOf(column);
    const length = source.end - source.start;
    this.#reserve(length, column);
    if (at < this.#length) this.#text.copyWithin(at + length, at, this.#length);
    copyBytes(source, this.#text, at);
    this.#length += length;
    this.#letters[column - 1] = letter;
  }

  /** Makes `column` the last one; returns the position of its text. */
  #extend(column: number): number {
    const separators = column - Math.max(1, this.#size);
    this.#reserve(separators, column);
    for (let count = 0; count < separators; count += 1) {
      this.#text[this.#length] = CELL_SEPARATOR;
      this.#length += 1;
    }
    this.#size = column;
    return this.#length;
  }

  /** Position of the text of an earlier cell; cells are rarely out of order. */
  #placeOf(column: number): number {
    let at = 0;
    for (let before = 1; before < column; before += 1) {
      at = this.#text.indexOf(CELL_SEPARATOR, at) + 1;
    }
    return at;
  }

  #reserve(bytes: number, columns: number): void {
    if (this.#length + bytes > this.#text.length) {
      const grown = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
      this.#text.copy(grown, 0, 0, this.#length);
      this.#text = grown;
    }
    if (columns <= this.#letters.length) return;
    const letters = new Uint8Array(2 * columns).fill(EMPTY);
    letters.set(this.#letters);
    this.#letters = letters;
    const formats = new Uint32Array(2 * columns);
    formats.set(this.#formats);
    this.#formats = formats;
  }
}

function kindOf(value: CellValue): number {
  if (value === null) return KIND.none;
  if (typeof value === "number") return KIND.number;
  if (typeof value === "boolean") return value ? KIND.yes : KIND.no;
  return value.includes(SEPARATOR_TEXT) || !value.isWellFormed() ? KIND.quoted : KIND.text;
}

const toKind = (letter: number): number => ((letter & ~FORMATTED) - FIRST_LETTER) >> 2;

/** The row as a frame of its own. */
export function toFrame(row: RowWriter): Buffer {
  const frame = Buffer.alloc(row.frameBytes());
  row.copyFrame(frame, 0);
  return frame;
}

/** Length of the frame that begins at `at`; `undefined` if its length is not complete there. */
export const frameLength = (bytes: Buffer, at: number): number | undefined =>
  at + FRAME_HEAD_BYTES <= bytes.length ? bytes.readUInt32LE(at) : undefined;

/** Decodes the complete frame that begins at `at`; `codes` are those of the writer's table. */
export function unpackRow(bytes: Buffer, at = 0, codes: readonly string[] = []): SheetRow {
  const row = bytes.readUInt32LE(at + 4);
  const size = bytes.readUInt32LE(at + 8);
  const formatCount = bytes.readUInt32LE(at + 12);
  const letters = at + FRAME_HEAD_BYTES;
  const text = letters + size + formatCount * FORMAT_BYTES;
  const end = at + bytes.readUInt32LE(at);
  const cells: CellValue[] =
    size === 0 ? [] : bytes.toString("utf8", text, end).split(SEPARATOR_TEXT);
  const traits = unpackValues(cells, bytes, letters);
  const formats = formatCount === 0 ? undefined : unpackFormats(bytes, { letters, size }, codes);
  return {
    row,
    cells,
    ...(traits !== undefined && { traits }),
    ...(formats !== undefined && { formats }),
  };
}

/** Replaces texts that stand for other values, by their letters; returns the traits and formats. */
function unpackValues(cells: CellValue[], bytes: Buffer, letters: number): SheetRow["traits"] {
  const traits: Record<number, CellTrait> = {};
  let hasTraits = false;
  for (let index = 0; index < cells.length; index += 1) {
    const letter = (bytes[letters + index] ?? EMPTY) & ~FORMATTED;
    if (letter === TEXT) continue;
    cells[index] = toValue(letter, String(cells[index]));
    const trait = TRAITS[(letter - FIRST_LETTER) % TRAITS.length];
    if (trait === undefined) continue;
    traits[index] = trait;
    hasTraits = true;
  }
  return hasTraits ? traits : undefined;
}

function unpackFormats(
  bytes: Buffer,
  { letters, size }: { readonly letters: number; readonly size: number },
  codes: readonly string[],
): SheetRow["formats"] {
  const formats: Record<number, string> = {};
  let at = letters + size;
  for (let index = 0; index < size; index += 1) {
    if (((bytes[letters + index] ?? EMPTY) & FORMATTED) === 0) continue;
    const code = codes[bytes.readUInt32LE(at) - 1];
    if (code !== undefined) formats[index] = code;
    at += FORMAT_BYTES;
  }
  return codes.length === 0 ? undefined : formats;
}

function toValue(letter: number, text: string): CellValue {
  switch (toKind(letter)) {
    case KIND.none:
      return null;
    case KIND.number:
      return Number(text);
    case KIND.yes:
      return true;
    case KIND.no:
      return false;
    case KIND.quoted: {
      const quoted: string = JSON.parse(text);
      return quoted;
    }
    default:
      return text;
  }
}
