import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { ApiError, AuthError, InputError, NetworkError, ShapeError } from "../src/index.ts";
import {
  type CallEffect,
  MAX_RETRY_AFTER_MS,
  parseRetryAfter,
  retryWaitMs,
  withRetries,
} from "../src/retry.ts";
import { createHastyClock, failureOf } from "./helpers/marketplace.ts";

const facts = { endpoint: "product.list", phase: "body" } as const;
const refused = (status: number, retryAfterMs?: number): ApiError =>
  new ApiError("refused", { ...facts, status, retryAfterMs });
const network = new NetworkError("reset", facts);
const shape = (reason: ShapeError["reason"]): ShapeError =>
  new ShapeError("odd", { ...facts, status: 200, reason });

const half = (): number => 0.5;
const waitAfter = (error: unknown, effect: CallEffect, attempt = 1): number | undefined =>
  retryWaitMs(error, { name: "product.list", effect, attempt, retries: 4 }, half);

describe("retryWaitMs", () => {
  const passing: readonly [string, unknown][] = [
    ["a lost connection", network],
    ["a timeout", new NetworkError("late", { ...facts, code: "TIMEOUT" })],
    ["an answer that is no JSON", shape("not-json")],
    ...[408, 425, 429, 500, 502, 503, 504, 599].map((status): [string, unknown] => [
      `status ${status}`,
      refused(status),
    ]),
  ];
  const lasting: readonly [string, unknown][] = [
    ["an answer that does not match the contract", shape("mismatch")],
    ["an answer too large", shape("too-large")],
    ["a refused token", new AuthError("no", { ...facts, status: 401 })],
    ["bad input", new InputError("no", { ...facts, misfits: [] })],
    ["a bug", new TypeError("undefined is not a function")],
    ["a rejection that is no Error", "stop"],
    ["the failed login of the call", new NetworkError("x", { ...facts, endpoint: "token.create" })],
    ...[301, 302, 400, 402, 404, 409, 413, 422].map((status): [string, unknown] => [
      `status ${status}`,
      refused(status),
    ]),
  ];

  it.each(passing)("retries a read after %s", (_what, error) => {
    expect(waitAfter(error, "read")).toBe(250);
    expect(waitAfter(error, "token")).toBe(250);
  });
  it.each(lasting)("does not retry a read after %s", (_what, error) => {
    expect(waitAfter(error, "read")).toBeUndefined();
  });
  it.each(["set", "create"] as const)("never retries a %s", (effect) => {
    const waits = [...passing, ...lasting].map(([, error]) => waitAfter(error, effect));

    expect(new Set(waits)).toEqual(new Set([undefined]));
  });

  it("doubles the bound of the wait, up to a minute", () => {
    const bounds = [1, 2, 3, 4, 20].map((attempt) =>
      retryWaitMs(network, { name: "product.list", effect: "read", attempt, retries: 99 }, () => 1),
    );

    expect(bounds).toEqual([500, 1000, 2000, 4000, 60_000]);
  });

  it("spreads the wait over the whole range below its bound", () => {
    const failed = { name: "product.list", effect: "read", attempt: 1, retries: 4 } as const;

    expect(retryWaitMs(network, failed, () => 0)).toBe(0);
    expect(retryWaitMs(network, failed, () => 0.999)).toBeCloseTo(499.5);
  });

  it("stops after the last allowed attempt", () => {
    expect(waitAfter(network, "read", 4)).toBeTypeOf("number");
    expect(waitAfter(network, "read", 5)).toBeUndefined();
  });

  it("waits as long as Retry-After says, without jitter", () => {
    expect(waitAfter(refused(429, 7000), "read", 3)).toBe(7000);
    expect(waitAfter(refused(503, 0), "read", 3)).toBe(0);
  });

  it("waits at most five minutes, whatever Retry-After says", () => {
    expect(waitAfter(refused(429, 3_600_000), "read")).toBe(MAX_RETRY_AFTER_MS);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const cases: readonly [string | undefined, number | undefined][] = [
    ["120", 120_000],
    [" 0 ", 0],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", undefined],
    ["3600", 3_600_000],
    ["86400", 3_600_000],
    ["1000000000", 3_600_000],
    ["9".repeat(400), 3_600_000],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 3_600_000],
    ["Infinity", undefined],
    ["NaN", undefined],
    ["soon", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["", undefined],
    [undefined, undefined],
  ];
  it.each(cases)("reads Retry-After %s as %s", (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});

describe("withRetries", () => {
  const options = {
    name: "product.list",
    effect: "read",
    retries: 2,
    random: half,
    signals: [],
  } as const;

  it("waits on the given clock, longer before each attempt", async () => {
    const clock = createHastyClock();
    let runs = 0;
    const operation = async (): Promise<string> => {
      runs += 1;
      if (runs < 3) throw network;
      return "there";
    };

    await expect(withRetries(operation, { ...options, clock })).resolves.toBe("there");

    expect(clock.waits).toEqual([250, 500]);
  });

  it("rejects as its last attempt did", async () => {
    const clock = createHastyClock();
    let runs = 0;
    const operation = (): Promise<string> => {
      runs += 1;
      return Promise.reject(new NetworkError(`reset ${runs}`, facts));
    };

    await expect(withRetries(operation, { ...options, clock })).rejects.toThrow("reset 3");
  });

  it("rejects at once where the wait would be longer than the caller's patience", async () => {
    const clock = createHastyClock();
    const refusal = refused(429, 6_000);
    const operation = (): Promise<never> => Promise.reject(refusal);

    const attempts = withRetries(operation, { ...options, clock, patienceMs: 5_000 });

    await expect(attempts).rejects.toMatchObject({ status: 429 });
    expect(clock.waits).toEqual([]);
  });

  it("passes on a rejection that is no Error", async () => {
    const reason = { why: "aborted" };
    const clock = createHastyClock();

    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the case under test
    const failure = failureOf(withRetries(() => Promise.reject(reason), { ...options, clock }));

    expect(await failure).toBe(reason);
  });

  it("ends a wait when a signal aborts, with the signal's reason", async () => {
    const clock = createFakeClock();
    const closing = new AbortController();
    const { signal } = new AbortController();
    const failed = Promise.withResolvers<void>();
    const operation = (): Promise<never> => {
      setImmediate(failed.resolve);
      return Promise.reject(network);
    };

    const signals = [signal, closing.signal];
    const failure = failureOf(withRetries(operation, { ...options, clock, signals }));
    await failed.promise;
    closing.abort("closed");

    expect(await failure).toBe("closed");
  });
});
