import type { RequestListener } from "node:http";

import type { Clock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  type DownloadRetry,
  openGuardedFetch,
  parseRetryAfter,
  retryDownload,
  type RetryDownloadOptions,
} from "../../src/guard/guarded-fetch.ts";
import { serve } from "../helpers/serve.ts";

const MINUTE_MS = 60_000;

/** A clock that moves on by itself, so that no wait takes time. */
function createHastyClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

interface Attempted {
  readonly outcome: unknown;
  readonly requests: number;
  /** Waits between the attempts, in milliseconds. */
  readonly waits: readonly number[];
}

/** Downloads from a server that gives one answer after the other, the last one for ever. */
async function downloadFrom(
  answers: readonly RequestListener[],
  options: Partial<RetryDownloadOptions> = {},
): Promise<Attempted> {
  let at = 0;
  const server = await serve((request, response) => {
    answers[Math.min(at++, answers.length - 1)]?.(request, response);
  });
  const guard = openGuardedFetch({ allowHosts: [server.host] });
  onTestFinished(() => guard[Symbol.asyncDispose]());
  const clock = createHastyClock();
  const outcome = await retryDownload(
    async () => Buffer.from((await guard.fetch(`${server.origin}/feed`)).body).toString(),
    { clock, totalMs: 30 * MINUTE_MS, ...options },
  ).catch((error: unknown) => error);
  return { outcome, requests: server.requests.length, waits: clock.slept };
}

const whole: RequestListener = (_, response) => response.end("whole");
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end("no");
const cut: RequestListener = (_, response) => {
  response.writeHead(200, { "content-length": 10 });
  response.write("half", () => response.destroy());
};
const reset: RequestListener = (request) => request.socket.destroy();

describe("retryDownload", () => {
  it.each([
    ["408", status(408)],
    ["429", status(429)],
    ["502", status(502)],
    ["503", status(503)],
    ["504", status(504)],
    ["a connection closed in the middle", cut],
    ["a connection closed before the answer", reset],
  ])("downloads after %s", async (_, failure) => {
    const { outcome, waits } = await downloadFrom([failure, failure, whole]);

    expect(outcome).toBe("whole");
    expect(waits).toEqual([2000, 4000]);
  });

  it.each([400, 401, 403, 404, 410])("does not try again after %d", async (code) => {
    const { outcome, requests } = await downloadFrom([status(code), whole]);

    expect([outcome, requests]).toMatchObject([{ code: "E_FETCH_STATUS", attempts: 1 }, 1]);
  });

  it("gives up after four attempts, and says so", async () => {
    const { outcome, requests, waits } = await downloadFrom([status(503)]);

    expect([requests, waits]).toEqual([4, [2000, 4000, 8000]]);
    expect(outcome).toMatchObject({
      code: "E_FETCH_STATUS",
      status: 503,
      attempts: 4,
      localized: {
        tr: expect.stringContaining("İndirme 4 kez denendi."),
        en: expect.stringContaining("It was tried 4 times."),
      },
    });
  });

  it("waits as long as the server asks for, and gives up where that is too long", async () => {
    const asked = await downloadFrom([status(429, { "retry-after": "120" }), whole]);
    const tooLong = await downloadFrom([status(503, { "retry-after": "301" }), whole]);

    expect([asked.outcome, asked.waits]).toEqual(["whole", [120_000]]);
    expect([tooLong.outcome, tooLong.waits]).toMatchObject([{ status: 503, attempts: 1 }, []]);
  });

  it("begins no attempt after its time is over", async () => {
    const { requests, waits } = await downloadFrom([status(503)], { totalMs: 5000 });

    expect([requests, waits]).toEqual([2, [2000]]);
  });

  it("gives each attempt the time that is left", async () => {
    const clock = createHastyClock();
    const left: number[] = [];
    const { origin, host } = await serve(status(503));
    const download = async (remainingMs: number): Promise<unknown> => {
      left.push(remainingMs);
      await using guard = openGuardedFetch({ allowHosts: [host] });
      return await guard.fetch(origin);
    };

    await retryDownload(download, { clock, totalMs: MINUTE_MS, retries: 2 }).catch(() => "failed");

    expect(left).toEqual([60_000, 58_000, 54_000]);
  });

  it("tells each wait before it begins", async () => {
    const told: DownloadRetry[] = [];

    await downloadFrom([reset, cut, whole], { onRetry: (retry) => told.push(retry) });

    expect(told).toEqual([
      { attempt: 1, waitMs: 2000 },
      { attempt: 2, waitMs: 4000 },
    ]);
  });

  it("ends a wait when it is stopped, with the reason of the stop", async () => {
    const stop = new AbortController();
    const clock = createFakeClock();

    const { outcome, requests } = await downloadFrom([status(503), whole], {
      clock,
      signal: stop.signal,
      onRetry: () => setImmediate(() => stop.abort("interrupted")),
    });

    expect([outcome, requests]).toEqual(["interrupted", 1]);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.UTC(2026, 0, 1);

  it.each([
    ["0", 0],
    [" 7 ", 7000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 23:59:00 GMT", undefined],
    ["soon", undefined],
    ["-1", undefined],
    [undefined, undefined],
  ])("reads %s as %s", (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});
