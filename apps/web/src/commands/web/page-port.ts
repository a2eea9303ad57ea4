/**
 * The port of the page, which is taken before anything of the store is opened, and the claim to it:
 * at most one page of a kind runs in a home. A lock that dies with its process decides which one; a
 * private note beside it tells the same command, started again, how to ask that page for a link.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { dirname } from "node:path";

import type { Clock } from "@catalog/clock";
import { DatabaseError, lockFile, readLockHolder } from "@catalog/connection";
import { type Flags, isListenError, isPort, UsageError, readFlag } from "@catalog/console";
import { makeFolder } from "@catalog/i18n";
import { z } from "zod";

import { createKey } from "../../server/access.ts";
import { ARRIVAL } from "../../server/page-app.ts";
import type { Certificate } from "./certificate.ts";
import { silentPage, takenPort } from "./texts.ts";

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
  const given = readFlag.port(flags, "port");
  const { server, ...gate } = createGate((listener) => createHttpServer(HTTP_LIMITS, listener));
  const port = await listen(server, given, lastPortPath);
  if (given === undefined) saveLastPort(lastPortPath, port);
  return { port, ...gate };
}

/** Where a server of several people listens, and with which certificate, if it has one. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly tls?: Certificate | undefined;
}

export interface ServerPort extends PagePort {
  /** Has connections from now on begin with this certificate. */
  useCertificate(certificate: Certificate): void;
}

/** Listens there. Throws {@link UsageError} where the port or the certificate cannot be used. */
export async function openPort({ host, port: wanted, tls }: ServerPlace): Promise<ServerPort> {
  let secured: TlsServer | undefined;
  const { server, ...gate } = createGate((listener) => {
    if (tls === undefined) return createHttpServer(HTTP_LIMITS, listener);
    secured = createTlsServer({ ...HTTP_LIMITS, ...TLS_LIMITS, ...tls }, listener);
    return secured;
  });
  const useCertificate = (certificate: Certificate): void =>
    secured?.setSecureContext({ ...TLS_LIMITS, ...certificate });
  try {
    return { port: await listenOn(server, { host, port: wanted }), ...gate, useCertificate };
  } catch (error) {
    if (!isListenError(error)) throw error;
    throw new UsageError(takenPort(wanted), { cause: error });
  }
}

interface Gate extends Omit<PagePort, "port"> {
  readonly server: Server;
}

/** Keeps the requests that come before somebody can answer them. */
function createGate(create: (listener: RequestListener) => Server): Gate {
  const waiting: [IncomingMessage, ServerResponse][] = [];
  let answer: RequestListener | undefined;
  let isOpen = false;
  const server = create((request, response) => {
    if (isOpen) answer?.(request, response);
    else waiting.push([request, response]);
  });
  return {
    server,
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

const HTTP_LIMITS = {
  requestTimeout: ARRIVAL.wholeMs,
  headersTimeout: ARRIVAL.headersMs,
  connectionsCheckingInterval: ARRIVAL.everyMs,
  keepAliveTimeout: KEEP_ALIVE_MS,
} as const;

/**
 * TLS 1.2 with authenticated encryption and keys of one session only, and 1.3 with what it has,
 * whatever the environment of Node says.
 */
const TLS_LIMITS = {
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.3",
  honorCipherOrder: true,
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
  ].join(":"),
} as const;

async function listen(
  server: Server,
  given: number | undefined,
  lastPortPath: string,
): Promise<number> {
  try {
    return await listenOn(server, { host: HOST, port: given ?? readLastPort(lastPortPath) });
  } catch (error) {
    if (!isListenError(error)) throw error;
    if (given !== undefined) throw new UsageError(takenPort(given), { cause: error });
    return await listenOn(server, { host: HOST, port: 0 });
  }
}

function listenOn(
  server: Server,
  { host, port }: Pick<ServerPlace, "host" | "port">,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen({ host, port }, () => {
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

/** How long a page that is starting or does not answer is waited for. */
const WAIT_MS = 20_000;
const ASK_EVERY_MS = 200;

const noteSchema = z.object({ port: z.number(), pid: z.number(), secret: z.string() });
const answerSchema = z.object({ key: z.string() });

type Note = z.infer<typeof noteSchema>;

/** A page that another process serves, with the key of a new link to it. */
interface RunningPage {
  readonly port: number;
  readonly key: string;
}

/** The right to serve the page; it is given back when it is disposed of or the process dies. */
export interface PageClaim extends Disposable {
  /** What a request for a link has to know. */
  readonly secret: string;
  /** Tells later starts the port of this page. */
  publish(port: number): void;
}

interface ClaimOptions {
  /** Path of the note. */
  readonly path: string;
  /** The command as a person typed it. */
  readonly command: string;
  readonly clock: Clock;
}

/**
 * Claims the page, or gets a link from the process that has claimed it. Throws {@link UsageError}
 * where that process does not answer.
 */
export async function claimPage(options: ClaimOptions): Promise<PageClaim | RunningPage> {
  const { path, clock } = options;
  makeFolder(dirname(path));
  const untilMs = clock.now() + WAIT_MS;
  for (;;) {
    const claim = tryClaim(options);
    if (claim !== undefined) return claim;
    const running = await askForLink(path, untilMs - clock.now());
    if (running !== undefined) return running;
    if (clock.now() >= untilMs) throw new UsageError(silentPage(readLockHolder(lockOf(path))?.pid));
    await clock.sleep(ASK_EVERY_MS);
  }
}

const lockOf = (path: string): string => `${path}.lock`;

function tryClaim({ path, command, clock }: ClaimOptions): PageClaim | undefined {
  const lock = tryLock({ path, command, clock });
  if (lock === undefined) return undefined;
  // What a process that was killed has left is not true any more.
  rmSync(path, { force: true });
  const secret = createKey();
  return {
    secret,
    publish: (port) => writeNote(path, { port, pid: process.pid, secret }),
    [Symbol.dispose]() {
      rmSync(path, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

/** Claims to be the only process that does this in the home; `undefined` where another one does. */
export function tryLock({ path, command, clock }: ClaimOptions): Disposable | undefined {
  const holder = { command, pid: process.pid, sinceMs: clock.now() };
  try {
    return lockFile({ path: lockOf(path), holder });
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "E_STORE_BUSY") return undefined;
    throw error;
  }
}

function writeNote(path: string, note: Note): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, JSON.stringify(note), { mode: 0o600, flag: "wx" });
  renameSync(next, path);
}

/** The note of the process that holds the lock; one of another process is old. */
function readNote(path: string): Note | undefined {
  try {
    const note = noteSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return readLockHolder(lockOf(path))?.pid === note.pid ? note : undefined;
  } catch {
    return undefined;
  }
}

async function askForLink(path: string, waitMs: number): Promise<RunningPage | undefined> {
  const note = readNote(path);
  if (note === undefined || waitMs <= 0) return undefined;
  const { port, secret } = note;
  const origin = `http://127.0.0.1:${port}`;
  try {
    const response = await fetch(`${origin}/api/links`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ secret }),
      redirect: "error",
      signal: AbortSignal.timeout(waitMs),
    });
    if (!response.ok) return undefined;
    return { port, key: answerSchema.parse(await response.json()).key };
  } catch {
    // It was ended meanwhile, or does not answer; the caller asks again.
    return undefined;
  }
}
