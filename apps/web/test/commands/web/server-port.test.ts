/** The port of a server with a certificate of its own. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type ConnectionOptions } from "node:tls";

import { expect, it, onTestFinished } from "vitest";

import { openPort } from "../../../src/commands/web/page-port.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

const hasOpenSsl = spawnSync("openssl", ["version"]).status === 0;

function createCertificate(): { readonly cert: Buffer; readonly key: Buffer } {
  const folder = createFolder();
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const files = ["-keyout", key, "-out", cert, "-subj", "/CN=localhost"];
  expect(spawnSync("openssl", ["req", "-x509", ...kind, ...files]).status).toBe(0);
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

/** What a client that can do no more than this agrees on with the server, or that it does not. */
function shakeHands(port: number, options: ConnectionOptions): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
  socket.once("secureConnect", () => {
    resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
    socket.destroy();
  });
  socket.once("error", () => resolve("refused"));
  return promise;
}

/** As a client of long ago, which takes anything. */
const OLD = { ciphers: "ALL:@SECLEVEL=0" };

it.skipIf(!hasOpenSsl)("speaks TLS 1.3, and 1.2 with good ciphers only", async () => {
  const certificate = createCertificate();
  const port = await openPort({ host: "127.0.0.1", port: 0, tls: certificate });
  onTestFinished(() => port[Symbol.asyncDispose]());

  const agreed = [
    await shakeHands(port.port, {}),
    await shakeHands(port.port, { maxVersion: "TLSv1.2" }),
    await shakeHands(port.port, { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" }),
    await shakeHands(port.port, { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ...OLD }),
    await shakeHands(port.port, { minVersion: "TLSv1", maxVersion: "TLSv1", ...OLD }),
  ];

  expect(agreed).toEqual([
    "TLSv1.3 TLS_AES_256_GCM_SHA384",
    "TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384",
    "refused",
    "refused",
    "refused",
  ]);
});
