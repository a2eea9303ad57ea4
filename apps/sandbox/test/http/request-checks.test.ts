import { once } from "node:events";
import { connect } from "node:net";

import { createFakeClock } from "@catalog/clock/testing";
import { idSchemas, TOKEN_VALIDITY_MS } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import {
  createCallHours,
  createCapacity,
  createQuota,
  createRequestChecks,
  createTokenService,
  RENEWAL_MARGIN_MS,
  type RequestChecksOptions,
} from "../../src/http/request-checks.ts";
import { createStatsCounter } from "../../src/market-state.ts";
import { createSampleProduct, openTestClient, type TestClient } from "../helpers/test-client.ts";

const IP = "127.0.0.1";

function openFixture() {
  const clock = createFakeClock(1000);
  const service = createTokenService({ clock, seed: "seed" });
  const request = { client_key: service.clientKey, client_secret: service.clientSecret };
  return { clock, service, request };
}

describe("createTokenService", () => {
  it("makes the same credentials and tokens for the same seed", () => {
    const [one, two] = [openFixture(), openFixture()];

    const token = one.service.grant(one.request, IP);

    expect(two.request).toEqual(one.request);
    expect(two.service.grant(two.request, IP)).toEqual(token);
    expect(token.value).toMatch(/^sandbox-token:[0-9a-f]{64}$/u);
  });

  it("accepts a token until its last millisecond", async () => {
    const { clock, service, request } = openFixture();
    const { value, expiresAtMs } = service.grant(request, IP);

    await clock.advance(TOKEN_VALIDITY_MS - 1);
    expect(() => service.check(value, IP)).not.toThrow();

    await clock.advance(1);
    expect(() => service.check(value, IP)).toThrow("expired");
    expect(expiresAtMs).toBe(clock.now());
  });

  it("keeps earlier tokens valid beside a new one", () => {
    const { service, request } = openFixture();
    const values = [service.grant(request, IP).value, service.grant(request, IP).value];

    expect(new Set(values).size).toBe(2);
    expect(() => values.forEach((value) => service.check(value, IP))).not.toThrow();
  });

  it("ends earlier tokens of the address when configured so", () => {
    const clock = createFakeClock();
    const service = createTokenService({ clock, seed: "seed", newToken: "kills-old" });
    const request = { client_key: service.clientKey, client_secret: service.clientSecret };
    const [first, elsewhere] = [service.grant(request, IP), service.grant(request, "127.0.0.2")];

    const second = service.grant(request, IP);

    expect(() => service.check(first.value, IP)).toThrow("unknown");
    expect(() => service.check(elsewhere.value, "127.0.0.2")).not.toThrow();
    expect(() => service.check(second.value, IP)).not.toThrow();
  });

  it("reports a token that is requested long before the last one expires", async () => {
    const clock = createFakeClock();
    let early = 0;
    const service = createTokenService({ clock, seed: "seed", onEarlyRequest: () => (early += 1) });
    const request = { client_key: service.clientKey, client_secret: service.clientSecret };
    const grant = (ip = IP): number => {
      service.grant(request, ip);
      return early;
    };

    const counts = [grant(), grant("127.0.0.2")];
    await clock.advance(TOKEN_VALIDITY_MS - RENEWAL_MARGIN_MS - 1);
    counts.push(grant());
    await clock.advance(TOKEN_VALIDITY_MS - RENEWAL_MARGIN_MS);
    counts.push(grant());

    expect(counts).toEqual([0, 0, 1, 1]);
  });

  it("makes the same tokens after it was loaded", () => {
    const [one, two] = [openFixture(), openFixture()];
    const { value } = one.service.grant(one.request, IP);

    two.service.load(one.service.save());

    expect(() => two.service.check(value, IP)).not.toThrow();
    expect(two.service.grant(two.request, IP)).toEqual(one.service.grant(one.request, IP));
    expect(two.service.list()).toEqual(one.service.list());
  });

  it("refuses a token that comes from another address", () => {
    const { service, request } = openFixture();
    const { value } = service.grant(request, IP);

    expect(() => service.check(value, "127.0.0.2")).toThrow("another IP address");
  });

  it.each([undefined, "", "guess", ["a", "b"]])("refuses the token %o", (value) => {
    const { service } = openFixture();

    expect(() => service.check(value, IP)).toThrow("access_token is");
  });

  it.each([{ client_key: "guess" }, { client_secret: "guess" }])(
    "refuses the credentials %o",
    (wrong) => {
      const { service, request } = openFixture();

      expect(() => service.grant({ ...request, ...wrong }, IP)).toThrow("is wrong");
    },
  );
});

