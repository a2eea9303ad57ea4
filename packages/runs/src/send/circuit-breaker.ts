/** Stops a run when sending more rows would only leave more outcomes unknown. */

import type { Clock } from "@catalog/clock";
import type { Localized } from "@catalog/i18n";

import type { ApplyResult } from "./apply-result.ts";
import type { SentRow } from "./sent-row.ts";

export interface CircuitBreakerOptions {
  readonly clock: Pick<Clock, "now">;
  /** Rejected rows after which nothing more is sent. @default unlimited */
  readonly maxRejected?: number | undefined;
  /** Maximum number of requests under way. @default 4 */
  readonly concurrency?: number | undefined;
}

/**
 * Closed: rows may be sent. Open: `end` holds the reason. Where `mayProbe`, one row may be sent
 * alone to test whether requests succeed again; `close` then allows all rows.
 */
export interface CircuitBreaker {
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
const MAX_AMBIGUOUS = 3;
const MAX_UNSENT = 5;

/**
 * Consecutive refused tokens for each request that may be under way. All of them carry the token
 * that has ended; the client gets a new one after the first refusal, so that as many refusals again
 * are of another token.
 */
const MAX_REFUSED_EACH = 2;
const MIN_REFUSED = 8;

/**
 * Time over which the share of lost answers is measured, in milliseconds; a high share opens it
 * too.
 */
const RATE_WINDOW_MS = 5 * 60_000;
const MAX_AMBIGUOUS_SHARE = 0.05;
const MIN_RATE_ROWS = 20;

/** Creates a closed breaker. */
export function createCircuitBreaker({
  clock,
  maxRejected = Infinity,
  concurrency = 4,
}: CircuitBreakerOptions): CircuitBreaker {
  const counts = { ambiguous: 0, unsent: 0, refused: 0, rejected: 0 };
  const recent = createRecent(clock);
  const maxRefused = Math.max(MIN_REFUSED, MAX_REFUSED_EACH * concurrency);
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
      return counts.ambiguous;
    },
    note(row) {
      const isLost = isLostRow(row);
      recent.note(isLost);
      counts.ambiguous = isLost ? counts.ambiguous + 1 : 0;
      counts.refused = row.next === "renew-login" ? counts.refused + 1 : 0;
      counts.unsent = row.state === "ready" && row.next === "go-on" ? counts.unsent + 1 : 0;
      if (isRejected(row)) counts.rejected += 1;
      if (end !== undefined) return;
      end = findReason(row, { ...counts, maxRejected, maxRefused });
      if (end !== undefined) return;
      if (counts.ambiguous < MAX_AMBIGUOUS && !recent.isTooMany()) return;
      end = { end: "breaker", reason: toReason(row) };
      mayProbe = true;
    },
    close() {
      if (!mayProbe) return;
      end = undefined;
      mayProbe = false;
      counts.ambiguous = 0;
      recent.forget();
    },
    open(reason) {
      end = { end: "breaker", reason };
      mayProbe = false;
    },
  };
}

/** A refused row has an answer, so it does not count as lost. */
export const isLostRow = ({ state, impliedState }: SentRow): boolean =>
  state === "ambiguous" && impliedState === undefined;

/** A refused update counts here, though it is read back only later. */
const isRejected = ({ state, impliedState }: SentRow): boolean =>
  state === "rejected" || (state === "ambiguous" && impliedState === "rejected");

function toReason({ words, note }: SentRow): Localized | undefined {
  return words ?? (note === undefined ? undefined : { tr: note, en: note });
}

interface OutcomeCounts {
  readonly ambiguous: number;
  readonly unsent: number;
  readonly refused: number;
  readonly rejected: number;
  readonly maxRejected: number;
  readonly maxRefused: number;
}

function findReason(row: SentRow, counts: OutcomeCounts): ApplyResult | undefined {
  const reason = toReason(row);
  if (counts.refused >= counts.maxRefused) return { end: "login", reason };
  if (row.next === "stop-permission") return { end: "permission", reason };
  if (counts.rejected > counts.maxRejected) return { end: "too-many-rejected", reason };
  return counts.unsent >= MAX_UNSENT ? { end: "breaker", reason } : undefined;
}

/** The rows of the last minutes; a clock that jumps only changes how many of them count. */
function createRecent(clock: Pick<Clock, "now">): {
  note(isLost: boolean): void;
  isTooMany(): boolean;
  forget(): void;
} {
  // Doubled each time that a high share did not stop the run, so that it is tested less often.
  let minRows = MIN_RATE_ROWS;
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
      return count >= minRows && lost > count * MAX_AMBIGUOUS_SHARE;
    },
    forget() {
      if (rows.length - first >= minRows) minRows *= 2;
      rows = [];
      first = 0;
      lost = 0;
    },
  };
}
