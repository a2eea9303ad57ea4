/**
 * Stores texts as UTF-8 in pages: the first ones in memory, the others in a file, so that each text
 * costs four bytes of memory.
 */

import { readSync, writeSync } from "node:fs";

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
export function copyBytes(
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
