import { once } from "node:events";
import { connect } from "node:net";

import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import { createSampleProduct, openTestClient, type TestClient } from "../helpers/test-client.ts";

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
