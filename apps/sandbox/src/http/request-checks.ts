/** Checks before a request is handled: token, hourly quota, and how many are under way. */

import type { Clock } from "@catalog/clock";
import type { Endpoint, Id } from "@catalog/contract";
import type { FastifyReply } from "fastify";

import type { CallHours } from "../admin/call-hours.ts";
import { OptionError } from "../behavior/behavior-settings.ts";
import type { StatsCounter } from "../market-state.ts";
import { Refusal, watchSender } from "./refusal.ts";
import type { TokenService } from "./token-service.ts";

const WINDOW_MS = 60 * 60 * 1000;

export interface Quota {
  /**
   * Counts a request. Throws a refusal with Retry-After when the hour is used up; a refused request
   * is not counted.
   */
  take(): void;
  reset(): void;
  /** Times of the requests that count now, oldest first. */
  save(): readonly number[];
  load(times: readonly number[]): void;
}

/** Creates a quota of requests per hour; without a number it is unlimited. */
export function createQuota(clock: Clock, requestsPerHour: number = Infinity): Quota {
  if (!(requestsPerHour >= 1)) {
    throw new OptionError({
      tr: `saatlik istek sınırı en az 1 olmalı, verilen: ${requestsPerHour}`,
      en: `the limit of requests per hour must be at least 1, not ${requestsPerHour}`,
    });
  }
  /** Times of the requests in the last hour, oldest first. */
  const taken: number[] = [];

  return {
    take() {
      if (requestsPerHour === Infinity) return;
      const now = clock.now();
      const kept = taken.findIndex((time) => time > now - WINDOW_MS);
      taken.splice(0, kept === -1 ? taken.length : kept);
      const [oldest] = taken;
      if (oldest !== undefined && taken.length >= requestsPerHour) {
        throw createQuotaRefusal(oldest + WINDOW_MS - now);
      }
      taken.push(now);
    },
    reset() {
      taken.length = 0;
    },
    save: () => [...taken],
    load(times) {
      taken.splice(0, taken.length, ...times);
    },
  };
}

function createQuotaRefusal(waitMs: number): Refusal {
  return new Refusal({
    httpStatus: 429,
    reason: "hourly-limit",
    headers: { "retry-after": String(Math.ceil(waitMs / 1000)) },
    message: { en: "Too many requests this hour", tr: "Saatlik istek sınırı aşıldı" },
  });
}

export interface Capacity {
  /**
   * Waits for a free place and returns a function that gives it back; a second call of it does
   * nothing. Rejects with the reason of the signal when it aborts before the place is free.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** Creates places for this number of calls; `Infinity` lets every call in at once. */
export function createCapacity(places: number): Capacity {
  /** Waiting calls, oldest first; each is called with the place that became free. */
  const waiting = new Set<() => void>();
  let free = places;

  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  const takePlace = (): (() => void) => {
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return takePlace();
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const leave = (): void => {
        waiting.delete(come);
        reject(signal.reason);
      };
      const come = (): void => {
        waiting.delete(come);
        signal.removeEventListener("abort", leave);
        resolve(takePlace());
      };
      waiting.add(come);
      signal.addEventListener("abort", leave, { once: true });
      return promise;
    },
  };
}

/**
 * Waits for a place, which the call keeps until its answer is written or its connection ends.
 * Returns "gone" where the sender did not wait for it; rejects when `closing` aborts.
 */
export async function occupyPlace(
  capacity: Capacity,
  { raw }: Pick<FastifyReply, "raw">,
  closing: AbortSignal,
): Promise<"entered" | "gone"> {
  const { socket } = raw;
  if (socket === null) return "gone";
  const gone = new AbortController();
  const stop = watchSender(socket, () => gone.abort());
  try {
    const release = await capacity.enter(AbortSignal.any([gone.signal, closing]));
    raw.once("close", release);
    return "entered";
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    return "gone";
  } finally {
    stop();
  }
}

export interface RequestChecksOptions {
  readonly tokens: TokenService;
  readonly quota: Quota;
  readonly stats: StatsCounter;
  readonly hours: CallHours;
  readonly clock: Clock;
  readonly latencyMs: number;
  /** The store that granted its permissions. */
  readonly storeId: Id<"store">;
  /** A known store without any permission. */
  readonly closedStoreId: Id<"store">;
  /** Aborts the waits of requests under way. */
  readonly closing: AbortSignal;
}

/**
 * The token and address of the caller, and the store; `storeId` is undefined where the path has
 * none.
 */
interface Caller {
  readonly accessToken: unknown;
  readonly ip: string;
  readonly storeId: unknown;
}

export interface RequestChecks {
  /** Counts the request as received. */
  count(endpoint: string | undefined): void;
  /** Waits for the latency and takes the request off the quota, or throws a refusal. */
  enter(): Promise<void>;
  /** Throws a refusal unless the caller may call endpoints of this permission class. */
  authorize(permission: Endpoint<unknown, unknown>["permission"], caller: Caller): void;
}

export function createRequestChecks(options: RequestChecksOptions): RequestChecks {
  const { tokens, quota, stats, hours, clock, latencyMs, closing } = options;

  return {
    count(endpoint) {
      stats.countRequest(endpoint);
      hours.note();
    },
    async enter() {
      if (latencyMs > 0) await clock.sleep(latencyMs, closing);
      quota.take();
    },
    authorize(permission, { accessToken, ip, storeId }) {
      if (permission === "none") return;
      tokens.check(accessToken, ip);
      if (permission === "store" && storeId !== options.storeId) {
        throw createStoreRefusal(storeId === options.closedStoreId);
      }
    },
  };
}

function createStoreRefusal(isKnown: boolean): Refusal {
  const message = isKnown
    ? { en: "The store has not granted permission", tr: "Mağaza bu uygulamaya izin vermedi" }
    : { en: "The store is unknown", tr: "Mağaza tanınmıyor" };
  return new Refusal({ httpStatus: 403, message });
}
