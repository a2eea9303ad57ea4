import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type ByteSource,
  createUnpacker,
  readZipDirectory,
  ZipError,
} from "../../../src/xlsx/zip/read-zip.ts";
import { toStoredZip } from "../../helpers/stored-zip.ts";
import { zipOf } from "../../helpers/workbooks.ts";

const bytesOf = (buffer: Buffer): ByteSource => ({
  sizeBytes: buffer.length,
  read: (offset, length) => {
    if (offset + length > buffer.length) throw new ZipError("truncated", "beyond the end");
    return buffer.subarray(offset, offset + length);
  },
});

const reasonOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof ZipError) return error.reason;
    throw error;
  }
  return "none";
};

const NO_LIMITS = { unpackedMb: Infinity, zipRatio: Infinity };

const readEverything = (zip: Buffer): readonly (readonly [string, string])[] =>
  readZipDirectory(bytesOf(zip), 100).map((entry) => [
    entry.name,
    createUnpacker(bytesOf(zip), NO_LIMITS).whole(entry, 1_000_000).toString(),
  ]);

describe("a zip", () => {
  it("returns packed parts unchanged", () => {
    const zip = zipOf([
      { name: "a.xml", content: "şeker" },
      { name: "b/ç.xml", content: "" },
    ]);

    expect(readEverything(zip)).toEqual([
      ["a.xml", "şeker"],
      ["b/ç.xml", ""],
    ]);
  });

  it("returns stored parts unchanged", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: ([name]) => name }),
        (parts) => {
          const wellFormed = parts.map(
            ([name, content]) => [name.toWellFormed(), content.toWellFormed()] as const,
          );
          const zip = toStoredZip(
            new Map(wellFormed.map(([name, content]) => [name, Buffer.from(content)])),
          );

          expect(readEverything(Buffer.concat(zip))).toEqual(wellFormed);
        },
      ),
    );
  });

  it("is found before a comment", () => {
    const zip = zipOf([{ name: "a", content: "x" }]);
    const comment = Buffer.from("not PK\u0005\u0006 the end");
    zip.writeUInt16LE(comment.length, zip.length - 2);

    expect(readEverything(Buffer.concat([zip, comment]))).toEqual([["a", "x"]]);
  });

  it("is truncated wherever it is cut", () => {
    const zip = zipOf([
      { name: "a.xml", content: "x".repeat(500) },
      { name: "b.xml", content: "y" },
    ]);

    for (let length = 4; length < zip.length; length += 1) {
      expect(reasonOf(() => readZipDirectory(bytesOf(zip.subarray(0, length)), 100))).toBe(
        "truncated",
      );
    }
  });

  it("is damaged if a part unpacks to more or less than the directory says", () => {
    for (const claims of [3, 5]) {
      const zip = zipOf([{ name: "a", content: "1234", claims }]);

      expect(reasonOf(() => readEverything(zip))).toBe("damaged");
    }
  });

  it("is a bomb if it has more parts than allowed", () => {
    const zip = zipOf([
      { name: "a", content: "1" },
      { name: "b", content: "2" },
    ]);

    expect(reasonOf(() => readZipDirectory(bytesOf(zip), 1))).toBe("bomb");
  });
});
