/**
 * Secrets that a container gets as files: `CATALOG_CLIENT_SECRET_FILE` names the file whose text is the
 * value of `CATALOG_CLIENT_SECRET`. Only the path is passed on to other processes.
 */

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";

import { UsageError } from "@catalog/console";
import { describeFileError, isFileError, type Localized } from "@catalog/i18n";

import type { Environment } from "./settings.ts";

/** The variables whose values may be in files. */
export const FILED_SETTINGS = [
  "CATALOG_CLIENT_KEY",
  "CATALOG_CLIENT_SECRET",
  "CATALOG_DATABASE_URL",
  "CATALOG_OPENID_SECRET",
  "CATALOG_SECRET_KEY",
  "CATALOG_API_KEY",
] as const;

/** The variable that names the file of a setting. */
export const fileVariableOf = (name: string): string => `${name}_FILE`;

interface FiledEnvironment {
  /** The environment with the values of the files in place of their paths. */
  readonly env: Environment;
  /** Why a file cannot be used; `undefined` where all can. */
  readonly error: UsageError | undefined;
}

/** Reads the files that the environment names; paths are relative to `cwd`. */
export function readSecretFiles(env: Environment, cwd: string): FiledEnvironment {
  const read: Record<string, string | undefined> = { ...env };
  let error: UsageError | undefined;
  for (const name of FILED_SETTINGS) {
    const variable = fileVariableOf(name);
    const path = env[variable];
    delete read[variable];
    if (!path) continue;
    try {
      if (env[name]) throw new UsageError(bothGiven(name, variable));
      read[name] = readSecretFile(resolve(cwd, path), variable);
    } catch (reason) {
      if (!(reason instanceof UsageError)) throw reason;
      error ??= reason;
    }
  }
  return { env: read, error };
}

/** Longer than any key, secret or address; a wrong file is not read into memory. */
const MAX_BYTES = 16 * 1024;

const WRITABLE_BY_ALL = 0o002;

/**
 * Reads a secret without the line feed at its end. Throws {@link UsageError}, which names `variable`,
 * the setting that gave the path, and never the content.
 */
export function readSecretFile(path: string, variable: string): string {
  const bytes = readBytes(path, variable);
  const text = decode(bytes)?.replace(/\r?\n$/u, "");
  // A secret is one line; a control character comes from a binary file or several secrets.
  if (text === undefined || /\p{Cc}/u.test(text)) throw refuse(path, variable, REASONS.binary);
  if (text.trim() === "") throw refuse(path, variable, REASONS.empty);
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readBytes(path: string, variable: string): Uint8Array {
  let file: number | undefined;
  try {
    // A pipe without a writer would be waited for.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const about = fstatSync(file);
    if (about.isDirectory()) throw refuse(path, variable, REASONS.folder);
    if (!about.isFile()) throw refuse(path, variable, REASONS.noFile);
    const isOpen = process.platform !== "win32" && (about.mode & WRITABLE_BY_ALL) !== 0;
    if (isOpen) throw refuse(path, variable, REASONS.open);
    const bytes = new Uint8Array(MAX_BYTES + 1);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    if (length > MAX_BYTES) throw refuse(path, variable, REASONS.large);
    return bytes.subarray(0, length);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw refuse(path, variable, describeFileError(error), error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const REASONS = {
  empty: { tr: "dosya boş", en: "it is empty" },
  large: {
    tr: `dosya ${MAX_BYTES / 1024} kB'tan büyük; bir gizli anahtar bu kadar uzun olmaz`,
    en: `it is larger than ${MAX_BYTES / 1024} kB, which no secret is`,
  },
  binary: {
    tr: "dosyada tek satırlık bir metin (UTF-8) yok",
    en: "it is not one line of text (UTF-8)",
  },
  folder: { tr: "bu bir klasör", en: "it is a folder" },
  noFile: { tr: "bu sıradan bir dosya değil", en: "it is no regular file" },
  open: {
    tr: "dosyaya herkes yazabiliyor; değiştirilmiş olabilir. Önce: chmod o-w",
    en: "everybody can write to it, so it may have been changed. First: chmod o-w",
  },
} as const satisfies Readonly<Record<string, Localized>>;

const refuse = (path: string, variable: string, reason: Localized, cause?: unknown): UsageError =>
  new UsageError(
    {
      tr: `${variable}: “${path}” kullanılamadı: ${reason.tr}. Yalnız değeri içeren bir dosyanın yolunu verin ya da ${variable} değişkenini kaldırın.`,
      en: `${variable}: "${path}" cannot be used: ${reason.en}. Name a file that has the value only, or unset ${variable}.`,
    },
    { cause },
  );

const bothGiven = (name: string, variable: string): Localized => ({
  tr: `Hem ${name} hem ${variable} verilmiş; hangisinin geçerli olduğu belli değil. Birini kaldırın.`,
  en: `Both ${name} and ${variable} are set, and it is not clear which one holds. Unset one of them.`,
});
