import { LocalizedError } from "@catalog/i18n";

import type { EncodingReading } from "./csv/legacy-encoding.ts";
import type { ReadLimits } from "./limits.ts";
import { type FileHint, MESSAGES } from "./sheet-error-messages.ts";

/** Why a file could not be read. Stable: safe to branch on and to store. */
export type SheetErrorCode =
  | "E_FILE_MISSING"
  | "E_FILE_DIRECTORY"
  | "E_FILE_UNREADABLE"
  | "E_FILE_EMPTY"
  | "E_FILE_TYPE"
  | "E_FILE_TRUNCATED"
  | "E_FILE_DAMAGED"
  | "E_FILE_LINK"
  | "E_NOT_XLSX"
  | "E_ZIP_RATIO"
  | "E_ZIP_DUP_ENTRY"
  | "E_XML"
  | "E_READER_LIMIT"
  | "E_ENCODING"
  | "E_ENCODING_UNSURE"
  | "E_NUL"
  | "E_CSV_QUOTE"
  | "E_DELIMITER"
  | "E_SHEET_UNKNOWN"
  | "E_SHEET_CHOICE"
  | "E_SHEETS_DIFFER"
  | "E_HEADER_ROW"
  | "E_ROWS_NONE"
  | "E_ROW_RANGE"
  | "E_CELL_REF"
  | "E_CELL_VALUE"
  | "E_TOO_MANY_ROWS"
  | "E_TOO_MANY_COLUMNS"
  | "E_CELL_TOO_LONG"
  | "E_TOO_LARGE";

/** Details of a failure, as far as they are known. */
export interface SheetErrorDetails {
  /** The file's base name. */
  readonly file?: string;
  /** As Excel shows it. */
  readonly row?: number;
  /** From 1. */
  readonly column?: number;
  /** The limit that was exceeded, in the unit of the limit. */
  readonly limit?: number;
  /** The setting of that limit. */
  readonly setting?: keyof ReadLimits;
  /** What was requested or found. */
  readonly found?: string;
  /** The names to choose from. */
  readonly names?: readonly string[];
  /** Headers that differ, of the sheets in `names`. */
  readonly headers?: readonly string[];
  /** Numbers of rows of the sheets in `names`; a number from 10,000 on stands for more. */
  readonly rowCounts?: readonly number[];
  /** The encodings to choose from, best first, with the words that differ in each of them. */
  readonly readings?: readonly EncodingReading[];
  /** What the file probably is. */
  readonly hint?: FileHint;
}

/** The setting of the limit that a code tells of, where it is always the same. */
const SETTINGS: Partial<Readonly<Record<SheetErrorCode, keyof ReadLimits>>> = {
  E_TOO_MANY_ROWS: "rows",
  E_TOO_MANY_COLUMNS: "columns",
  E_CELL_TOO_LONG: "cellChars",
  E_TOO_LARGE: "fileMb",
};

/** A file, or the sheet in it, could not be read. `message` is the English text. */
export class SheetError extends LocalizedError<SheetErrorCode> {
  override readonly name = "SheetError";
  readonly details: SheetErrorDetails;

  constructor(code: SheetErrorCode, details: SheetErrorDetails = {}, options?: ErrorOptions) {
    const setting = details.setting ?? SETTINGS[code];
    const known = setting === undefined ? details : { ...details, setting };
    super(code, MESSAGES[code](known), options);
    this.details = known;
  }
}

const FILE_ERRORS: ReadonlyMap<unknown, SheetErrorCode> = new Map([
  ["ENOENT", "E_FILE_MISSING"],
  ["ENOTDIR", "E_FILE_MISSING"],
  ["EISDIR", "E_FILE_DIRECTORY"],
  ["EACCES", "E_FILE_UNREADABLE"],
  ["EPERM", "E_FILE_UNREADABLE"],
  ["EBUSY", "E_FILE_UNREADABLE"],
  ["EIO", "E_FILE_UNREADABLE"],
]);

/** Turns a failure of the file system into a `SheetError`; returns any other value as it is. */
export function fromFileError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = FILE_ERRORS.get(error.code);
  return code === undefined ? error : new SheetError(code, { file }, { cause: error });
}
