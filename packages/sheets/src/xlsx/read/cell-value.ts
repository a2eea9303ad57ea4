/**
 * Turns a cell of a workbook into a value, by its number format and the texts that cells share.
 */

import type { CellTrait, CellValue } from "../../cell.ts";
import { type PlainText, readPlainText } from "./plain-markup.ts";
import {
  type ByteStore,
  type ByteStoreOptions,
  CELL_SEPARATOR,
  createByteStore,
  type StoredRange,
} from "./row-frame.ts";
import {
  createXmlBytes,
  decodeEntities,
  parseAttributes,
  scanXml,
  type XmlBytes,
} from "./xml-scanner.ts";

const ACCOUNTING = '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)';
const ACCOUNTING_2 = '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)';
const DOLLARS = '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)';
const DOLLARS_2 = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)';

/** Codes by number, without 0, which is General. */
const BUILT_IN_CODES: ReadonlyMap<number, string> = new Map([
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [5, '"$"#,##0_);\\("$"#,##0\\)'],
  [6, '"$"#,##0_);[Red]\\("$"#,##0\\)'],
  [7, '"$"#,##0.00_);\\("$"#,##0.00\\)'],
  [8, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)'],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [14, "m/d/yy"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "m/d/yy h:mm"],
  [37, "#,##0_);\\(#,##0\\)"],
  [38, "#,##0_);[Red]\\(#,##0\\)"],
  [39, "#,##0.00_);\\(#,##0.00\\)"],
  [40, "#,##0.00_);[Red]\\(#,##0.00\\)"],
  [41, ACCOUNTING],
  [42, DOLLARS],
  [43, ACCOUNTING_2],
  [44, DOLLARS_2],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
  [48, "##0.0E+0"],
  [49, "@"],
]);

/**
 * Whether a built-in number is a date; East Asian ones are included, which have no code here. Number
 * 46 is a duration.
 */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  id === 45 ||
  id === 47 ||
  (id >= 50 && id <= 58);

/** How a cell is displayed. */
export interface NumberFormat {
  /** `padded` displays an integer with leading zeros and nothing else. */
  readonly kind: "plain" | "date" | "padded";
  /** For `padded`: minimum number of digits. */
  readonly digits: number;
  /** As Excel stores it; undefined for General. */
  readonly code: string | undefined;
  /** The code, where it displays a text as more or less than the text. */
  readonly textCode: string | undefined;
}

const GENERAL: NumberFormat = { kind: "plain", digits: 0, code: undefined, textCode: undefined };

/** Texts, escaped and repeated characters, colours and conditions; not the elapsed times `[h]`. */
const DECORATION = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi;
/** A duration, which is a number of days and no date. */
const ELAPSED = /\[(?:h+|m+|s+)\]/i;
/** Fractions of a second, the only decimals in a date. */
const FRACTION_OF_SECOND = /s(?:[.,]0+)/gi;

/** Parses a format as Excel stores it. */
export function parseNumberFormat(code: string): NumberFormat {
  if (code === "" || code.toLowerCase() === "general") return GENERAL;
  const format = { digits: 0, code, textCode: hidesText(code) ? code : undefined };
  if (/^0{2,}$/.test(code)) return { ...format, kind: "padded", digits: code.length };
  return { ...format, kind: isDateCode(code) ? "date" : "plain" };
}

/**
 * Whether a code is a date; a digit makes it a number, whatever letters are around it: `#,##0.00
 * USD`.
 */
function isDateCode(code: string): boolean {
  const [positive = ""] = code.replaceAll(DECORATION, "").split(";");
  if (!/[ymdhs]/i.test(positive) || ELAPSED.test(positive)) return false;
  return !/[0#?]/.test(positive.replaceAll(FRACTION_OF_SECOND, "s"));
}

const TEXT_SECTION = 3;
/** Signs that display only blanks: `_(@_)` and `* @`. */
const BLANKS = /_.|\* |\[[^\][]*\]|\\ |" *"| /g;
const QUOTED_SEMICOLON = /"[^"]*"|\\./g;

/** Whether the section for texts displays more or less than the text: `@" adet"`, or nothing. */
function hidesText(code: string): boolean {
  const sections = code
    .replaceAll(QUOTED_SEMICOLON, (quoted) => quoted.replaceAll(";", " "))
    .split(";");
  const ownSection = sections.length > TEXT_SECTION ? sections[TEXT_SECTION] : undefined;
  const last = sections.at(-1) ?? "";
  const section = ownSection ?? (last.includes("@") ? last : "@");
  return section.replaceAll(BLANKS, "") !== "@";
}

