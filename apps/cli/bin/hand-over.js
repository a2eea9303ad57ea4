/** Lets another program do the work of this one: same streams, same signals, same end. Node >= 20. */

import { spawn } from "node:child_process";

const isWindows = process.platform === "win32";

/**
 * Signals that end a command, each with the one that it is sent then. A terminal sends Ctrl-C to the
 * command as well, and a second one would end it at once.
 */
const FORWARDED = { SIGHUP: "SIGHUP", SIGINT: "SIGTERM", SIGTERM: "SIGTERM" };
const PARENT_CHECK_MS = 250;

/** Runs a program, which may go on for months, in the place of this one, and ends as it ends. */
export function handOver(program, args, options) {
  // Windows has no signals, and sends Ctrl-C to the command as well.
  const end = (signal) => isWindows || child.kill(signal);
  // From before the program starts: it may be running before its start has returned here.
  for (const [signal, sent] of Object.entries(FORWARDED)) process.on(signal, () => end(sent));
  const child = spawn(program, args, { stdio: "inherit", ...options });

  // A signal to npx ends npx and the shell between, and does not come this far.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_command === undefined || process.ppid === parent) return;
    clearInterval(watch);
    end("SIGTERM");
  }, PARENT_CHECK_MS);

  child.on("error", (error) => {
    console.error(`${program} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    clearInterval(watch);
    process.exitCode = code ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
