/**
 * Keys by which typed texts, product codes and headers are compared. A key is only for comparing;
 * what is sent is the trimmed original.
 */

/** Blanks and invisible marks that can stand at the ends of a text copied from a web page. */
const EDGE = /[\s\u00ad\u200b-\u200f\u2060]/u;

/**
 * Whether a character at the end of a text needs no trimming; testing it is far cheaper than the
 * pattern. No ASCII sign but the blank, and no character between the soft hyphen and the Ogham
 * space mark, is a blank or a mark.
 */
const isPlainEdge = (code: number): boolean =>
  (code > 0x20 && code < 0x7f) || (code > 0xad && code < 0x1680);

/** Takes blanks off both ends, with no-break and zero-width ones and the byte order mark. */
export function trimText(text: string): string {
  if (text === "") return text;
  if (isPlainEdge(text.charCodeAt(0)) && isPlainEdge(text.charCodeAt(text.length - 1))) return text;
  // One pattern for both ends would test every run of blanks within the text once for each of its
  // blanks.
  let start = 0;
  let end = text.length;
  while (start < end && EDGE.test(text.charAt(start))) start += 1;
  while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const ASCII = /^[\u0020-\u007e]*$/u;

/**
 * Lower case by the Turkish rules (I becomes ı, İ becomes i), so that Isuzu and İsuzu stay two
 * names. The result is composed (NFC) and has single blanks.
 */
export function lowerTurkish(text: string): string {
  const spaced = trimText(text).normalize("NFC").replaceAll(/\s+/gu, " ");
  return ASCII.test(spaced)
    ? spaced.replaceAll("I", "ı").toLowerCase()
    : spaced.toLocaleLowerCase("tr");
}

/**
 * The loosest key, for headers and for suggestions: case, accents, punctuation, width and the four
 * Turkish i's do not count, so IŞIK, ışık and Isik are equal. A text of signs only (`%`, `₺`) keeps
 * them. Folding is idempotent.
 */
export function fold(text: string): string {
  const plain = toPlainLetters(text);
  const words = plain.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  return words === "" ? plain.replaceAll(/\s+/gu, " ").trim() : words;
}

/**
 * Lower case without accents, in normal width, with one i for the four Turkish ones; signs stay.
 */
export function toPlainLetters(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : withoutMarks(text);
}

function withoutMarks(text: string): string {
  const lower = text.normalize("NFKD").toLocaleLowerCase("tr").normalize("NFKD");
  return lower.replaceAll("ı", "i").replaceAll(/[\p{M}\u00ad\u200b-\u200f\u2060\ufeff]+/gu, "");
}

/** A folded text without blanks, because the spacing of headers varies. */
export function compactFold(text: string): string {
  return fold(text).replaceAll(" ", "");
}

/** ASCII signs with single blanks between: such a text is composed, trimmed and spaced already. */
const PLAIN_CODE = /^[\u0021-\u007e]+(?: [\u0021-\u007e]+)*$/u;

/** Key of a product code: codes with an equal key are the same product. Case counts. */
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
 * Key of codes that look alike: codes with only this key in common differ in case, width, i/ı,
 * zero-width marks or letters of another script, and a person decides whether they are one product.
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

/** Apostrophes in front of a code, with which spreadsheets mark a cell as text. */
const MARKED = /^['\u2018\u2019\u02bc\uff07`\u00b4]+/u;

/**
 * Key of codes that look alike within one file: as {@link looseCodeKey}, but also without blanks
 * and without an apostrophe in front. Separators and leading zeros count, because the codes of one
 * file may differ in nothing else.
 */
export function suspectCodeKey(text: string): string {
  const loose = looseCodeKey(text);
  const plain = loose.includes(" ") ? loose.replaceAll(" ", "") : loose;
  const unmarked = plain.replace(MARKED, "");
  // A code of apostrophes only is kept as it is.
  return unmarked === "" ? plain : unmarked;
}

// Signs such as `$`, `%` and `+` change what a column holds, so the key of a header keeps them.

/** Accents, except strokes that cross a text out: crossed-out text is no longer valid. */
const ACCENTS = /(?![\u0334-\u0338\u20d2\u20d3\u20e5])\p{M}/gu;

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]+/gu;

/** Blanks, points, dashes, slashes, brackets, quotes, and the star that marks required columns. */
const SEPARATORS = /[\s_.,:;/\\|*()[\]{}'’‘"“”«»`´!·•…‐‑‒–—-]+/gu;

/** Ignores case, width, accents and the four Turkish i's; keeps every sign. */
function toPlain(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const lower = text.normalize("NFKD").toLocaleLowerCase("tr").normalize("NFKD");
  return lower.replaceAll("ı", "i").replaceAll(ACCENTS, "").replaceAll(INVISIBLE, "");
}

const PARENTS = /^\s*(?:\.\.\/)+/u;

/**
 * The header without the mark of a record's parents, as XML and JSON have it; `undefined` where it is
 * one of the record itself.
 */
export function withoutParents(header: string): string | undefined {
  const own = header.replace(PARENTS, "");
  return own === header ? undefined : own;
}

/**
 * Key of a header: headers with an equal key mean the same. `Garanti (Ay)` and `GARANTİ-AY` do,
 * `Fiyat` and `Fiyat $` do not, nor do `Fiyat` and `../Fiyat`. Empty for a text of punctuation only.
 */
export function headerKey(text: string): string {
  const own = text.startsWith("../") ? withoutParents(text) : undefined;
  const key = toPlain(own ?? text).replaceAll(SEPARATORS, "");
  return own === undefined ? key : `../${key}`;
}

/**
 * The words of a header with single blanks between and without signs. It is the key of stored
 * column profiles, so its result must never change.
 */
export function headerWords(text: string): string {
  const plain = toPlain(text);
  const words = plain.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  return words === "" ? plain.replaceAll(/\s+/gu, " ").trim() : words;
}

/** A header divided into the text outside of brackets and the text in each pair of them. */
interface HeaderParts {
  readonly rest: string;
  readonly groups: readonly string[];
}

/**
 * Divides a header at brackets of any kind and width, nested ones included; one that is never
 * closed ends last.
 */
export function splitHeader(header: string): HeaderParts {
  const groups: string[] = [];
  let rest = "";
  let group = "";
  let depth = 0;
  const plain = header.normalize("NFKC").replaceAll(/<([^<>]*)>/gu, "($1)");
  for (const sign of plain) {
    if (OPENING.has(sign)) depth += 1;
    else if (!CLOSING.has(sign)) {
      if (depth > 0) group += sign;
      else rest += sign;
    } else if (depth > 0) depth -= 1;
    if (depth > 0 || group === "") continue;
    groups.push(group);
    group = "";
    rest += " ";
  }
  return { rest, groups: group === "" ? groups : [...groups, group] };
}

const OPENING: ReadonlySet<string> = new Set("([{【〔「");
const CLOSING: ReadonlySet<string> = new Set(")]}】〕」");

/** The words and signs outside of brackets; a currency sign is a token of its own. */
export function headerTokens(rest: string): readonly string[] {
  const spaced = rest.replaceAll(/[\p{Sc}%+]/gu, " $& ");
  return spaced.split(SEPARATORS).filter((token) => token !== "");
}
