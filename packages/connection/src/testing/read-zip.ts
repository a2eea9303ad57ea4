import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06_05_4b_50;
const STORED = 0;

/** The text of one part of a zip file, such as a workbook; `undefined` when it has no such part. */
export function readZipPart(path: string, part: string): string | undefined {
  const bytes = readFileSync(path);
  let end = bytes.length - 22;
  while (bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    if (name === part) return readData(bytes, at);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return undefined;
}

function readData(bytes: Buffer, directory: number): string {
  const local = bytes.readUInt32LE(directory + 42);
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const data = bytes.subarray(start, start + bytes.readUInt32LE(directory + 20));
  const isStored = bytes.readUInt16LE(directory + 10) === STORED;
  return (isStored ? data : inflateRawSync(data)).toString("utf8");
}
