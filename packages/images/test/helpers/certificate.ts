/** The certificate of the servers of the tests, which no program believes by itself. */

import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

import { onTestFinished } from "vitest";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/servers/${name}`, import.meta.url), "utf8");

/** The certificate that has signed the server's, for `localhost` and 127.0.0.1. */
export const CA: string = fixture("ca.pem");

/** The server's certificate and its key. */
export const IDENTITY: { readonly cert: string; readonly key: string } = {
  cert: fixture("server.pem"),
  key: fixture("server.key"),
};

/** Believes the certificate of the tests until the test ends. */
export function trustCertificate(): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, CA]);
  onTestFinished(() => setDefaultCACertificates(before));
}
