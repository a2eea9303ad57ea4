/** What a file system or SQLite says of the database file, in words for people. */

import { statfsSync } from "node:fs";
import { dirname } from "node:path";

import { type Localized } from "@catalog/i18n";

/** By SQLite's primary result. */
const TURKISH: ReadonlyMap<number, string> = new Map([
  [5, "başka bir işlem kullanıyor"],
  [8, "yalnızca okunabiliyor"],
  [10, "okuma ya da yazma hatası"],
  [11, "dosyanın içeriği bozuk"],
  [13, "disk dolu"],
  [14, "dosya açılamıyor"],
  [15, "kilitlenemiyor"],
  [26, "dosya bir veritabanı değil"],
]);

/** Codes of the file system. */
const TURKISH_CODES: ReadonlyMap<string, string> = new Map([
  ["EACCES", "erişim izni yok"],
  ["EPERM", "erişim izni yok"],
  ["EROFS", "dosya sistemi yalnızca okunabiliyor"],
  ["ENOSPC", "diskte yer yok"],
  ["ENOTDIR", "yolun bir bölümü klasör değil"],
  ["EISDIR", "bu bir klasör"],
  ["ENOENT", "yol bulunamadı"],
  ["EEXIST", "bu adda başka bir şey var"],
]);

/** Why the file at `path` cannot be used; the English words are those of whoever refused. */
export function describeTrouble(error: unknown, path: string): Localized {
  const en = error instanceof Error ? error.message : String(error);
  const tr = TURKISH.get(toSqliteResult(error) ?? 0) ?? TURKISH_CODES.get(toCode(error)) ?? en;
  return { tr: `${path}: ${tr}`, en: `${path}: ${en}` };
}

/** The primary result code; the upper bits of an extended one tell the details. */
export function toSqliteResult(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode % 256 : undefined;
}

const toCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

const IO_RESULT = 10;
const FULL_RESULT = 13;

/** Less room than the smallest file beside a database takes. */
const NO_ROOM_BYTES = 64 * 1024;

/** Says whether a file was refused because its disk has no room; SQLite may call that an i/o error. */
export function isOutOfRoom(error: unknown, path: string): boolean {
  const result = toSqliteResult(error);
  if (result === FULL_RESULT || toCode(error) === "ENOSPC") return true;
  return result === IO_RESULT && readRoom(path) < NO_ROOM_BYTES;
}

function readRoom(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // Where not even that can be read it is something else.
    return Infinity;
  }
}
