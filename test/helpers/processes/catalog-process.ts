/** Runs the `catalog` program as a process of its own, as people and scripts do. */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { findCanaries } from "../canaries.ts";
import { assertHarmless } from "../control-characters.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../source-paths.ts";

const MAIN = toAbsolutePath(SOURCE_PATHS.catalogProgram);

/**
 * What Node has compiled, kept for every start of a test. The program keeps it in the home of the
 * person, which is empty in each test: every process would compile everything once more.
 */
const COMPILED = fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url));

/** For a process of the program, or one that stands for it. */
export const PROCESS_ENV: Readonly<Record<string, string | undefined>> = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: COMPILED,
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
  /** What is piped in. @default nothing */
  readonly input?: string;
  /** A program with its flags that starts it and watches. @default none */
  readonly under?: readonly string[];
}

/** The credentials of a sandbox are what this command is called for. */
const TELLS_CREDENTIALS = "sandbox";

/** Throws where the program printed a secret. */
export function assertSecretive(args: readonly string[], printed: string): void {
  const leaked = args[0] === TELLS_CREDENTIALS ? [] : findCanaries(printed);
  if (leaked.length === 0) return;
  throw new Error(`catalog ${args.join(" ")} printed ${leaked.join(", ")}: ${printed}`);
}

/** Starts the program, and fails where it prints a secret or a control character; its environment is only what is given, so that nothing leaks in. */
export function startCatalog(args: readonly string[], options: CatalogOptions): CatalogProcess {
  const words = [...(options.under ?? []), process.execPath, MAIN, ...args];
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
  // Most commands end without reading it.
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
