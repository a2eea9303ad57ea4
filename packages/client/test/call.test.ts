import { describe, expect, it } from "vitest";

import {
  ApiError,
  AuthError,
  type Client,
  InputError,
  NetworkError,
  ShapeError,
} from "../src/index.ts";
import {
  connect,
  failureOf,
  inTurn,
  json,
  type Marketplace,
  type Reply,
  startMarketplace,
} from "./helpers/marketplace.ts";
import { ADDED, CHEAPER_CUP, CUP } from "./helpers/product.ts";

const EMPTY = { total: 0, result: [] };
const hangUp: Reply = (seen) => void seen.socket.destroy();

const refuseFirst: Reply = (seen, response) =>
  (seen.query["access_token"] === "token-1" ? json({}, 401) : json(EMPTY))(seen, response);

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("call", () => {
  it("logs in once for many calls, and reports every request", async () => {
    const marketplace = await startMarketplace(json(EMPTY));
    const { client, calls } = connect(marketplace);

    await Promise.all([client.product.list({}), client.category.list({})]);

    expect(marketplace.tokenRequests).toHaveLength(1);
    expect(JSON.parse(marketplace.tokenRequests[0]?.body ?? "")).toEqual({
      client_key: "key-1",
      client_secret: "secret-1",
    });
    const durationMs = 0;
    const serverTimeMs: unknown = expect.any(Number);
    const whole = { attempt: 1, status: 200, phase: "body", durationMs, serverTimeMs };
    expect(calls.toSorted((a, b) => a.endpoint.localeCompare(b.endpoint))).toEqual([
      { endpoint: "category.list", kind: "read", ...whole },
      { endpoint: "product.list", kind: "read", ...whole },
      { endpoint: "token.create", kind: "token", ...whole },
    ]);
  });

  it("sends the token request without a token", async () => {
    const marketplace = await startMarketplace(json(EMPTY));
    const { client } = connect(marketplace);

    await client.login();

    expect(marketplace.tokenRequests[0]?.target).toBe("/app/auth/access");
  });

  it("shares a token with the next client through the cache", async () => {
    const marketplace = await startMarketplace(json(EMPTY));
    const first = connect(marketplace);
    const second = connect(marketplace, { tokens: first.tokens });

    await first.client.login();
    await second.client.product.list({});

    expect(marketplace.tokenRequests).toHaveLength(1);
    expect(marketplace.seen[0]?.query["access_token"]).toBe("token-1");
  });

  it("sends nothing, not even a login, for input that does not match the contract", async () => {
    const marketplace = await startMarketplace(json(EMPTY));
    const { client, calls } = connect(marketplace);

    const error = await failureOf(client.product.list({ limit: 51 }));

    expect(error).toBeInstanceOf(InputError);
    expect(calls).toHaveLength(0);
  });

  const passing: readonly [string, Reply][] = [
    ["a lost connection", hangUp],
    ["status 500", json({}, 500)],
    ["status 429", json({}, 429)],
    ["an answer that is no JSON", (_seen, response) => void response.end("<html>")],
  ];
  for (const [event, reply] of passing) {
    it(`retries a read after ${event}`, async () => {
      const marketplace = await startMarketplace(inTurn(reply, reply, json(EMPTY)));
      const { client, calls, clock } = connect(marketplace);

      await expect(client.product.list({})).resolves.toEqual(EMPTY);

      expect(calls.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 3]);
      expect(clock.waits).toEqual([250, 500]);
    });

    for (const method of ["add", "update"] as const) {
      it(`sends an ${method} once when it meets ${event}`, async () => {
        const marketplace = await startMarketplace(inTurn(reply, json(ADDED)));
        const { client } = connect(marketplace);

        const call =
          method === "add" ? client.product.add(CUP) : client.product.update(CHEAPER_CUP);

        await expect(call).rejects.toThrow(`product.${method}`);
        expect(marketplace.seen).toHaveLength(1);
      });
    }
  }

  it("waits as long as the marketplace asked", async () => {
    const marketplace = await startMarketplace(
      inTurn(json({}, 429, { "retry-after": "7" }), json(EMPTY)),
    );
    const { client, clock } = connect(marketplace);

    await client.product.list({});

    expect(clock.waits).toEqual([7000]);
  });

  it("does not retry a call that asks for no retries", async () => {
    const marketplace = await startMarketplace(json({}, 503));
    const { client } = connect(marketplace);

    await failureOf(client.category.list({}, { retries: 0 }));

    expect(marketplace.seen).toHaveLength(1);
  });

  it("gives up a read after its last retry", async () => {
    const marketplace = await startMarketplace(json({}, 503));
    const { client } = connect(marketplace, { retries: 2 });

    await expect(client.product.list({})).rejects.toBeInstanceOf(ApiError);

    expect(marketplace.seen).toHaveLength(3);
  });

  it("does not retry a read whose answer does not match the contract", async () => {
    const marketplace = await startMarketplace(json({ total: "many" }));
    const { client } = connect(marketplace);

    await expect(client.product.list({})).rejects.toBeInstanceOf(ShapeError);

    expect(marketplace.seen).toHaveLength(1);
  });

  const again = { list: () => json(EMPTY), update: () => json(null) };
  it.each(["list", "update"] as const)(
    "replaces a refused token and goes on, for %s",
    async (method) => {
      const marketplace = await startMarketplace(inTurn(json({}, 401), again[method]()));
      const { client, tokens } = connect(marketplace);

      await (method === "list" ? client.product.list({}) : client.product.update(CHEAPER_CUP));

      const used = marketplace.seen.map(({ query }) => query["access_token"]);
      expect(used).toEqual(["token-1", "token-2"]);
      expect([...tokens.entries.values()].map(({ token }) => token)).toEqual(["token-2"]);
    },
  );

  it("leaves it to the caller whether to send an add again after its token was refused", async () => {
    const marketplace = await startMarketplace(inTurn(json({}, 401), json(ADDED)));
    const { client, tokens } = connect(marketplace);

    const error = await failureOf(client.product.add(CUP));

    expect(error).toBeInstanceOf(AuthError);
    expect(error).toMatchObject({ status: 401, phase: "body", endpoint: "product.add" });
    expect(marketplace.seen).toHaveLength(1);
    expect(tokens.entries.size).toBe(0);
    await expect(client.product.add(CUP)).resolves.toEqual(ADDED);
    expect(marketplace.seen[1]?.query["access_token"]).toBe("token-2");
  });

  it("replaces a token only once per call, however often it is refused", async () => {
    const marketplace = await startMarketplace(json({}, 401));
    const { client } = connect(marketplace);

    await expect(client.product.list({})).rejects.toBeInstanceOf(AuthError);

    expect(marketplace.seen).toHaveLength(2);
    expect(marketplace.tokenRequests).toHaveLength(2);
  });

  it("does not replace a token a second time after a retry", async () => {
    const marketplace = await startMarketplace(
      inTurn(json({}, 401), json({}, 500), json({}, 401), json(EMPTY)),
    );
    const { client } = connect(marketplace);

    await expect(client.product.list({})).rejects.toBeInstanceOf(AuthError);

    expect(marketplace.seen).toHaveLength(3);
    expect(marketplace.tokenRequests).toHaveLength(2);
  });

  it("asks for one new token when many calls are refused together", async () => {
    const marketplace = await startMarketplace(refuseFirst);
    const { client } = connect(marketplace);

    await Promise.all(Array.from({ length: 8 }, () => client.product.list({})));

    expect(marketplace.tokenRequests).toHaveLength(2);
  });

  it("runs no more calls at a time than its concurrency", async () => {
    const held: (() => void)[] = [];
    let max = 0;
    const marketplace = await startMarketplace((seen, response) => {
      held.push(() => json(EMPTY)(seen, response));
      max = Math.max(max, held.length);
      // The third request is held a while, in case a fourth arrives, which it must not.
      if (held.length === 3)
        void turns(50).then(() => held.splice(0).forEach((answer) => answer()));
    });
    const { client } = connect(marketplace, { concurrency: 3 });

    await Promise.all(Array.from({ length: 12 }, () => client.product.list({})));

    expect(max).toBe(3);
  });
});

