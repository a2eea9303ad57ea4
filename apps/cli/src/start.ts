/** Runs the program: the only reader of the environment, the command line and the streams. */

import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { text } from "node:stream/consumers";

import { systemClock } from "@catalog/clock";
import envPaths from "env-paths";

import { createCommands } from "./commands.ts";
import { createSystemKeyring } from "./keyring.ts";
import { createLoginStore } from "./login-store.ts";
import { runProgram } from "./program.ts";
import { createPrompts } from "./prompts.ts";
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

const { env } = process;
const cwd = process.cwd();
const logins = createLoginStore({
  folder: envPaths("catalog-toolkit", { suffix: "" }).config,
  keyring: createSystemKeyring(),
  ownerId: process.getuid?.(),
});
const manifest: unknown = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

const version = readVersion(manifest);

process.exitCode = await runProgram({
  commands: createCommands({
    env,
    cwd,
    logins,
    prompts: createPrompts(process),
    readInput: async () => (process.stdin.isTTY ? undefined : await text(process.stdin)),
    fetch,
    runtime: {
      node: process.versions.node,
      tool: version,
      execArgv: process.execArgv,
    },
  }),
  version,
  argv: process.argv.slice(2),
  env,
  cwd,
  terminal: createTerminal(process, process.argv, stop.signal),
  clock: systemClock,
  random: Math.random,
  stop: stop.signal,
  user: userInfo().username,
  logins,
  async readRunIds(config) {
    const { readLocalRuns } = await import("./local-runs.ts");
    return await readLocalRuns({ env, config, logins, clock: systemClock });
  },
});

function readVersion(found: unknown): string {
  const isVersioned = typeof found === "object" && found !== null && "version" in found;
  return isVersioned ? String(found.version) : "?";
}
