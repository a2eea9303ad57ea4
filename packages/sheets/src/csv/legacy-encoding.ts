/**
 * Decides between the old one-byte encodings. Every byte is valid in each of them, so only the
 * decoded words give evidence. windows-1254 is what Turkish Excel writes: another encoding is taken
 * only if it explains letters that windows-1254 does not, and none is taken where two readings are
 * close. windows-1254 is not taken where it breaks a word and another reading breaks none.
 */

import { decodeBytes } from "./decoder.ts";
import { isBroken, readingCost } from "./reading-cost.ts";

/** What Turkish Excel writes. */
const EXCEL = "windows-1254";

interface Candidate {
  readonly encoding: string;
  /** Cost in points of not being Excel's encoding; a rare encoding must fit much better. */
  readonly cost: number;
  /**
   * Cost in points of each sign that Turkish does not use: foreign brands are mostly written on
   * Windows.
   */
  readonly strangerCost: number;
}

/**
 * Icelandic (ð, ý, þ) in windows-1252 cannot be distinguished from Turkish and is read as Turkish.
 */
const CANDIDATES: readonly Candidate[] = [
  { encoding: EXCEL, cost: 0, strangerCost: 0 },
  { encoding: "windows-1252", cost: 6, strangerCost: 0 },
  { encoding: "cp857", cost: 5, strangerCost: 4 },
  { encoding: "macturkish", cost: 5, strangerCost: 4 },
];

/** Points by which a reading must beat every other one. */
const MARGIN = 6;
/** Readings worse than the best one by more points than this are not shown. */
const SHOWN_MARGIN = 12;
/** Points per letter from which no reading is text: the encoding of the file is not known here. */
const NONSENSE = 6;
const MIN_NONSENSE_LETTERS = 4;
/** One letter alone is no evidence against Excel's encoding. */
const MIN_LETTERS = 2;

/** The words of a file decoded in one encoding. */
export interface EncodingReading {
  readonly encoding: string;
  /** The same words in the same order in each reading. */
  readonly words: readonly string[];
}

/** One certain reading, or several for a person to choose from, best first. */
export type EncodingVerdict =
  | { readonly isSure: true; readonly encoding: string }
  | { readonly isSure: false; readonly readings: readonly EncodingReading[] };

interface WeighedReading extends EncodingReading {
  readonly cost: number;
  readonly isNonsense: boolean;
}

/** Judges `words` of `collectWords`. Returns no reading if no encoding defines all bytes. */
export function judgeLegacyEncoding(words: readonly string[]): EncodingVerdict {
  const readings = CANDIDATES.flatMap((candidate) => weigh(words, candidate)).toSorted(
    (a, b) => a.cost - b.cost,
  );
  const different = readings.filter(
    (reading, at) => readings.findIndex((other) => isSameText(reading, other)) === at,
  );
  const [best, second] = different;
  if (best === undefined) return { isSure: false, readings: [] };
  const isClear = second === undefined || second.cost - best.cost >= MARGIN;
  const isAllowed =
    best.encoding === EXCEL
      ? !hasBroken(best) || different.every(hasBroken)
      : isExcelBroken(readings) && hasLetters(words);
  const central = readCentralEuropean(best, words);
  if (central !== undefined) return { isSure: false, readings: [central, best] };
  if (isClear && isAllowed && !best.isNonsense) return { isSure: true, encoding: best.encoding };
  const limit = best.isNonsense ? Number.POSITIVE_INFINITY : best.cost + SHOWN_MARGIN;
  return { isSure: false, readings: different.filter(({ cost }) => cost <= limit) };
}

/** The same bytes are Turkish letters on other systems. */
const isOfWindows = ({ encoding }: EncodingReading): boolean => encoding.startsWith("windows");

/**
 * What neither Turkish nor a western language has: š and ž at their place in windows-1250, and č or
 * ć before a vowel, which would be è or æ there.
 */
const SLAVIC = /[\u008a\u008e\u009a\u009e]|[èæÈÆ][aeiouAEIOU]/u;
/** Č, ć, ě, ř and others, which windows-1254 reads as è, æ, ì, ø: letters that Turkish has not. */
const CENTRAL = /[ÆÈÌØæèìïòøù]/u;

/**
 * The reading of a text with letters of both kinds in windows-1250, whose words cannot be weighed
 * by what is likely in a Turkish catalog; a person decides.
 */
function readCentralEuropean(
  best: WeighedReading,
  words: readonly string[],
): EncodingReading | undefined {
  if (!isOfWindows(best) && !hasBroken(best)) return undefined;
  if (!words.some((word) => SLAVIC.test(word)) || !words.some((word) => CENTRAL.test(word))) {
    return undefined;
  }
  const encoding = "windows-1250";
  const text = decodeBytes(Buffer.from(words.join("\n"), "latin1"), encoding);
  return text === undefined ? undefined : { encoding, words: text.split("\n") };
}

function weigh(words: readonly string[], candidate: Candidate): readonly WeighedReading[] {
  const { encoding } = candidate;
  const text = decodeBytes(Buffer.from(words.join("\n"), "latin1"), encoding);
  if (text === undefined) return [];
  const decoded = text.split("\n");
  const cost = decoded.reduce((sum, word) => sum + readingCost(word), 0);
  const { length } = text.replaceAll(/[\0-\u007f]/gu, "");
  const strangers = text.replaceAll(/[\0-\u007fçğıöşüÇĞİÖŞÜ]/gu, "").length;
  const isNonsense = length >= MIN_NONSENSE_LETTERS && cost > NONSENSE * length;
  const total = cost + candidate.cost + candidate.strangerCost * strangers;
  return [{ encoding, words: decoded, cost: total, isNonsense }];
}

const isSameText = (a: EncodingReading, b: EncodingReading): boolean =>
  a.words.every((word, at) => word === b.words[at]);

/**
 * Whether Excel's reading breaks a word; a reading that only looks less Turkish is no evidence
 * against it.
 */
function isExcelBroken(readings: readonly EncodingReading[]): boolean {
  const reading = readings.find(({ encoding }) => encoding === EXCEL);
  return reading === undefined || hasBroken(reading);
}

const hasBroken = ({ words }: EncodingReading): boolean => words.some(isBroken);

const hasLetters = (words: readonly string[]): boolean =>
  new Set(words.join("").replaceAll(/[\0-\u007f]/gu, "")).size >= MIN_LETTERS;

/** Whether the letters beyond ASCII are mostly valid UTF-8; then a few invalid bytes are damage. */
export function isDamagedUtf8(words: readonly string[]): boolean {
  let whole = 0;
  let broken = 0;
  const bytes = Buffer.from(words.join("\n"), "latin1");
  for (const letter of new TextDecoder("utf-8").decode(bytes)) {
    if (letter === "\ufffd") broken += 1;
    else if (letter >= "\u0080") whole += 1;
  }
  return whole > broken;
}
