/**
 * Runs the `catalog` program inside the test's process: the same commands, files, database and
 * calls as in a process of its own, without the second that Node takes to load it.
 */

import { join } from "node:path";
import { Readable, Writable } from "node:stream";

import { runCatalog } from "@catalog/cli";

import { assertHarmless } from "./control-characters.ts";
import {
  assertSecretive,
  type CatalogOptions,
  type Finished,
} from "./processes/catalog-process.ts";
import { SOURCE_PATHS, toAbsolutePath } from "./source-paths.ts";

/** A stream that stores what is written to it. */
function createSink(onText?: (text: string) => void): {
  readonly stream: Writable;
  readonly read: () => string;
} {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      onText?.(chunk.toString());
      done();
    },
  });
  return { stream, read: () => Buffer.concat(chunks).toString() };
}

interface CallOptions extends CatalogOptions {
  /** Aborts as Ctrl-C does. @default never */
  readonly stop?: AbortSignal;
  /** Takes what is printed, as it is printed. */
  readonly onText?: (text: string) => void;
}

/** Runs one command line to its end, and fails where it prints a secret or a control character. */
export async function callCatalog(
  args: readonly string[],
  { env, cwd, input = "", stop = new AbortController().signal, onText }: CallOptions,
): Promise<Finished> {
  const out = createSink(onText);
  const err = createSink();
  const code = await runCatalog({
    argv: args,
    entry: toAbsolutePath(SOURCE_PATHS.catalogProgram),
    cwd,
    env: { HOME: cwd, ...env },
    execArgv: [],
    loginFolder: join(cwd, ".config", "catalog-toolkit"),
    stdin: Readable.from([input]),
    stdout: out.stream,
    stderr: err.stream,
    stop,
  });
  const finished = { code, signal: null, out: out.read(), err: err.read() };
  assertSecretive(args, finished.out + finished.err);
  assertHarmless(args, finished);
  return finished;
}

/** A document as it was printed; the test says what it expects of it. */
export type Json = ReturnType<typeof JSON.parse>;

/**
 * The document of a command, with its exit code as `exit`, and what it said beside it as `err`. That
 * of `runs` has the exit code with which the run has ended.
 */
export function readDocument({ code, out, err }: Finished): Json {
  if (out === "") throw new Error(err);
  const document: Json = JSON.parse(out);
  const { command, exit = code } = document;
  if (exit !== code && command !== "runs") throw new Error(`exit ${exit} is not ${code}`);
  // Two documents are equal whatever was said beside them.
  return Object.defineProperty({ ...document, exit }, "err", { value: err });
}
