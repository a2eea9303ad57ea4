/** Recognises a text that an old encoding has passed on without some of its letters. */

const LETTER = /[^\0-\u007f]/u;

/** Whether `?` stands where the old text has a letter beyond ASCII, and all before it is alike. */
export function losesLetters(old: string, text: string): boolean {
  const at = text.indexOf("?");
  if (at === -1 || !old.startsWith(text.slice(0, at))) return false;
  return LETTER.test(old.charAt(at)) || losesLetters(old.slice(at + 1), text.slice(at + 1));
}
