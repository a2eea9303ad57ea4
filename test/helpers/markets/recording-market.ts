/** A marketplace that hands every call on to a sandbox and keeps it. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

import type { Sandbox } from "@catalog/sandbox";
import { onTestFinished } from "vitest";

/** A call as it came over the wire, without the token. */
export interface RecordedCall {
  readonly method: string;
  /** Path and sorted query. */
  readonly path: string;
  readonly body: string;
}

export interface RecordingMarket {
  readonly baseUrl: string;
  /** Every call, in the order in which they came. */
  readonly calls: readonly RecordedCall[];
  /** Keeps each write back for some seconds, or until the returned function is called. */
  hold(): () => void;
}

/** Shorter than any program waits for an answer. */
const HOLD_MS = 8_000;

const HOST = "127.0.0.1";

/** Query parameter of the token, which differs from login to login. */
const TOKEN = "access_token";

/** Starts it; it is closed when the test ends. */
export async function openRecordingMarket(sandbox: Sandbox): Promise<RecordingMarket> {
  const calls: RecordedCall[] = [];
  let gate: Promise<void> | undefined;
  const enter = async (method: string): Promise<void> => {
    if (gate !== undefined && method !== "GET") await Promise.race([gate, wait(HOLD_MS)]);
  };
  const server = createServer((request, response) => {
    passOn({ sandbox, calls, enter }, request, response).catch(() => response.destroy());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, HOST, resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  const hold = (): (() => void) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    gate = held;
    return () => {
      gate = undefined;
      release();
    };
  };
  return { baseUrl: `http://${HOST}:${port}`, calls, hold };
}

interface Recorder {
  readonly sandbox: Sandbox;
  readonly calls: RecordedCall[];
  readonly enter: (method: string) => Promise<void>;
}

async function passOn(
  { sandbox, calls, enter }: Recorder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const { method = "GET", headers } = request;
  const url = new URL(request.url ?? "/", sandbox.baseUrl);
  calls.push({ method, path: toPath(url), body });
  await enter(method);
  const type = headers["content-type"];
  const passed = await fetch(url, {
    method,
    headers: { accept: "application/json", ...(type !== undefined && { "content-type": type }) },
    ...(method !== "GET" && { body }),
  });
  const answered = await passed.text();
  response.writeHead(passed.status, { "content-type": "application/json" });
  response.end(answered);
}

function toPath({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  query.delete(TOKEN);
  query.sort();
  const words = query.toString();
  return words === "" ? pathname : `${pathname}?${words}`;
}
