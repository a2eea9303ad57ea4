import { expect, it, onTestFinished } from "vitest";

import type { Topic } from "../../src/server/site.ts";
import {
  openSession,
  type PageHeaders,
  type PageServer,
  startPageServer,
} from "../helpers/page-server.ts";

interface Stream {
  readonly response: Response;
  readonly text: () => string;
}

/** Opens a stream of events and reads it until the test ends. */
async function openStream(server: PageServer, query: string, given?: PageHeaders): Promise<Stream> {
  const headers = given ?? (await openSession(server));
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(`${server.origin}/api/events?${query}`, {
    headers,
    signal: stop.signal,
  });
  let text = "";
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  void read().catch(() => undefined);
  return { response, text: () => text };
}

const EVENT = /^event: .*\ndata: .*$/gmu;

/** The events of what a test asks for; every stream tells of the database, too. */
const eventsOf = ({ text }: Stream): readonly string[] =>
  [...text().matchAll(EVENT)]
    .map(([event]) => event.replace("\n", " "))
    .filter((event) => !event.startsWith("event: database "));

it("sends each document whole, at once and after each change", async () => {
  let done = 1;
  const topic: Topic = { name: "draft", read: async (id, lang) => ({ id, lang, done }) };
  const server = await startPageServer({ topics: [topic] });

  const stream = await openStream(
    server,
    "draft=d-260101-0000-000000000001&lang=en&run=r-260101-0000-0001",
  );
  const first = 'event: draft data: {"id":"d-260101-0000-000000000001","lang":"en","done":1}';
  await expect.poll(() => eventsOf(stream)).toEqual([first]);
  await server.clock.advance(1_000);
  done = 2;
  await server.clock.advance(1_000);

  await expect.poll(() => eventsOf(stream)).toEqual([first, first.replace("1}", "2}")]);
  expect(stream.text().startsWith("retry: 2000\n\n")).toBe(true);
  expect(stream.text()).toContain('event: database\ndata: {"waitsFor":null}\n\n');
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
});

it("tells a document again after a change of a page, as others may undo it before the next reading", async () => {
  const topic: Topic = { name: "run", read: async () => ({ state: "queued" }) };
  const server = await startPageServer({ topics: [topic] });
  const headers = await openSession(server);
  const stream = await openStream(server, "run=r-260101-0000-0001", headers);
  const told = 'event: run data: {"state":"queued"}';
  await expect.poll(() => eventsOf(stream)).toEqual([told]);
  await server.clock.advance(1_000);
  expect(eventsOf(stream)).toEqual([told]);

  await fetch(`${server.origin}/api/runs/r-260101-0000-0001/nothing`, { method: "POST", headers });
  await expect
    .poll(async () => {
      await server.clock.advance(1_000);
      return eventsOf(stream);
    })
    .toEqual([told, told]);
});

it("does not tell what it had begun to read before a change of a page", async () => {
  let state = "queued";
  const late = Promise.withResolvers<void>();
  let reads = 0;
  const topic: Topic = {
    name: "run",
    read: async () => {
      const read = { state };
      reads += 1;
      if (reads === 2) await late.promise;
      return read;
    },
  };
  const server = await startPageServer({ topics: [topic] });
  const headers = await openSession(server);
  const stream = await openStream(server, "run=r-260101-0000-0001", headers);
  await expect.poll(() => eventsOf(stream)).toHaveLength(1);
  await server.clock.advance(1_000);
  expect(reads).toBe(2);

  state = "planned";
  await fetch(`${server.origin}/api/runs/r-260101-0000-0001/nothing`, { method: "POST", headers });
  late.resolve();
  await expect
    .poll(async () => {
      await server.clock.advance(1_000);
      return eventsOf(stream);
    })
    .toEqual(["queued", "planned"].map((told) => `event: run data: {"state":"${told}"}`));
});

it("reads a document once a second for all pages together", async () => {
  let reads = 0;
  const topic: Topic = { name: "run", read: async () => ({ reads: (reads += 1) }) };
  const server = await startPageServer({ topics: [topic] });
  const headers = await openSession(server);
  const streams = await Promise.all(
    [1, 2, 3].map(() => openStream(server, "run=r-260101-0000-0001", headers)),
  );

  for (let second = 0; second < 5; second += 1) await server.clock.advance(1_000);

  await expect
    .poll(() => streams.map((stream) => eventsOf(stream).at(-1)))
    .toEqual(Array.from({ length: 3 }, () => 'event: run data: {"reads":6}'));
  expect(reads).toBe(6);
});

it("goes on after an error, and says so once", async () => {
  let isBroken = true;
  const topic: Topic = {
    name: "run",
    read: async () => {
      if (isBroken) throw new Error("broken");
      return {};
    },
  };
  const server = await startPageServer({ topics: [topic] });
  const stream = await openStream(server, "run=r-260101-0000-0001");

  for (let second = 0; second < 3; second += 1) await server.clock.advance(1_000);
  isBroken = false;
  await server.clock.advance(1_000);

  await expect.poll(() => eventsOf(stream)).toEqual(["event: run data: {}"]);
  expect(server.bugs).toEqual([new Error("broken")]);
});

it("keeps a quiet stream open, and ends it when the server is closed", async () => {
  const server = await startPageServer();
  const stream = await openStream(server, "");

  await server.clock.advance(15_000);
  await expect.poll(() => stream.text()).toContain(": open\n\n");

  await server.close();
});

it("takes a document that is gone for no bug, and an unknown failure for one", async () => {
  const known = new Error("gone");
  const topics: readonly Topic[] = [
    { name: "draft", read: () => Promise.reject(known) },
    { name: "run", read: () => Promise.reject(new Error("inner words")) },
  ];
  const server = await startPageServer({
    topics,
    describeError: (error) =>
      error === known ? { code: "E_DRAFT_UNKNOWN", text: "gone", isLogin: false } : undefined,
  });

  await openStream(server, "draft=d-260101-0000-000000000001&run=r-260101-0000-0001");
  await server.clock.advance(1_000);

  await expect.poll(() => server.bugs).toMatchObject([{ message: "inner words" }]);
});
