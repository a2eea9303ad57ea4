/** Runs the program: the only reader of the environment, the command line and the streams. */

import { EXIT } from "@catalog/console";
import { isDiskFull, type Localized } from "@catalog/i18n";
import { toVisibleText } from "@catalog/sheets/visible-text";
import envPaths from "env-paths";

import type { CommandContext } from "./context.ts";
import { findProgramName } from "./installation.ts";
import { runCatalog } from "./run-catalog.ts";
import { type Environment, resolveLang } from "./settings/settings.ts";

/** Runs the command line of this process. `entry` is the file that starts the program. */
export async function start(entry: string): Promise<void> {
  const env = takeEnvironment(process.env);
  const stop = new AbortController();

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => stop.abort(new Error("interrupted")));
  }

  // A second Ctrl-C ends the program at once; calls under way were stored before they were sent. The
  // other signals may come twice without anybody's wish: from a supervisor and from the process that
  // started this one, or from the shell and the terminal that it has lost.
  process.once("SIGINT", () => {
    process.once("SIGINT", () => process.exit(EXIT.interrupted));
  });

  // Node would print the message of such an error with its control characters.
  process.on("uncaughtException", (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${toVisibleText(text)}\n`);
    process.exit(EXIT.bug);
  });

  // A reader may close the stream early (`| head`), a terminal may be closed, and a file may be on a
  // full disk. None of them must stop sending, or keep the program from ending what is under way.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || error.code === "EIO") return;
      if (!isDiskFull(error)) throw error;
      if (stream === process.stderr) return;
      process.exitCode = EXIT.stopped;
      process.stderr.write(`${CUT_OUTPUT[resolveLang(process.argv, env)]}\n`);
    });
  }

  const place = {
    path: env["PATH"],
    node: process.execPath,
    entry,
    platform: process.platform,
  };

  const exit = await runCatalog({
    program: findProgramName({ ...place, cwd: process.cwd() }),
    programAnywhere: findProgramName(place),
    argv: process.argv.slice(2),
    entry,
    cwd: process.cwd(),
    env,
    execArgv: process.execArgv,
    loginFolder: envPaths("catalog-toolkit", { suffix: "" }).config,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    stop: stop.signal,
    onProgress: createProgressSender(process),
    hasParent: () => process.send === undefined || process.connected,
  });
  // What was printed last may have been cut off meanwhile.
  process.exitCode ??= exit;
}

const CUT_OUTPUT: Localized = {
  tr: "Çıktının tamamı yazılamadı: diskte yer yok. Gönderilenlerin hepsi kayıtlı. Yer açıp komutu yeniden çalıştırın.",
  en: "Not all of the output could be written: the disk is full. All that was sent is written down. Make room and run the command again.",
};

/** Prefix of this program's variables, in any case, since Windows ignores case. */
const OURS = /^CATALOG_/iu;

/**
 * Returns a copy of all variables. This program's variables are deleted from `variables`, so that a
 * process started later does not inherit them. On Linux, another process of the same user can still
 * read the initial environment in `/proc`.
 */
export function takeEnvironment(variables: Record<string, string | undefined>): Environment {
  const taken: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(variables)) {
    const isOurs = OURS.test(name);
    taken[isOurs ? name.toUpperCase() : name] = value;
    if (isOurs) delete variables[name];
  }
  return taken;
}

/** The channel to the parent process; Node has none where the parent asked for none. */
export type ParentChannel = Pick<NodeJS.Process, "connected" | "send">;

/**
 * Creates the function that takes progress; `undefined` where no program listens. A parent that
 * has ended is no error, as the command must continue.
 */
export function createProgressSender(channel: ParentChannel): CommandContext["onProgress"] {
  if (channel.send === undefined) return undefined;
  return (progress) => {
    if (channel.connected) channel.send?.(progress, undefined, {}, ignoreLoss);
  };
}

/** Without a function for it, a lost channel would be an uncaught error. */
const ignoreLoss = (): void => undefined;
