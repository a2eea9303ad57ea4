/**
 * Checks before a request is handled: access tokens, valid for six hours and only from the address
 * that requested them (section Authentication, 3), the hourly quota, and how many calls are served
 * at a time.
 */

import { hash } from "node:crypto";

import type { Clock } from "@catalog/clock";
import { type Endpoint, type Id, type InputOf, TOKEN_VALIDITY_MS } from "@catalog/contract";
import type { FastifyReply } from "fastify";

import { type Behavior, OptionError } from "../behavior/behavior-settings.ts";
import type { StatsCounter } from "../market-state.ts";
import { Refusal, watchSender } from "./answers.ts";

interface TokenServiceOptions {
  readonly clock: Clock;
  /** Seed of the key, the secret and every token. */
  readonly seed: string;
  /** What a new token does to earlier ones of its address. @default "keeps-old" */
  readonly newToken?: Behavior["new-token"];
  /** Called when a token is requested long before the last one of its address expires. */
  readonly onEarlyRequest?: () => void;
}

export interface Token {
  readonly value: string;
  readonly expiresAtMs: number;
}

export interface TokenService {
  readonly clientKey: string;
  readonly clientSecret: string;
  /** Issues a new token bound to the address; throws a refusal when key and secret are wrong. */
  grant(request: InputOf<"token.create">, ip: string): Token;
  /** Throws a refusal unless the token is known, valid and used from its own address. */
  check(value: unknown, ip: string): void;
  /** Every issued token that was not ended since, oldest first. */
  list(): readonly GrantedToken[];
  /** Ends every token early, which clients cannot foresee. */
  endAll(): void;
  /** Ends this token early. */
  end(value: unknown): void;
  /** Replaces the tokens; later ones differ from the first `count`. */
  load(saved: SavedTokens): void;
  save(): SavedTokens;
}

/** A token without its value. */
export interface GrantedToken {
  readonly ip: string;
  readonly grantedAtMs: number;
  readonly expiresAtMs: number;
}

/** The saved tokens. */
export interface SavedTokens {
  readonly count: number;
  readonly granted: readonly (readonly [value: string, token: GrantedToken])[];
}

/**
 * A token may be replaced this long before it expires, in milliseconds, so that it does not expire
 * during a call.
 */
export const RENEWAL_MARGIN_MS: number = 10 * 60 * 1000;

export function createTokenService(options: TokenServiceOptions): TokenService {
  const { clock, seed, newToken = "keeps-old", onEarlyRequest = () => undefined } = options;
  const clientKey = hash("sha256", `client key\n${seed}`).slice(0, 32);
  const clientSecret = `sandbox-secret:${hash("sha256", `client secret\n${seed}`)}`;
  const granted = new Map<string, GrantedToken>();
  let count = 0;

  const meetEarlier = (ip: string): void => {
    const same = [...granted].filter(([, token]) => token.ip === ip);
    const latest = clock.now() + RENEWAL_MARGIN_MS;
    if (same.some(([, { expiresAtMs }]) => expiresAtMs > latest)) onEarlyRequest();
    if (newToken === "kills-old") for (const [value] of same) granted.delete(value);
  };

  return {
    clientKey,
    clientSecret,
    grant(request, ip) {
      if (request.client_key !== clientKey || request.client_secret !== clientSecret) {
        throw createCredentialsRefusal();
      }
      meetEarlier(ip);
      count += 1;
      const value = `sandbox-token:${hash("sha256", `token\n${seed}\n${count}\n${ip}`)}`;
      const grantedAtMs = clock.now();
      const expiresAtMs = grantedAtMs + TOKEN_VALIDITY_MS;
      granted.set(value, { ip, grantedAtMs, expiresAtMs });
      return { value, expiresAtMs };
    },
    check(value, ip) {
      assertUsable({ value, token: granted.get(String(value)), ip, now: clock.now() });
    },
    list: () => [...granted.values()],
    endAll: () => granted.clear(),
    end: (value) => void granted.delete(String(value)),
    save: () => ({ count, granted: [...granted] }),
    load(saved) {
      count = saved.count;
      granted.clear();
      for (const [value, token] of saved.granted) granted.set(value, token);
    },
  };
}

interface TokenUse {
  readonly value: unknown;
  readonly token: GrantedToken | undefined;
  readonly ip: string;
  readonly now: number;
}

function assertUsable({ value, token, ip, now }: TokenUse): void {
  if (typeof value !== "string" || value === "") {
    throw createTokenRefusal("access_token is missing", "access_token verilmedi");
  }
  if (token === undefined) {
    throw createTokenRefusal("access_token is unknown", "access_token tanınmıyor");
  }
  if (now >= token.expiresAtMs) {
    throw createTokenRefusal("access_token has expired", "access_token süresi doldu");
  }
  if (token.ip !== ip) {
    throw createTokenRefusal(
      "access_token belongs to another IP address",
      "access_token başka bir IP adresine ait",
    );
  }
}

function createCredentialsRefusal(): Refusal {
  return new Refusal({
    httpStatus: 401,
    reason: "auth",
    status: "error",
    message: {
      en: "client_key or client_secret is wrong",
      tr: "client_key veya client_secret hatalı",
    },
  });
}

function createTokenRefusal(en: string, tr: string): Refusal {
  return new Refusal({ httpStatus: 401, reason: "auth", message: { en, tr } });
}

const HOUR_MS = 60 * 60 * 1000;

/** Removes the times, oldest first, that lie an hour or more back. */
function keepLastHour(times: number[], nowMs: number): void {
  const kept = times.findIndex((time) => time > nowMs - HOUR_MS);
  times.splice(0, kept === -1 ? times.length : kept);
}

/** Number of calls by hour. */
export interface HourCounts {
  readonly lastHour: number;
  /** Maximum number of calls in any hour since the start or the last reset. */
  readonly busiestHour: number;
}

export interface SavedHours {
  readonly moments: readonly number[];
  readonly busiestHour: number;
}

export interface CallHours {
  note(): void;
  read(): HourCounts;
  reset(): void;
  save(): SavedHours;
  load(saved: SavedHours): void;
}

export function createCallHours(clock: Clock): CallHours {
  /** Times of the calls in the last hour, oldest first. */
  let times: number[] = [];
  let busiestHour = 0;

  return {
    note() {
      keepLastHour(times, clock.now());
      times.push(clock.now());
      busiestHour = Math.max(busiestHour, times.length);
    },
    read() {
      keepLastHour(times, clock.now());
      return { lastHour: times.length, busiestHour };
    },
    reset() {
      times = [];
      busiestHour = 0;
    },
    save: () => ({ moments: [...times], busiestHour }),
    load(saved) {
      times = [...saved.moments];
      busiestHour = saved.busiestHour;
    },
  };
}

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
      keepLastHour(taken, now);
      const [oldest] = taken;
      if (oldest !== undefined && taken.length >= requestsPerHour) {
        throw createQuotaRefusal(oldest + HOUR_MS - now);
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
  /** Ends the caller's token, and throws the refusal of a call with it. */
  refuseToken(caller: Pick<Caller, "accessToken" | "ip">): void;
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
    refuseToken({ accessToken, ip }) {
      tokens.end(accessToken);
      tokens.check(accessToken, ip);
    },
  };
}

function createStoreRefusal(isKnown: boolean): Refusal {
  const message = isKnown
    ? { en: "The store has not granted permission", tr: "Mağaza bu uygulamaya izin vermedi" }
    : { en: "The store is unknown", tr: "Mağaza tanınmıyor" };
  return new Refusal({ httpStatus: 403, message });
}
