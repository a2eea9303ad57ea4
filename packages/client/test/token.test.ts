import { createFakeClock } from "@catalog/clock/testing";
import { TOKEN_VALIDITY_MS } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import {
  createMemoryTokenCache,
  createTokenSource,
  parseTokenExpiry,
  TOKEN_MARGIN_MS,
  type TokenCache,
  type TokenSource,
  UNKNOWN_VALIDITY_MS,
} from "../src/token.ts";

const HOUR_MS = 3_600_000;

function setUp(validityMs = 6 * HOUR_MS, more: { readonly minLifeMs?: number } = {}) {
  const clock = createFakeClock(1_000_000);
  const cache = createMemoryTokenCache();
  const told: string[] = [];
  let acquired = 0;
  const create = (): TokenSource =>
    createTokenSource({
      ...more,
      tooManyRefused: () => new Error("refused for good"),
      key: "k",
      cache,
      clock,
      onToken: (token) => told.push(token),
      acquire: async () => {
        acquired += 1;
        return { token: `token-${acquired}`, expiresAtMs: clock.now() + validityMs };
      },
    });
  return { clock, cache, told, create, acquired: () => acquired };
}

describe("createMemoryTokenCache", () => {
  it("returns the token that was written until it is forgotten", async () => {
    const cache = createMemoryTokenCache();
    const token = { token: "t", expiresAtMs: 5 };

    await cache.write("a", token);

    await expect(cache.read("a")).resolves.toEqual(token);
    await expect(cache.read("b")).resolves.toBeUndefined();
    await cache.forget("a");
    await expect(cache.read("a")).resolves.toBeUndefined();
  });

  it("shares nothing with another cache", async () => {
    await createMemoryTokenCache().write("a", { token: "t", expiresAtMs: 5 });

    await expect(createMemoryTokenCache().read("a")).resolves.toBeUndefined();
  });
});

describe("createTokenSource", () => {
  it("acquires one token for all concurrent callers", async () => {
    const { create, acquired } = setUp();
    const source = create();

    const tokens = await Promise.all(Array.from({ length: 20 }, () => source.get()));

    expect(new Set(tokens)).toEqual(new Set(["token-1"]));
    expect(acquired()).toBe(1);
  });

  it("stores an acquired token in the cache, where the next source finds it", async () => {
    const { create, cache, acquired, told } = setUp();

    await create().get();
    const second = await create().get();

    expect(second).toBe("token-1");
    expect(acquired()).toBe(1);
    expect([...cache.entries.keys()]).toEqual(["k"]);
    expect(told).toEqual(["token-1", "token-1"]);
  });

  it("uses a token until five minutes before it expires", async () => {
    const { create, clock } = setUp();
    const source = create();
    await source.get();

    await clock.advance(6 * HOUR_MS - TOKEN_MARGIN_MS - 1);
    const before = await source.get();
    await clock.advance(1);
    const after = await source.get();

    expect([before, after]).toEqual(["token-1", "token-2"]);
  });

  it("does not use a cached token that is about to expire", async () => {
    const { create, cache, clock } = setUp();
    await cache.write("k", { token: "old", expiresAtMs: clock.now() + TOKEN_MARGIN_MS });

    await expect(create().get()).resolves.toBe("token-1");
  });

  it("uses a token that lives shorter than the margin for half its life", async () => {
    const { create, clock } = setUp(60_000);
    const source = create();

    const first = [await source.get(), await source.get()];
    await clock.advance(30_000);

    expect([...first, await source.get()]).toEqual(["token-1", "token-1", "token-2"]);
  });

  it("replaces a refused token once for all callers that were refused", async () => {
    const { create, cache, acquired } = setUp();
    const source = create();
    const token = await source.get();

    await source.refuse(token);
    const next = await source.get();
    await source.refuse(token);

    expect([next, await source.get()]).toEqual(["token-2", "token-2"]);
    expect(acquired()).toBe(2);
    expect(cache.entries.get("k")?.token).toBe("token-2");
  });

  it("uses the newer token that another process put into the cache", async () => {
    const { create, cache, clock, acquired } = setUp();
    const source = create();
    const token = await source.get();
    await cache.write("k", { token: "theirs", expiresAtMs: clock.now() + HOUR_MS });

    await source.refuse(token);

    expect(await source.get()).toBe("theirs");
    expect(acquired()).toBe(1);
  });

  it("does not take a refused token back from the cache", async () => {
    const { create, cache } = setUp();
    const source = create();
    const token = await source.get();
    cache.forget = async () => undefined;

    await source.refuse(token);

    await expect(source.get()).resolves.toBe("token-2");
  });

  it("ends the wait of the caller that aborts, and of no other", async () => {
    const { create } = setUp();
    const source = create();
    const controller = new AbortController();

    const aborted = source.get(controller.signal);
    const patient = source.get();
    controller.abort(new Error("stop"));

    await expect(aborted).rejects.toThrow("stop");
    await expect(patient).resolves.toBe("token-1");
  });

  it("asks for a token again after a failure", async () => {
    const { cache, clock } = setUp();
    const outcomes = [Promise.reject(new Error("down")), Promise.resolve("token-9")];
    const source = createTokenSource({
      tooManyRefused: () => new Error("refused for good"),
      key: "k",
      cache,
      clock,
      onToken: () => undefined,
      acquire: async () => ({
        token: (await outcomes.shift()) ?? "",
        expiresAtMs: clock.now() + HOUR_MS,
      }),
    });

    await expect(source.get()).rejects.toThrow("down");

    await expect(source.get()).resolves.toBe("token-9");
  });

  it("forgets its token in memory and in the cache", async () => {
    const { create, cache } = setUp();
    const source = create();
    await source.get();

    await source.forget();

    expect(cache.entries.size).toBe(0);
    await expect(source.get()).resolves.toBe("token-2");
  });
});