const HALF_HOUR_MS = 30 * 60 * 1000;

describe("createCallHours", () => {
  it("counts the calls of the last hour and of the busiest one", async () => {
    const clock = createFakeClock();
    const hours = createCallHours(clock);

    hours.note();
    hours.note();
    await clock.advance(HALF_HOUR_MS);
    hours.note();
    const full = hours.read();
    await clock.advance(HALF_HOUR_MS);
    const later = hours.read();
    await clock.advance(HALF_HOUR_MS);

    expect(full).toEqual({ lastHour: 3, busiestHour: 3 });
    expect(later).toEqual({ lastHour: 1, busiestHour: 3 });
    expect(hours.read()).toEqual({ lastHour: 0, busiestHour: 3 });
  });

  it("continues from saved counts, and clears them on reset", async () => {
    const clock = createFakeClock();
    const [one, two] = [createCallHours(clock), createCallHours(clock)];
    one.note();

    two.load(one.save());
    two.note();
    expect(two.read()).toEqual({ lastHour: 2, busiestHour: 2 });
    expect(one.read()).toEqual({ lastHour: 1, busiestHour: 1 });

    two.reset();
    expect(two.read()).toEqual({ lastHour: 0, busiestHour: 0 });
  });
});

const HOUR_MS = 60 * 60 * 1000;

describe("createQuota", () => {
  it("frees a slot one hour after its request", async () => {
    const clock = createFakeClock();
    const quota = createQuota(clock, 2);
    quota.take();
    await clock.advance(HOUR_MS / 2);
    quota.take();

    await clock.advance(HOUR_MS / 2 - 1);
    expect(() => quota.take()).toThrow("Too many requests");
    await clock.advance(1);
    expect(() => quota.take()).not.toThrow();
    expect(() => quota.take()).toThrow("Too many requests");
  });

  it("says after how many whole seconds to retry", async () => {
    const clock = createFakeClock();
    const quota = createQuota(clock, 1);
    quota.take();
    await clock.advance(HOUR_MS - 1500);

    expect(() => quota.take()).toThrow(
      expect.objectContaining({ httpStatus: 429, headers: { "retry-after": "2" } }),
    );
  });

  it("is empty after a reset", () => {
    const quota = createQuota(createFakeClock(), 1);
    quota.take();

    quota.reset();

    expect(() => quota.take()).not.toThrow();
  });

  it.each([0, -1, Number.NaN])("refuses a limit of %d requests an hour", (requests) => {
    expect(() => createQuota(createFakeClock(), requests)).toThrow(RangeError);
  });
});

const never = new AbortController().signal;

