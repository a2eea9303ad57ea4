/**
 * Decides whether requests may leave: one answer for stops, failures, the circuit breaker, the end of
 * a run's period and the pauses that the marketplace asks for.
 */

import type { Clock } from "@catalog/clock";
import type { Localized } from "@catalog/i18n";

import type { ApplyResult, SentRow } from "./outcome.ts";

export interface SendGate {
  /** Whether a request may leave now. */
  readonly isOpen: boolean;
  /** Throws {@link SendDeferred} where no request may leave now. */
  assertOpen(): void;
  /** Resolves when no pause is running. Says whether more rows may be sent then. */
  ready(): Promise<boolean>;
  /** Stops all further requests, because a row has failed. */
  close(): void;
}

interface SendGateOptions {
  readonly breaker: Pick<CircuitBreaker, "end">;
  readonly pause: Pick<RateLimitPause, "isOn" | "over">;
  readonly stop?: AbortSignal | undefined;
  readonly clock: Pick<Clock, "now">;
  /** No request leaves from this moment on. @default it may leave at any time */
  readonly untilMs?: number | undefined;
}

/** Thrown before the first byte of a request that may be sent later: its row stays ready. */
export class SendDeferred extends Error {
  override readonly name = "SendDeferred";
}

/** Creates a gate for one pass over the rows of a run. */
export function createSendGate(options: SendGateOptions): SendGate {
  const { breaker, pause, stop, clock, untilMs = Infinity } = options;
  let isClosed = false;
  const mayGoOn = (): boolean =>
    !isClosed && stop?.aborted !== true && breaker.end === undefined && clock.now() < untilMs;
  const isOpen = (): boolean => mayGoOn() && !pause.isOn;

  return {
    get isOpen() {
      return isOpen();
    },
    assertOpen() {
      if (!isOpen()) throw new SendDeferred("no request may leave now");
    },
    async ready() {
      await pause.over();
      return mayGoOn();
    },
    close() {
      isClosed = true;
    },
  };
}

interface CircuitBreakerOptions {
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

interface RateLimitPauseOptions {
  readonly clock: Clock;
  /** Called once when a pause is over, before the workers continue. */
  readonly probe: () => Promise<unknown>;
  /** Notified of each pause, for other processes that share the rate limit. */
  readonly penalty?: RateLimitPenalty | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** Passes a pause on to the other processes that share the rate limit. */
export interface RateLimitPenalty {
  pause(ms: number): void;
}

/**
 * One pause for all workers: after the marketplace has asked one of them to wait, none sends until
 * the time is over and a read has succeeded.
 */
export interface RateLimitPause {
  /** Starts a pause, or extends the current one. */
  begin(ms: number): void;
  readonly isOn: boolean;
  /** Resolves when there is no pause. A stop ends it early; rejects when the probe fails. */
  over(): Promise<void>;
}

export function createRateLimitPause({
  clock,
  probe,
  penalty,
  stop,
}: RateLimitPauseOptions): RateLimitPause {
  let pausing: Promise<void> | undefined;

  /** A stop ends the wait without an error. */
  const waitOut = async (ms: number): Promise<void> => {
    try {
      await clock.sleep(ms, stop);
    } catch (error) {
      if (stop?.aborted !== true) throw error;
    }
  };
  let asked = 0;
  let waits: readonly Promise<void>[] = [];
  const run = async (mine: number): Promise<void> => {
    await Promise.all(waits);
    // The pause was extended meanwhile, and the later end counts.
    if (mine !== asked) return;
    if (stop?.aborted !== true) await probe();
    pausing = undefined;
    waits = [];
  };
  /** Checks again after each wait, because another pause may have started. */
  const over = async (): Promise<void> => {
    if (pausing === undefined) return;
    await pausing;
    await over();
  };

  return {
    get isOn() {
      return pausing !== undefined;
    },
    begin(ms) {
      penalty?.pause(ms);
      asked += 1;
      waits = [...waits, waitOut(ms)];
      pausing = run(asked);
      // Callers of `over` get the rejection; without a caller it must not count as unhandled.
      pausing.catch(() => undefined);
    },
    over,
  };
}

/**
 * Tells a 429 about one row from a 429 about the rate limit. After the first, sending waits shortly
 * and the row is given up after a few tries; after the second it waits long.
 */
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

interface RateLimitRefusal {
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
