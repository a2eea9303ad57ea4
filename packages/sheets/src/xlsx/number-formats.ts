/** What the number formats of a workbook make of a number: a date, or digits with zeros before them. */

import { parseAttributes, scanXml } from "./xml-scanner.ts";

/** `padded` shows an integer with zeros before it, in at least `digits` digits. */
export type NumberFormat =
  | { readonly kind: "plain" }
  | { readonly kind: "date" }
  | { readonly kind: "padded"; readonly digits: number };

const PLAIN: NumberFormat = { kind: "plain" };
const DATE: NumberFormat = { kind: "date" };

/** The numbers of Excel's own date and time formats, those of East Asia included. */
const isDateId = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58);

/** Texts, escaped and repeated letters, colours and conditions; not the elapsed times `[h]`. */
const DECORATION = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** Reads a format as Excel stores it. */
export function parseNumberFormat(code: string): NumberFormat {
  const [positive = ""] = code.replaceAll(DECORATION, "").split(";");
  if (/^0{2,}$/.test(positive)) return { kind: "padded", digits: positive.length };
  const isDate = positive.toLowerCase() !== "general" && /[ymdhs]/i.test(positive);
  return isDate ? DATE : PLAIN;
}

/** The formats of a styles part by the number that a cell names as its style. */
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
  return styles.map((id) => custom.get(id) ?? (isDateId(id) ? DATE : PLAIN));
}

const DAY_MS = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The last day that Excel can name, 31 December 9999. */
const MAX_SERIAL = 2_958_466;
/** Excel believes that 1900 had a 29 February, so days before it are one off. */
const LEAP_SERIAL = 60;

/**
 * A number of days as ISO text: `2026-01-31`, or `2026-01-31T12:30:00` if there is a time; a sheet
 * knows no zone. A number that is no date in Excel either is given as its own text.
 */
export function serialToIso(serial: number, isDate1904: boolean): string {
  if (!(serial >= 0 && serial < MAX_SERIAL)) return String(serial);
  const shift = !isDate1904 && serial > 0 && serial < LEAP_SERIAL ? 1 : 0;
  const epoch = isDate1904 ? EPOCH_1904 : EPOCH_1900;
  // A moment is stored as a fraction of a day, which is seldom a whole number of milliseconds.
  const ms = Math.round(((serial + shift) * DAY_MS) / 1000) * 1000;
  const text = new Date(epoch + ms).toISOString();
  return text.slice(0, text.endsWith("T00:00:00.000Z") ? 10 : 19);
}
