/** A scripted marketplace on a real port, and a client that talks to it. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { Clock } from "@catalog/clock";
import { idSchemas } from "@catalog/contract";
import { onTestFinished } from "vitest";

import { type CallRecord, type Client, type ClientOptions, createClient } from "../../src/index.ts";
import { createMemoryTokenCache, type MemoryTokenCache } from "../../src/token.ts";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The request's target, as it stood in the request line. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly socket: Socket;
}

export type Reply = (seen: Seen, response: ServerResponse) => void;

export interface Marketplace {
  readonly baseUrl: string;
  /** Every request but those for a token. */
  readonly seen: Seen[];
  readonly tokenRequests: Seen[];
  readonly sockets: Set<Socket>;
  /** Answers all calls but the token's. */
  reply: Reply;
  replyToken: Reply;
}

export const json =
  (data: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (_seen, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ data }));
  };

/** Each reply once, in order; the last one again and again. */
export function inTurn(...replies: readonly Reply[]): Reply {
  let turn = 0;
  return (seen, response) => {
    const reply = replies[Math.min(turn, replies.length - 1)];
    turn += 1;
    reply?.(seen, response);
  };
}

const IN_SIX_HOURS: number = 6 * 60 * 60 * 1000;

export async function startMarketplace(reply: Reply = json({})): Promise<Marketplace> {
  const sockets = new Set<Socket>();
  let issued = 0;
  const server = createServer((request, response) => {
    void readRequest(request).then((seen) => {
      const isToken = seen.path.endsWith("/app/auth/access");
      (isToken ? marketplace.tokenRequests : marketplace.seen).push(seen);
      (isToken ? marketplace.replyToken : marketplace.reply)(seen, response);
      return undefined;
    });
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const marketplace: Marketplace = {
    baseUrl: `http://127.0.0.1:${port}`,
    seen: [],
    tokenRequests: [],
    sockets,
    reply,
    replyToken(seen, response) {
      issued += 1;
      const access_token = `token-${issued}`;
      json({ status: "success", access_token, expires_at: IN_SIX_HOURS / 1000 })(seen, response);
    },
  };
  return marketplace;
}

async function readRequest(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const target = request.url ?? "";
  const url = new URL(target, "http://localhost");
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    target,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
    socket: request.socket,
  };
}

/** A clock whose short waits end at once; the time limit of an attempt is never reached. */
interface HastyClock extends Clock {
  readonly waits: number[];
}

export const TIMEOUT_MS: number = 1_000_000;

export function createHastyClock(): HastyClock {
  const waits: number[] = [];
  let now = 0;
  return {
    waits,
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      if (ms < TIMEOUT_MS) {
        waits.push(ms);
        now += ms;
        return;
      }
      const { promise, reject } = Promise.withResolvers<never>();
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      await promise;
    },
  };
}

export interface TestClient {
  readonly client: Client;
  readonly calls: CallRecord[];
  readonly tokens: MemoryTokenCache;
  readonly clock: HastyClock;
}

export function connect(
  marketplace: Pick<Marketplace, "baseUrl">,
  options: Partial<ClientOptions> = {},
): TestClient {
  const calls: CallRecord[] = [];
  const tokens = createMemoryTokenCache();
  const clock = createHastyClock();
  const client = createClient({
    baseUrl: marketplace.baseUrl,
    credentials: { clientKey: "key-1", clientSecret: "secret-1" },
    storeId: idSchemas.store.parse("store-1"),
    tokens,
    clock,
    timeoutMs: TIMEOUT_MS,
    random: () => 0.5,
    onCall: (call) => calls.push(call),
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, calls, tokens, clock };
}

/** What a promise rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => new Error("It did not fail."),
    (error: unknown) => error,
  );
}