/** Enters and notes the name as soon as there is a place. */
function enter(capacity: ReturnType<typeof createCapacity>, log: string[], name: string) {
  const controller = new AbortController();
  const entering = capacity.enter(controller.signal).then((release) => {
    log.push(name);
    return release;
  });
  return { entering, leave: () => controller.abort(new Error(`${name} left`)) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createCapacity", () => {
  it("lets calls in up to its number and the others in the order of their arrival", async () => {
    const capacity = createCapacity(2);
    const log: string[] = [];
    const [first, second] = ["a", "b", "c", "d"].map((name) => enter(capacity, log, name));
    await settled();
    expect(log).toEqual(["a", "b"]);

    (await second?.entering)?.();
    await settled();
    expect(log).toEqual(["a", "b", "c"]);

    (await first?.entering)?.();
    await settled();
    expect(log).toEqual(["a", "b", "c", "d"]);
  });

  it("passes over a call that left while it waited", async () => {
    const capacity = createCapacity(1);
    const log: string[] = [];
    const [first, second] = ["a", "b", "c"].map((name) => enter(capacity, log, name));
    const left = expect(second?.entering).rejects.toThrow("b left");

    second?.leave();
    await left;
    (await first?.entering)?.();
    await settled();

    expect(log).toEqual(["a", "c"]);
  });

  it("gets a place back once, however often it is given back", async () => {
    const capacity = createCapacity(1);
    const release = await capacity.enter(never);
    release();
    release();
    await capacity.enter(never);
    const log: string[] = [];

    enter(capacity, log, "b");
    await settled();

    expect(log).toEqual([]);
  });

  it("keeps no place for a call that left after it got one", async () => {
    const capacity = createCapacity(1);
    const log: string[] = [];
    const first = enter(capacity, log, "a");
    const release = await first.entering;
    first.leave();
    release();

    enter(capacity, log, "b");
    await settled();

    expect(log).toEqual(["a", "b"]);
  });

  it("refuses a call that has left already", async () => {
    const gone = AbortSignal.abort(new Error("gone"));

    await expect(createCapacity(1).enter(gone)).rejects.toThrow("gone");
  });
});

const LATENCY_MS = 100;

/** A sandbox with places for two calls, and the number of calls that wait for its clock. */
async function openBusy() {
  const fake = createFakeClock();
  let sleeping = 0;
  const clock = {
    now: () => fake.now(),
    sleep: async (ms: number, signal?: AbortSignal) => {
      sleeping += 1;
      await fake.sleep(ms, signal);
      sleeping -= 1;
    },
  };
  const opening = openTestClient({ clock, latencyMs: LATENCY_MS, personality: { capacity: "2" } });
  await expect.poll(() => sleeping).toBe(1);
  await fake.advance(LATENCY_MS);
  const client = await opening;
  await expect.poll(() => sleeping).toBe(0);
  return { client, advance: (ms: number) => fake.advance(ms), sleeping: () => sleeping };
}

const list = async ({ get, sandbox }: TestClient): Promise<number> =>
  (await get(`/v1.1/product/store/${sandbox.storeId}`)).httpStatus;

it("answers as many calls in each latency as it has places", async () => {
  const { client, advance, sleeping } = await openBusy();
  let answered = 0;
  const calls = Array.from({ length: 5 }, async () => {
    await list(client);
    answered += 1;
  });

  for (const [serving, after] of [
    [2, 2],
    [2, 4],
    [1, 5],
  ]) {
    await expect.poll(sleeping).toBe(serving);
    await expect.poll(() => client.sandbox.stats().byEndpoint["product.list"]).toBe(5);
    await advance(LATENCY_MS);
    await expect.poll(() => answered).toBe(after);
  }
  await Promise.all(calls);
});

