/** The state of a schedule for monitoring: a file, and JSON on the loopback address. */

import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

import type { Clock } from "@catalog/clock";
import { UsageError } from "@catalog/console";
import { toVisibleText } from "@catalog/sheets/visible-text";

import type { Outcome } from "./outcome.ts";

/** State of a schedule; its keys are a public contract. */
export interface Status {
  readonly command: "sync";
  /** Path, or address without its query. */
  readonly feed: string;
  readonly state: "waiting" | "syncing";
  /** Time of this state; an old one means that the process has died. */
  readonly at: string;
  readonly next: string | null;
  readonly last: {
    readonly due: string;
    readonly finished: string;
    readonly state: Outcome["state"];
    readonly exit: number;
    readonly code: string | null;
    readonly run: string | null;
    readonly counts: Outcome["counts"];
    readonly unknown_codes: number;
  } | null;
}

export interface StatusBoard {
  read(): Status;
  update(change: Partial<Omit<Status, "command" | "feed" | "at">>): void;
}

export interface StatusOptions {
  readonly feed: string;
  readonly clock: Clock;
  /** Absolute path, replaced as a whole. @default no file */
  readonly healthPath: string | undefined;
}

/** Holds the state, and writes it at every change. */
export function createStatusBoard({ feed, clock, healthPath }: StatusOptions): StatusBoard {
  const now = (): string => new Date(clock.now()).toISOString();
  let status: Status = {
    command: "sync",
    feed,
    state: "waiting",
    at: now(),
    next: null,
    last: null,
  };
  return {
    read: () => status,
    update(change) {
      status = { ...status, ...change, at: now() };
      if (healthPath === undefined) return;
      const passing = `${healthPath}.tmp`;
      try {
        writeFileSync(passing, toText(status), { mode: 0o600 });
        renameSync(passing, healthPath);
      } catch (error) {
        throw new UsageError(
          {
            tr: `Durum dosyası yazılamadı: ${healthPath}. Klasörü ve izinleri kontrol edin.`,
            en: `The health file cannot be written: ${healthPath}. Check the folder and its permissions.`,
          },
          { cause: error },
        );
      }
    },
  };
}

/** Formats the state without control characters, as it may be read on a terminal. */
const toText = (status: Status): string => `${toVisibleText(JSON.stringify(status))}\n`;

/** A server that runs until it is disposed of. */
export interface StatusServer extends AsyncDisposable {
  readonly url: string;
}

const OK = 200;
const NOT_ALLOWED = 405;

/** Serves the state on 127.0.0.1. Throws {@link UsageError} where the port is in use. */
export async function openStatusServer(port: number, read: () => Status): Promise<StatusServer> {
  const server = createServer((request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    response.writeHead(isRead ? OK : NOT_ALLOWED, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(isRead ? toText(read()) : "{}\n");
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  try {
    await promise;
  } catch (error) {
    throw new UsageError(
      {
        tr: `127.0.0.1:${port} kullanılamıyor; başka bir --status-port verin.`,
        en: `127.0.0.1:${port} cannot be used; give another --status-port.`,
      },
      { cause: error },
    );
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
