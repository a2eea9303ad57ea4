/**
 * Comparing texts that people typed. Nothing here changes what is sent: keys are for looking up,
 * the trimmed original goes out.
 */

/** Blanks, and the marks that copying from a web page leaves at the ends of a text. */
const EDGE = /[\s\u00ad\u200b-\u200f\u2060]/u;

/**
 * Most cells need no trimming, and a look at both ends is far cheaper than the pattern. No blank
 * and no mark is among ASCII signs, nor from behind the soft hyphen up to the Ogham blank.
 */
const isPlainEdge = (code: number): boolean =>
  (code > 0x20 && code < 0x7f) || (code > 0xad && code < 0x1680);

/** Takes blanks off both ends, with no-break and zero-width ones and the byte order mark. */
export function trimText(text: string): string {
  if (text === "") return text;
  if (isPlainEdge(text.charCodeAt(0)) && isPlainEdge(text.charCodeAt(text.length - 1))) return text;
  // A pattern for both ends would look at every run of blanks within the text once for each blank.
  let start = 0;
  let end = text.length;
  while (start < end && EDGE.test(text.charAt(start))) start += 1;
  while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const ASCII = /^[\u0020-\u007e]*$/u;

/**
 * Lower case by the Turkish rules: I becomes ı and İ becomes i, so that Isuzu and İsuzu stay two
 * names. Composed, and with single blanks.
 */
export function lowerTurkish(text: string): string {
  const spaced = trimText(text).normalize("NFC").replaceAll(/\s+/gu, " ");
  return ASCII.test(spaced)
    ? spaced.replaceAll("I", "ı").toLowerCase()
    : spaced.toLocaleLowerCase("tr");
}

/**
 * The loosest key, for headers and for finding suggestions: case, accents, punctuation, width and the four Turkish
 * i's do not count, so IŞIK, ışık and Isik are one. A text of nothing but signs (`%`, `₺`) keeps
 * them. Folding twice changes nothing.
 */
export function fold(text: string): string {
  const plain = toPlainLetters(text);
  const words = plain.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  return words === "" ? plain.replaceAll(/\s+/gu, " ").trim() : words;
}

/** Lower case without accents, in usual width, and with one i of the Turkish four; signs stay. */
export function toPlainLetters(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : withoutMarks(text);
}

function withoutMarks(text: string): string {
  const lower = text.normalize("NFKD").toLocaleLowerCase("tr").normalize("NFKD");
  return lower.replaceAll("ı", "i").replaceAll(/[\p{M}\u00ad\u200b-\u200f\u2060\ufeff]+/gu, "");
}

/** A folded text without its blanks: spacing in headers is a matter of luck. */
export function compactFold(text: string): string {
  return fold(text).replaceAll(" ", "");
}

/** Signs of ASCII with single blanks between: composed, trimmed and spaced already. */
const PLAIN_CODE = /^[\u0021-\u007e]+(?: [\u0021-\u007e]+)*$/u;

/** Two product codes with this key in common are the same product. Case counts. */
export function codeKey(text: string): string {
  if (PLAIN_CODE.test(text)) return text;
  return trimText(text.normalize("NFC")).replaceAll(/\s+/gu, " ");
}

/** Letters of other scripts that look like a Latin one, after lower-casing. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: "a",
    в: "b",
    е: "e",
    к: "k",
    м: "m",
    н: "h",
    о: "o",
    р: "p",
    с: "c",
    т: "t",
    у: "y",
    х: "x",
    і: "i",
    ј: "j",
    ѕ: "s",
    ԁ: "d",
    ԛ: "q",
    ԝ: "w",
    α: "a",
    β: "b",
    ε: "e",
    ζ: "z",
    η: "h",
    ι: "i",
    κ: "k",
    μ: "m",
    ν: "n",
    ο: "o",
    ρ: "p",
    τ: "t",
    υ: "y",
    χ: "x",
    ı: "i",
  }),
);

/**
 * Two product codes with only this key in common are suspect: they look alike (case, width, i/ı,
 * zero-width marks, letters of another script) and a person has to say whether they are one.
 */
export function looseCodeKey(text: string): string {
  if (PLAIN_CODE.test(text)) return text.toLowerCase();
  const lower = text.normalize("NFKC").toLowerCase().normalize("NFKC").replaceAll("i\u0307", "i");
  const visible = lower.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]+/gu, "");
  const alike = visible.replaceAll(
    /[\u0100-\uffff]/gu,
    (letter) => LOOKALIKES.get(letter) ?? letter,
  );
  return alike.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();
}

/** An apostrophe before a code, as spreadsheets mark a text with, in the forms that it is typed in. */
const MARKED = /^['\u2018\u2019\u02bc\uff07`\u00b4]+/u;

/** As {@link looseCodeKey}, over all blanks and an apostrophe in front as well. */
export function suspectCodeKey(text: string): string {
  const loose = looseCodeKey(text);
  const plain = loose.includes(" ") ? loose.replaceAll(" ", "") : loose;
  const unmarked = plain.replace(MARKED, "");
  // Nothing but apostrophes is a code of its own.
  return unmarked === "" ? plain : unmarked;
}
