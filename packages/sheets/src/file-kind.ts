/** Detects the kind of a file by its first bytes, never by its name. */

import type { FileHint } from "./sheet-error-messages.ts";

/** Number of bytes that `detectKind` needs. */
export const KIND_BYTES = 1024;

/** What kind of file the first bytes show. */
export type FileKind =
  | { readonly kind: "workbook" }
  | { readonly kind: "text" }
  | { readonly kind: "other"; readonly hint: FileHint };

const SIGNATURES: readonly (readonly [hex: string, hint: FileHint])[] = [
  ["25504446", "pdf"],
  ["89504e47", "picture"],
  ["ffd8ff", "picture"],
  ["47494638", "picture"],
  ["1f8b08", "archive"],
  ["52617221", "archive"],
  ["377abcaf", "archive"],
];

const ZIP = /^504b(?:0304|0506)/;
/**
 * The beginning of a compound file, which old workbooks and workbooks with a password are, or of the
 * bare records that Excel wrote up to version 4.
 */
export const OLD_WORKBOOK: RegExp = /^(?:d0cf11e0|09(?:000400|020600|040600|080800|081000))/;

// Matched after every NUL is removed, so that UTF-16 matches as well. Of other elements another one
// follows the first, since the first header of a CSV file may be written as one.
const MARKUP =
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*<(?:!doctype|\?xml|!--|(?:html|head|body|meta|table|style|div|span|p|center|font|form|script)[\s>]|[a-z_][\w.:-]*(?:\s[^<>]*)?>\s*<[a-z_!])/i;
const JSON_START = /^(?:\u00ef\u00bb\u00bf)?\s*(?:\{\s*["}]|\[\s*[[{"\]])/u;

/** Detects the kind of a file by its first `KIND_BYTES` bytes. */
export function detectKind(head: Buffer): FileKind {
  const hex = head.toString("hex", 0, 8);
  if (ZIP.test(hex) || OLD_WORKBOOK.test(hex)) return { kind: "workbook" };
  const hint = SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1];
  if (hint !== undefined) return { kind: "other", hint };
  const text = head.toString("latin1").replaceAll("\0", "");
  // Markup is read by the process that reads workbooks, which finds the table in it.
  if (MARKUP.test(text)) return { kind: "workbook" };
  return JSON_START.test(text) ? { kind: "other", hint: "json" } : { kind: "text" };
}
