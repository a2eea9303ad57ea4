import { describe, expect, it } from "vitest";

import { connect, failureOf, inTurn, json, startMarketplace } from "./helpers/marketplace.ts";
import { ADDED, CUP } from "./helpers/product.ts";

const EMPTY = { total: 0, result: [] };

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

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

describe("prepare", () => {
  it("awaits prepare after the slot, and before a place among the concurrent calls is taken", async () => {
    const marketplace = await startMarketplace(inTurn(json(EMPTY), json(ADDED)));
    const order: string[] = [];
    const { client } = connect(marketplace, {
      concurrency: 1,
      pace: async () => void order.push("turn"),
    });
    await client.login();
    order.length = 0;
    const ready = Promise.withResolvers<void>();
    const prepare = async (): Promise<void> => {
      order.push("prepare");
      await ready.promise;
    };

    const adding = client.product.add(CUP, { prepare, beforeSend: () => order.push("send") });
    await client.product.list({});
    expect(marketplace.seen).toHaveLength(1);
    ready.resolve();
    await adding;

    expect(order).toEqual(["turn", "prepare", "turn", "send"]);
  });

  it("ends the call without counting it when prepare rejects", async () => {
    const marketplace = await startMarketplace(json(ADDED));
    const { client, calls } = connect(marketplace);
    await client.login();
    const before = calls.length;
    const reason = new Error("turned back");

    const error = await failureOf(
      client.product.add(CUP, { prepare: () => Promise.reject(reason) }),
    );

    expect(error).toBe(reason);
    expect([calls.length, marketplace.seen.length]).toEqual([before, 0]);
  });

  it("sends no more prepared requests at a time than the concurrency allows", async () => {
    const held: (() => void)[] = [];
    const marketplace = await startMarketplace((seen, response) => {
      held.push(() => json(ADDED)(seen, response));
    });
    const { client } = connect(marketplace, { concurrency: 2 });
    let left = 0;
    const send = (): Promise<unknown> =>
      client.product.add(CUP, { prepare: async () => undefined, beforeSend: () => (left += 1) });

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
