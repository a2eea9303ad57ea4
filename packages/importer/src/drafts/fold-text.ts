/** Folds texts for searching in them, sign by sign: case, accents and the Turkish i do not count. */

import { fold } from "@catalog/mapping";

/** Folds a text; signs that are neither letters nor digits become single blanks. */
export type FoldText = (text: string) => string;

/** Creates the fold, which remembers each sign that it has met. */
export function createTextFold(): FoldText {
  const known: (string | undefined)[] = [];
  const foldSign = (sign: string): string => {
    const code = sign.charCodeAt(0);
    const folded = known[code] ?? toFolded(sign);
    known[code] = folded;
    return folded;
  };
  return (text) => {
    let result = "";
    // Most signs stay, so they are copied in runs.
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= LOWER_A && code <= LOWER_Z) continue;
      const sign = text.charAt(at);
      const folded = foldSign(sign);
      if (folded === sign) continue;
      result += text.slice(start, at) + folded;
      start = at + 1;
    }
    return (result + text.slice(start)).replaceAll(/ {2,}/gu, " ").trim();
  };
}

const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

function toFolded(sign: string): string {
  if (/\p{M}/u.test(sign)) return "";
  return /[\p{L}\p{N}]/u.test(sign) ? fold(sign) : " ";
}
