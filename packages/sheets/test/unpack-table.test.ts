import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { unpackTable, type UnpackTableOptions } from "../src/unpack-table.ts";
import { fileOf, refusal } from "./helpers/files.ts";
import { workbookParts, xlsxOf, zipOf, type ZipPart } from "./helpers/workbooks.ts";

const TABLE = "Kod;Stok\nA-1;5\n";

const countLeft = (): number =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("catalog-unpacked-")).length;

interface Unpacked {
  readonly name: string;
  readonly text: string;
  readonly isChosen: boolean;
}

/** Unpacks a file, and looks that nothing of it stays. */
async function unpack(
  name: string,
  content: string | Uint8Array,
  options: Partial<UnpackTableOptions> = {},
): Promise<Unpacked | undefined> {
  const table = await unpackTable({ path: fileOf(name, content), ...options });
  if (table === undefined) return undefined;
  const { path, isChosen } = table;
  const unpacked = { name: basename(path), text: readFileSync(path, "utf8"), isChosen };
  table[Symbol.dispose]();
  expect(existsSync(path)).toBe(false);
  return unpacked;
}

const part = (name: string, content = TABLE): ZipPart => ({ name, content });

describe("a compressed table", () => {
  it.each([
    ["stok.csv.gz", gzipSync(TABLE), "stok.csv"],
    ["stok.gz", gzipSync(TABLE), "stok"],
    ["feed", gzipSync(TABLE), "feed"],
    [
      "two members.csv.gz",
      Buffer.concat([gzipSync("Kod;Stok\n"), gzipSync("A-1;5\n")]),
      "two members.csv",
    ],
    ["stok.zip", zipOf([part("stok.csv")]), "stok.csv"],
    ["feed", zipOf([part("xml/stok.xml")]), "stok.xml"],
    [
      "mac.zip",
      zipOf([
        part("__MACOSX/._stok.csv"),
        part("stok.csv"),
        part(".gizli.csv"),
        part("READ_ME.txt"),
      ]),
      "stok.csv",
    ],
    ["evil.zip", zipOf([part("../../etc/stok.csv")]), "stok.csv"],
    ["evil.zip", zipOf([part("..\\..\\stok.csv")]), "stok.csv"],
  ])("is unpacked from %s", async (name, content, table) => {
    expect(await unpack(name, content)).toEqual({ name: table, text: TABLE, isChosen: false });
  });

  it.each([
    ["stok.csv", Buffer.from(TABLE)],
    ["empty.csv", Buffer.from("")],
    ["book.xlsx", xlsxOf("")],
    ["book.xlsx", zipOf(workbookParts([{ name: "Sayfa1", rows: "" }]).slice(1))],
    ["sheet.ods", zipOf([part("mimetype"), part("content.xml")])],
  ])("%s is none", async (name, content) => {
    expect(await unpack(name, content)).toBeUndefined();
  });

  it.each([
    ["B.CSV", "b.csv"],
    ["liste/b.csv", "b.csv"],
    ["2", "b.csv"],
  ])("is chosen among several as %s", async (wanted, name) => {
    const zip = zipOf([part("a.csv", "A\n"), part("liste/b.csv")]);

    expect(await unpack("stok.zip", zip, { wanted })).toEqual({
      name,
      text: TABLE,
      isChosen: true,
    });
  });

  const whole = gzipSync(TABLE.repeat(99));
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 6) ^ 0xff, damaged.length - 6);
  const locked = zipOf([part("stok.csv")]);
  const flags = locked.indexOf(Buffer.from("504b0102", "hex")) + 8;
  locked.writeUInt16LE(locked.readUInt16LE(flags) | 1, flags);
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  const tar = Buffer.alloc(1024);
  tar.write("ustar", 257);
  it.each([
    ["holds several tables", "E_PACKED_CHOICE", zipOf([part("a.csv"), part("b.csv")])],
    ["holds no table", "E_PACKED_NONE", zipOf([part("a.pdf")])],
    ["holds nothing", "E_PACKED_NONE", zipOf([])],
    ["is locked", "E_PACKED_LOCKED", locked],
    ["is cut off (gzip)", "E_FILE_TRUNCATED", whole.subarray(0, whole.length - 9)],
    ["is cut off (zip)", "E_FILE_TRUNCATED", zipOf([part("a.csv")]).subarray(0, 60)],
    ["is damaged", "E_FILE_DAMAGED", damaged],
    ["is a tar", "E_FILE_TYPE", gzipSync(tar)],
    ["is a bomb (gzip)", "E_PACKED_SIZE", gzipSync(zeros)],
    ["is a bomb (zip)", "E_PACKED_SIZE", zipOf([part("a.csv", zeros.toString("latin1"))])],
  ])("is refused where it %s: %s", async (_, code, content) => {
    const before = countLeft();

    const error = await refusal(unpackTable({ path: fileOf("stok.bin", content) }));

    expect([error.code, countLeft()]).toEqual([code, before]);
    expect(error.localized.tr + error.localized.en).not.toContain("undefined");
  });

  it("is refused beyond the size that a setting allows", async () => {
    const path = fileOf("stok.csv.gz", gzipSync("Kod;Stok\n".repeat(200_000)));

    const limits = { unpackedMb: 1, zipRatio: 5_000 };
    const error = await refusal(unpackTable({ path, limits }));

    expect(error.details).toMatchObject({ limit: 1, setting: "unpackedMb" });
  });
});
