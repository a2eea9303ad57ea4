/** Runs the program: the only reader of the environment, the command line and the streams. */

import { EXIT } from "@catalog/console";
import { isDiskFull, type Localized } from "@catalog/i18n";
import { toVisibleText } from "@catalog/sheets/visible-text";
import envPaths from "env-paths";

import { findProgramName } from "./program-name.ts";
import { createProgressSender } from "./progress-sender.ts";
import { runCatalog } from "./run-catalog.ts";
import { takeEnvironment } from "./settings/environment.ts";
import { resolveLang } from "./settings/settings.ts";

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
  });
  // What was printed last may have been cut off meanwhile.
  process.exitCode ??= exit;
}

const CUT_OUTPUT: Localized = {
  tr: "Çıktının tamamı yazılamadı: diskte yer yok. Gönderilenlerin hepsi kayıtlı. Yer açıp komutu yeniden çalıştırın.",
  en: "Not all of the output could be written: the disk is full. All that was sent is written down. Make room and run the command again.",
};
