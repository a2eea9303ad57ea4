/**
 * Limits how many calls run at a time: a fixed number for all calls, or limits for reads and for
 * writes that follow how fast the marketplace answers.
 */

import { createGate, type Gate } from "./gate.ts";

/** Maximum numbers of concurrent calls. */
export interface ConcurrencyLimits {
  readonly reads: number;
  readonly writes: number;
}

/** Limits that are found out while calls are made. */
export interface AutoConcurrency {
  /** Limits with which to begin, as an earlier client has found them. @default 4 each */
  readonly learned?: ConcurrencyLimits | undefined;
}

/** Highest limits that are tried, however fast the answers are. */
export const MAX_CONCURRENCY: ConcurrencyLimits = { reads: 16, writes: 8 };

const FIRST_LIMIT = 4;

/** One request that was answered or lost, from its start to the end of its answer. */
export interface TimedCall {
  readonly kind: keyof ConcurrencyLimits;
  /** Calls with the same key do the same amount of work, so that their times can be compared. */
  readonly key: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** HTTP status; `undefined` where no answer came. */
  readonly status: number | undefined;
}

/** The gates of one client. */
export interface ConcurrencyControl {
  /** Runs a call of this kind as soon as its limit allows it. */
  gateOf(kind: keyof ConcurrencyLimits): Gate;
  limits(): ConcurrencyLimits;
  note(call: TimedCall): void;
}

/** Creates the gates; a number is the fixed limit of all calls together. */
export function createConcurrencyControl(how: number | AutoConcurrency): ConcurrencyControl {
  if (typeof how === "number") {
    const { run } = createGate(how);
    const limits = { reads: how, writes: how };
    return { gateOf: () => run, limits: () => limits, note: () => undefined };
  }
  const { learned } = how;
  const of = {
    reads: createAdaptiveGate(MAX_CONCURRENCY.reads, learned?.reads),
    writes: createAdaptiveGate(MAX_CONCURRENCY.writes, learned?.writes),
  };
  return {
    gateOf: (kind) => of[kind].run,
    limits: () => ({ reads: of.reads.limit(), writes: of.writes.limit() }),
    note: (call) => of[call.kind].note(call),
  };
}

interface AdaptiveGate {
  readonly run: Gate;
  limit(): number;
  note(call: Omit<TimedCall, "kind">): void;
}

const TOO_MANY_CALLS = 429;

/** Answers are as fast as before up to this multiple of the fastest median. */
const AS_FAST = 1.25;

/** From this multiple of the fastest median on, the marketplace is overloaded. */
const TOO_SLOW = 2;

/** Differences below this time, in milliseconds, come from this machine. */
const MIN_JUDGED_MS = 40;

/** Answers of equal calls that were sent under one limit. */
interface Round {
  readonly key: string;
  readonly times: number[];
}

/**
 * Doubles the limit until answers slow down for the first time; after that it adds one. It judges a
 * round of as many answers as the limit, and only where the limit was reached, because a lower load
 * says nothing about it.
 */
function createAdaptiveGate(max: number, learned = FIRST_LIMIT): AdaptiveGate {
  const gate = createGate(clamp(learned, max));
  const fastest = new Map<string, number>();
  const rounds = new Map<string, Round>();
  let isDoubling = true;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let isFull = false;

  const change = (limit: number, nowMs: number): void => {
    rounds.clear();
    isFull = false;
    changedAtMs = nowMs;
    gate.setLimit(clamp(limit, max));
  };
  const slowDown = (nowMs: number): void => {
    isDoubling = false;
    change(Math.floor(gate.limit() / 2), nowMs);
  };
  const judge = ({ key, times }: Round, nowMs: number): void => {
    const medianMs = Math.max(MIN_JUDGED_MS, median(times));
    const fastestMs = Math.min(fastest.get(key) ?? medianMs, medianMs);
    fastest.set(key, fastestMs);
    if (medianMs >= TOO_SLOW * fastestMs) slowDown(nowMs);
    else if (medianMs > AS_FAST * fastestMs) isDoubling = false;
    else if (isFull) change(isDoubling ? gate.limit() * 2 : gate.limit() + 1, nowMs);
    rounds.delete(key);
  };

  return {
    run: gate.run,
    limit: () => gate.limit(),
    note({ key, startedAtMs, endedAtMs, status }) {
      isFull ||= gate.isFull();
      // What left under an earlier limit says nothing about this one, and one overload is many
      // refusals.
      if (startedAtMs < changedAtMs || status === undefined) return;
      if (status === TOO_MANY_CALLS || status >= 500) return slowDown(endedAtMs);
      const round = rounds.get(key) ?? { key, times: [] };
      rounds.set(key, round);
      round.times.push(endedAtMs - startedAtMs);
      if (round.times.length >= Math.max(gate.limit(), FIRST_LIMIT)) judge(round, endedAtMs);
    },
  };
}

const clamp = (limit: number, max: number): number => Math.min(max, Math.max(1, limit));

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
