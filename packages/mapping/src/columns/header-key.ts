/**
 * Compares headers. Signs such as `$`, `%` and `+` change what a column holds, so the key of a
 * header keeps them; blanks and punctuation between words are ignored.
 */

const ASCII = /^[\u0020-\u007e]*$/u;

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

/**
 * Key of a header: headers with an equal key mean the same. `Garanti (Ay)` and `GARANTİ-AY` do,
 * `Fiyat` and `Fiyat $` do not. Empty for a text of punctuation only.
 */
export function headerKey(text: string): string {
  return toPlain(text).replaceAll(SEPARATORS, "");
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
export interface HeaderParts {
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
