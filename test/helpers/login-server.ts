/** A server whose feed only opens with a login. */

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";

import { onTestFinished } from "vitest";

/** Of the form that every test looks for in all that was printed and written. */
export const PASSWORD = "sandbox-secret:0123abcd";
export const PAIR: string = Buffer.from(`bayi42:${PASSWORD}`).toString("base64");

export interface FeedServer {
  readonly host: string;
  readonly address: string;
  readonly requests: readonly IncomingMessage[];
  /** What it asks for from now on. */
  password: string;
}

/** A server that gives a file to who knows the password, compressed as most servers do. */
export async function serveFeed(path: () => string): Promise<FeedServer> {
  const requests: IncomingMessage[] = [];
  const state = { password: PASSWORD };
  const server = createServer((request, response) => {
    requests.push(request);
    const wanted = Buffer.from(`bayi42:${state.password}`).toString("base64");
    if (request.headers.authorization !== `Basic ${wanted}`) {
      return response.writeHead(401, { "www-authenticate": "Basic" }).end("no");
    }
    return response
      .writeHead(200, { "content-encoding": "gzip" })
      .end(gzipSync(readFileSync(path())));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return Object.assign(state, { host, address: `http://${host}/xml/stok.csv?key=1`, requests });
}
