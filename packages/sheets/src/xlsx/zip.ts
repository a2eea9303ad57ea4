/**
 * The directory of a zip file, and its parts. Only the directory at the end is believed, never the
 * headers between the parts: a file in which the two disagree is read one way, here.
 */

import { readSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";

/** Bytes that can be read anywhere. */
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
  /** Where the part's own header begins. */
  readonly headerOffset: number;
  /** Where the part's record in the directory begins. */
  readonly directoryOffset: number;
}

/** The zip is not whole, or not as it says it is. */
export class ZipError extends Error {
  override readonly name = "ZipError";
  readonly reason: "truncated" | "damaged";

  constructor(reason: "truncated" | "damaged", message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const RECORD_SIGNATURE = 0x02014b50;
const RECORD_BYTES = 46;
const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

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
  const tailBytes = Math.min(source.sizeBytes, END_BYTES + MAX_COMMENT_BYTES);
  const tail = source.read(source.sizeBytes - tailBytes, tailBytes);
  const end = findEnd(tail);
  if (end === -1) throw new ZipError("truncated", "The zip has no directory.");
  const count = tail.readUInt16LE(end + 10);
  if (count > maxEntries) throw new ZipError("damaged", `The zip has ${count} parts.`);
  const start = tail.readUInt32LE(end + 16);
  const length = tail.readUInt32LE(end + 12);
  if (start + length > source.sizeBytes) {
    throw new ZipError("truncated", "The directory of the zip lies beyond its end.");
  }
  return parseDirectory(source.read(start, length), start, count);
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    const reachesTheEnd = (): boolean =>
      at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length;
    if (tail.readUInt32LE(at) === END_SIGNATURE && reachesTheEnd()) return at;
  }
  return -1;
}

function parseDirectory(bytes: Buffer, start: number, count: number): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + RECORD_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD_SIGNATURE) {
      throw new ZipError("damaged", "The directory of the zip is shorter than it says.");
    }
    const nameBytes = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString("utf8", at + RECORD_BYTES, at + RECORD_BYTES + nameBytes),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      packedBytes: bytes.readUInt32LE(at + 20),
      unpackedBytes: bytes.readUInt32LE(at + 24),
      headerOffset: bytes.readUInt32LE(at + 42),
      directoryOffset: start + at,
    });
    at += RECORD_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** Unpacks a part, and insists on the size and the checksum-free length that the directory states. */
export function readZipEntry(source: ByteSource, entry: ZipEntry): Buffer {
  const header = source.read(entry.headerOffset, HEADER_BYTES);
  if (header.readUInt32LE(0) !== HEADER_SIGNATURE || entry.isEncrypted) {
    throw new ZipError("damaged", `The part ${entry.name} is not where the directory says.`);
  }
  const names = header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = source.read(entry.headerOffset + HEADER_BYTES + names, entry.packedBytes);
  const unpacked = unpack(packed, entry);
  if (unpacked.length !== entry.unpackedBytes) {
    throw new ZipError("damaged", `The part ${entry.name} is not as long as the directory says.`);
  }
  return unpacked;
}

function unpack(packed: Buffer, entry: ZipEntry): Buffer {
  if (entry.method === STORED) return packed;
  if (entry.method !== DEFLATED) {
    throw new ZipError("damaged", `The part ${entry.name} is packed in an unknown way.`);
  }
  try {
    // The limit is what the directory states: a part that unpacks to more stops there.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.unpackedBytes) });
  } catch (error) {
    throw new ZipError("damaged", `The part ${entry.name} cannot be unpacked.`, { cause: error });
  }
}

/** A zip of parts that are already at hand, not packed, as the chunks of its bytes. */
export function toStoredZip(parts: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  const chunks: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of parts) {
    const nameBytes = Buffer.from(name);
    const fields = storedFields(nameBytes, content);
    const header = Buffer.concat([uint32(HEADER_SIGNATURE), fields, nameBytes]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    records.push(Buffer.concat([uint32(RECORD_SIGNATURE), uint16(20), fields, place, nameBytes]));
    chunks.push(header, content);
    offset += header.length + content.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return [...chunks, directory, end];
}

/** The fields that a part's header and its record in the directory have in common. */
function storedFields(name: Buffer, content: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