/** Reads the formats of a styles part, by the index that a cell names as its style. */
export function parseStyles(xml: string): readonly NumberFormat[] {
  const custom = new Map<number, NumberFormat>();
  const styles: number[] = [];
  let isCellStyle = false;
  scanXml(xml, {
    open(name, source) {
      if (name === "cellXfs") isCellStyle = true;
      if (name !== "numFmt" && !(name === "xf" && isCellStyle)) return;
      const attributes = parseAttributes(source);
      const id = Number(attributes.get("numFmtId") ?? 0);
      if (name === "xf") styles.push(id);
      else custom.set(id, parseNumberFormat(attributes.get("formatCode") ?? ""));
    },
    text() {},
    close(name) {
      if (name === "cellXfs") isCellStyle = false;
    },
  });
  return styles.map((id) => custom.get(id) ?? builtInFormat(id));
}

function builtInFormat(id: number): NumberFormat {
  const format = parseNumberFormat(BUILT_IN_CODES.get(id) ?? "");
  return isBuiltInDate(id) ? { ...format, kind: "date" } : format;
}

const DAY_MS = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The last day that Excel can name, 31 December 9999. */
const MAX_SERIAL = 2_958_466;
/** Excel believes that 1900 had a 29 February, so days before it are one off. */
const LEAP_SERIAL = 60;

/**
 * Converts a number of days to ISO text: `2026-01-31`, or `2026-01-31T12:30:00` if there is a time;
 * a sheet has no time zone. A number that is no date in Excel is returned as its own text.
 */
export function serialToIso(serial: number, isDate1904: boolean): string {
  if (!(serial >= 0 && serial < MAX_SERIAL)) return String(serial);
  const shift = !isDate1904 && serial > 0 && serial < LEAP_SERIAL ? 1 : 0;
  const epoch = isDate1904 ? EPOCH_1904 : EPOCH_1900;
  // A time is stored as a fraction of a day, which is seldom a whole number of milliseconds.
  const ms = Math.round(((serial + shift) * DAY_MS) / 1000) * 1000;
  const text = new Date(epoch + ms).toISOString();
  return text.slice(0, text.endsWith("T00:00:00.000Z") ? 10 : 19);
}

export interface SharedStrings {
  readonly size: () => number;
  /** Undefined for a number that names no text. */
  get(index: number): string | undefined;
  /**
   * Finds the bytes of a text that can stand unchanged in the frame of a row. Returns false for any
   * other text and for none; `get` distinguishes them.
   */
  find(index: number, range: StoredRange): boolean;
}

interface SharedStringsOptions extends ByteStoreOptions {
  /**
   * Longer texts are cut one character beyond the limit, so that the reader sees that they are too
   * long.
   */
  readonly maxChars: number;
}

interface SharedStringsCollector {
  /** Receives the part of the shared strings. */
  readonly xml: XmlBytes;
  readonly strings: SharedStrings;
}

export function collectSharedStrings(options: SharedStringsOptions): SharedStringsCollector {
  const store = createByteStore(options);
  /** Texts that contain a cell separator. */
  const separated = new Set<number>();
  let text = "";
  let isText = false;
  let phonetic = 0;
  const plain: PlainText = { start: 0, end: 0, isBare: false };

  const add = (whole: string): void => {
    const unescaped = unescapeXlsxText(whole);
    const isTooLong = unescaped.length > options.maxChars;
    const bytes = Buffer.from(isTooLong ? unescaped.slice(0, options.maxChars + 1) : unescaped);
    if (bytes.includes(CELL_SEPARATOR)) separated.add(store.size());
    store.add(bytes, 0, bytes.length);
  };

  const xml = createXmlBytes({
    take(bytes, start) {
      const end = readPlainText(bytes, start, plain);
      if (end === -1) return -1;
      // A text never has more characters than bytes.
      const isBare = plain.isBare && plain.end - plain.start <= options.maxChars;
      if (isBare) store.add(bytes, plain.start, plain.end);
      else add(decodeEntities(bytes.toString("utf8", plain.start, plain.end)));
      return end;
    },
    open(name) {
      if (name === "t") isText = phonetic === 0;
      else if (name === "rPh") phonetic += 1;
      else if (name === "si") text = "";
    },
    text(piece) {
      if (isText && text.length <= options.maxChars) text += piece;
    },
    close(name) {
      if (name === "t") isText = false;
      else if (name === "rPh") phonetic -= 1;
      else if (name === "si") add(text);
    },
  });
  return { xml, strings: toStrings(store, separated) };
}

