/** Holds the texts that a workbook stores once and its cells name by number, as bytes. */

import {
  type ByteStoreOptions,
  createByteStore,
  type ByteStore,
  type StoredRange,
} from "./process/byte-store.ts";
import { CELL_SEPARATOR } from "./process/row-frame.ts";
import { type PlainText, readPlainText } from "./xml/plain-markup.ts";
import { createXmlBytes, type XmlBytes } from "./xml/xml-bytes.ts";
import { decodeEntities } from "./xml/xml-scanner.ts";

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

export interface SharedStringsOptions extends ByteStoreOptions {
  /**
   * Longer texts are cut one character beyond the limit, so that the reader sees that they are too
   * long.
   */
  readonly maxChars: number;
}

export interface SharedStringsCollector {
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
