import { createFakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import { ApiError, NetworkError, SettingsError, ShapeError } from "../../src/index.ts";
import { connect, failureOf, inTurn, json, startMarketplace } from "../helpers/marketplace.ts";
import { ADDED, CHEAPER_CUP, CUP } from "../helpers/product.ts";

const EMPTY = { total: 0, result: [] };

/** Waits until connections that are done are back in the pool. */
async function idle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

it("uses a connection of its own for each create call", async () => {
  const marketplace = await startMarketplace(json(ADDED));
  const { client } = connect(marketplace);

  await client.product.add(CUP);
  await client.product.add(CUP);
  await client.product.add(CUP);

  expect(new Set(marketplace.seen.map(({ socket }) => socket)).size).toBe(3);
  expect(marketplace.seen.map(({ headers }) => headers.connection)).toEqual(
    Array.from({ length: 3 }, () => "close"),
  );
});

it("does not use a kept connection for a create call", async () => {
  const marketplace = await startMarketplace(
    inTurn(json(EMPTY), json(EMPTY), json(ADDED), json(EMPTY)),
  );
  const { client } = connect(marketplace);

  await client.product.list({});
  await client.product.list({});
  await idle();
  await client.product.add(CUP);

  const [first, second, added] = marketplace.seen.map(({ socket }) => socket);
  expect([first, second]).not.toContain(added);
});

it("reuses connections for calls that may be made again", async () => {
  const marketplace = await startMarketplace(json(EMPTY));
  const { client } = connect(marketplace);

  for (let n = 0; n < 10; n += 1) await client.product.list({});
  await client.product.update(CHEAPER_CUP);

  // A call that starts in the moment in which the last one ends may still open a second
  // connection.
  expect(new Set(marketplace.seen.map(({ socket }) => socket)).size).toBeLessThan(4);
  expect(new Set(marketplace.seen.map(({ headers }) => headers.connection))).toEqual(
    new Set(["keep-alive"]),
  );
});

it("does not follow a redirect", async () => {
  const marketplace = await startMarketplace(json({}, 302, { location: "/elsewhere" }));
  const { client } = connect(marketplace);

  const error = await failureOf(client.product.add(CUP));

  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 302 });
  expect(marketplace.seen).toHaveLength(1);
});

it("puts the token into the query, and asks for JSON", async () => {
  const marketplace = await startMarketplace(json(EMPTY));
  const { client } = connect({ baseUrl: `${marketplace.baseUrl}/api/` });

  await client.product.list({ title: "mavi & beyaz" });

  expect(marketplace.seen[0]).toMatchObject({
    method: "GET",
    target: "/api/v1.1/product/store/store-1?title=mavi%20%26%20beyaz&access_token=token-1",
    headers: { accept: "application/json" },
  });
});

it("stops reading an answer that exceeds the size limit of a write", async () => {
  const marketplace = await startMarketplace((_seen, response) => {
    response.writeHead(200);
    response.end(Buffer.alloc(1024 * 1024 + 1, " "));
  });
  const { client, calls } = connect(marketplace);

  const error = await failureOf(client.product.add(CUP));

  expect(error).toBeInstanceOf(ShapeError);
  expect(error).toMatchObject({ reason: "too-large", phase: "headers" });
  expect(calls.at(-1)).toMatchObject({ phase: "headers", status: 200 });
});

it("reads a larger answer for a listing than for a write", async () => {
  const title = "x".repeat(1_000_000);
  const result = ["p-1", "p-2", "p-3"].map((id) => ({ id, title }));
  const marketplace = await startMarketplace(json({ total: 3, result }));
  const { client } = connect(marketplace);

  const page = await client.product.list({});

  expect(page.result[2]?.title).toHaveLength(title.length);
});

it("ends an attempt at its time limit", async () => {
  const arrived = Promise.withResolvers<void>();
  const marketplace = await startMarketplace(() => arrived.resolve());
  const clock = createFakeClock();
  const { client, calls } = connect(marketplace, { clock, timeoutMs: 60_000 });

  const failure = failureOf(client.product.add(CUP));
  await arrived.promise;
  await clock.advance(60_000);

  expect(await failure).toBeInstanceOf(NetworkError);
  expect(await failure).toMatchObject({ code: "TIMEOUT", phase: "started" });
  expect(calls.at(-1)).toMatchObject({ durationMs: 60_000, phase: "started" });
});

it("rejects with the reason of an abort, unchanged", async () => {
  const arrived = Promise.withResolvers<void>();
  const marketplace = await startMarketplace(() => arrived.resolve());
  const { client, calls } = connect(marketplace);
  const controller = new AbortController();
  const reason = { why: "not an Error" };

  const failure = failureOf(client.product.list({}, { signal: controller.signal }));
  await arrived.promise;
  controller.abort(reason);

  expect(await failure).toBe(reason);
  expect(calls.at(-1)).toMatchObject({ endpoint: "product.list", phase: "started" });
});

it("sends nothing for a signal that was aborted before", async () => {
  const marketplace = await startMarketplace(json(EMPTY));
  const { client } = connect(marketplace);
  const reason = new Error("too late");

  const error = await failureOf(client.product.list({}, { signal: AbortSignal.abort(reason) }));

  expect(error).toBe(reason);
  expect([...marketplace.seen, ...marketplace.tokenRequests]).toHaveLength(0);
});

it("waits for the requests under way when it is closed, and rejects later ones", async () => {
  const arrived = Promise.withResolvers<() => void>();
  const marketplace = await startMarketplace((seen, response) =>
    arrived.resolve(() => json(ADDED)(seen, response)),
  );
  const { client } = connect(marketplace);

  const added = client.product.add(CUP);
  const answer = await arrived.promise;
  const closed = client.close();
  answer();

  await expect(added).resolves.toEqual(ADDED);
  await closed;
  expect(await failureOf(client.product.add(CUP))).toBeInstanceOf(SettingsError);
});

it("closes its connections when it is disposed of", async () => {
  const marketplace = await startMarketplace(json(EMPTY));
  let ended: Promise<unknown>[] = [];
  {
    await using client = connect(marketplace).client;
    await client.product.list({});
    ended = [...marketplace.sockets].map(
      (socket) => new Promise((resolve) => socket.once("close", () => resolve("closed"))),
    );
  }

  const ends = await Promise.all(ended);
  expect(new Set(ends)).toEqual(new Set(["closed"]));
});
