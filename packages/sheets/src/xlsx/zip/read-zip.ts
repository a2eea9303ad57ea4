/**
 * Reads zips: the directory, whether it is a workbook that is safe to unpack, and its parts. Unpacked
 * bytes are counted, whatever the directory says.
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";

import { SheetError, type SheetErrorDetails } from "../../sheet-error.ts";
import { MB, type ReadLimits } from "../../sheet-rows.ts";

/** Bytes with random access. */
export interface ByteSource {
  readonly sizeBytes: number;
  read(offset: number, length: number): Buffer;
}

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Checksum of the unpacked bytes. */
  readonly crc: number;
  /** Position of the part's own header. */
  readonly headerOffset: number;
  /** Position of the part's record in the directory. */
  readonly directoryOffset: number;
}

/** `bomb` unpacks to more than the limit. */
type ZipFailure = "truncated" | "damaged" | "bomb";

/** A limit of the unpacking that was exceeded. */
interface ExceededLimit {
  readonly limit: number;
  readonly setting: "unpackedMb" | "zipEntries" | "zipRatio";
}

/** The zip is incomplete, differs from its directory, or exceeds a limit. */
export class ZipError extends Error {
  override readonly name = "ZipError";
  readonly reason: ZipFailure;
  /** The limit that a bomb exceeds. */
  readonly exceeded: ExceededLimit | undefined;

  constructor(
    reason: ZipFailure,
    message: string,
    options: ErrorOptions & { readonly exceeded?: ExceededLimit } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.exceeded = options.exceeded;
  }
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const RECORD_SIGNATURE = 0x02014b50;
const RECORD_BYTES = 46;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCATOR64_BYTES = 20;
/** Value of a field whose number is in the ZIP64 record instead. */
const ELSEWHERE_16 = 0xffff;
const ELSEWHERE_32 = 0xffffffff;
const LARGE_FIELD_ID = 1;

/** An open file as a source of bytes. */
export function fileBytes(fd: number, sizeBytes: number): ByteSource {
  return {
    sizeBytes,
    read(offset, length) {
      const buffer = Buffer.alloc(length);
      let filled = 0;
      while (filled < length) {
        const count = readSync(fd, buffer, filled, length - filled, offset + filled);
        if (count === 0) throw new ZipError("truncated", `The file ends before byte ${offset}.`);
        filled += count;
      }
      return buffer;
    },
  };
}

/** Lists the parts, at most `maxEntries`; throws a `ZipError` if the end of the file is missing. */
export function readZipDirectory(source: ByteSource, maxEntries: number): readonly ZipEntry[] {
  const { count, start, length } = readEnd(source);
  if (count > maxEntries) {
    const exceeded = { limit: maxEntries, setting: "zipEntries" } as const;
    throw new ZipError("bomb", `The zip has ${count} parts.`, { exceeded });
  }
  if (start + length > source.sizeBytes) {
    throw new ZipError("truncated", "The directory of the zip lies beyond its end.");
  }
  return parseDirectory(source.read(start, length), start, count);
}

interface DirectoryLocation {
  readonly count: number;
  readonly start: number;
  readonly length: number;
}

function readEnd(source: ByteSource): DirectoryLocation {
  const tailBytes = Math.min(source.sizeBytes, END_BYTES + MAX_COMMENT_BYTES);
  const tail = source.read(source.sizeBytes - tailBytes, tailBytes);
  const end = findEnd(tail, source.sizeBytes - tailBytes);
  if (end === -1) throw new ZipError("truncated", "The zip has no directory.");
  const location = {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    start: tail.readUInt32LE(end + 16),
  };
  const isLarge =
    location.count === ELSEWHERE_16 ||
    location.length === ELSEWHERE_32 ||
    location.start === ELSEWHERE_32;
  return (
    (isLarge ? readLargeEnd(source, source.sizeBytes - tailBytes + end) : undefined) ?? location
  );
}

/** The ZIP64 record of a zip with many or large parts, if there is one before the usual end. */
function readLargeEnd(source: ByteSource, end: number): DirectoryLocation | undefined {
  if (end < LOCATOR64_BYTES) return undefined;
  const locator = source.read(end - LOCATOR64_BYTES, LOCATOR64_BYTES);
  if (locator.readUInt32LE(0) !== LOCATOR64_SIGNATURE) return undefined;
  const at = toSafeNumber(locator.readBigUInt64LE(8));
  if (at + END64_BYTES > source.sizeBytes) {
    throw new ZipError("truncated", "The record of the large zip lies beyond its end.");
  }
  const record = source.read(at, END64_BYTES);
  if (record.readUInt32LE(0) !== END64_SIGNATURE) {
    throw new ZipError("damaged", "The record of the large zip is not where it should be.");
  }
  return {
    count: toSafeNumber(record.readBigUInt64LE(32)),
    length: toSafeNumber(record.readBigUInt64LE(40)),
    start: toSafeNumber(record.readBigUInt64LE(48)),
  };
}

function toSafeNumber(value: bigint): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new ZipError("damaged", `The zip names the place ${value}.`);
}

