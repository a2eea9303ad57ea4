/** Serves the metrics of the worker's stores where its flag asks for it. */

import type { Connection } from "@catalog/connection";
import { isListenError, printJson, UsageError } from "@catalog/console";
import { createStoreMetrics, serveMetrics } from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { takenPort, WORKER_TEXTS } from "./texts.ts";

/** Listens on the port and reports the address. Throws {@link UsageError} where it cannot be used. */
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