it("does not carry out a call whose sender left while it waited, and serves the next one", async () => {
  const { client, advance, sleeping } = await openBusy();
  const { sandbox, token } = client;
  const first = [list(client), list(client)];
  await expect.poll(sleeping).toBe(2);
  const { hostname, port } = new URL(sandbox.baseUrl);
  const body = JSON.stringify(createSampleProduct());
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const closed = once(socket, "close");
  socket.write(
    [
      `POST /v1.1/product/add/store/${sandbox.storeId}?access_token=${token} HTTP/1.1`,
      "host: sandbox",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
  await expect.poll(() => sandbox.stats().byEndpoint["product.add"]).toBe(1);
  const last = list(client);
  await expect.poll(() => sandbox.stats().byEndpoint["product.list"]).toBe(3);

  socket.end();
  await closed;
  await advance(LATENCY_MS);
  await Promise.all(first);
  await expect.poll(sleeping).toBe(1);
  await advance(LATENCY_MS);

  expect(await last).toBe(200);
  expect(sandbox.stats().adds).toBe(0);
});

it("gives the place back when the sender of a call without an answer leaves", async () => {
  const { sandbox, token, get } = await openTestClient({
    personality: { capacity: "2" },
    faults: [{ kind: "never", endpoint: "product.list" }],
  });
  const url = `${sandbox.baseUrl}/v1.1/product/store/${sandbox.storeId}?access_token=${token}`;
  const leaving = new AbortController();
  const calls = Array.from({ length: 4 }, () =>
    fetch(url, { signal: leaving.signal }).catch(() => "left"),
  );
  await expect.poll(() => sandbox.stats().byEndpoint["product.list"]).toBe(4);

  leaving.abort();

  expect(await Promise.all(calls)).toEqual(["left", "left", "left", "left"]);
  expect((await get("/v1.1/category/")).httpStatus).toBe(200);
});

function openGate(options: Partial<RequestChecksOptions> = {}) {
  const clock = createFakeClock();
  const tokens = createTokenService({ clock, seed: "seed" });
  const stats = createStatsCounter();
  const hours = createCallHours(clock);
  const parts = { clock, tokens, stats, hours, quota: createQuota(clock), latencyMs: 0 };
  const stores = {
    storeId: idSchemas.store.parse("ours"),
    closedStoreId: idSchemas.store.parse("closed"),
  };
  const closing = new AbortController().signal;
  const request = { client_key: tokens.clientKey, client_secret: tokens.clientSecret };
  const accessToken = tokens.grant(request, IP).value;
  return {
    clock,
    stats,
    accessToken,
    gate: createRequestChecks({ ...parts, ...stores, closing, ...options }),
  };
}

describe("count", () => {
  it("counts a request before it is let in", () => {
    const { gate, stats } = openGate({ latencyMs: 300 });

    gate.count("product.add");
    gate.count(undefined);

    expect(stats.read()).toMatchObject({ requests: 2, byEndpoint: { "product.add": 1 } });
  });
});

describe("enter", () => {
  it("waits for the latency before the answer", async () => {
    const { clock, gate } = openGate({});
    const slow = openGate({ latencyMs: 300, clock }).gate;
    let entered = false;
    const entering = slow.enter().then(() => (entered = true));

    await clock.advance(299);
    expect(entered).toBe(false);

    await clock.advance(1);
    await entering;
    await gate.enter();
  });

  it("stops waiting when the sandbox closes", async () => {
    const closing = new AbortController();
    const { gate } = openGate({ latencyMs: 300, closing: closing.signal });
    const entering = gate.enter();

    closing.abort(new Error("closing"));

    await expect(entering).rejects.toThrow("closing");
  });
});

describe("authorize", () => {
  it.each([
    ["none", { token: false, store: undefined }],
    ["general", { token: true, store: undefined }],
    ["store", { token: true, store: "ours" }],
  ] as const)("accepts a caller of the class %s with %o", (permission, { token, store }) => {
    const { gate, accessToken } = openGate();
    const caller = { accessToken: token && accessToken, ip: IP, storeId: store };

    expect(() => gate.authorize(permission, caller)).not.toThrow();
  });

  it.each([
    ["general", { status: 401 }],
    ["store", { storeId: "ours", status: 401 }],
    ["store", { token: true, storeId: "closed", status: 403 }],
    ["store", { token: true, storeId: "other", status: 403 }],
    ["store", { token: true, status: 403 }],
  ] as const)("refuses a caller of the class %s with %o", (permission, { status, ...rest }) => {
    const { gate, accessToken } = openGate();
    const given = { token: undefined, storeId: undefined, ...rest };
    const caller = { accessToken: given.token && accessToken, ip: IP, storeId: given.storeId };

    expect(() => gate.authorize(permission, caller)).toThrow(
      expect.objectContaining({ httpStatus: status }),
    );
  });

  it("checks the caller's address", () => {
    const { gate, accessToken } = openGate();
    const caller = { accessToken, ip: "127.0.0.2", storeId: "ours" };

    expect(() => gate.authorize("store", caller)).toThrow("another IP address");
  });
});
