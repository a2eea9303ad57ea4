/** Serves the metrics of a process that has no server of its own, on this computer only. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { METRICS_TYPE, type StoreMetrics } from "./create-store-metrics.ts";

export interface ServeMetricsOptions {
  readonly metrics: StoreMetrics;
  /** 0 for any free one. */
  readonly port: number;
  /** Takes the error of a reading that failed; its scraper is told nothing of it. */
  readonly onError: (error: unknown) => void;
}

/** A server that listens; disposing of it ends its connections. */
export interface ServedMetrics extends AsyncDisposable {
  readonly url: string;
}

const HOST = "127.0.0.1";

/** Path of the metrics on every server of the program. */
const PATH = "/metrics";

/** A scraper sends a few hundred bytes from this computer. */
const ARRIVAL_MS = 5_000;
const MAX_CONNECTIONS = 16;

/** Listens on 127.0.0.1. Rejects with the system's error where the port cannot be used. */
export async function serveMetrics(options: ServeMetricsOptions): Promise<ServedMetrics> {
  const server = createServer(
    { headersTimeout: ARRIVAL_MS, requestTimeout: ARRIVAL_MS, connectionsCheckingInterval: 1_000 },
    (request, response) => void answer(options, request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);
  return {
    url: `http://${HOST}:${port}${PATH}`,
    async [Symbol.asyncDispose]() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen({ host: HOST, port }, () => {
    server.off("error", reject);
    const address = server.address();
    resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
  });
  return promise;
}

async function answer(
  { metrics, onError }: ServeMetricsOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const status = judge(request);
  if (status !== 200) {
    send(request, response, { status, type: "text/plain", body: "" });
    return;
  }
  try {
    send(request, response, { status, type: METRICS_TYPE, body: await metrics.read() });
  } catch (error) {
    onError(error);
    send(request, response, { status: 503, type: "text/plain", body: "" });
  }
}

/** Names by which this computer reaches the server. */
const HOSTS: readonly string[] = ["127.0.0.1", "localhost"];

/**
 * Status of the answer. Another host than this computer would be a site whose name was bound to this
 * address anew (DNS rebinding); pages of other sites are refused, too.
 */
function judge({ method, url, headers, rawHeaders, socket }: IncomingMessage): number {
  const names = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  const host = headers.host?.toLowerCase() ?? "";
  const isOurs = HOSTS.some((name) => host === `${name}:${socket.localPort}`);
  if (names.length !== 1 || !isOurs) return 421;
  if (headers.origin !== undefined) return 403;
  if (url?.split("?")[0] !== PATH) return 404;
  return method === "GET" || method === "HEAD" ? 200 : 405;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, type, body }: Answer,
): void {
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
    ...(status !== 200 && { connection: "close" }),
  });
  response.end(method === "HEAD" ? undefined : body);
}