/**
 * Finds the record that reaches the end of the file, else the last one that stands right behind the
 * directory that it names: downloads may add bytes to a file.
 */
function findEnd(tail: Buffer, tailStart: number): number {
  let found = -1;
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const end = at + END_BYTES + tail.readUInt16LE(at + 20);
    if (end === tail.length) return at;
    const directoryEnd = tail.readUInt32LE(at + 12) + tail.readUInt32LE(at + 16);
    if (found === -1 && end < tail.length && directoryEnd === tailStart + at) found = at;
  }
  return found;
}

function parseDirectory(bytes: Buffer, start: number, count: number): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + RECORD_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD_SIGNATURE) {
      throw new ZipError("damaged", "The directory of the zip is shorter than it says.");
    }
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const name = at + RECORD_BYTES;
    const extra = name + nameBytes;
    if (extra + extraBytes > bytes.length) {
      throw new ZipError("damaged", "The directory of the zip is shorter than it says.");
    }
    entries.push({
      name: bytes.toString("utf8", name, extra),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      crc: bytes.readUInt32LE(at + 16),
      ...withLargeFields(bytes, at, bytes.subarray(extra, extra + extraBytes)),
      directoryOffset: start + at,
    });
    at = extra + extraBytes + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

type SizeFields = Pick<ZipEntry, "packedBytes" | "unpackedBytes" | "headerOffset">;

/** Sizes and position of a part; values that do not fit are in its extra field, in this order. */
function withLargeFields(bytes: Buffer, at: number, extra: Buffer): SizeFields {
  const large = largeNumbers(extra);
  const [unpackedBytes = 0, packedBytes = 0, headerOffset = 0] = [24, 20, 42].map((field) => {
    const value = bytes.readUInt32LE(at + field);
    return value === ELSEWHERE_32 ? (large.shift() ?? value) : value;
  });
  return { unpackedBytes, packedBytes, headerOffset };
}

function largeNumbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== LARGE_FIELD_ID) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: Math.floor(field.length / 8) }, (_, index) =>
      toSafeNumber(field.readBigUInt64LE(index * 8)),
    );
  }
  return [];
}

/*
 * Unpacks the parts of a zip. The unpacked bytes are counted, whatever the directory says, and a
 * part that differs from the directory is refused at its end.
 */

interface UnpackLimits {
  /** Maximum size of all parts together, unpacked, in MB. */
  readonly unpackedMb: number;
  /** Maximum compression ratio of a part over `RATIO_FLOOR_BYTES`. */
  readonly zipRatio: number;
}

/** Below this size the compression ratio is not checked. */
const RATIO_FLOOR_BYTES: number = 1024 * 1024;

