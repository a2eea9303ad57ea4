/** Texts of the program without the parts that only help on a command line. */

/** A sentence that names a command of the program, one of its flags or a variable. */
const COMMAND_LINE = /\bcatalog [a-z]|\bCATALOG_[A-Z]|(?:^|[\s(])--[a-z]|held\.xlsx|failed\.xlsx/u;

/** A sentence ends with its mark, a blank and a capital letter or a quotation mark. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}"“])/u;

/** Flags in parentheses, which only tell how to change the word before them. */
const FLAG_BEHIND = / \(--[a-z-]{1,30}\)/gu;

/**
 * Leaves out the sentences that name a command, a flag or a result file; `null` where none is left.
 */
export function plainAdvice(text: string): string | null {
  const kept = text
    .replaceAll(FLAG_BEHIND, "")
    .split(SENTENCE_END)
    .filter((sentence) => !COMMAND_LINE.test(sentence));
  return kept.length === 0 ? null : kept.join(" ");
}

/** As {@link plainAdvice}; a text of which nothing would be left stays as it is. */
export const plainText = (text: string): string => plainAdvice(text) ?? text;
