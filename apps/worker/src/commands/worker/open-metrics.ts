/** Serves the metrics of the worker's stores where its flag asks for it. */

import type { Connection } from "@catalog/connection";
import { type Flags, printJson, UsageError } from "@catalog/console";
import { createStoreMetrics, serveMetrics } from "@catalog/metrics";

import type { CommandContext } from "../../context.ts";
import { BAD_PORT, takenPort, WORKER_TEXTS } from "./texts.ts";

const MAX_PORT = 65_535;

/** The port of the flag; `undefined` without it. Throws {@link UsageError} for one that is none. */
export function readMetricsPort({ metrics: port }: Flags): number | undefined {
  if (port === undefined) return undefined;
  if (typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= MAX_PORT) {
    return port;
  }
  throw new UsageError(BAD_PORT);
}

/** Listens on the port, and tells the address. Throws {@link UsageError} where it cannot be used. */
export async function openMetrics(
  { terminal, lang, json, quiet, clock }: CommandContext,
  stores: readonly Connection[],
  port: number,
): Promise<AsyncDisposable> {
  const texts = WORKER_TEXTS[lang];
  const metrics = createStoreMetrics({ clock, stores });
  const onError = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err(`${terminal.shown(texts.noMetrics(reason))}\n`);
  };
  const served = await serveMetrics({ metrics, port, onError }).catch((error: unknown) => {
    throw isListenError(error) ? new UsageError(takenPort(port), { cause: error }) : error;
  });
  if (json) printJson(terminal, { command: "worker", event: "metrics", url: served.url });
  else if (!quiet) terminal.err(`${texts.metrics(served.url)}\n`);
  return served;
}

const isListenError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall === "listen";
