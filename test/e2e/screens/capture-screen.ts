/** Runs command lines as in a terminal of some width, and keeps what a person sees. */

import { join } from "node:path";
import { Readable, Writable } from "node:stream";

import { runCatalog } from "@catalog/cli";

import { assertHarmless } from "../../helpers/control-characters.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

export interface ScreenOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns: number;
  readonly lang: "tr" | "en";
}

/** One command line, as it was typed and answered. */
export interface Screen {
  /** Output and messages in the order in which they were written. */
  readonly text: string;
  readonly code: number;
}

/**
 * Runs one command line. Lines are not redrawn, so that the progress leaves one line for each
 * step.
 */
export async function captureScreen(
  args: readonly string[],
  { env, cwd, columns, lang }: ScreenOptions,
): Promise<Screen> {
  let text = "";
  const stop = new AbortController();
  const createScreen = (): Writable & { isTTY: boolean; columns: number } =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          text += chunk.toString();
          // It would run until a person ends it.
          if (args[0] === "sandbox") stop.abort();
          done();
        },
      }),
      { isTTY: true, columns },
    );
  const code = await runCatalog({
    argv: args,
    entry: toAbsolutePath(SOURCE_PATHS.cliMain),
    cwd,
    program: "npx catalog-toolkit",
    env: { HOME: cwd, TERM: "dumb", CATALOG_LANG: lang, ...env },
    execArgv: [],
    loginFolder: join(cwd, ".config", "catalog-toolkit"),
    stdin: Readable.from([]),
    stdout: createScreen(),
    stderr: createScreen(),
    stop: stop.signal,
  });
  assertHarmless(args, { out: text, err: "" });
  return { text, code };
}