describe("pace", () => {
  it("holds every request, token requests and retries included, until its slot", async () => {
    const marketplace = await startMarketplace(inTurn(json({}, 503), json(EMPTY)));
    const order: string[] = [];
    const { client } = connect(marketplace, {
      pace: async () => void order.push("turn"),
      onCall: ({ endpoint }) => order.push(endpoint),
    });

    await client.product.list({});

    expect(order).toEqual(
      ["token.create", "product.list", "product.list"].flatMap((one) => ["turn", one]),
    );
  });

  it("sends nothing when the wait for a slot is aborted", async () => {
    const marketplace = await startMarketplace(json(ADDED));
    const reason = new Error("stop");
    const controller = new AbortController();
    const { client, tokens } = connect(marketplace, {
      pace: async (signal) => {
        controller.abort(reason);
        signal?.throwIfAborted();
      },
    });
    tokens.read = async () => ({ token: "t", expiresAtMs: Number.MAX_SAFE_INTEGER });

    const error = await failureOf(client.product.add(CUP, { signal: controller.signal }));

    expect(error).toBe(reason);
    expect(marketplace.seen).toHaveLength(0);
  });
});

describe("login", () => {
  it("rejects a login with the marketplace's message when the credentials are wrong, and does not retry it", async () => {
    const marketplace = await startMarketplace();
    marketplace.replyToken = json({ message: "bad secret", message_tr: "hatalı" }, 401);
    const { client } = connect(marketplace);

    const error = await failureOf(client.login());

    expect(error).toBeInstanceOf(AuthError);
    expect(error).toMatchObject({ status: 401, localized: { en: "bad secret", tr: "hatalı" } });
    expect(marketplace.tokenRequests).toHaveLength(1);
  });

  it("rejects a login whose answer holds no token", async () => {
    const marketplace = await startMarketplace();
    marketplace.replyToken = json({ status: false, message_tr: "uygulama kapalı" });
    const { client } = connect(marketplace);

    const error = await failureOf(client.login());

    expect(error).toBeInstanceOf(AuthError);
    expect(String(error)).toContain("uygulama kapalı");
    expect(error).toMatchObject({ status: 200, localized: { tr: "uygulama kapalı" } });
  });

  it("retries a login twice when the marketplace is down, and does not retry the call", async () => {
    const marketplace = await startMarketplace();
    marketplace.replyToken = json({}, 503);
    const { client } = connect(marketplace);

    const error = await failureOf(client.product.list({}));

    expect(error).toBeInstanceOf(ApiError);
    expect(marketplace.tokenRequests).toHaveLength(3);
    expect(marketplace.seen).toHaveLength(0);
  });

  it("leaves the call unsent when its login is cut off, and says so", async () => {
    const marketplace = await startMarketplace();
    marketplace.replyToken = hangUp;
    const { client, calls } = connect(marketplace);

    const error = await failureOf(client.product.add(CUP));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ endpoint: "token.create", phase: "none" });
    expect(calls.map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      "token started",
      "token started",
      "token started",
    ]);
    expect(marketplace.seen).toHaveLength(0);
  });

  it("uses a token without an expiry for ten minutes", async () => {
    const marketplace = await startMarketplace(json(EMPTY));
    marketplace.replyToken = json({ access_token: "token-x" });
    const { client, clock } = connect(marketplace);

    await client.login();
    await clock.sleep(10 * 60 * 1000 - 1);
    await client.login();
    const before = marketplace.tokenRequests.length;
    await clock.sleep(1);
    await client.login();

    expect([before, marketplace.tokenRequests.length]).toEqual([1, 2]);
  });
});

