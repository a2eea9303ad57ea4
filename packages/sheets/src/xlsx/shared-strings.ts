/**
 * The texts that a workbook keeps once and its cells name by number. They are held as bytes, and
 * those beyond the first megabytes in a file, so that memory does not grow with the workbook.
 */

import { readSync, writeSync } from "node:fs";

import { type PlainText, readPlainText } from "./plain-markup.ts";
import { createXmlScanner, decodeEntities, type XmlScanner } from "./xml-scanner.ts";

export interface SharedStrings {
  readonly size: () => number;
  /** Undefined for a number that names no text. */
  get(index: number): string | undefined;
}

export interface SharedStringsOptions {
  /** An open file to be written and read; without one everything stays in memory. */
  readonly fd?: number;
  /** Longer texts are cut one letter beyond, so that whoever uses one sees that it is too long. */
  readonly maxChars: number;
  /** @default 33554432 (32 MB) */
  readonly memoryBytes?: number;
}

export interface SharedStringsCollector {
  readonly scanner: XmlScanner;
  readonly strings: SharedStrings;
}

const PAGE_BYTES = 256 * 1024;
const OFFSETS_A_BLOCK = 64 * 1024;
const MEMORY_BYTES = 32 * 1024 * 1024;
/** Pages of the file that are kept once they were read. */
const CACHED_PAGES = 32;
/** Texts that are kept decoded; cells like to name the same few. */
const CACHED_TEXTS = 8 * 1024;
/** The most that one UTF-16 unit takes in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** Takes the part of the shared strings through `scanner`. */
export function collectSharedStrings(options: SharedStringsOptions): SharedStringsCollector {
  const bytes = createByteStore(options);
  const offsets = createOffsets();
  let text = "";
  let isText = false;
  let phonetic = 0;
  const plain: PlainText = { start: 0, end: 0 };
  const add = (whole: string): void => {
    const plainText = unescapeXlsxText(whole);
    const isTooLong = plainText.length > options.maxChars;
    bytes.append(isTooLong ? plainText.slice(0, options.maxChars + 1) : plainText);
    offsets.add(bytes.size());
  };
  const scanner = createXmlScanner({
    take(source, start) {
      const end = readPlainText(source, start, plain);
      if (end !== -1) add(decodeEntities(source.slice(plain.start, plain.end)));
      return end;
    },
    open(name) {
      if (name === "t") isText = phonetic === 0;
      else if (name === "rPh") phonetic += 1;
      else if (name === "si") text = "";
    },
    text(piece) {
      if (isText && text.length <= options.maxChars) text += piece;
    },
    close(name) {
      if (name === "t") isText = false;
      else if (name === "rPh") phonetic -= 1;
      else if (name === "si") add(text);
    },
  });
  return { scanner, strings: createStrings(bytes, offsets) };
}

function createStrings(bytes: ByteStore, offsets: Offsets): SharedStrings {
  const cachedIndexes = new Int32Array(CACHED_TEXTS).fill(-1);
  const cachedTexts: string[] = Array.from({ length: CACHED_TEXTS }, () => "");
  return {
    size: () => offsets.size(),
    get(index) {
      if (!(index >= 0 && index < offsets.size())) return undefined;
      const slot = index % CACHED_TEXTS;
      if (cachedIndexes[slot] === index) return cachedTexts[slot];
      const text = bytes.text(offsets.at(index), offsets.at(index + 1));
      cachedIndexes[slot] = index;
      cachedTexts[slot] = text;
      return text;
    },
  };
}

interface Offsets {
  add(offset: number): void;
  at(index: number): number;
  /** How many texts lie between the offsets. */
  size(): number;
}

/** Numbers in blocks, because one growing array would be copied whole each time. */
function createOffsets(): Offsets {
  const blocks: Float64Array[] = [];
  let count = 0;
  const add = (offset: number): void => {
    const block = Math.floor(count / OFFSETS_A_BLOCK);
    blocks[block] ??= new Float64Array(OFFSETS_A_BLOCK);
    blocks[block][count % OFFSETS_A_BLOCK] = offset;
    count += 1;
  };
  add(0);
  return {
    add,
    at: (index) => blocks[Math.floor(index / OFFSETS_A_BLOCK)]?.[index % OFFSETS_A_BLOCK] ?? 0,
    size: () => count - 1,
  };
}

interface ByteStore {
  append(text: string): void;
  size(): number;
  text(start: number, end: number): string;
}

/** Bytes in pages: the first ones in memory, the others in the file. */
function createByteStore({ fd, memoryBytes = MEMORY_BYTES }: SharedStringsOptions): ByteStore {
  const pages: Buffer[] = [];
  const keptPages = fd === undefined ? Infinity : Math.max(1, Math.floor(memoryBytes / PAGE_BYTES));
  const stored = fd === undefined ? undefined : createPageCache(fd);
  const page = (index: number): Buffer =>
    index === finished ? current : (pages[index] ?? stored?.(index) ?? current);
  let current = Buffer.allocUnsafe(PAGE_BYTES);
  let filled = 0;
  let finished = 0;

  function finishPage(): void {
    if (finished < keptPages || fd === undefined) pages.push(current);
    else writeSync(fd, current, 0, PAGE_BYTES, finished * PAGE_BYTES);
    current = finished < keptPages ? Buffer.allocUnsafe(PAGE_BYTES) : current;
    finished += 1;
    filled = 0;
  }

  function appendBytes(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const copied = bytes.copy(current, filled, at);
      at += copied;
      filled += copied;
      if (filled === PAGE_BYTES) finishPage();
    }
  }

  return {
    append(text) {
      if (text.length * MAX_UNIT_BYTES < PAGE_BYTES - filled) filled += current.write(text, filled);
      else appendBytes(Buffer.from(text));
    },
    size: () => finished * PAGE_BYTES + filled,
    text(start, end) {
      const first = Math.floor(start / PAGE_BYTES);
      const offset = start - first * PAGE_BYTES;
      const bytes = page(first);
      if (offset + end - start <= PAGE_BYTES) {
        return bytes.toString("utf8", offset, offset + end - start);
      }
      const parts = [bytes.subarray(offset)];
      for (let next = first + 1; next * PAGE_BYTES < end; next += 1) {
        parts.push(page(next).subarray(0, Math.min(PAGE_BYTES, end - next * PAGE_BYTES)));
      }
      return Buffer.concat(parts).toString("utf8");
    },
  };
}

/** The pages of a file by number, the last ones asked for kept. */
function createPageCache(fd: number): (index: number) => Buffer {
  const cache = new Map<number, Buffer>();
  return (index) => {
    const found = cache.get(index);
    if (found !== undefined) return found;
    const read = Buffer.allocUnsafe(PAGE_BYTES);
    readSync(fd, read, 0, PAGE_BYTES, index * PAGE_BYTES);
    if (cache.size >= CACHED_PAGES) cache.delete(cache.keys().next().value ?? 0);
    cache.set(index, read);
    return read;
  };
}

const ESCAPE = /_x([0-9a-f]{4})_/gi;

/** Undoes the escapes in which Excel writes what XML cannot hold. */
export const unescapeXlsxText = (text: string): string =>
  text.includes("_x")
    ? text.replaceAll(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
