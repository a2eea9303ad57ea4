/** The checks of a request before its endpoint answers, each step on its own. */

import type { Clock } from "@catalog/clock";
import type { Endpoint, StoreId } from "@catalog/contract";

import type { CallHours } from "../admin/call-hours.ts";
import type { StatsCounter } from "../stats.ts";
import type { Quota } from "./quota.ts";
import { Refusal } from "./refusal.ts";
import type { TokenService } from "./token-service.ts";

export interface RequestChecksOptions {
  readonly tokens: TokenService;
  readonly quota: Quota;
  readonly stats: StatsCounter;
  readonly hours: CallHours;
  readonly clock: Clock;
  readonly latencyMs: number;
  /** The store that granted its permissions. */
  readonly storeId: StoreId;
  /** A known store without any permission. */
  readonly closedStoreId: StoreId;
  /** Aborts the waits of requests under way. */
  readonly closing: AbortSignal;
}

/**
 * The token and address of the caller, and the store; `storeId` is undefined where the path has
 * none.
 */
export interface Caller {
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
