/**
 * Decodes the tables that programs write as markup under the name of a workbook: HTML and XML
 * Spreadsheet 2003.
 */

import { decodeBytes } from "../../csv/decoder.ts";
import { SheetError } from "../../sheet-error.ts";
import type { ByteSource } from "../zip/zip-directory.ts";
import { decodeLetters } from "./html-letters.ts";

const HEAD_BYTES = 1024;
const MARKUP = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*</u;
const WIDE_MARKS: ReadonlyMap<string, string> = new Map([
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
]);
const CHARSET = /(?:charset|encoding)\s*=\s*["']?([\w-]{1,40})/iu;
const SPREADSHEET = /urn:schemas-microsoft-com:office:spreadsheet/u;
/**
 * The code of `Euro Currency`, which the library does not know. It takes `Currency`, that of the
 * machine that wrote the file, for dollars.
 */
const EUROS = "[$€-2] #,##0.00";
const TABLE = /<table[\s>]/iu;

/** Whether the bytes begin with a tag. */
export const isMarkup = (source: ByteSource): boolean =>
  MARKUP.test(
    source.read(0, Math.min(HEAD_BYTES, source.sizeBytes)).toString("latin1").replaceAll("\0", ""),
  );

const OPEN_DOCUMENT = /<office:document\s/u;

/** Whether markup is an OpenDocument spreadsheet in one file (`.fods`). */
export const isFlatOpenDocument = (source: ByteSource): boolean =>
  OPEN_DOCUMENT.test(source.read(0, Math.min(HEAD_BYTES, source.sizeBytes)).toString("latin1"));

/** The text of an OpenDocument file; throws a `SheetError` if it declares entities. */
export function readFlatText(source: ByteSource, file: string): string {
  const text = decodeMarkup(source.read(0, source.sizeBytes), file);
  if (/<!ENTITY/iu.test(text)) throw new SheetError("E_XML", { file });
  return text;
}

/** The declaration, comments and instructions before the first element. */
const PROLOGUE = /^\s*(?:<(?:\?[^>]*\?|!--.*?--)>\s*)*/su;
const HTML =
  /^<(?:!doctype\s+html|html|head|body|meta|title|link|style|script|table|t[hr]|thead|tbody|div|span|p|br?|h[1-6]|center|font|form)[\s/>]/iu;

/** Throws a `SheetError` for markup that holds no table, declares entities or cannot be decoded. */
export function readMarkupText(source: ByteSource, file: string): string {
  const bytes = source.read(0, source.sizeBytes);
  const text = decodeMarkup(bytes, file);
  if (/<!ENTITY/iu.test(text)) throw new SheetError("E_XML", { file });
  if (SPREADSHEET.test(text.slice(0, HEAD_BYTES * 4))) {
    return text
      .replaceAll('ss:Format="Currency"', 'ss:Format="Standard"')
      .replaceAll('ss:Format="Euro Currency"', `ss:Format="${EUROS}"`);
  }
  // The texts of a feed may hold tables.
  const isXml = !HTML.test(text.replace(PROLOGUE, ""));
  if (!isXml && TABLE.test(text)) return toPlainTable(text);
  throw new SheetError("E_FILE_TYPE", { file, hint: isXml ? "xml" : "html" });
}

/** The encoding that the document states, else UTF-8, else the one of Turkish Windows. */
function decodeMarkup(bytes: Buffer, file: string): string {
  const stated = CHARSET.exec(bytes.toString("latin1", 0, HEAD_BYTES * 4))?.[1];
  const wide = WIDE_MARKS.get(bytes.toString("hex", 0, 2));
  for (const encoding of [wide, stated, "utf-8", "windows-1254"]) {
    const text = encoding === undefined ? undefined : decodeAs(bytes, encoding);
    if (text !== undefined) return text;
  }
  throw new SheetError("E_ENCODING", { file, found: stated ?? "utf-8" });
}

function decodeAs(bytes: Buffer, encoding: string): string | undefined {
  try {
    return decodeBytes(bytes, encoding);
  } catch (error) {
    // The document names an encoding that does not exist.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Tags within a text, around which the library would remove blanks. */
const INLINE_TAG =
  /<\/?(?:a|abbr|b|big|em|font|i|label|nobr|o:p|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/giu;
/** The end of a paragraph before another one. */
const PARAGRAPHS = /<\/(?:div|h\d|li|p)>\s*<(?:div|h\d|li|p)(?:\s[^<>]*)?>/giu;

/** The page in the tags and letters that the library knows. */
const toPlainTable = (page: string): string =>
  decodeLetters(page).replaceAll(PARAGRAPHS, "<br>").replaceAll(INLINE_TAG, "");
