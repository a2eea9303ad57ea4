/** What a file is, by its first bytes. Its name is not asked. */

import { type FileHint } from "./sheet-error-messages.ts";

/** How many bytes `detectKind` wants to see. */
export const KIND_BYTES = 1024;

export type FileKind =
  | { readonly kind: "zip" }
  | { readonly kind: "text" }
  | { readonly kind: "other"; readonly hint: FileHint };

const SIGNATURES: readonly (readonly [hex: string, hint: FileHint])[] = [
  ["d0cf11e0", "old-excel"],
  ["25504446", "pdf"],
  ["89504e47", "picture"],
  ["ffd8ff", "picture"],
  ["47494638", "picture"],
];

const ZIP = /^504b(?:0304|0506)/;

// Compared after every NUL is gone, so that UTF-16 reads like the rest.
const MARKUP =
  /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*<(?:!doctype|html|head|meta|table|style|\?xml|!--)/i;

export function detectKind(head: Buffer): FileKind {
  const hex = head.toString("hex", 0, 8);
  if (ZIP.test(hex)) return { kind: "zip" };
  const hint = SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1];
  if (hint !== undefined) return { kind: "other", hint };
  const text = head.toString("latin1").replaceAll("\0", "");
  return MARKUP.test(text) ? { kind: "other", hint: "html" } : { kind: "text" };
}
