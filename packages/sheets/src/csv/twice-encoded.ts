/**
 * Recognises UTF-8 that a program read as an old encoding and saved as UTF-8 again: `KaÅŸÄ±k` for
 * `Kaşık`. The proof is that the characters, converted back to bytes, are valid UTF-8.
 */

import { highSigns } from "./high-signs.ts";

/** Suffix in the name of such an encoding. */
export const TWICE = "-twice";

/** Encodings that the bytes can have been read as. */
const TAKEN_FOR = [
  "windows-1252",
  "windows-1254",
  "windows-1250",
  "macturkish",
  "cp857",
  "iso-8859-1",
  "iso-8859-9",
] as const;

const HIGH_BYTE = 0x80;
/**
 * First UTF-8 bytes of all letters and marks that can be meant; only pictographs begin with others.
 */
const FIRST_BYTES = [0xc2, 0xc3, 0xc4, 0xc5, 0xe2] as const;
/** Number of continuation bytes in UTF-8, 80 to BF. */
const NEXT_BYTES = 0x40;

const RUN = /[^\0-\u007f]+/gu;
/**
 * Characters that can be meant: letters of European languages, marks, currencies, arrows and
 * pictographs.
 */
const MEANT =
  /^[\u00a0-\u014d\u0150-\u017f\u2010-\u205e\u20a0-\u20bf\u2122\u2190-\u27bf\u{1f000}-\u{1faff}]*$/u;

/** Detects and reverses the second encoding. */
export interface TwiceRepair {
  /** Whether the text contains a possible trace; fast, but no proof. */
  readonly hasTrace: (text: string) => boolean;
  /** Repairs everything that was encoded twice; the rest of the text stays as it is. */
  readonly repair: (text: string) => string;
  /** Whether all characters beyond ASCII were encoded twice. */
  readonly isAllTwice: (text: string) => boolean;
}

export function createTwiceRepair(): TwiceRepair {
  const signs = TAKEN_FOR.map((encoding) => highSigns(encoding));
  const bytes = signs.map((all) => new Map(all.map((sign, at) => [sign, at + HIGH_BYTE])));
  const first = new RegExp(`[${signs.map(firstOf).join("")}]`);
  const pairs = signs.map((all) => `[${firstOf(all)}][${all.slice(0, NEXT_BYTES).join("")}]`);
  const trace = new RegExp(pairs.join("|"));

  const repairRun = (run: string): string => {
    for (const table of bytes) {
      const letters = decodeRun(run, table);
      if (letters !== undefined && MEANT.test(letters)) return letters;
    }
    return run;
  };

  return {
    // Most texts have none of the first characters, which is the faster test.
    hasTrace: (text) => first.test(text) && trace.test(text),
    repair: (text) => text.replaceAll(RUN, repairRun),
    isAllTwice: (text) => [...text.matchAll(RUN)].every(([run]) => repairRun(run) !== run),
  };
}

const firstOf = (all: readonly string[]): string =>
  FIRST_BYTES.map((byte) => all[byte - HIGH_BYTE] ?? "").join("");

/**
 * Decodes a run; `undefined` unless every character is a byte of the table and all bytes are
 * complete letters.
 */
function decodeRun(run: string, table: ReadonlyMap<string, number>): string | undefined {
  const bytes: number[] = [];
  for (const sign of run) {
    const byte = table.get(sign);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
