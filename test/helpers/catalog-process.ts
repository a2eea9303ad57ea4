/** Runs the `catalog` program as a process of its own, as people and scripts do. */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { findCanaries } from "./canaries.ts";

const MAIN = fileURLToPath(new URL("../../apps/cli/bin/catalog.js", import.meta.url));

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
}

/** The credentials of a sandbox are what this command is called for. */
const TELLS_CREDENTIALS = "sandbox";

/** Starts the program, and fails where it prints a secret; its environment is only what is given, so that nothing leaks in. */
export function startCatalog(args: readonly string[], options: CatalogOptions): CatalogProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], HOME: options.cwd, ...options.env },
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
    const leaked = args[0] === TELLS_CREDENTIALS ? [] : findCanaries(out + err);
    if (leaked.length === 0) resolve({ code, signal, out, err });
    else reject(new Error(`catalog ${args.join(" ")} printed ${leaked.join(", ")}: ${out}${err}`));
  });
  return { child, finished: promise };
}

/** Runs the program to its end. */
export function runCatalog(args: readonly string[], options: CatalogOptions): Promise<Finished> {
  return startCatalog(args, options).finished;
}
