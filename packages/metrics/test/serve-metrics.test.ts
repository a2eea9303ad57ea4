import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { expect, it, onTestFinished } from "vitest";

import { serveMetrics } from "../src/index.ts";

/** Starts a server whose metrics are a text, and returns its port. */
async function start(read: () => Promise<string> = async () => "# EOF\n"): Promise<number> {
  const errors: unknown[] = [];
  const onError = (error: unknown): unknown => errors.push(error);
  const served = await serveMetrics({ metrics: { read }, port: 0, onError });
  onTestFinished(() => served[Symbol.asyncDispose]());
  return Number(new URL(served.url).port);
}

/** Sends the lines as they are, and returns the answer. */
async function ask(port: number, ...lines: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  return await text(socket);
}

const statusOf = (answer: string): number => Number(answer.split(" ")[1]);

it("answers a scraper of this computer", async () => {
  const port = await start();

  const answer = await ask(port, "GET /metrics HTTP/1.1", `Host: localhost:${port}`);

  expect(statusOf(answer)).toBe(200);
  expect(answer.toLowerCase()).toContain(
    "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n",
  );
  expect(answer.endsWith("\r\n\r\n# EOF\n")).toBe(true);
});

it.each([
  [421, "GET /metrics HTTP/1.1", "Host: evil.example"],
  [421, "GET /metrics HTTP/1.1", "Host: 127.0.0.1"],
  [421, "GET /metrics HTTP/1.0", "X: y"],
  [403, "GET /metrics HTTP/1.1", "Host: OWN\r\nOrigin: http://evil.example"],
  [404, "GET / HTTP/1.1", "Host: OWN"],
  [404, "GET /metrics/../x HTTP/1.1", "Host: OWN"],
  [405, "POST /metrics HTTP/1.1", "Host: OWN\r\nContent-Length: 0"],
  [200, "HEAD /metrics?x=1 HTTP/1.1", "Host: OWN"],
])("answers %i to %s with %s", async (status, first, headers) => {
  const port = await start();

  const answer = await ask(port, first, headers.replace("OWN", `127.0.0.1:${port}`));

  expect(statusOf(answer)).toBe(status);
  expect(answer).not.toContain("# EOF");
});

it("tells a scraper nothing of an error", async () => {
  const port = await start(async () => {
    throw new Error("postgres://user@server");
  });

  const answer = await ask(port, "GET /metrics HTTP/1.1", `Host: 127.0.0.1:${port}`);

  expect([statusOf(answer), answer.includes("postgres")]).toEqual([503, false]);
});