const toStrings = (store: ByteStore, separated: ReadonlySet<number>): SharedStrings => ({
  size: () => store.size(),
  get: (index) => store.text(index),
  find: (index, range) =>
    (separated.size === 0 || !separated.has(index)) && store.find(index, range),
});

const ESCAPE = /_x([0-9a-f]{4})_/gi;

/**
 * Reverses the escapes in which Excel writes characters that XML cannot hold. A CR before
 * an LF belongs to the same line break and is left out.
 */
export function unescapeXlsxText(text: string): string {
  const plain = text.includes("_x")
    ? text.replaceAll(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
  return plain.includes("\r") ? plain.replaceAll(/(?<!\r)\r+\n/g, "\n") : plain;
}

/** A cell as it stands in the file. */
export interface CellSource {
  readonly address: string | undefined;
  /** Index of its style. */
  readonly style: number;
  /** `n`, `s`, `str`, `inlineStr`, `b`, `e` or `d`. */
  readonly type: string;
  readonly isFormula: boolean;
  /** `undefined` where there is no value element, which differs from an empty one. */
  readonly value: string | undefined;
}

/** Facts that all cells of a workbook share. */
export interface WorkbookFacts {
  readonly strings: SharedStrings;
  readonly formats: readonly NumberFormat[];
  readonly isDate1904: boolean;
}

export interface ReadCell {
  readonly value: CellValue;
  readonly trait?: CellTrait;
  /** The code of a format that is not part of the value already. */
  readonly format?: string | undefined;
}

/** Undefined for an empty cell; `wrong` for a value that its type does not allow. */
export function toCell(
  source: CellSource,
  workbook: WorkbookFacts,
): ReadCell | "wrong" | undefined {
  const { value, isFormula, type } = source;
  if (value === undefined) return isFormula ? { value: null, trait: "formula" } : undefined;
  const cell = readValue(source, value, workbook);
  if (cell === undefined || cell === "wrong") return isEmptyNumber(type, value, isFormula) ?? cell;
  return isFormula && cell.trait === undefined ? { ...cell, trait: "formula" } : cell;
}

/**
 * Whether a number is empty, as some programs write the value of a formula that they did not
 * calculate.
 */
const isEmptyNumber = (type: string, value: string, isFormula: boolean): ReadCell | undefined =>
  type === "n" && value === "" && isFormula ? { value: null, trait: "formula" } : undefined;

function readValue(
  { type, style }: CellSource,
  value: string,
  workbook: WorkbookFacts,
): ReadCell | "wrong" | undefined {
  switch (type) {
    case "s":
      return toText(sharedText(value, workbook.strings), workbook.formats[style]);
    case "str":
    case "inlineStr":
      return toText(unescapeXlsxText(value), workbook.formats[style]);
    case "b":
      return toBoolean(value);
    case "e":
      return { value: value === "" ? "#ERROR" : value, trait: "error" };
    case "d":
      return value === ""
        ? undefined
        : { value: value.replace(/T00:00:00(?:\.0+)?Z?$/, ""), trait: "date" };
    case "n":
      return toNumber(value, workbook.formats[style], workbook.isDate1904);
    default:
      return "wrong";
  }
}

/** A number is missing where some programs write an empty cell. */
const sharedText = (value: string, strings: SharedStrings): string | undefined =>
  value.trim() === "" ? "" : strings.get(toIndex(value));

const toIndex = (value: string): number => (/^\s*\d+\s*$/.test(value) ? Number(value) : -1);

function toText(
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  if (text === undefined) return "wrong";
  return text === "" ? undefined : { value: text, format: format?.textCode };
}

function toBoolean(value: string): ReadCell | "wrong" {
  if (value === "1" || value === "true") return { value: true };
  return value === "0" || value === "false" ? { value: false } : "wrong";
}

/** JavaScript's other notations of a number, which a cell cannot have. */
const RADIX = /[xbo]/i;

/** Parses the content of a number cell; blanks only are an empty cell. */
export function toNumber(
  text: string,
  format: NumberFormat | undefined,
  isDate1904: boolean,
): ReadCell | "wrong" | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || RADIX.test(text)) return "wrong";
  return formatNumber(value, format, isDate1904);
}

/** The number, or the text that Excel displays where that differs from it. */
export function formatNumber(
  value: number,
  format: NumberFormat | undefined,
  isDate1904: boolean,
): ReadCell {
  const code = format?.code;
  if (format?.kind === "date") return { value: serialToIso(value, isDate1904), trait: "date" };
  if (format?.kind === "padded" && Number.isSafeInteger(value) && value >= 0) {
    const shown = String(value).padStart(format.digits, "0");
    return shown === String(value) ? { value, format: code } : { value: shown };
  }
  return { value, format: code };
}
