/**
 * Tells a 429 that is about one row from one that is about the rate. The first is met with a short
 * pause, and the row is given up after a few tries; the second with a long one, as ever.
 */

import { type Localized } from "@catalog/i18n";

/** What one process has met of refusals for too many calls. */
export interface CallLimit {
  /** A row was refused for too many calls. Says how long all that send have to wait. */
  refused(refusal: LimitRefusal): number;
  /** A write was answered in another way. */
  passed(): void;
  /** The words of the last refusal of a row that others have passed so often that it is given up. */
  givenUp(row: number): Localized | undefined;
}

export interface LimitRefusal {
  readonly row: number;
  /** How long the marketplace asked us to wait, when it did. */
  readonly askedMs: number | undefined;
  /** Whether all are waiting already, because another row was refused first. */
  readonly isPaused: boolean;
  readonly words: Localized;
}

/** After it a call that only reads tells whether the rate was meant. */
const SHORT_WAIT_MS = 5_000;
const LONG_WAIT_MS = 60_000;

/** Whatever the marketplace asks for, nobody waits longer than this for one call. */
const MAX_WAIT_MS = 3_600_000;

/** Tries of a row that is refused while others go through. */
const MAX_TRIES = 3;

interface LimitedRow {
  readonly tries: number;
  /** Writes that had gone through when it was refused last. */
  readonly passed: number;
  /** Others went through between two of its refusals. */
  readonly isAlone: boolean;
  readonly words: Localized;
}

function meet(before: LimitedRow | undefined, passed: number, words: Localized): LimitedRow {
  if (before === undefined) return { tries: 1, passed, isAlone: false, words };
  const isAlone = before.isAlone || passed > before.passed;
  return { tries: before.tries + 1, passed, isAlone, words };
}

export function createCallLimit(): CallLimit {
  const rows = new Map<number, LimitedRow>();
  let passed = 0;
  /** Refusals since a write went through, each after the pause of the one before. */
  let inARow = 0;
  return {
    refused({ row, askedMs, isPaused, words }) {
      const met = meet(rows.get(row), passed, words);
      rows.set(row, met);
      if (!isPaused && !met.isAlone) inARow += 1;
      if (askedMs !== undefined && askedMs >= 0) return Math.min(askedMs, MAX_WAIT_MS);
      return met.isAlone || inARow <= 1 ? SHORT_WAIT_MS : LONG_WAIT_MS;
    },
    passed() {
      passed += 1;
      inARow = 0;
    },
    givenUp(row) {
      const met = rows.get(row);
      return met?.isAlone === true && met.tries >= MAX_TRIES ? met.words : undefined;
    },
  };
}
