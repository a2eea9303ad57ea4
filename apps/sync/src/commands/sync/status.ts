/** The state of a schedule for monitoring: a file, and JSON on the loopback address. */

import { renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

import type { Clock } from "@catalog/clock";
import { UsageError } from "@catalog/console";
import type { ScheduleHealth } from "@catalog/jobs";
import { toVisibleText } from "@catalog/sheets/visible-text";

import type { toOutcomeKeys } from "./outcome.ts";

/** State of a schedule; its keys are a public contract. */
export interface Status {
  readonly command: "sync";
  /** Path, or address without its query. */
  readonly feed: string;
  /** Of `shadow` nothing is sent. */
  readonly mode: "live" | "shadow";
  readonly state: "waiting" | "syncing" | "stopped";
  /** Time of this state; an old one means that the process has died. */
  readonly at: string;
  readonly next: string | null;
  /** Whether a sync has done its job lately; never of a schedule that was stopped. */
  readonly healthy: boolean;
  /** From this time on it is unhealthy, unless a sync does its job before. */
  readonly unhealthy_at: string;
  readonly last_success: string | null;
  /** Syncs since then that did not do their job. */
  readonly failures_in_row: number;
  readonly last:
    | (ReturnType<typeof toOutcomeKeys> & { readonly due: string; readonly finished: string })
    | null;
}

interface StatusBoard {
  read(): Status;
  update(change: Partial<Pick<Status, "state" | "next" | "last">>): void;
  /** Takes how the schedule fares from now on. */
  judge(health: ScheduleHealth): void;
}

interface StatusOptions {
  readonly feed: string;
  readonly mode: Status["mode"];
  readonly clock: Clock;
  /** Absolute path, replaced as a whole. @default no file */
  readonly healthPath: string | undefined;
  readonly health: ScheduleHealth;
}

/** Holds the state, and writes it at every change. */
export function createStatusBoard({ feed, mode, clock, ...options }: StatusOptions): StatusBoard {
  const { healthPath } = options;
  const now = (): string => new Date(clock.now()).toISOString();
  let health = options.health;
  let status: Status = {
    command: "sync",
    feed,
    mode,
    state: "waiting",
    at: now(),
    next: null,
    ...toHealthKeys(health, clock.now()),
    last: null,
  };
  return {
    read: () => ({ ...status, ...toHealthKeys(health, clock.now()) }),
    judge(changed) {
      health = changed;
    },
    update(change) {
      status = { ...status, ...change, ...toHealthKeys(health, clock.now()), at: now() };
      if (status.state === "stopped") status = { ...status, healthy: false };
      if (healthPath === undefined) return;
      const passing = `${healthPath}.tmp`;
      try {
        const isFile = statSync(healthPath, { throwIfNoEntry: false })?.isFile() !== false;
        // A device such as /dev/null stays what it is.
        writeFileSync(isFile ? passing : healthPath, toText(status), { mode: 0o600 });
        if (isFile) renameSync(passing, healthPath);
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

/** What the health says at a time: it runs out while nothing else changes. */
function toHealthKeys(
  { unhealthyAtMs, succeededAtMs, failuresInRow }: ScheduleHealth,
  nowMs: number,
): Pick<Status, "healthy" | "unhealthy_at" | "last_success" | "failures_in_row"> {
  return {
    healthy: nowMs < unhealthyAtMs,
    unhealthy_at: new Date(unhealthyAtMs).toISOString(),
    last_success: succeededAtMs === undefined ? null : new Date(succeededAtMs).toISOString(),
    failures_in_row: failuresInRow,
  };
}

/** Formats the state without control characters, as it may be read on a terminal. */
const toText = (status: Status): string => `${toVisibleText(JSON.stringify(status))}\n`;

/** A server that runs until it is disposed of. */
interface StatusServer extends AsyncDisposable {
  readonly url: string;
}

const OK = 200;
const NOT_ALLOWED = 405;
const UNAVAILABLE = 503;

/** The path whose status code says whether the schedule is healthy, for probes that read no JSON. */
const PROBE_PATH = "/healthz";

/**
 * Serves the state on 127.0.0.1, at any path; `/healthz` answers 503 while the schedule is
 * unhealthy. Throws {@link UsageError} where the port is in use.
 */
export async function openStatusServer(port: number, read: () => Status): Promise<StatusServer> {
  const server = createServer((request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const status = read();
    const isProbe = request.url?.split("?")[0] === PROBE_PATH;
    const code = isProbe && !status.healthy ? UNAVAILABLE : OK;
    response.writeHead(isRead ? code : NOT_ALLOWED, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    });
    response.end(isRead ? toText(status) : "{}\n");
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
