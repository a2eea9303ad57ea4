/**
 * Files of SFTP and FTPS servers, guarded as those of websites are: only addresses of the internet or
 * allowed servers, only servers that prove who they are, within limits of size and time. A file that
 * changes while it is read, or whose size is not the one that was announced, is refused. Of a folder
 * the newest table is taken.
 */

import type { Clock } from "@catalog/clock";
import { bareAddress, isTableFileName } from "@catalog/i18n";

import {
  createAllowedHosts,
  type RemoteHost,
  resolveAllowed,
  type ResolveHost,
} from "./check-address.ts";
import type { DownloadLogin } from "./download-login.ts";
import { FetchError, findFetchError } from "./fetch-error.ts";
import {
  type BodyLimits,
  CERTIFICATE_CODE,
  DEFAULT_LIMITS,
  type GivenLimits,
  type GuardedAnswer,
  tooLarge,
  watchSpeed,
} from "./guarded-fetch.ts";
import { cut, type RemoteEntry, type RemoteSession, type RemoteTarget } from "./remote-session.ts";

const SCHEMES = {
  "sftp:": { port: 22, usual: ["22"] },
  "ftps:": { port: 21, usual: ["21", "990"] },
} as const;

const isScheme = (protocol: string): protocol is keyof typeof SCHEMES => protocol in SCHEMES;

/** Whether an address is that of a file server. */
export const isRemoteAddress = (address: string): boolean => /^(?:sftp|ftps?):\/\//iu.test(address);

interface ParsedAddress extends RemoteHost {
  readonly protocol: keyof typeof SCHEMES;
  readonly path: string;
}

/** Throws {@link FetchError} for another scheme, for credentials and for a path that cannot be one. */
function parseAddress(address: string): ParsedAddress {
  const url = URL.parse(address);
  if (url === null || url.hostname === "") throw new FetchError("E_URL_FORM", address);
  if (url.protocol === "ftp:") throw new FetchError("E_URL_FTP", bareAddress(address));
  if (!isScheme(url.protocol)) throw new FetchError("E_URL_FORM", address);
  if (`${url.username}${url.password}` !== "") throw new FetchError("E_URL_CREDENTIALS", "");
  const path = decodePath(url.pathname);
  // A line break would begin another command of FTP.
  if (path === undefined || /\p{Cc}/u.test(path)) throw new FetchError("E_URL_FORM", address);
  const { port, usual } = SCHEMES[url.protocol];
  const host = url.hostname.toLowerCase().replaceAll(/^\[|\]$/gu, "");
  return { protocol: url.protocol, host, port: Number(url.port || port), usual, path };
}

/** The path from the top, or behind `/~/` from the folder in which the user is after the login. */
function decodePath(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname);
    if (path === "" || path === "/~/") return path === "" ? "/" : "./";
    return path.replace(/^\/~\//u, "./");
  } catch {
    return undefined;
  }
}

/** A download from a file server. */
export interface RemoteRequest {
  readonly address: string;
  readonly login: DownloadLogin | undefined;
  readonly clock: Clock;
  readonly allowHosts?: readonly string[] | undefined;
  readonly limits?: Partial<GivenLimits> | undefined;
  /** What the file was like when it was taken last. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onChunk: (chunk: Uint8Array) => Promise<void>;
  /** @default the system's resolver */
  readonly resolve?: ResolveHost | undefined;
}

/** Downloads a file, as `GuardedFetch` does. Throws {@link FetchError}. */
export async function fetchRemote(asked: RemoteRequest): Promise<GuardedAnswer> {
  return await inSession(asked, async (session, { path, limits, note }) => {
    const before = await findFile(session, path, asked.address);
    const validator = toValidator(before, asked.clock);
    const answer = {
      address: asked.address,
      contentType: undefined,
      etag: validator,
      lastModified:
        before.modifiedMs === undefined ? undefined : new Date(before.modifiedMs).toUTCString(),
      sizeBytes: before.sizeBytes,
      body: new Uint8Array(),
    };
    if (validator !== undefined && validator === asked.etag) return { ...answer, status: 304 };
    await readFile(session, before, { ...asked, limits, note });
    return { ...answer, status: 200 };
  });
}

/** Logs in, and looks for the file. Throws {@link FetchError}. */
export async function tryRemote(asked: Omit<RemoteRequest, "onChunk" | "etag">): Promise<void> {
  await inSession({ ...asked, onChunk: async () => undefined }, async (session, { path }) => {
    if (path.endsWith("/")) await session.list(path);
    else await findFile(session, path, asked.address);
  });
}

interface SessionTools {
  readonly path: string;
  readonly limits: BodyLimits;
  readonly note: (bytes: number) => void;
}

