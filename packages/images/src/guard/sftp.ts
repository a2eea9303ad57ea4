/** Sessions with SFTP servers, which are known by the fingerprint of their key before anything is sent. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";

import SftpClient from "ssh2-sftp-client";

import { FetchError } from "./fetch-error.ts";
import { cut, type RemoteEntry, type RemoteSession, type RemoteTarget } from "./remote-session.ts";

/** As `ssh-keygen -l` shows it. */
const toFingerprint = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replaceAll("=", "")}`;

/** Codes of SFTP for a file that is not there, and one that may not be read. */
const NO_SUCH_FILE = new Set<unknown>([2, "ENOENT", "ERR_NOT_EXIST"]);
const NO_RIGHT = new Set<unknown>([3, "EACCES", "ERR_PERMISSION_DENIED"]);

/** Reading ahead would need several requests at a time; larger ones need fewer. */
const PIECE_BYTES = 256 * 1024;

/** Opens a session. Throws {@link FetchError} for an unknown key, a refused login and no connection. */
export async function openSftp(target: RemoteTarget): Promise<RemoteSession> {
  const { login, address, host } = target;
  const credentials = await readCredentials(target);
  const sock = await connectTo(target);
  const lost = Promise.withResolvers<never>();
  // It is awaited where something is under way.
  lost.promise.catch(() => undefined);
  let reason: unknown;
  // Without functions of ours, the library would print what happens.
  const client = new SftpClient("catalog", {
    error: (error) => void (reason ??= error),
    end: () => undefined,
    close: () => lost.reject(cut(host, reason)),
  });
  const onAbort = (): void => void sock.destroy();
  target.signal.addEventListener("abort", onAbort, { once: true });
  const close = async (): Promise<void> => {
    target.signal.removeEventListener("abort", onAbort);
    // A server that is gone does not say goodbye.
    await Promise.race([client.end().catch(() => undefined), lost.promise.catch(() => undefined)]);
    sock.destroy();
  };
  let refused: FetchError | undefined;
  const hostKey = "hostKey" in login ? login.hostKey : undefined;
  try {
    const connecting = client.connect({
      sock,
      ...credentials,
      readyTimeout: 0,
      hostVerifier: (key: Buffer) => {
        const fingerprint = toFingerprint(key);
        if (fingerprint === hostKey) return true;
        const code = hostKey === undefined ? "E_FETCH_HOST_KEY" : "E_FETCH_HOST_KEY_CHANGED";
        refused = new FetchError(code, fingerprint, { address });
        return false;
      },
    });
    await Promise.race([connecting, lost.promise]);
  } catch (error) {
    await close();
    throw refused ?? toLoginError(reason ?? error, target);
  }
  const ask = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await Promise.race([work, lost.promise]);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (!NO_RIGHT.has(code)) throw error;
      throw new FetchError("E_FETCH_LOGIN_REFUSED", address, { cause: error });
    }
  };
  return {
    async stat(path) {
      try {
        const { size, modifyTime, isDirectory } = await ask(client.stat(path));
        return { path, sizeBytes: size, modifiedMs: modifyTime, isFolder: isDirectory };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async list(path) {
      const found = await ask(client.list(path)).catch((error: unknown) => {
        throw isMissing(error)
          ? new FetchError("E_FETCH_MISSING", address, { cause: error })
          : error;
      });
      return found.map(({ name, size, modifyTime, type }): RemoteEntry => ({
        path: `${path}${name}`,
        sizeBytes: size,
        modifiedMs: modifyTime,
        isFolder: type === "d",
      }));
    },
    async read(path, onChunk) {
      const stream = client.createReadStream(path, { highWaterMark: PIECE_BYTES });
      const work = async (): Promise<void> => {
        for await (const chunk of stream) await onChunk(chunk);
      };
      try {
        await ask(work());
      } catch (error) {
        stream.destroy();
        throw error instanceof FetchError ? error : cut(host, error);
      }
    },
    [Symbol.asyncDispose]: close,
  };
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && NO_SUCH_FILE.has(error.code);

interface Credentials {
  readonly username: string;
  readonly password?: string;
  readonly privateKey?: Buffer;
  readonly passphrase?: string;
}

async function readCredentials({ login, address }: RemoteTarget): Promise<Credentials> {
  if (login.kind === "basic") return { username: login.user, password: login.secret };
  if (login.kind !== "key") throw new FetchError("E_FETCH_LOGIN", address);
  try {
    const privateKey = await readFile(login.keyFile);
    const passphrase = login.secret === "" ? {} : { passphrase: login.secret };
    return { username: login.user, privateKey, ...passphrase };
  } catch (error) {
    throw new FetchError("E_FETCH_KEY_FILE", login.keyFile, { cause: error });
  }
}

/** Connects to one of the checked addresses. */
export async function connectTo({ addresses, port, signal }: RemoteTarget): Promise<Socket> {
  let last: unknown = new Error("the name has no address");
  for (const { address } of addresses) {
    signal.throwIfAborted();
    const socket = connect({ host: address, port });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => reject(signal.reason);
    socket.once("connect", resolve).once("error", reject);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
      // Each piece is asked for by a small packet, which would otherwise wait for others.
      return socket.setNoDelay(true);
    } catch (error) {
      socket.destroy();
      last = error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
  throw last;
}

function toLoginError(error: unknown, { address, login }: RemoteTarget): unknown {
  if (!(error instanceof Error)) return error;
  const isRefused =
    /authentication methods? failed/iu.test(error.message) ||
    ("level" in error && error.level === "client-authentication");
  if (isRefused) return new FetchError("E_FETCH_LOGIN_REFUSED", address, { cause: error });
  if (login.kind === "key" && /privateKey|passphrase|key format/iu.test(error.message)) {
    return new FetchError("E_FETCH_KEY_FILE", login.keyFile, { cause: error });
  }
  return error;
}