/** Unpacks the parts of one zip and counts the bytes of all of them. */
export interface Unpacker {
  /** A small part as a whole. */
  whole(entry: ZipEntry, maxBytes: number): Buffer;
  /** A part in pieces; each piece stays valid. */
  pieces(entry: ZipEntry): AsyncGenerator<Buffer>;
}

const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Number of bytes read and unpacked at a time. */
const PIECE_BYTES = 256 * 1024;

export function createUnpacker(source: ByteSource, limits: UnpackLimits): Unpacker {
  let total = 0;

  function count(entry: ZipEntry, soFar: number, more: number): void {
    total += more;
    if (total > limits.unpackedMb * MB) throw toBomb(entry, limits, "unpackedMb");
    if (soFar > RATIO_FLOOR_BYTES && soFar > entry.packedBytes * limits.zipRatio) {
      throw toBomb(entry, limits, "zipRatio");
    }
  }

  async function* pieces(entry: ZipEntry): AsyncGenerator<Buffer> {
    const check = createCheck(entry);
    for await (const piece of rawPieces(source, entry)) {
      count(entry, check.bytes() + piece.length, piece.length);
      check.add(piece);
      yield piece;
    }
    check.end();
  }

  return {
    pieces,
    whole(entry, maxBytes) {
      const unpacked = unpackWhole(source, entry, Math.min(maxBytes, limits.unpackedMb * MB));
      count(entry, unpacked.length, unpacked.length);
      const check = createCheck(entry);
      check.add(unpacked);
      check.end();
      return unpacked;
    },
  };
}

const toBomb = ({ name }: ZipEntry, limits: UnpackLimits, setting: keyof UnpackLimits): ZipError =>
  new ZipError("bomb", `The part ${name} unpacks to too much.`, {
    exceeded: { limit: limits[setting], setting },
  });

interface Check {
  bytes(): number;
  add(piece: Buffer): void;
  end(): void;
}

function createCheck(entry: ZipEntry): Check {
  let bytes = 0;
  let crc = 0;
  return {
    bytes: () => bytes,
    add(piece) {
      bytes += piece.length;
      crc = crc32(piece, crc);
    },
    end() {
      if (bytes === entry.unpackedBytes && crc === entry.crc) return;
      throw new ZipError("damaged", `The part ${entry.name} is not what the directory says.`);
    },
  };
}

/** Position of the packed bytes of a part. */
function dataStart(source: ByteSource, entry: ZipEntry): number {
  const header = readWithin(source, entry.headerOffset, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE || entry.isEncrypted) {
    throw new ZipError("damaged", `The part ${entry.name} is not where the directory says.`);
  }
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new ZipError("damaged", `The part ${entry.name} is packed in an unknown way.`);
  }
  const names = header.readUInt16LE(26) + header.readUInt16LE(28);
  return entry.headerOffset + HEADER_BYTES + names;
}

function readWithin(source: ByteSource, offset: number, length: number): Buffer {
  if (offset + length <= source.sizeBytes) return source.read(offset, length);
  throw new ZipError("truncated", `The zip ends before byte ${offset + length}.`);
}

function unpackWhole(source: ByteSource, entry: ZipEntry, maxBytes: number): Buffer {
  const packed = readWithin(source, dataStart(source, entry), entry.packedBytes);
  if (entry.method === STORED) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    const isTooMuch = error instanceof RangeError;
    throw new ZipError(
      isTooMuch ? "bomb" : "damaged",
      `The part ${entry.name} cannot be unpacked.`,
      { cause: error },
    );
  }
}

async function* rawPieces(source: ByteSource, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = packedPieces(source, entry);
  if (entry.method === STORED) {
    yield* packed;
    return;
  }
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  const input = Readable.from(packed);
  input.once("error", (error) => inflate.destroy(error));
  input.pipe(inflate);
  try {
    for await (const piece of inflate) yield piece;
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError("damaged", `The part ${entry.name} cannot be unpacked.`, { cause: error });
  } finally {
    input.destroy();
  }
}

