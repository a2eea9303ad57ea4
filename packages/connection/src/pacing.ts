/** How fast calls may be made, over all processes that share the quota. */

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

/** The budget of calls, as a run sees it. */
export interface Pacing {
  /** Calls an hour that are allowed now, by setting or as learnt; `undefined` is unlimited. */
  callsPerHour(): number | undefined;
  /** How long the last of so many calls waits for its turn, from now on. */
  waitMs(calls: number): number;
  /** The pause that keeps calls back now, where the marketplace has caused one. */
  pause(): CallPause | undefined;
  /** Ends the pause, and forgets what refusals have taught about the hourly limit. */
  clear(): void;
  /** From now on calls pass those of long runs, in this process's name. */
  hurry(): void;
}

/** Whose calls they are. */
export interface PacingOptions {
  /** In its one form. */
  readonly baseUrl: string;
  readonly credentials: Pick<Credentials, "clientKey">;
  readonly requestsPerHour?: number | undefined;
  /** A turn that is further away is not waited for. @default it is */
  readonly patienceMs?: number | undefined;
}

interface PacingParts {
  readonly database: Database;
  readonly waits: Pick<Waits, "clockFor">;
}

/** The budget, and what is made of it for the client and for runs. */
export interface OpenedPacing {
  readonly budget: Budget;
  readonly pace: (signal?: AbortSignal) => Promise<void>;
  /** The client waits on it before it makes a failed call again. */
  readonly retryClock: Clock;
  readonly pacing: Pacing;
}

/** All applications of a seller share nothing; all stores of an application share its quota. */
export function openPacing(options: PacingOptions, { database, waits }: PacingParts): OpenedPacing {
  const { baseUrl, credentials, requestsPerHour, patienceMs } = options;
  const key = `${baseUrl} ${credentials.clientKey}`;
  // A pause of all calls outlasts whatever one of them waits for.
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
