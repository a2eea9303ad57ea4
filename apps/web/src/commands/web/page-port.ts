/** The port of the page. It is taken before anything of the store is opened; requests that come
 * meanwhile wait for the answer. */

import { readFileSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { dirname } from "node:path";

import { type Flags, isListenError, isPort, portFlag, UsageError } from "@catalog/console";
import { makeFolder } from "@catalog/i18n";

import { ARRIVAL } from "../../server/create-server.ts";
import { takenPort } from "./texts.ts";

/** 0, any free port, where none is known. */
function readLastPort(path: string): number {
  try {
    const port = Number(readFileSync(path, "utf8"));
    return isPort(port) ? port : 0;
  } catch {
    return 0;
  }
}

function saveLastPort(path: string, port: number): void {
  makeFolder(dirname(path));
  writeFileSync(path, String(port), { mode: 0o600 });
}

const HOST = "127.0.0.1";
/** How long a connection without a request stays open. */
const KEEP_ALIVE_MS = 72_000;

export interface PagePort extends AsyncDisposable {
  readonly port: number;
  /** Sets what answers the requests, and returns the server. */
  setListener(listener: RequestListener): Server;
  /** Answers requests from now on, those that have waited first. */
  open(): void;
}

/**
 * Listens on the port of the flag, or on the one that was used last, so that open tabs go on; where
 * that is taken, on a free one. Throws {@link UsageError} where the port of the flag cannot be used.
 */
export async function takePort(flags: Flags, lastPortPath: string): Promise<PagePort> {
  const given = portFlag(flags, "port");
  const waiting: [IncomingMessage, ServerResponse][] = [];
  let answer: RequestListener | undefined;
  let isOpen = false;
  const server = createHttpServer((request, response) => {
    if (isOpen) answer?.(request, response);
    else waiting.push([request, response]);
  });
  const port = await listen(server, given, lastPortPath);
  if (given === undefined) saveLastPort(lastPortPath, port);
  return {
    port,
    setListener(listener) {
      answer = listener;
      return server;
    },
    open() {
      isOpen = true;
      for (const [request, response] of waiting.splice(0)) answer?.(request, response);
    },
    [Symbol.asyncDispose]: () => close(server),
  };
}

function createHttpServer(listener: RequestListener): Server {
  return createServer(
    {
      requestTimeout: ARRIVAL.wholeMs,
      headersTimeout: ARRIVAL.headersMs,
      connectionsCheckingInterval: ARRIVAL.everyMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listener,
  );
}

async function listen(
  server: Server,
  given: number | undefined,
  lastPortPath: string,
): Promise<number> {
  try {
    return await listenOn(server, given ?? readLastPort(lastPortPath));
  } catch (error) {
    if (!isListenError(error)) throw error;
    if (given !== undefined) throw new UsageError(takenPort(given), { cause: error });
    return await listenOn(server, 0);
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen({ host: HOST, port }, () => {
    server.off("error", reject);
    const address = server.address();
    resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
  });
  return promise;
}

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A server that is closed already says so, which is no failure.
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}
