/**
 * Tells a 429 about one row from a 429 about the rate limit. After the first, sending waits shortly
 * and the row is given up after a few tries; after the second it waits long.
 */

import type { Localized } from "@catalog/i18n";

/** The 429 answers that one process has met. */
export interface RateLimitScope {
  /**
   * Records that a row was refused with 429. Returns how long all workers must wait, in
   * milliseconds.
   */
  refused(refusal: RateLimitRefusal): number;
  /** Records that a write was answered in another way. */
  passed(): void;
  /**
   * Returns the last refusal's message for a row that was refused several times while other writes
   * were accepted; `undefined` for any other row.
   */
  givenUp(row: number): Localized | undefined;
}

export interface RateLimitRefusal {
  readonly row: number;
  /** The wait in milliseconds that the marketplace asked for, where it did. */
  readonly askedMs: number | undefined;
  /** Whether a pause is running already, because another row was refused first. */
  readonly isPaused: boolean;
  readonly words: Localized;
}

/** Short wait in milliseconds; a read after it shows whether the rate limit was meant. */
const SHORT_WAIT_MS = 5_000;
const LONG_WAIT_MS = 60_000;

/** Longest wait in milliseconds, whatever the marketplace asks for. */
const MAX_WAIT_MS = 3_600_000;

/** Number of tries of a row that is refused while other writes are accepted. */
const MAX_TRIES = 3;

interface RateLimitedRow {
  readonly tries: number;
  /** Number of writes that had been accepted when it was last refused. */
  readonly passed: number;
  /** Other writes were accepted between two of its refusals. */
  readonly isAlone: boolean;
  readonly words: Localized;
}

function countTry(
  before: RateLimitedRow | undefined,
  passed: number,
  words: Localized,
): RateLimitedRow {
  if (before === undefined) return { tries: 1, passed, isAlone: false, words };
  const isAlone = before.isAlone || passed > before.passed;
  return { tries: before.tries + 1, passed, isAlone, words };
}

export function createRateLimitScope(): RateLimitScope {
  const rows = new Map<number, RateLimitedRow>();
  let passed = 0;
  /** Refusals since the last accepted write, each after the pause of the one before. */
  let inARow = 0;
  return {
    refused({ row, askedMs, isPaused, words }) {
      const met = countTry(rows.get(row), passed, words);
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
