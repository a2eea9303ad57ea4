/**
 * UTF-8 that a program took for an old encoding and saved as UTF-8 again: `KaÅŸÄ±k` for `Kaşık`.
 * What proves it is that the signs, put back into bytes, are whole letters of UTF-8.
 */

import { highSigns } from "./high-signs.ts";

/** The end of the name of such an encoding. */
export const TWICE = "-twice";

/** What the bytes were taken for. */
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
/** With one of these all letters and marks that can be meant begin in UTF-8; only pictures do not. */
const FIRST_BYTES = [0xc2, 0xc3, 0xc4, 0xc5, 0xe2] as const;
/** They go on with bytes from 80 to BF. */
const NEXT_BYTES = 0x40;

const RUN = /[^\0-\u007f]+/gu;
/** What was meant: letters of European languages, marks, currencies, arrows and pictures. */
const MEANT =
  /^[\u00a0-\u014d\u0150-\u017f\u2010-\u205e\u20a0-\u20bf\u2122\u2190-\u27bf\u{1f000}-\u{1faff}]*$/u;

/** Finds and undoes the second encoding. */
export interface TwiceRepair {
  /** Cheap; says nothing of whether the text makes sense. */
  readonly hasTrace: (text: string) => boolean;
  /** The text with all that was encoded twice put right; what was not stays as it is. */
  readonly repair: (text: string) => string;
  /** Whether nothing beyond ASCII stays as it is. */
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
    // Most texts have none of the first signs, which is found out much faster.
    hasTrace: (text) => first.test(text) && trace.test(text),
    repair: (text) => text.replaceAll(RUN, repairRun),
    isAllTwice: (text) => [...text.matchAll(RUN)].every(([run]) => repairRun(run) !== run),
  };
}

const firstOf = (all: readonly string[]): string =>
  FIRST_BYTES.map((byte) => all[byte - HIGH_BYTE] ?? "").join("");

/** Undefined unless every sign is a byte of the table and all of them are whole letters. */
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
