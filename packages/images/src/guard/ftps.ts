/** Sessions with FTPS servers, whose certificate is checked before the login is sent. */

import { isIP } from "node:net";
import { PassThrough } from "node:stream";
import type { TLSSocket } from "node:tls";

import { Client, FTPError } from "basic-ftp";

import { toLookup } from "./check-address.ts";
import { FetchError } from "./fetch-error.ts";
import { cut, type RemoteEntry, type RemoteSession, type RemoteTarget } from "./remote-session.ts";

const IMPLICIT_PORT = 990;

/** Replies of FTP (RFC 959, 4.2). */
const NOT_LOGGED_IN = 530;
const NO_FILE = 550;
const UNKNOWN_COMMANDS: ReadonlySet<number> = new Set([500, 501, 502, 504]);

/** Opens a session. Throws {@link FetchError} for a refused login; other errors are those of the connection. */
export async function openFtps(target: RemoteTarget): Promise<RemoteSession> {
  const { address, host, signal } = target;
  // The download watches its speed itself. The data come from the server that was checked.
  const client = new Client(0, { allowSeparateTransferHost: false });
  const onAbort = (): void => client.close();
  signal.addEventListener("abort", onAbort, { once: true });
  const close = async (): Promise<void> => {
    signal.removeEventListener("abort", onAbort);
    client.close();
  };
  try {
    await logIn(client, target);
  } catch (error) {
    await close();
    throw isReply(error, NOT_LOGGED_IN)
      ? new FetchError("E_FETCH_LOGIN_REFUSED", address, { cause: error })
      : error;
  }
  return {
    async stat(path) {
      try {
        const sizeBytes = await client.size(path);
        return { path, sizeBytes, modifiedMs: await readTime(client, path), isFolder: false };
      } catch (error) {
        if (isReply(error, NO_FILE)) return undefined;
        throw error;
      }
    },
    async list(path) {
      const found = await client.list(path).catch((error: unknown) => {
        if (isReply(error, NO_FILE))
          throw new FetchError("E_FETCH_MISSING", address, { cause: error });
        throw error;
      });
      return await Promise.all(
        found.map(async ({ name, size, modifiedAt, isDirectory }): Promise<RemoteEntry> => ({
          path: `${path}${name}`,
          sizeBytes: size,
          modifiedMs: modifiedAt?.getTime(),
          isFolder: isDirectory,
        })),
      );
    },
    async read(path, onChunk) {
      const through = new PassThrough();
      const taking = takeAll(through, onChunk);
      const download = client.downloadTo(through, path);
      const [downloaded, taken] = await Promise.allSettled([
        // A file that is not there begins no stream, and ends none.
        download.catch((error: unknown) => {
          through.destroy();
          throw error;
        }),
        taking,
      ]);
      if (taken.status === "fulfilled" && taken.value !== undefined) throw taken.value;
      if (downloaded.status === "fulfilled") return;
      throw isReply(downloaded.reason, NO_FILE)
        ? new FetchError("E_FETCH_MISSING", address, { cause: downloaded.reason })
        : cut(host, downloaded.reason);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the error of the taker, as that of the stream is the download's. */
async function takeAll(
  stream: PassThrough,
  onChunk: (chunk: Uint8Array) => Promise<void>,
): Promise<Error | undefined> {
  for await (const chunk of stream) {
    try {
      await onChunk(chunk);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
  return undefined;
}

const isReply = (error: unknown, code: number): boolean =>
  error instanceof FTPError && error.code === code;

/** Connects to one of the checked addresses and logs in, encrypted from the first word on. */
async function logIn(client: Client, target: RemoteTarget): Promise<void> {
  const { host, port, addresses, login, address } = target;
  if (login.kind !== "basic") throw new FetchError("E_FETCH_LOGIN", address);
  const name = isIP(host) === 0 ? { servername: host } : {};
  let last: unknown = new Error("the name has no address");
  for (const { address: ip, family } of addresses) {
    target.signal.throwIfAborted();
    // `host` is the name that the certificate must have, and `lookup` the address of the connection.
    const lookup = toLookup(async () => [{ address: ip, family }]);
    const secureOptions = { host, ...name, lookup };
    try {
      if (port === IMPLICIT_PORT) await client.connectImplicitTLS(ip, port, secureOptions);
      else {
        await client.connect(ip, port);
        await client.useTLS(secureOptions);
      }
      assertPlace(client, ip);
      break;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && /^E[A-Z]+$/u.test(String(error.code)))) {
        throw error;
      }
      last = error;
    }
  }
  if (client.closed) throw last;
  await client.login(login.user, login.secret);
  await client.useDefaultSettings();
}

/** Nothing is sent to any other place than the one that was checked. */
function assertPlace(client: Client, ip: string): void {
  const socket: Pick<TLSSocket, "remoteAddress"> = client.ftp.socket;
  const found = socket.remoteAddress?.replace(/^::ffff:/iu, "");
  if (found !== ip.replace(/^::ffff:/iu, "")) throw new FetchError("E_URL_PRIVATE", found ?? ip);
}

/** The time of a file; `undefined` where the server does not know the command. */
async function readTime(client: Client, path: string): Promise<number | undefined> {
  try {
    return (await client.lastMod(path)).getTime();
  } catch (error) {
    if (error instanceof FTPError && UNKNOWN_COMMANDS.has(error.code)) return undefined;
    throw error;
  }
}
