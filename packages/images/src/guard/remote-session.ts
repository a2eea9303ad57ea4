/** What is done on a file server, whichever protocol it speaks. */

import type { RemoteHost } from "./check-address.ts";
import type { DownloadLogin } from "./download-login.ts";
import { FetchError } from "./fetch-error.ts";

/** A file or a folder of a server. */
export interface RemoteEntry {
  readonly path: string;
  readonly sizeBytes: number;
  /** `undefined` where the server does not say. */
  readonly modifiedMs: number | undefined;
  readonly isFolder: boolean;
}

/** An open session with a server. */
export interface RemoteSession extends AsyncDisposable {
  /** `undefined` where there is none. */
  stat(path: string): Promise<RemoteEntry | undefined>;
  list(path: string): Promise<readonly RemoteEntry[]>;
  read(path: string, onChunk: (chunk: Uint8Array) => Promise<void>): Promise<void>;
}

/** A server to open a session with. */
export interface RemoteTarget extends RemoteHost {
  /** The address without secrets, for messages. */
  readonly address: string;
  readonly login: DownloadLogin;
  /** Addresses that were checked; only these are connected to. */
  readonly addresses: readonly { readonly address: string; readonly family: number }[];
  readonly signal: AbortSignal;
}

/** The connection was there, and then it was not. */
export const cut = (host: string, cause?: unknown): FetchError =>
  new FetchError("E_FETCH_CUT", host, {
    cause: Object.assign(new Error("the connection was lost", { cause }), { code: "ECONNRESET" }),
  });
