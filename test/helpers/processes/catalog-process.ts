/** Runs the `catalog` program as a process of its own, as people and scripts do. */

import { type ChildProcess, spawn } from "node:child_process";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

import { findCanaries } from "../canaries.ts";
import { assertHarmless } from "../control-characters.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../source-paths.ts";

const MAIN = toAbsolutePath(SOURCE_PATHS.catalogProgram);

/**
 * The program's own compile cache, shared by all processes of the tests, as each test has an empty
 * home. `NODE_COMPILE_CACHE` would be read before the program sets flags of V8, which compiled code
 * depends on, so that commands of other flags would replace each other's.
 */
const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url));

/** Hints of the program name it as `catalog` where the shell finds it. */
const INSTALLED = fileURLToPath(new URL("installed", import.meta.url));

/** Environment of a process of the program. */
export const PROCESS_ENV: Readonly<Record<string, string>> = {
  PATH: `${INSTALLED}${delimiter}${process.env["PATH"] ?? ""}`,
  XDG_CACHE_HOME: CACHE,
};

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface CatalogProcess {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

export interface CatalogOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Piped standard input. @default empty */
  readonly input?: string;
  /** A program with its flags that starts and observes it. @default none */
  readonly under?: readonly string[];
  /** The file to start, such as a build that is broken on purpose. @default the program */
  readonly program?: string;
}

/** The command whose output is meant to hold credentials. */
const TELLS_CREDENTIALS = "sandbox";

/** Throws where the program printed a secret. */
export function assertSecretive(args: readonly string[], printed: string): void {
  const leaked = args[0] === TELLS_CREDENTIALS ? [] : findCanaries(printed);
  if (leaked.length === 0) return;
  throw new Error(`catalog ${args.join(" ")} printed ${leaked.join(", ")}: ${printed}`);
}

/**
 * Starts the program with exactly the given environment, and fails where it prints a secret or a
 * control character.
 */
export function startCatalog(args: readonly string[], options: CatalogOptions): CatalogProcess {
  const words = [...(options.under ?? []), process.execPath, options.program ?? MAIN, ...args];
  const child = spawn(words[0] ?? "", words.slice(1), {
    cwd: options.cwd,
    env: { ...PROCESS_ENV, HOME: options.cwd, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Finished>();
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  // Most commands end without reading their input.
  child.stdin.on("error", () => undefined).end(options.input);
  child.on("error", reject);
  child.on("close", (code, signal) => {
    try {
      assertSecretive(args, out + err);
      assertHarmless(args, { out, err });
      resolve({ code, signal, out, err });
    } catch (error) {
      reject(error);
    }
  });
  return { child, finished: promise };
}

/** Runs the program to its end. */
export function runCatalog(args: readonly string[], options: CatalogOptions): Promise<Finished> {
  return startCatalog(args, options).finished;
}
