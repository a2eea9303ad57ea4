/** A local image server over https, with a certificate that only tests trust. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { fileURLToPath } from "node:url";

import { onTestFinished } from "vitest";

/** A key and its certificate for `localhost`. */
const CERTIFICATE = fileURLToPath(new URL("./image-server/localhost.pem", import.meta.url));

export interface ImageServer {
  /** Host as `--allow-host` takes it. */
  readonly host: string;
  readonly origin: string;
  /** Requested paths, in order. */
  readonly log: readonly string[];
  /** Environment with which a program trusts the server. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startImageServer(answer: RequestListener): Promise<ImageServer> {
  const log: string[] = [];
  const pem = readFileSync(CERTIFICATE);
  const server = createServer({ key: pem, cert: pem }, (request, response) => {
    log.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  return { host, origin: `https://${host}`, log, env: { NODE_EXTRA_CA_CERTS: CERTIFICATE } };
}