/** Adds locking to a cache: one caller works, and the others wait. */
function withTurns(cache: TokenCache): TokenCache & { readonly turns: string[] } {
  const turns: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...cache,
    turns,
    exclusively(key, work, signal) {
      turns.push(key);
      const turn = last.then(() => {
        signal?.throwIfAborted();
        return work();
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function setUpShared() {
  const clock = createFakeClock(1_000_000);
  const cache = withTurns(createMemoryTokenCache());
  let acquired = 0;
  const create = (closing?: AbortSignal): TokenSource =>
    createTokenSource({
      tooManyRefused: () => new Error("refused for good"),
      key: "k",
      cache,
      clock,
      closing,
      onToken: () => undefined,
      acquire: async () => {
        acquired += 1;
        // Callers that ask meanwhile find the cache still empty.
        await new Promise((resolve) => setImmediate(resolve));
        return { token: `token-${acquired}`, expiresAtMs: clock.now() + HOUR_MS };
      },
    });
  return { cache, create, acquired: () => acquired };
}

describe("createTokenSource with a cache that locks between processes", () => {
  it("acquires one token for twenty sources that start at once", async () => {
    const { create, acquired } = setUpShared();

    const tokens = await Promise.all(Array.from({ length: 20 }, () => create().get()));

    expect(new Set(tokens)).toEqual(new Set(["token-1"]));
    expect(acquired()).toBe(1);
  });

  it("replaces a token once that every source was refused with", async () => {
    const { create, acquired } = setUpShared();
    const sources = Array.from({ length: 5 }, () => create());
    await Promise.all(sources.map((source) => source.get()));

    await Promise.all(sources.map((source) => source.refuse("token-1")));
    const tokens = await Promise.all(sources.map((source) => source.get()));

    expect(new Set(tokens)).toEqual(new Set(["token-2"]));
    expect(acquired()).toBe(2);
  });

  it("takes no lock where the cache has a token", async () => {
    const { create, cache } = setUpShared();
    await create().get();

    await create().get();

    expect(cache.turns).toEqual(["k"]);
  });

  it("lets the next source ask when the first one failed", async () => {
    const { cache, create } = setUpShared();
    const failing = createTokenSource({
      tooManyRefused: () => new Error("refused for good"),
      key: "k",
      cache,
      clock: createFakeClock(),
      onToken: () => undefined,
      acquire: () => Promise.reject(new Error("down")),
    });

    const [failed, next] = await Promise.allSettled([failing.get(), create().get()]);

    expect(failed).toMatchObject({ status: "rejected", reason: new Error("down") });
    expect(next).toEqual({ status: "fulfilled", value: "token-1" });
  });

  it("stops waiting for the lock when the client is closed", async () => {
    const { create } = setUpShared();

    const closed = create(AbortSignal.abort(new Error("closed")));

    await expect(closed.get()).rejects.toThrow("closed");
  });
});

async function refuseNext(source: TokenSource): Promise<void> {
  await source.refuse(await source.get());
}

describe("createTokenSource after repeated refusals", () => {
  it("asks for no fourth token when three new tokens were refused", async () => {
    const { create, acquired } = setUp();
    const source = create();
    for (let n = 0; n < 3; n += 1) await refuseNext(source);

    await expect(source.get()).rejects.toThrow("refused for good");

    expect(acquired()).toBe(3);
  });

  it("asks for a token again an hour after three were refused", async () => {
    const { create, clock } = setUp();
    const source = create();
    for (let n = 0; n < 3; n += 1) await refuseNext(source);

    await clock.advance(HOUR_MS);

    expect(await source.get()).toBe("token-4");
  });

  it("counts a refusal that several calls report once, and none before an accepted token", async () => {
    const { create } = setUp();
    const source = create();
    for (let n = 0; n < 9; n += 1) await source.refuse("token-0");
    for (let n = 0; n < 9; n += 1) {
      source.accept(await source.get());
      await refuseNext(source);
    }

    expect(await source.get()).toBe("token-10");
  });
});

describe("createTokenSource with a minimum remaining life", () => {
  const MIN = { minLifeMs: 90_000 };
  it.each([
    ["replaces a token of two minutes while it still lives as long as a call", 120_000, 30_000],
    ["uses a token for half its life when it lives shorter than any call", 60_000, 30_000],
    [
      "uses a token of six hours until five minutes before it expires",
      6 * HOUR_MS,
      6 * HOUR_MS - 300_000,
    ],
  ] as const)("%s", async (_name, validityMs, usableMs) => {
    const { create, clock } = setUp(validityMs, MIN);
    const source = create();
    await source.get();

    await clock.advance(usableMs - 1);
    expect(await source.get()).toBe("token-1");
    await clock.advance(1);
    expect(await source.get()).toBe("token-2");
  });
});

const NOW = Date.parse("2026-03-01T12:00:00Z");
const IN_AN_HOUR = NOW + 3_600_000;
const UNKNOWN = NOW + UNKNOWN_VALIDITY_MS;

describe("parseTokenExpiry", () => {
  const cases: readonly [string, unknown, number][] = [
    ["ISO text", "2026-03-01T13:00:00.000Z", IN_AN_HOUR],
    ["ISO text with an offset", "2026-03-01T16:00:00+03:00", IN_AN_HOUR],
    ["seconds", IN_AN_HOUR / 1000, IN_AN_HOUR],
    ["milliseconds", IN_AN_HOUR, IN_AN_HOUR],
    ["seconds as text", ` ${IN_AN_HOUR / 1000} `, IN_AN_HOUR],
    ["milliseconds as text", String(IN_AN_HOUR), IN_AN_HOUR],
    ["a time beyond the stated validity", NOW + 10 * TOKEN_VALIDITY_MS, NOW + TOKEN_VALIDITY_MS],
    ["text without a time zone", "2026-03-01T13:00:00", UNKNOWN],
    ["Turkish time without a zone", "2026-03-01 20:59:00", NOW + TOKEN_VALIDITY_MS - 60_000],
    ["UTC without a zone", " 2026-03-01T17:59:00 ", NOW + TOKEN_VALIDITY_MS - 60_000],
    ["text in an unknown time zone", "2026-03-01T19:00:00", UNKNOWN],
    ["a day without a time", "2026-03-02", UNKNOWN],
    ["a time in the past", NOW - 1, UNKNOWN],
    ["now", NOW, UNKNOWN],
    ["nothing", undefined, UNKNOWN],
    ["null", null, UNKNOWN],
    ["words", "tomorrow", UNKNOWN],
    ["a day that does not exist", "2026-13-45T00:00:00Z", UNKNOWN],
    ["not a number", Number.NaN, UNKNOWN],
    ["no end", Number.POSITIVE_INFINITY, NOW + TOKEN_VALIDITY_MS],
    ["a negative number", -5, UNKNOWN],
  ];
  it.each(cases)("reads an expiry given as %s", (_what, value, expected) => {
    expect(parseTokenExpiry(value, NOW)).toBe(expected);
  });

  it("returns a moment after now and within the stated validity", () => {
    const values = cases.map(([, value]) => value);
    const expiries = [0, 1, NOW, NOW * 2].flatMap((now) =>
      values.map((value) => parseTokenExpiry(value, now) - now),
    );

    expect(Math.min(...expiries)).toBeGreaterThan(0);
    expect(Math.max(...expiries)).toBeLessThanOrEqual(TOKEN_VALIDITY_MS);
  });
});
