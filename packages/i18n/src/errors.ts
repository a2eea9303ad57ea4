/** Texts in both languages, errors that have one, and failures of the file system in words. */

/** A language of the texts for people. */
export type Lang = "tr" | "en";

/** The same text in both languages. */
export interface Localized {
  readonly tr: string;
  readonly en: string;
}

/** Base of the errors whose texts are for people. `message` is the English text. */
export abstract class LocalizedError<Code extends string = string> extends Error {
  /** Stable; safe to branch on. The texts are not. */
  readonly code: Code;
  readonly localized: Localized;

  constructor(code: Code, localized: Localized, options?: ErrorOptions) {
    super(localized.en, options);
    this.code = code;
    this.localized = localized;
  }
}

/** The input of a person cannot be used; nothing was done. */
export class InputError extends LocalizedError {
  // Typed as string, so that a subclass can have its own name.
  override readonly name: string = "InputError";

  /** Makes the error; without a `code` its code is `E_USAGE`. */
  constructor(localized: Localized, options: ErrorOptions & { readonly code?: string } = {}) {
    super(options.code ?? "E_USAGE", localized, options);
  }
}

/** By the file system's error code. */
const CAUSES: ReadonlyMap<string, Localized> = new Map([
  ["EACCES", { tr: "erişim izni yok", en: "there is no permission" }],
  ["EPERM", { tr: "erişim izni yok", en: "there is no permission" }],
  ["EROFS", { tr: "dosya sistemi yalnızca okunabiliyor", en: "the file system is read-only" }],
  ["ENOSPC", { tr: "diskte yer yok", en: "the disk is full" }],
  ["EDQUOT", { tr: "disk kotası doldu", en: "the disk quota is used up" }],
  ["ENOTDIR", { tr: "yolun bir bölümü klasör değil", en: "a part of the path is not a folder" }],
  ["EISDIR", { tr: "bu bir klasör", en: "it is a folder" }],
  ["ENOENT", { tr: "yol bulunamadı", en: "the path was not found" }],
  ["EEXIST", { tr: "bu adda başka bir şey var", en: "there is something else of this name" }],
  ["ENAMETOOLONG", { tr: "yol çok uzun", en: "the path is too long" }],
  ["EBUSY", { tr: "başka bir program kullanıyor", en: "another program is using it" }],
  ["EMFILE", { tr: "çok fazla dosya açık", en: "too many files are open" }],
  ["ENFILE", { tr: "çok fazla dosya açık", en: "too many files are open" }],
  ["EFBIG", { tr: "dosya çok büyük", en: "the file is too large" }],
  ["ELOOP", { tr: "bağlantılar bir yere varmıyor", en: "its links lead nowhere" }],
  ["EIO", { tr: "okuma ya da yazma hatası", en: "it could not be read or written" }],
]);

/** A failure of the file system; `path` is left out where the system names none. */
type FileError = Error & { readonly code: string; readonly path?: string };

/** Whether the file system refused something for a reason that a person can put right. */
export const isFileError = (error: unknown): error is FileError =>
  error instanceof Error &&
  "syscall" in error &&
  "code" in error &&
  typeof error.code === "string" &&
  CAUSES.has(error.code);

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Whether the disk, or the part of it that the user may fill, has no room left. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && FULL.has(error.code);

/** Names the path and the cause: `/a/b: erişim izni yok`. */
export function describeFileError(error: FileError): Localized {
  const { tr, en } = CAUSES.get(error.code) ?? { tr: error.code, en: error.code };
  const before = error.path === undefined ? "" : `${error.path}: `;
  return { tr: before + tr, en: before + en };
}

/** The Turkish words for an error code of the file system; `undefined` for any other. */
export const turkishFileCause = (code: string): string | undefined => CAUSES.get(code)?.tr;
