/** Writes a zip without compression. */

import { crc32 } from "node:zlib";

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const RECORD_SIGNATURE = 0x02014b50;
const HEADER_SIGNATURE = 0x04034b50;

/** A zip of uncompressed parts, as the chunks of its bytes. */
export function toStoredZip(parts: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  const chunks: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of parts) {
    const nameBytes = Buffer.from(name);
    const fields = storedFields(nameBytes, content);
    const header = Buffer.concat([uint32(HEADER_SIGNATURE), fields, nameBytes]);
    const extra = Buffer.alloc(14);
    extra.writeUInt32LE(offset, 10);
    records.push(Buffer.concat([uint32(RECORD_SIGNATURE), uint16(20), fields, extra, nameBytes]));
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

/** Fields that a part's header and its record in the directory share. */
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