it("logout forgets the token for other processes too, and makes no call", async () => {
  const marketplace = await startMarketplace(json(EMPTY));
  const first = connect(marketplace);
  await first.client.login();

  await first.client.logout();
  const afterwards = first.tokens;
  await connect(marketplace, { tokens: afterwards }).client.login();

  expect(marketplace.tokenRequests).toHaveLength(2);
  expect(marketplace.seen).toHaveLength(0);
});

describe("beforeSend", () => {
  it("calls beforeSend once the connection stands and before the marketplace sees the request", async () => {
    const marketplace = await startMarketplace(json(ADDED));
    const { client } = connect(marketplace);
    await client.login();
    const seen: unknown[] = [];

    await client.product.add(CUP, {
      beforeSend: () => seen.push([marketplace.tokenRequests.length, marketplace.seen.length]),
    });

    expect(seen).toEqual([[1, 0]]);
  });

  it("does not call beforeSend where no connection can be made", async () => {
    const { client, tokens } = connect({ baseUrl: "https://nowhere.invalid" });
    tokens.read = async () => ({ token: "t", expiresAtMs: Number.MAX_SAFE_INTEGER });
    const called: string[] = [];

    await failureOf(client.product.add(CUP, { beforeSend: () => called.push("called") }));

    expect(called).toEqual([]);
  });

  it("keeps the request unsent when beforeSend throws", async () => {
    const marketplace = await startMarketplace(json(ADDED));
    const { client, calls } = connect(marketplace);
    const reason = new Error("the journal is full");

    const error = await failureOf(
      client.product.add(CUP, {
        beforeSend: () => {
          throw reason;
        },
      }),
    );

    expect(error).toBe(reason);
    expect(calls.at(-1)).toMatchObject({ endpoint: "product.add", phase: "none" });
    expect(marketplace.seen).toHaveLength(0);
  });
});

