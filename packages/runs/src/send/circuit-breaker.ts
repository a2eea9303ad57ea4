/** Stops a run when sending more rows would only leave more outcomes unknown. */

import { type Clock } from "@catalog/clock";
import { type Localized } from "@catalog/i18n";

import { type ApplyResult } from "./apply-result.ts";
import { type SentRow } from "./sent-row.ts";

export interface BreakerOptions {
  readonly clock: Pick<Clock, "now">;
  /** Rejected rows after which nothing more is sent. @default unlimited */
  readonly maxRejected?: number | undefined;
}

/**
 * Closed: rows may be sent. Open: `end` holds the reason. Where `mayProbe`, one row may be sent
 * alone to test whether requests succeed again; `close` then allows all rows.
 */
export interface Breaker {
  /** Why sending stops; `undefined` while the breaker is closed. */
  readonly end: ApplyResult | undefined;
  readonly mayProbe: boolean;
  /** Consecutive lost answers. */
  readonly lost: number;
  note(row: SentRow): void;
  /** Resets the count of lost answers; other reasons keep the breaker open. */
  close(): void;
  /** Opens the breaker for good. */
  open(reason: Localized): void;
}

/** Consecutive lost answers, and consecutive unsent requests, that open the breaker. */
const MOST_AMBIGUOUS = 3;
const MOST_UNSENT = 5;

/** Consecutive refused tokens; the client gets a new token after the first one. */
const MOST_REFUSED = 8;

/**
 * Time over which the share of lost answers is measured, in milliseconds; a high share opens it
 * too.
 */
const RATE_WINDOW_MS = 5 * 60_000;
const MOST_AMBIGUOUS_SHARE = 0.05;
const LEAST_RATE_ROWS = 20;

/** Creates a closed breaker. */
export function createBreaker({ clock, maxRejected = Infinity }: BreakerOptions): Breaker {
  const tally = { ambiguous: 0, unsent: 0, refused: 0, rejected: 0 };
  const recent = createRecent(clock);
  let end: ApplyResult | undefined;
  let mayProbe = false;

  return {
    get end() {
      return end;
    },
    get mayProbe() {
      return mayProbe;
    },
    get lost() {
      return tally.ambiguous;
    },
    note(row) {
      const isLost = isLostRow(row);
      recent.note(isLost);
      tally.ambiguous = isLost ? tally.ambiguous + 1 : 0;
      tally.refused = row.next === "renew-login" ? tally.refused + 1 : 0;
      tally.unsent = row.state === "ready" && row.next === "go-on" ? tally.unsent + 1 : 0;
      if (isRejected(row)) tally.rejected += 1;
      if (end !== undefined) return;
      end = judge(row, { ...tally, maxRejected });
      if (end !== undefined) return;
      if (tally.ambiguous < MOST_AMBIGUOUS && !recent.isTooMany()) return;
      end = { end: "breaker", reason: toReason(row) };
      mayProbe = true;
    },
    close() {
      if (!mayProbe) return;
      end = undefined;
      mayProbe = false;
      tally.ambiguous = 0;
      recent.forget();
    },
    open(reason) {
      end = { end: "breaker", reason };
      mayProbe = false;
    },
  };
}

/** A refused row has an answer, so it does not count as lost. */
export const isLostRow = ({ state, claim }: SentRow): boolean =>
  state === "ambiguous" && claim === undefined;

/** A refused update counts here, though it is read back only later. */
const isRejected = ({ state, claim }: SentRow): boolean =>
  state === "rejected" || (state === "ambiguous" && claim === "rejected");

function toReason({ words, note }: SentRow): Localized | undefined {
  return words ?? (note === undefined ? undefined : { tr: note, en: note });
}

interface Tally {
  readonly ambiguous: number;
  readonly unsent: number;
  readonly refused: number;
  readonly rejected: number;
  readonly maxRejected: number;
}

function judge(row: SentRow, tally: Tally): ApplyResult | undefined {
  const reason = toReason(row);
  if (tally.refused >= MOST_REFUSED) return { end: "login", reason };
  if (row.next === "stop-permission") return { end: "permission", reason };
  if (tally.rejected > tally.maxRejected) return { end: "too-many-rejected", reason };
  return tally.unsent >= MOST_UNSENT ? { end: "breaker", reason } : undefined;
}

/** The rows of the last minutes; a clock that jumps only changes how many of them count. */
function createRecent(clock: Pick<Clock, "now">): {
  note(isLost: boolean): void;
  isTooMany(): boolean;
  forget(): void;
} {
  // Doubled each time that a high share did not stop the run, so that it is tested less often.
  let leastRows = LEAST_RATE_ROWS;
  let rows: { readonly at: number; readonly isLost: boolean }[] = [];
  /** Index of the first row that counts; earlier rows are dropped in batches. */
  let first = 0;
  let lost = 0;
  const forgetUntil = (atMs: number): void => {
    for (let row = rows[first]; row !== undefined && row.at <= atMs; row = rows[first]) {
      if (row.isLost) lost -= 1;
      first += 1;
    }
    if (first <= rows.length / 2) return;
    rows = rows.slice(first);
    first = 0;
  };
  return {
    note(isLost) {
      const at = clock.now();
      rows.push({ at, isLost });
      if (isLost) lost += 1;
      forgetUntil(at - RATE_WINDOW_MS);
    },
    isTooMany() {
      const count = rows.length - first;
      return count >= leastRows && lost > count * MOST_AMBIGUOUS_SHARE;
    },
    forget() {
      if (rows.length - first >= leastRows) leastRows *= 2;
      rows = [];
      first = 0;
      lost = 0;
    },
  };
}
