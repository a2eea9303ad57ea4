/** Pace of calls, over all processes that share the quota. */

import { type Credentials } from "@catalog/client";
import { type Clock } from "@catalog/clock";
import {
  type Budget,
  type CallPause,
  createBudget,
  type Database,
  type TurnClass,
} from "@catalog/database";

import { type WaitReason, type Waits, type WhyWait } from "./long-waits.ts";

/** The rate limiter, as a run uses it. */
export interface Pacing {
  /** Calls an hour that are allowed now, by setting or as learned; `undefined` is unlimited. */
  callsPerHour(): number | undefined;
  /** Time until the last of `calls` calls would get its slot, in milliseconds. */
  waitMs(calls: number): number;
  /** The pause that keeps calls back now, where the marketplace has caused one. */
  pause(): CallPause | undefined;
  /** Ends the pause, and forgets the hourly limit that was learned from refusals. */
  clear(): void;
  /** Gives this process's calls priority over those of long runs from now on. */
  hurry(): void;
}

/** Application and store that make the calls. */
export interface PacingOptions {
  /** The normalized address. */
  readonly baseUrl: string;
  readonly credentials: Pick<Credentials, "clientKey">;
  readonly requestsPerHour?: number | undefined;
  /**
   * Longest wait for a slot, in milliseconds; a call that would wait longer is not made. @default
   * any wait
   */
  readonly patienceMs?: number | undefined;
}

interface PacingParts {
  readonly database: Database;
  readonly waits: Pick<Waits, "clockFor">;
}

/** The rate limiter, and its adapters for the client and for runs. */
export interface OpenedPacing {
  readonly budget: Budget;
  readonly pace: (signal?: AbortSignal) => Promise<void>;
  /** Clock on which the client waits before it retries a call. */
  readonly retryClock: Clock;
  readonly pacing: Pacing;
}

/** The applications of a seller share no quota; the stores of one application share its quota. */
export function openPacing(options: PacingOptions, { database, waits }: PacingParts): OpenedPacing {
  const { baseUrl, credentials, requestsPerHour, patienceMs } = options;
  const key = `${baseUrl} ${credentials.clientKey}`;
  // A pause of all calls lasts longer than the wait of any one of them.
  const whyOr = (reason: WaitReason) => (): WhyWait => {
    const pause = budget.pause();
    return pause === undefined ? { reason } : { reason: "refused", untilMs: pause.untilMs };
  };
  const clock = waits.clockFor(whyOr("quota"));
  const budget: Budget = createBudget({ database, clock, key, requestsPerHour, patienceMs });
  let by: TurnClass = "bulk";
  return {
    budget,
    retryClock: waits.clockFor(whyOr("retry")),
    pace: (signal) => budget.take(signal, by),
    pacing: {
      callsPerHour: () => budget.callsPerHour(),
      waitMs: (calls) => budget.waitMs(calls),
      pause: () => budget.pause(),
      clear: () => budget.clear(),
      hurry: () => {
        by = "urgent";
      },
    },
  };
}
