#!/usr/bin/env node
/** The `catalog` program: the only reader of the environment, the command line and the streams. */

import { systemClock } from "@catalog/clock";

import { COMMANDS } from "./commands.ts";
import { runProgram } from "./program.ts";
import { createTerminal } from "./terminal.ts";

const stop = new AbortController();

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // The second one ends at once; what is on its way was written down before it left.
    if (stop.signal.aborted) process.exit(130);
    stop.abort(new Error("interrupted"));
  });
}

// Whoever reads may stop reading (`| head`); that is no reason to stop sending.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

process.exitCode = await runProgram({
  commands: COMMANDS,
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  terminal: createTerminal(process, process.argv),
  clock: systemClock,
  random: Math.random,
  stop: stop.signal,
});
