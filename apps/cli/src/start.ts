/** Runs the program: the only reader of the environment, the command line and the streams. */

import { fileURLToPath } from "node:url";

import { EXIT } from "@catalog/console";
import { toVisibleText } from "@catalog/sheets/visible-text";
import envPaths from "env-paths";

import { findProgramName } from "./program-name.ts";
import { createProgressSender } from "./progress-sender.ts";
import { runCatalog } from "./run-catalog.ts";
import { takeEnvironment } from "./settings/environment.ts";

const env = takeEnvironment(process.env);
const stop = new AbortController();

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second signal ends the program at once; calls under way were stored before they were sent.
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    stop.abort(new Error("interrupted"));
  });
}

// Node would print the message of such an error with its control characters.
process.on("uncaughtException", (error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${toVisibleText(text)}\n`);
  process.exit(EXIT.bug);
});

// A reader may close the stream early (`| head`), which must not stop sending.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

process.exitCode = await runCatalog({
  program: findProgramName({
    path: env["PATH"],
    cwd: process.cwd(),
    entry: fileURLToPath(new URL("../bin/catalog.js", import.meta.url)),
    platform: process.platform,
  }),
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  env,
  execArgv: process.execArgv,
  loginFolder: envPaths("catalog-toolkit", { suffix: "" }).config,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  stop: stop.signal,
  onProgress: createProgressSender(process),
});