describe("hasSlot", () => {
  it("takes no slot for the first attempt, and one for the attempt after a refused token", async () => {
    const marketplace = await startMarketplace(inTurn(json({}, 401), json(ADDED)));
    const order: string[] = [];
    const { client } = connect(marketplace, { pace: async () => void order.push("slot") });
    await client.login();
    order.length = 0;

    await client.product.update(CHEAPER_CUP, {
      hasSlot: true,
      beforeSend: () => order.push("send"),
    });

    // The slots are those of the new token and of the second attempt.
    expect(order).toEqual(["send", "slot", "slot", "send"]);
  });

  it("sends no more such requests at a time than the concurrency allows", async () => {
    const held: (() => void)[] = [];
    const marketplace = await startMarketplace((seen, response) => {
      held.push(() => json(ADDED)(seen, response));
    });
    const { client } = connect(marketplace, { concurrency: 2 });
    let left = 0;
    const send = (): Promise<unknown> =>
      client.product.add(CUP, { hasSlot: true, beforeSend: () => (left += 1) });

    const sending = [send(), send(), send()];
    while (held.length < 2) await turns(1);
    expect(left).toBe(2);
    held.shift()?.();
    while (held.length < 2) await turns(1);
    for (const answer of held) answer();

    await Promise.all(sending);
    expect(left).toBe(3);
  });
});

/** Answers requests only when all of a burst are there, and puts the clock forward before. */
async function startInBursts(
  size: number,
): Promise<{ marketplace: Marketplace; client: Client; takes: (ms: number) => void }> {
  let nowMs = 0;
  let durationMs = 0;
  const held: (() => void)[] = [];
  const marketplace = await startMarketplace((seen, response) => {
    held.push(() => json(EMPTY)(seen, response));
    if (held.length < size) return;
    nowMs += durationMs;
    for (const answer of held.splice(0)) answer();
  });
  const learned = { reads: size, writes: 1 };
  const { client, clock } = connect(marketplace, { concurrency: { learned } });
  clock.now = () => nowMs;
  return { marketplace, client, takes: (ms) => (durationMs = ms) };
}

describe("the search for the number of calls at a time", () => {
  it("does not compare pages with lookups, which take less time", async () => {
    const { client, takes } = await startInBursts(16);
    const burst = (query: object): Promise<unknown> =>
      Promise.all(Array.from({ length: 16 }, () => client.product.list({ limit: 50, ...query })));

    takes(50);
    await burst({ product_code: "A1" });
    takes(200);
    await burst({ page: 2 });

    expect(client.limits().reads).toBe(16);
  });

  it("compares pages with each other, whichever page is asked for", async () => {
    const { client, takes } = await startInBursts(16);
    const burst = (page: number): Promise<unknown> =>
      Promise.all(Array.from({ length: 16 }, () => client.product.list({ limit: 50, page })));

    takes(50);
    await burst(1);
    takes(200);
    await burst(2);

    expect(client.limits().reads).toBe(8);
  });

  it("halves where the connection is lost again and again", async () => {
    const marketplace = await startMarketplace(json(EMPTY));
    const { client } = connect(marketplace, { concurrency: {} });
    await client.login();
    marketplace.reply = hangUp;

    await Promise.allSettled([client.product.list({}), client.product.list({})]);

    expect(client.limits().reads).toBeLessThan(4);
  });

  it("is not slowed down by calls that the caller aborts", async () => {
    const marketplace = await startMarketplace(json(EMPTY));
    const { client } = connect(marketplace, { concurrency: {} });
    await client.login();
    const controller = new AbortController();
    const { signal } = controller;
    marketplace.reply = () => {
      if (marketplace.seen.length === 4) controller.abort(new Error("stop"));
    };

    await Promise.allSettled(Array.from({ length: 4 }, () => client.product.list({}, { signal })));

    expect(client.limits().reads).toBe(4);
  });
});
