/**
 * UTF-8 that a program took for an old encoding and saved as UTF-8 again: `KaÅŸÄ±k` for `Kaşık`.
 * What proves it is that the signs, put back into bytes, are whole letters of UTF-8.
 */

import { highSigns } from "./high-signs.ts";

/** The end of the name of such an encoding. */
export const TWICE = "-twice";

/** What the bytes were taken for. */
const TAKEN_FOR = ["windows-1252", "windows-1254", "windows-1250", "macturkish", "cp857"] as const;

/** In UTF-8 a letter begins with a byte from C2 to F4 and goes on with bytes from 80 to BF. */
const FIRST_BYTES = [0xc2, 0xf4] as const;
const NEXT_BYTES = [0x80, 0xbf] as const;

const HIGH_BYTE = 0x80;

/** Finds and undoes the second encoding. */
export interface TwiceRepair {
  /** Cheap; says nothing of whether the text makes sense. */
  readonly hasTrace: (text: string) => boolean;
  /** The text with all that was encoded twice put right; what was not stays as it is. */
  readonly repair: (text: string) => string;
}

export function createTwiceRepair(): TwiceRepair {
  const signs = TAKEN_FOR.map((encoding) => highSigns(encoding));
  const bytes = signs.map((all) => new Map(all.map((sign, at) => [sign, at + HIGH_BYTE])));
  const oneOf = ([from, to]: readonly [from: number, to: number]): string =>
    signs.flatMap((all) => all.slice(from - HIGH_BYTE, to + 1 - HIGH_BYTE)).join("");
  const trace = new RegExp(`[${oneOf(FIRST_BYTES)}][${oneOf(NEXT_BYTES)}]`, "u");

  const repairRun = (run: string): string => {
    for (const table of bytes) {
      const letters = decodeRun(run, table);
      if (letters !== undefined) return letters;
    }
    return run;
  };

  return {
    hasTrace: (text) => trace.test(text),
    repair: (text) => text.replaceAll(/[^\0-\u007f]+/gu, repairRun),
  };
}

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
