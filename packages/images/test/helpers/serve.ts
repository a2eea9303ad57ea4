/** A server on this machine, closed when the test ends. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";

import { onTestFinished } from "vitest";

import { IDENTITY } from "./certificate.ts";

export interface Served {
  readonly port: number;
  /** As `--allow-host` takes it. */
  readonly host: string;
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  /** Number of connections opened to the server. */
  readonly connections: () => number;
}

export const serve = (answer: RequestListener): Promise<Served> =>
  listen((listener) => createServer(listener), answer, "http");

/** The same over https, with the certificate of the tests. */
export const serveSecurely = (answer: RequestListener): Promise<Served> =>
  listen((listener) => createSecureServer(IDENTITY, listener), answer, "https");

async function listen(
  open: (listener: RequestListener) => Server,
  answer: RequestListener,
  scheme: string,
): Promise<Served> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = open((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on("connection", () => (connections += 1));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  return { port, host, origin: `${scheme}://${host}`, requests, connections: () => connections };
}
