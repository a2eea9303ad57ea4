/**
 * Limits how many calls run at a time: a fixed number for all calls, or limits for reads and for
 * writes that follow how fast the marketplace answers.
 */

import { createGate, type Gate } from "./gate.ts";
import { createLimitSearch, FIRST_LIMIT } from "./limit-search.ts";

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
export const MAX_CONCURRENCY: ConcurrencyLimits = { reads: 16, writes: 16 };

/** One request that was answered or lost, from its start to the end of its answer. */
export interface TimedCall {
  readonly kind: keyof ConcurrencyLimits;
  /** Calls with the same key do about the same work, so that their times can be compared. */
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

/**
 * Changes its limit after a round of equal calls, as many as the limit, or at a refusal. An answer
 * that does not come is a refusal where one was lost shortly before.
 */
function createAdaptiveGate(max: number, learned = FIRST_LIMIT): AdaptiveGate {
  const gate = createGate(clamp(learned, max));
  const search = createLimitSearch();
  const isLossRepeated = createLossCount();
  const rounds = new Map<string, number[]>();
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let isFull = false;

  const change = (limit: number, nowMs: number): void => {
    rounds.clear();
    isFull = false;
    changedAtMs = nowMs;
    gate.setLimit(clamp(limit, max));
  };

  return {
    run: gate.run,
    limit: () => gate.limit(),
    note({ key, startedAtMs, endedAtMs, status }) {
      isFull ||= gate.isFull();
      // What left under an earlier limit says nothing about this one, and one overload is many
      // refusals.
      if (startedAtMs < changedAtMs) return;
      const limit = gate.limit();
      const size = Math.max(limit, FIRST_LIMIT);
      const isRepeatedLoss = isLossRepeated(status === undefined, size);
      if (isRepeatedLoss || isRefusal(status)) return change(search.refused(limit), endedAtMs);
      if (status === undefined) return;
      const timesMs = [...(rounds.get(key) ?? []), endedAtMs - startedAtMs];
      rounds.set(key, timesMs);
      if (timesMs.length < size) return;
      rounds.delete(key);
      const next = clamp(search.judge({ key, timesMs, limit, isFull }), max);
      if (next !== limit) change(next, endedAtMs);
    },
  };
}

const isRefusal = (status = 0): boolean => status === TOO_MANY_CALLS || status >= 500;

/** Says whether a lost answer follows another one within a number of answers. */
function createLossCount(): (isLost: boolean, within: number) => boolean {
  let answers = Infinity;
  return (isLost, within) => {
    const isRepeated = isLost && answers < within;
    answers = isLost ? 0 : answers + 1;
    return isRepeated;
  };
}

const clamp = (limit: number, max: number): number => Math.min(max, Math.max(1, limit));
