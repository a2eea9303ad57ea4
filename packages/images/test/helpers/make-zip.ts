/** Zips for tests, both ordinary and hostile. */

import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The size that the directory states. @default the real size */
  readonly saidBytes?: number;
  /** Whether it is a symbolic link. */
  readonly isLink?: boolean;
}

const LINK_MODE = 0o120777 * 0x10000;

export function makeZip(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const packed = deflateRawSync(part.bytes);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(part.bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(part.saidBytes ?? part.bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from("PK\u0003\u0004"), facts, name, packed]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(part.isLink === true ? LINK_MODE : 0, 6);
    end.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, 3]);
    records.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), madeBy, facts, end, name]));
    bodies.push(body);
    offset += body.length;
  }
  const directory = Buffer.concat(records);
  const last = Buffer.alloc(18);
  last.writeUInt16LE(parts.length, 4);
  last.writeUInt16LE(parts.length, 6);
  last.writeUInt32LE(directory.length, 8);
  last.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, directory, Buffer.from("PK\u0005\u0006"), last]);
}
