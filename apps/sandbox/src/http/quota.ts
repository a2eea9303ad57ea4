/** Counts requests in a sliding window of one hour. */

import type { Clock } from "@catalog/clock";

import { OptionError } from "../option-error.ts";
import { Refusal } from "./refusal.ts";

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