async function inSession<Result>(
  asked: RemoteRequest,
  work: (session: RemoteSession, tools: SessionTools) => Promise<Result>,
): Promise<Result> {
  const { login, clock, allowHosts = [], resolve } = asked;
  asked.signal?.throwIfAborted();
  const target = parseAddress(asked.address);
  const address = bareAddress(asked.address);
  if (login?.kind !== "basic" && login?.kind !== "key")
    throw new FetchError("E_FETCH_LOGIN", address);
  const limits = { ...DEFAULT_LIMITS, ...asked.limits };
  using watch = watchSpeed({ clock, limits, host: target.host }, asked.signal);
  const { signal } = watch;
  const note = (bytes: number): void => watch.note(bytes);
  try {
    const addresses = await resolveAllowed(target, {
      allowed: createAllowedHosts(allowHosts),
      resolve,
    });
    await using session = await openSession({ ...target, address, login, addresses, signal });
    return await work(session, { path: target.path, limits, note });
  } catch (error) {
    asked.signal?.throwIfAborted();
    throw toRemoteError(findFetchError(watch.signal.reason) ?? error, target.host);
  }
}

/** The libraries are loaded where such a server is used. */
async function openSession(
  target: RemoteTarget & Pick<ParsedAddress, "protocol">,
): Promise<RemoteSession> {
  if (target.protocol === "sftp:") return await (await import("./sftp.ts")).openSftp(target);
  return await (await import("./ftps.ts")).openFtps(target);
}

/** Fingerprint of an SFTP server's key; nothing is sent to it. Throws {@link FetchError}. */
export async function readHostKey(
  asked: Pick<RemoteRequest, "address" | "clock" | "allowHosts" | "signal" | "resolve">,
): Promise<string> {
  const nobody = { kind: "basic", user: "-", secret: "-" } as const;
  try {
    await tryRemote({ ...asked, login: nobody });
  } catch (error) {
    if (error instanceof FetchError && error.code === "E_FETCH_HOST_KEY") return error.detail;
    throw error;
  }
  throw new FetchError("E_URL_FORM", asked.address);
}

async function findFile(
  session: RemoteSession,
  path: string,
  address: string,
): Promise<RemoteEntry> {
  if (!path.endsWith("/")) {
    const found = await session.stat(path);
    if (found === undefined || found.isFolder) throw missing(address);
    return found;
  }
  const entries = await session.list(path);
  const tables = entries.filter((entry) => {
    const name = entry.path.slice(entry.path.lastIndexOf("/") + 1);
    return !entry.isFolder && isTableFileName(name);
  });
  const [newest, ...others] = tables.toSorted(
    (a, b) => (b.modifiedMs ?? 0) - (a.modifiedMs ?? 0) || b.path.localeCompare(a.path),
  );
  // Which one is the newest is not guessed.
  const isUnclear = others.length > 0 && tables.some(({ modifiedMs }) => modifiedMs === undefined);
  if (newest === undefined || isUnclear) throw missing(address);
  return newest;
}

const missing = (address: string): FetchError =>
  new FetchError("E_FETCH_MISSING", bareAddress(address));

/** Age from which a file whose size and time are the same is taken for the same file. */
const SETTLED_MS = 60_000;

/** A file that was just written may be written again within the second that its time shows. */
function toValidator(
  { path, sizeBytes, modifiedMs }: RemoteEntry,
  clock: Clock,
): string | undefined {
  if (modifiedMs === undefined || clock.now() - modifiedMs < SETTLED_MS) return undefined;
  return `"${encodeURIComponent(path)} ${sizeBytes} ${modifiedMs}"`;
}

async function readFile(
  session: RemoteSession,
  before: RemoteEntry,
  {
    address,
    limits,
    note,
    onChunk,
  }: Pick<RemoteRequest, "address" | "onChunk"> & Omit<SessionTools, "path">,
): Promise<void> {
  if (before.sizeBytes > limits.maxBytes) throw tooLarge(limits);
  let received = 0;
  await session.read(before.path, async (chunk) => {
    received += chunk.byteLength;
    if (received > limits.maxBytes) throw tooLarge(limits);
    note(chunk.byteLength);
    await onChunk(chunk);
  });
  const after = await session.stat(before.path);
  const isSame =
    after !== undefined &&
    after.sizeBytes === before.sizeBytes &&
    (before.modifiedMs === undefined || after.modifiedMs === before.modifiedMs);
  if (!isSame) throw new FetchError("E_FETCH_CHANGING", bareAddress(address));
  if (received !== before.sizeBytes) throw cut(URL.parse(address)?.hostname ?? "");
}

function toRemoteError(error: unknown, host: string): FetchError {
  const known = findFetchError(error);
  if (known !== undefined) return known;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (CERTIFICATE_CODE.test(code))
    return new FetchError("E_FETCH_CERTIFICATE", host, { cause: error });
  return new FetchError("E_FETCH_FAILED", host, { cause: error });
}
