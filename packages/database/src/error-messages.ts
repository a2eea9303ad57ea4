/** Messages for people about errors of the file system or of SQLite. */

import { statfsSync } from "node:fs";
import { dirname } from "node:path";

import { isDiskFull, type Localized, turkishFileCause } from "@catalog/i18n";

/** By SQLite's primary result code. */
const TURKISH: ReadonlyMap<number, string> = new Map([
  [8, "yalnızca okunabiliyor"],
  [10, "okuma ya da yazma hatası"],
  [11, "dosyanın içeriği bozuk"],
  [13, "disk dolu"],
  [14, "dosya açılamıyor"],
  [15, "kilitlenemiyor"],
  [26, "dosya bir veritabanı değil"],
]);

/**
 * Describes why the file at `path` cannot be used; the English text is that of the failing system.
 */
export function describeDatabaseError(error: unknown, path: string): Localized {
  const en = error instanceof Error ? error.message : String(error);
  const tr = TURKISH.get(toSqliteResult(error) ?? 0) ?? turkishFileCause(toCode(error)) ?? en;
  return { tr: `${path}: ${tr}`, en: `${path}: ${en}` };
}

/** Returns the primary result code; the upper bits of an extended code hold the details. */
export function toSqliteResult(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode % 256 : undefined;
}

const toCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const IO_RESULT = 10;
const FULL_RESULT = 13;

/** Free space below this is too little for the smallest file beside a database. */
const NO_SPACE_BYTES = 64 * 1024;

/**
 * Says whether a file was refused because its disk is full; SQLite may report that as an I/O error.
 */
export function isOutOfSpace(error: unknown, path: string): boolean {
  const result = toSqliteResult(error);
  if (result === FULL_RESULT || isDiskFull(error)) return true;
  return result === IO_RESULT && readFreeSpace(path) < NO_SPACE_BYTES;
}

function readFreeSpace(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // Where the free space cannot be read, the error has another reason.
    return Infinity;
  }
}
