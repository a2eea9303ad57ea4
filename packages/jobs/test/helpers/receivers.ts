/** Local receivers of alerts: a server that notes what is posted to it, and a real mail server. */

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

interface Posted {
  readonly path: string;
  readonly body: unknown;
}

export interface WebReceiver {
  readonly url: string;
  readonly posted: readonly Posted[];
  /** Status and headers of the answers from now on. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void;
}

/** Starts a server that takes every POST; it closes when the test ends. */
export async function startWebReceiver(): Promise<WebReceiver> {
  const posted: Posted[] = [];
  let reply: { status: number; headers: Readonly<Record<string, string>> } = {
    status: 200,
    headers: {},
  };
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      posted.push({ path: request.url ?? "", body: JSON.parse(await text(request)) });
      response.writeHead(reply.status, reply.headers).end("{}");
    };
    void take();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    posted,
    answer: (status, headers = {}) => void (reply = { status, headers }),
  };
}

/** A certificate for this machine, and its key; `undefined` where there is no openssl. */
export function createCertificate(): { readonly key: string; readonly cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "catalog-certificate-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    const files = ["-keyout", key, "-out", cert];
    const made = spawnSync("openssl", ["req", "-x509", ...kind, ...files, ...named]);
    if (made.status !== 0) return undefined;
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  readonly user: unknown;
  readonly text: string;
}

export interface MailReceiver {
  readonly port: number;
  readonly mails: readonly Mail[];
}

interface MailOptions {
  readonly certificate: { readonly key: string; readonly cert: string };
  /** Whether the connection is encrypted from the start. @default by STARTTLS */
  readonly isTls?: boolean;
  /** Whether it offers no encryption at all. @default it does */
  readonly isPlain?: boolean;
  readonly password: string;
}

/** Starts a mail server; it closes when the test ends. */
export async function startMailReceiver({
  certificate,
  isTls = false,
  isPlain = false,
  password,
}: MailOptions): Promise<MailReceiver> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    ...certificate,
    secure: isTls,
    allowInsecureAuth: isPlain,
    ...(isPlain && { hideSTARTTLS: true }),
    onAuth(auth, _session, callback) {
      if (auth.password === password) callback(null, { user: auth.username });
      else callback(new Error("535 no such login"));
    },
    onData(stream, { envelope, secure, user }, callback) {
      const take = async (): Promise<void> => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, isEncrypted: secure, user, text: await text(stream) });
        callback();
      };
      void take();
    },
  });
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => server.close());
  return { port: portOf(listening.address()), mails };
}
