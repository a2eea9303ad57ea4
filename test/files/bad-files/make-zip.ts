/** A small writer of zips, which can write wrong sizes. */

import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string;
  readonly content: string | Buffer;
  /** The unpacked size that the directory states. @default the true one */
  readonly claims?: number;
  /** Whether the part is stored without compression. */
  readonly isStored?: boolean;
}

const LARGE = 0xffffffff;

/** `isLarge` writes every size and offset in the fields for zips beyond 4 GB. */
export function makeZip(parts: readonly ZipPart[], isLarge = false): Buffer {
  const chunks: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { name, header, record, data } = packPart(part, offset, isLarge);
    chunks.push(header, name, data);
    records.push(record);
    offset += header.length + name.length + data.length;
  }
  const directory = Buffer.concat(records);
  return Buffer.concat([
    ...chunks,
    directory,
    ...makeEnd({ count: parts.length, start: offset, bytes: directory.length }, isLarge),
  ]);
}

function packPart(
  part: ZipPart,
  offset: number,
  isLarge: boolean,
): Record<"name" | "header" | "record" | "data", Buffer> {
  const content = Buffer.from(part.content);
  const name = Buffer.from(part.name);
  const data = part.isStored === true ? content : deflateRawSync(content);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(part.isStored === true ? 0 : 8, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(part.claims ?? content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const header = Buffer.concat([signature(0x04034b50), fields]);
  const extra = isLarge
    ? largeField(part.claims ?? content.length, data.length, offset)
    : Buffer.alloc(0);
  const inDirectory = Buffer.from(fields);
  inDirectory.writeUInt16LE(extra.length, 24);
  if (isLarge) inDirectory.fill(0xff, 14, 22);
  const zip64 = Buffer.alloc(14);
  zip64.writeUInt32LE(isLarge ? LARGE : offset, 10);
  const record = Buffer.concat([
    signature(0x02014b50),
    Buffer.from([20, 0]),
    inDirectory,
    zip64,
    name,
    extra,
  ]);
  return { name, header, record, data };
}

function largeField(unpacked: number, packed: number, offset: number): Buffer {
  const field = Buffer.alloc(28);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(24, 2);
  for (const [index, value] of [unpacked, packed, offset].entries()) {
    field.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  }
  return field;
}

interface DirectoryPlace {
  readonly count: number;
  readonly start: number;
  readonly bytes: number;
}

function makeEnd({ count, start, bytes }: DirectoryPlace, isLarge: boolean): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(isLarge ? LARGE : bytes, 12);
  end.writeUInt32LE(isLarge ? LARGE : start, 16);
  if (!isLarge) return [end];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) record.writeBigUInt64LE(BigInt(count), at);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator, end];
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The same parts, some of them with other content. */
export const changeParts = (
  parts: readonly ZipPart[],
  change: (part: ZipPart) => Partial<ZipPart> | undefined,
): ZipPart[] => parts.map((part) => Object.assign({}, part, change(part)));