function* packedPieces(source: ByteSource, entry: ZipEntry): Generator<Buffer> {
  const start = dataStart(source, entry);
  for (let done = 0; done < entry.packedBytes; done += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, entry.packedBytes - done);
    yield readWithin(source, start + done, length);
  }
}

/** The parts of a file by name, independent of spelling. */
export interface PackageParts {
  readonly names: readonly string[];
  get(name: string): ZipEntry | undefined;
}

/**
 * Lists the parts; throws a `SheetError` if they are too many or too large, or if two have the same
 * name.
 */
export function readPackage(source: ByteSource, limits: ReadLimits, file: string): PackageParts {
  const entries = readZipDirectory(source, limits.zipEntries);
  const parts = new Map(entries.map((entry) => [partKey(entry.name), entry]));
  if (parts.size < entries.length) throw new SheetError("E_ZIP_DUP_ENTRY", { file });
  const bomb = findBomb(entries, limits);
  if (bomb !== undefined) throw new SheetError("E_ZIP_RATIO", { file, ...bomb });
  return {
    names: entries.map(({ name }) => name),
    get: (name) => parts.get(partKey(name)),
  };
}

/** Some programs write backslashes, and Excel ignores case. */
const partKey = (name: string): string =>
  name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/** Finds an entry that states too large a size, so that unpacking need not be tried. */
function findBomb(
  entries: readonly ZipEntry[],
  { unpackedMb, zipRatio }: ReadLimits,
): SheetErrorDetails | undefined {
  const total = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  const [first] = entries;
  if (first !== undefined && total > unpackedMb * MB) {
    return { found: first.name, limit: unpackedMb, setting: "unpackedMb" };
  }
  const bomb = entries.find(
    (entry) =>
      entry.unpackedBytes > RATIO_FLOOR_BYTES && entry.unpackedBytes > entry.packedBytes * zipRatio,
  );
  return bomb && { found: bomb.name, limit: zipRatio, setting: "zipRatio" };
}

/** Throws a `SheetError` that names what a zip without a workbook is. */
export function refuseOtherKinds(parts: PackageParts, file: string): void {
  if (parts.get("xl/workbook.bin") === undefined) return;
  throw new SheetError("E_FILE_TYPE", { file, hint: "binary-excel" });
}

/** Whether the file is an OpenDocument spreadsheet. */
export const isOpenDocument = (parts: PackageParts): boolean =>
  parts.get("content.xml") !== undefined && parts.get("mimetype") !== undefined;

/** Turns a failure of the zip into a `SheetError`; returns any other value as it is. */
export function fromZipError(error: unknown, file: string): unknown {
  if (!(error instanceof ZipError)) return error;
  const code = (
    { truncated: "E_FILE_TRUNCATED", damaged: "E_FILE_DAMAGED", bomb: "E_ZIP_RATIO" } as const
  )[error.reason];
  const details = { file, found: error.message, ...error.exceeded };
  return new SheetError(code, details, { cause: error });
}

/** Parts that spreadsheet programs write, and `writeXlsx` does not: each writes one at least. */
const FOREIGN_PART = /^(?:docProps\/|xl\/theme\/|xl\/sharedStrings\.xml$)/u;

const MAX_ENTRIES = 0xffff;

/**
 * Whether the file, which `writeXlsx` once wrote, was saved by another program since, or replaced by
 * another file; `false` where there is no file. Throws the file system's error where it cannot be
 * read.
 */
export function wasSavedSince(path: string): boolean {
  const file = openIfThere(path);
  if (file === undefined) return false;
  try {
    const source = fileBytes(file, fstatSync(file).size);
    return readZipDirectory(source, MAX_ENTRIES).some(({ name }) => FOREIGN_PART.test(name));
  } catch (error) {
    if (error instanceof ZipError) return true;
    throw error;
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
