import { describe, expect, it } from "vitest";

import type { Client } from "../src/index.ts";
import {
  connect,
  json,
  type Marketplace,
  type Reply,
  startMarketplace,
} from "./helpers/marketplace.ts";

const EMPTY = { total: 0, result: [] };
const hangUp: Reply = (seen) => void seen.socket.destroy();

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
