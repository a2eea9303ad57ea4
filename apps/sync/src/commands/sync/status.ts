/** The state of a schedule for whoever watches it: a file, and JSON on the loopback address. */

import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

import { type Clock } from "@catalog/clock";
import { UsageError } from "@catalog/console";
import { toVisibleText } from "@catalog/sheets/visible-text";

import { type Outcome } from "./outcome.ts";

/** The keys are relied on from outside. */
export interface Status {
  readonly command: "sync";
  /** A path, or an address without its query. */
  readonly feed: string;
  readonly state: "waiting" | "syncing";
  /** When this was written; old where the process has died. */
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
  /** Absolute; written whole or not at all. @default no file */
  readonly healthPath: string | undefined;
}

/** Keeps the state, and writes it down at every change. */
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

/** A document that may be read on a terminal as it is. */
const toText = (status: Status): string => `${toVisibleText(JSON.stringify(status))}\n`;

/** A server until it is disposed of. */
export interface StatusServer extends AsyncDisposable {
  readonly url: string;
}

const OK = 200;
const NOT_ALLOWED = 405;

/** Answers the state on 127.0.0.1. Throws {@link UsageError} where the port is taken. */
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
