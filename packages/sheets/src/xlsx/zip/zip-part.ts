/**
 * Unpacks the parts of a zip. The unpacked bytes are counted, whatever the directory says, and a
 * part that differs from the directory is refused at its end.
 */

import { Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";

import { MB } from "../../limits.ts";
import { type ByteSource, type ZipEntry, ZipError } from "./zip-directory.ts";

export interface UnpackLimits {
  /** Maximum size of all parts together, unpacked, in MB. */
  readonly unpackedMb: number;
  /** Maximum compression ratio of a part over `RATIO_FLOOR_BYTES`. */
  readonly zipRatio: number;
}

/** Below this size the compression ratio is not checked. */
export const RATIO_FLOOR_BYTES: number = 1024 * 1024;

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
