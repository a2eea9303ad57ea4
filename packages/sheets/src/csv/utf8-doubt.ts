/**
 * Detects text that is valid UTF-8 but unlikely: it was encoded twice, or its bytes in an old
 * encoding happen to be valid UTF-8.
 */

import { decodeBytes } from "./decoder.ts";
import { type EncodingReading, judgeLegacyEncoding } from "./legacy-encoding.ts";
import { readingCost } from "./reading-cost.ts";
import { createTwiceRepair, TWICE } from "./twice-encoded.ts";

/** Points by which another reading must be better than the text as it stands. */
const MARGIN = 8;
/** Points that are enough where the other reading is Turkish. */
const TURKISH_MARGIN = 4;
const TURKISH = /^[\0-\u007fçğıöşüÇĞİÖŞÜâîûÂÎÛ]*$/u;

/** Maximum number of suspicious words that are collected. */
const MAX_WORDS = 1_000;

const WORD = /[0-9A-Za-z]{0,60}[^\0-\u007f][0-9A-Za-z\u0080-\uffff]{0,60}/g;
const WORD_SIGN = /[0-9A-Za-z\u0080-\uffff]/;
const MAX_WORD_CHARS = 60;
const BEYOND_ASCII = /[^\0-\u007f]/u;
/** A letter that two bytes of an old encoding can form, alone among Latin letters. */
const MIXED =
  /(?<=[A-Za-z])[\u0180-\u024f\u0400-\u07ff](?![^\0-\u007f])|(?<![^\0-\u007f])[\u0180-\u024f\u0400-\u07ff](?=[A-Za-z])/u;

/** Examines a text slice by slice, and returns how else it can be read. */
export interface Utf8Doubt {
  readonly inspect: (text: string) => void;
  /**
   * The possible readings, then the text as it stands, which is in `encoding`; empty without a
   * doubt.
   */
  readonly readings: (encoding: string) => readonly EncodingReading[];
}

export function createUtf8Doubt(): Utf8Doubt {
  const { hasTrace, repair, isAllTwice } = createTwiceRepair();
  const traced = new Set<string>();
  const mixed = new Set<string>();
  /** A letter that cannot come from an old encoding proves that the file is UTF-8. */
  let isProven = false;
  let pending = "";

  const inspect = (word: string): void => {
    if (hasTrace(word) && traced.size < MAX_WORDS) traced.add(word);
    if (MIXED.test(word)) mixed.add(word);
    else isProven = true;
  };

  const isTwice = (word: string): boolean => {
    const repaired = repair(word);
    const margin = TURKISH.test(repaired) ? TURKISH_MARGIN : MARGIN;
    return isAllTwice(word) && readingCost(word) - readingCost(repaired) >= margin;
  };

  const inspectAll = (text: string): void => {
    if (isProven ? !hasTrace(text) : !BEYOND_ASCII.test(text)) return;
    for (const [word] of text.matchAll(WORD)) inspect(word);
  };

  return {
    inspect(slice) {
      const text = pending + slice;
      const end = lastWordStart(text);
      inspectAll(text.slice(0, end));
      pending = text.slice(end);
    },
    readings(encoding) {
      inspectAll(pending);
      const twice = [...traced].filter(isTwice);
      if (twice.length > 0) {
        const repaired = { encoding: `${encoding}${TWICE}`, words: twice.map(repair) };
        return [repaired, { encoding, words: twice }];
      }
      return isProven || encoding !== "utf-8" ? [] : legacyReadings([...mixed]);
    },
  };
}

/** Position of the last word's start, which the next slice may continue. */
function lastWordStart(text: string): number {
  let at = text.length;
  const end = Math.max(0, at - MAX_WORD_CHARS);
  while (at > end && WORD_SIGN.test(text[at - 1] ?? "")) at -= 1;
  return at;
}

function legacyReadings(words: readonly string[]): readonly EncodingReading[] {
  if (words.length === 0) return [];
  const bytes = words.map((word) => Buffer.from(word).toString("latin1"));
  const verdict = judgeLegacyEncoding(bytes);
  const encodings = verdict.isSure
    ? [verdict.encoding]
    : verdict.readings.map((reading) => reading.encoding);
  const limit = costOf(words) - MARGIN;
  const better = encodings.flatMap((encoding) => {
    const text = decodeBytes(Buffer.from(bytes.join("\n"), "latin1"), encoding);
    const read = text?.split("\n") ?? [];
    return text === undefined || costOf(read) > limit ? [] : [{ encoding, words: read }];
  });
  return better.length === 0 ? [] : [...better, { encoding: "utf-8", words }];
}

const costOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + readingCost(word), 0);
