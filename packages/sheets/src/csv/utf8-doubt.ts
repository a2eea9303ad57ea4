/**
 * Text that is whole UTF-8 and yet hardly what a person wrote: it was encoded twice, or the bytes of an
 * old encoding happen to be UTF-8.
 */

import { decodeBytes } from "./decoder.ts";
import { type EncodingReading, judgeLegacyEncoding } from "./legacy-encoding.ts";
import { readingCost } from "./reading-cost.ts";
import { createTwiceRepair, TWICE } from "./twice-encoded.ts";

/** How much better than the text as it stands another reading must look, in points. */
const MARGIN = 4;

/** So many suspicious words are enough to ask about. */
const MAX_WORDS = 1_000;

const WORD = /[0-9A-Za-z\u0080-\u{10ffff}]{1,60}/gu;
const WORD_END = /[0-9A-Za-z\u0080-\u{10ffff}]{0,60}$/u;
const BEYOND_ASCII = /[^\0-\u007f]/u;
/** What two bytes of an old encoding may happen to be, and what nobody writes beside a Latin letter. */
const MIXED = /[A-Za-z][\u0180-\u024f\u0400-\u07ff]|[\u0180-\u024f\u0400-\u07ff][A-Za-z]/u;

/** Is shown a text piece by piece, and says how else it may have to be read. */
export interface Utf8Doubt {
  readonly look: (text: string) => void;
  /** What it may mean, then the text as it stands, which is in `encoding`; empty without a doubt. */
  readonly readings: (encoding: string) => readonly EncodingReading[];
}

export function createUtf8Doubt(): Utf8Doubt {
  const { hasTrace, repair } = createTwiceRepair();
  const traced = new Set<string>();
  const mixed = new Set<string>();
  /** A letter that is what it looks like proves that the file is in UTF-8. */
  let isProven = false;
  let pending = "";

  const lookAt = (word: string): void => {
    if (hasTrace(word) && traced.size < MAX_WORDS) traced.add(word);
    if (MIXED.test(word)) mixed.add(word);
    else isProven = true;
  };

  return {
    look(slice) {
      const text = pending + slice;
      pending = WORD_END.exec(slice)?.[0] ?? "";
      if (!BEYOND_ASCII.test(text) || (isProven && !hasTrace(text))) return;
      for (const [word] of text.matchAll(WORD)) if (BEYOND_ASCII.test(word)) lookAt(word);
    },
    readings(encoding) {
      const twice = [...traced].filter(
        (word) => readingCost(word) - readingCost(repair(word)) >= MARGIN,
      );
      if (twice.length > 0) {
        const repaired = { encoding: `${encoding}${TWICE}`, words: twice.map(repair) };
        return [repaired, { encoding, words: twice }];
      }
      return isProven || encoding !== "utf-8" ? [] : legacyReadings([...mixed]);
    },
  };
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
