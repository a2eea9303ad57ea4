/**
 * Reads the directory of a zip file. Only the directory at the end counts, never the headers
 * between the parts, so that a file in which they disagree has one reading.
 */

import { readSync } from "node:fs";

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
export type ZipFailure = "truncated" | "damaged" | "bomb";

/** A limit of the unpacking that was exceeded. */
export interface ExceededLimit {
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
