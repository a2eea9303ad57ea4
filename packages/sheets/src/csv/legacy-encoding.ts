/**
 * Which of the old one-byte encodings a Turkish text is in. Every byte means something in each of
 * them, so only what the text then looks like can tell.
 */

import { decodeBytes } from "./decoder.ts";

/** In the order that decides a tie. */
export const LEGACY_ENCODINGS = ["windows-1254", "cp857", "macturkish"] as const;

/** How much of a file is enough to tell. */
export const ENOUGH_BYTES: number = 64 * 1024;

/** What Turkish is written with beyond ASCII; the commoner the letter, the surer the sign. */
const LETTER_POINTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ı: 5,
    ü: 3,
    ş: 3,
    ç: 2.5,
    ğ: 2.5,
    ö: 2,
    İ: 2,
    Ş: 1.5,
    Ü: 1.5,
    Ç: 1.5,
    Ö: 1.5,
    Ğ: 1,
  }),
);
/** Rare, but at home in a catalogue. */
const OTHER_POINTS = 0.3;
const OTHERS: ReadonlySet<string> = new Set("âîûÂÎÛé“”‘’–—…•€£°²³½¼×±®©™«»·\u00a0");
const STRANGER_POINTS = -3;
/** A capital after a small letter, or the other way round within a word of capitals. */
const MISCASED_POINTS = -4;

const isSmall = (letter: string | undefined): boolean =>
  letter !== undefined && /\p{Ll}/u.test(letter);
const isCapital = (letter: string | undefined): boolean =>
  letter !== undefined && /\p{Lu}/u.test(letter);

/** How much a text looks like Turkish that was decoded rightly; 0 for ASCII alone. */
export function scoreTurkish(text: string): number {
  let score = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter < "\u0080") continue;
    score += pointsOf(letter);
    const isMiscased =
      (isCapital(letter) && isSmall(text[at - 1])) ||
      (isSmall(letter) && isCapital(text[at - 1]) && isCapital(text[at + 1]));
    if (isMiscased) score += MISCASED_POINTS;
  }
  return score;
}

const pointsOf = (letter: string): number =>
  LETTER_POINTS.get(letter) ?? (OTHERS.has(letter) ? OTHER_POINTS : STRANGER_POINTS);

/** The encoding in which the bytes look most like Turkish. */
export function guessLegacyEncoding(sample: Buffer): string {
  const scored = LEGACY_ENCODINGS.map((encoding) => {
    const text = decodeBytes(sample, encoding);
    return { encoding, score: text === undefined ? -Infinity : scoreTurkish(text) };
  });
  const [first, ...others] = scored;
  let best = first ?? { encoding: "windows-1254", score: 0 };
  for (const other of others) if (other.score > best.score) best = other;
  return best.encoding;
}

/** Whether the letters beyond ASCII are mostly whole UTF-8: then a few broken bytes are damage. */
export function isDamagedUtf8(sample: Buffer): boolean {
  let whole = 0;
  let broken = 0;
  for (const letter of new TextDecoder("utf-8").decode(sample)) {
    if (letter === "\ufffd") broken += 1;
    else if (letter >= "\u0080") whole += 1;
  }
  return whole > broken;
}
