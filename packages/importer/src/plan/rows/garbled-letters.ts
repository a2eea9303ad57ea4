/** Recognises texts whose letters another program has lost on the way. */

import { createTwiceRepair } from "@catalog/sheets";

/** What is wrong with the letters of a text. */
export interface GarbledLetters {
  /** The text as it may have been; `undefined` where its letters are lost. */
  readonly meant: string | undefined;
}

/** Looks at one text, or at one title; `undefined` where nothing is wrong with it. */
export type FindGarbled = (text: string, kind?: "title") => GarbledLetters | undefined;

/** Turkish letters of windows-1254, and what windows-1252 has in their places. */
const TAKEN_FOR: ReadonlyMap<string, string> = new Map([
  ["Þ", "Ş"],
  ["þ", "ş"],
  ["Ý", "İ"],
  ["ý", "ı"],
  ["Ð", "Ğ"],
  ["ð", "ğ"],
]);
const WESTERN = /[ÞþÝýÐð]/gu;

/** Question marks within a word or before one; addresses have them as well. */
const LOST = /\p{L}\?+\p{L}|(?<![\p{L}\p{N}\p{P}])\?+\p{L}/gu;
/** Question marks after a word with others behind it; a text asks so, but hardly a title. */
const LOST_IN_TITLE = /\p{L}\?+(?=\s+\p{L})/u;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]+/gu;
/** A longer text may lack a blank behind a question once. */
const LONG_TEXT = 200;

/**
 * Finds UTF-8 that was read as an old encoding (`Ã‡elik`), windows-1254 that was read as
 * windows-1252 (`Þarj Cihazý`), and letters that became question marks (`Y?ld?z`).
 */
export function createFindGarbled(): FindGarbled {
  const twice = createTwiceRepair();
  return (text, kind) => {
    if (twice.hasTrace(text)) {
      const meant = twice.repair(text);
      if (meant !== text) return { meant };
    }
    const western = text.replaceAll(WESTERN, (sign) => TAKEN_FOR.get(sign) ?? sign);
    if (western !== text) return { meant: western };
    if (!text.includes("?")) return undefined;
    const words = text.replaceAll(ADDRESS, " ");
    if (kind === "title" && LOST_IN_TITLE.test(words)) return { meant: undefined };
    const lost = words.match(LOST)?.length ?? 0;
    return lost > (text.length > LONG_TEXT ? 1 : 0) ? { meant: undefined } : undefined;
  };
}
