/** Interprets the number formats of a workbook: a date, or digits with leading zeros. */

import { BUILT_IN_CODES, isBuiltInDate } from "./built-in-formats.ts";
import { parseAttributes, scanXml } from "./xml/xml-scanner.ts";

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
