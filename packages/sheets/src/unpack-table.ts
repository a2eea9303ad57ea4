/**
 * Unpacks the table of a compressed file, gzip or zip, into a file of its own, so that whatever reads
 * tables reads it. The content decides, not the name; a workbook is a zip, too, and is left alone.
 * Unpacked bytes are counted and bounded, whatever the file says of itself.
 */

import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { isTableName } from "@catalog/i18n";

import { SheetError } from "./sheet-error.ts";
import { DEFAULT_LIMITS, MB, type ReadLimits } from "./sheet-rows.ts";
import { fold } from "./xlsx/read/workbook-reader.ts";
import {
  createUnpacker,
  fileBytes,
  fromZipError,
  readZipDirectory,
  type ZipEntry,
} from "./xlsx/zip/read-zip.ts";

/** An unpacked table, which is removed when it is disposed of. */
export interface UnpackedTable extends Disposable {
  readonly path: string;
  /** Whether the wanted name chose this table, and so is not that of a sheet in it. */
  readonly isChosen: boolean;
}

export interface UnpackTableOptions {
  readonly path: string;
  /** What people call the file. @default the name in its path */
  readonly name?: string | undefined;
  /** Name of the table in a zip with several, or its number from 1. @default the only one */
  readonly wanted?: string | undefined;
  readonly limits?: Partial<ReadLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const GZIP = "1f8b08";
const ZIP = /^504b(?:0304|0506)/u;
const HEAD_BYTES = 4;

/**
 * Unpacks a compressed table; `undefined` for any other file, and for one that cannot be read. Throws
 * `SheetError`: `E_PACKED_CHOICE` where a zip holds several tables and none is wanted, `E_PACKED_NONE` where
 * it holds none, `E_PACKED_LOCKED`, and those of damaged files and of bombs.
 */
export async function unpackTable(options: UnpackTableOptions): Promise<UnpackedTable | undefined> {
  const head = await readHead(options.path);
  if (head?.startsWith(GZIP) === true) return await unpackGzip(options);
  if (head !== undefined && ZIP.test(head)) return await unpackZip(options);
  return undefined;
}

async function readHead(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("hex", 0, bytesRead);
  } catch (error) {
    // A file that cannot be read is refused by its reader, with its own words.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** A place for the unpacked table, which keeps its name, as messages show it. */
function makePlace(name: string): Pick<UnpackedTable, "path"> & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "catalog-unpacked-"));
  const safe = basename(name.replaceAll("\\", "/")).replaceAll(/[\p{Cc}\p{Cf}/:*?"<>|]/gu, "_");
  return {
    path: join(folder, safe === "" || /^\.+$/u.test(safe) ? "table" : safe.slice(-MAX_NAME)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const MAX_NAME = 100;

interface Unpacking {
  readonly name: string;
  readonly isChosen: boolean;
  readonly signal: AbortSignal | undefined;
  readonly pieces: AsyncIterable<Buffer>;
}

async function writeTable({ name, isChosen, signal, pieces }: Unpacking): Promise<UnpackedTable> {
  const place = makePlace(name);
  try {
    const file = createWriteStream(place.path, { mode: 0o600 });
    await pipeline(pieces, file, { ...(signal !== undefined && { signal }) });
    return { ...place, isChosen };
  } catch (error) {
    place[Symbol.dispose]();
    signal?.throwIfAborted();
    throw error;
  }
}

async function unpackGzip({
  path,
  name: file = basename(path),
  limits,
  signal,
}: UnpackTableOptions): Promise<UnpackedTable> {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const name = file.replace(/\.t?gz$/iu, "");
  let packed = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packed += chunk.length;
      done(null, chunk);
    },
  });
  const gunzip = createGunzip();
  async function* pieces(): AsyncGenerator<Buffer> {
    const feeding = pipeline(createReadStream(path), counted, gunzip);
    // Its error is the one that the loop meets.
    feeding.catch(() => undefined);
    let unpacked = 0;
    for await (const piece of gunzip) {
      if (unpacked === 0 && isTar(piece))
        throw new SheetError("E_FILE_TYPE", { file, hint: "archive" });
      unpacked += piece.length;
      assertBounded(file, { packed, unpacked }, bounds);
      yield piece;
    }
  }
  try {
    return await writeTable({ name, isChosen: false, signal, pieces: pieces() });
  } catch (error) {
    throw fromGzipError(error, file);
  }
}

const TAR_MARK = 257;

/** Several files in one, which no reader of tables knows. */
const isTar = (piece: Buffer): boolean =>
  piece.toString("latin1", TAR_MARK, TAR_MARK + 5) === "ustar";

/** Below this size the compression ratio says nothing. */
const RATIO_FLOOR_BYTES = MB;

interface Sizes {
  readonly packed: number;
  readonly unpacked: number;
}

function assertBounded(
  file: string,
  { packed, unpacked }: Sizes,
  { unpackedMb, zipRatio }: ReadLimits,
): void {
  if (unpacked > unpackedMb * MB) {
    throw new SheetError("E_PACKED_SIZE", { file, limit: unpackedMb, setting: "unpackedMb" });
  }
  // What is packed is read ahead of what is unpacked, so the ratio is never shown too high.
  if (unpacked > RATIO_FLOOR_BYTES && unpacked > packed * zipRatio) {
    throw new SheetError("E_PACKED_SIZE", { file, limit: zipRatio, setting: "zipRatio" });
  }
}

function fromGzipError(error: unknown, file: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const code = String(error.code);
  if (code === "Z_BUF_ERROR") return new SheetError("E_FILE_TRUNCATED", { file }, { cause: error });
  return code.startsWith("Z_")
    ? new SheetError("E_FILE_DAMAGED", { file }, { cause: error })
    : error;
}

/** Parts that only workbooks and documents of office programs have. */
const WORKBOOK_PART = /^\/?(?:\[content_types\]\.xml|mimetype|xl\/|content\.xml$)/iu;

async function unpackZip({
  path,
  name: file = basename(path),
  wanted,
  limits,
  signal,
}: UnpackTableOptions): Promise<UnpackedTable | undefined> {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  await using handle = await open(path);
  try {
    const source = fileBytes(handle.fd, (await handle.stat()).size);
    const entries = readZipDirectory(source, bounds.zipEntries);
    if (entries.some(({ name }) => WORKBOOK_PART.test(name.replaceAll("\\", "/"))))
      return undefined;
    const { entry, isChosen } = chooseEntry(entries, { file, wanted });
    if (entry.isEncrypted) throw new SheetError("E_PACKED_LOCKED", { file });
    const pieces = createUnpacker(source, bounds).pieces(entry);
    return await writeTable({ name: entry.name, isChosen, signal, pieces });
  } catch (error) {
    const known = fromZipError(error, file);
    const isBomb = known instanceof SheetError && known.code === "E_ZIP_RATIO";
    throw isBomb ? new SheetError("E_PACKED_SIZE", known.details, { cause: error }) : known;
  }
}

interface ChosenEntry {
  readonly entry: ZipEntry;
  readonly isChosen: boolean;
}

function chooseEntry(
  entries: readonly ZipEntry[],
  { file, wanted }: { readonly file: string; readonly wanted: string | undefined },
): ChosenEntry {
  const tables = entries.filter(({ name }) => isTableName(name));
  const [only, ...others] = tables;
  if (only === undefined) {
    throw new SheetError("E_PACKED_NONE", {
      file,
      names: entries.slice(0, MAX_NAMED).map(({ name }) => name),
    });
  }
  const chosen =
    wanted === undefined
      ? []
      : tables.filter(({ name }) => [name, basename(name)].some((one) => isSame(one, wanted)));
  const [entry] = chosen;
  if (entry !== undefined && chosen.length === 1) return { entry, isChosen: true };
  // Of a single table, what is wanted is one of its sheets.
  if (others.length === 0) return { entry: only, isChosen: false };
  const numbered = /^[1-9]\d{0,3}$/u.test(wanted ?? "") ? tables[Number(wanted) - 1] : undefined;
  if (numbered !== undefined) return { entry: numbered, isChosen: true };
  throw new SheetError("E_PACKED_CHOICE", { file, names: tables.map(({ name }) => name) });
}

const MAX_NAMED = 5;

const isSame = (one: string, other: string): boolean => fold(one) === fold(other);
