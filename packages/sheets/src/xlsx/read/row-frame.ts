/**
 * Rows and texts as bytes, between the process that reads a workbook and the consumer of its rows.
 */

import { readSync, writeSync } from "node:fs";

import type { CellTrait, CellValue, SheetRow } from "../../cell.ts";

export interface ByteStoreOptions {
  /** A file opened for writing and reading; without one everything stays in memory. */
  readonly fd?: number;
  /** @default 33554432 (32 MB) */
  readonly memoryBytes?: number;
}

/** Location of a text. */
export interface StoredRange {
  bytes: Uint8Array;
  start: number;
  end: number;
}

export interface ByteStore {
  /** Adds the bytes from `start` to `end` as one text. */
  add(bytes: Uint8Array, start: number, end: number): void;
  /** Number of texts. */
  size(): number;
  /** Undefined for a number that names no text. */
  text(index: number): string | undefined;
  /**
   * Finds a text without allocating. Returns false for an unknown number, and for a text that spans
   * two pages. The result is valid until the next call.
   */
  find(index: number, range: StoredRange): boolean;
}

const PAGE_BYTES = 256 * 1024;
const MEMORY_BYTES = 32 * 1024 * 1024;
/** Maximum number of pages of the file kept in memory. */
const CACHED_PAGES = 32;
/** Below this size a loop is faster than a call. */
const FEW_BYTES = 64;

export function createByteStore(options: ByteStoreOptions): ByteStore {
  const pages = createPages(options);
  const ends = createOffsets();

  const find = (index: number, range: StoredRange): boolean => {
    if (!(index >= 0 && index < ends.size())) return false;
    const start = ends.at(index);
    const end = ends.at(index + 1);
    const page = Math.floor(start / PAGE_BYTES);
    const shift = page * PAGE_BYTES;
    if (end - shift > PAGE_BYTES) return false;
    range.bytes = pages.page(page);
    range.start = start - shift;
    range.end = end - shift;
    return true;
  };

  return {
    add(bytes, start, end) {
      pages.append(bytes, start, end);
      ends.add(pages.size());
    },
    size: () => ends.size(),
    text(index) {
      if (!(index >= 0 && index < ends.size())) return undefined;
      return pages.read(ends.at(index), ends.at(index + 1)).toString("utf8");
    },
    find,
  };
}

const OFFSETS_A_BLOCK = 32 * 1024;

interface Offsets {
  add(offset: number): void;
  at(index: number): number;
  /** Number of texts between the offsets. */
  size(): number;
}

/** Stores rising numbers in blocks, each as its distance from the first one of its block. */
function createOffsets(): Offsets {
  const blocks: Uint32Array[] = [];
  const firsts: number[] = [];
  let count = 0;
  const add = (offset: number): void => {
    const block = Math.floor(count / OFFSETS_A_BLOCK);
    const distances = (blocks[block] ??= new Uint32Array(OFFSETS_A_BLOCK));
    const first = (firsts[block] ??= offset);
    distances[count % OFFSETS_A_BLOCK] = offset - first;
    count += 1;
  };
  add(0);
  return {
    add,
    at(index) {
      const block = Math.floor(index / OFFSETS_A_BLOCK);
      return (firsts[block] ?? 0) + (blocks[block]?.[index % OFFSETS_A_BLOCK] ?? 0);
    },
    size: () => count - 1,
  };
}

interface Pages {
  append(bytes: Uint8Array, start: number, end: number): void;
  size(): number;
  page(index: number): Buffer;
  read(start: number, end: number): Buffer;
}

function createPages({ fd, memoryBytes = MEMORY_BYTES }: ByteStoreOptions): Pages {
  const kept: Buffer[] = [];
  const maxKept = fd === undefined ? Infinity : Math.max(1, Math.floor(memoryBytes / PAGE_BYTES));
  const stored = fd === undefined ? undefined : createPageCache(fd);
  let current = Buffer.allocUnsafeSlow(PAGE_BYTES);
  let filled = 0;
  let finished = 0;

  const page = (index: number): Buffer =>
    index === finished ? current : (kept[index] ?? stored?.(index) ?? current);

  function finishPage(): void {
    if (finished < maxKept || fd === undefined) kept.push(current);
    else writeSync(fd, current, 0, PAGE_BYTES, finished * PAGE_BYTES);
    if (finished < maxKept) current = Buffer.allocUnsafeSlow(PAGE_BYTES);
    finished += 1;
    filled = 0;
  }

  return {
    append(bytes, start, end) {
      for (let from = start; from < end;) {
        const until = Math.min(end, from + PAGE_BYTES - filled);
        copyBytes({ bytes, start: from, end: until }, current, filled);
        filled += until - from;
        from = until;
        if (filled === PAGE_BYTES) finishPage();
      }
    },
    size: () => finished * PAGE_BYTES + filled,
    page,
    read(start, end) {
      const parts: Buffer[] = [];
      for (let from = start; from < end;) {
        const index = Math.floor(from / PAGE_BYTES);
        const until = Math.min(end, (index + 1) * PAGE_BYTES);
        // Loading the next page may evict this one.
        parts.push(
          Buffer.from(page(index).subarray(from - index * PAGE_BYTES, until - index * PAGE_BYTES)),
        );
        from = until;
      }
      return Buffer.concat(parts);
    },
  };
}

/** Copies the bytes from `start` to `end`; most texts are short. */
function copyBytes(
  { bytes, start, end }: Readonly<StoredRange>,
  target: Uint8Array,
  at: number,
): void {
  if (end - start > FEW_BYTES) {
    target.set(bytes.subarray(start, end), at);
    return;
  }
  const shift = at - start;
  for (let from = start; from < end; from += 1) target[from + shift] = bytes[from] ?? 0;
}

/** Caches the pages of the file, the most recently used ones. */
function createPageCache(fd: number): (index: number) => Buffer {
  const cache = new Map<number, Buffer>();
  return (index) => {
    const found = cache.get(index);
    if (found !== undefined) return found;
    const read = Buffer.allocUnsafeSlow(PAGE_BYTES);
    readSync(fd, read, 0, PAGE_BYTES, index * PAGE_BYTES);
    if (cache.size >= CACHED_PAGES) cache.delete(cache.keys().next().value ?? 0);
    cache.set(index, read);
    return read;
  };
}

/** Number that stands for no format. */
export const NO_FORMAT = 0;

export interface FormatTable {
  /** The number of a code, from 1; `NO_FORMAT` for no code. */
  idOf(code: string | undefined): number;
  /** In the order of their numbers. */
  codes(): readonly string[];
}

export function createFormatTable(): FormatTable {
  const ids = new Map<string, number>();
  return {
    idOf(code) {
      if (code === undefined) return NO_FORMAT;
      const known = ids.get(code);
      if (known !== undefined) return known;
      ids.set(code, ids.size + 1);
      return ids.size;
    },
    codes: () => [...ids.keys()],
  };
}

/*
 * Encodes rows as bytes, between the process that reads a workbook and the consumer of its rows. A
 * frame holds its length, the number of its row, the number of cells and of cells with a format, a
 * type letter for each cell, the numbers of the formats, and the texts of the cells with separators
 * between them: texts that arrive as UTF-8 are never decoded.
 */

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
