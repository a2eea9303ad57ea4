/** Runs the `catalog` program on a pseudo-terminal, which `script` of util-linux provides. */

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { findUnexpectedControlCharacters } from "../control-characters.ts";
import type { TestStore } from "../markets/test-store.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../source-paths.ts";
import { assertSecretive, PROCESS_ENV } from "./catalog-process.ts";

const MAIN = toAbsolutePath(SOURCE_PATHS.catalogProgram);

/** A program whose standard streams are a terminal. */
export interface TerminalProcess {
  /** Types keys, which the terminal buffers until the program reads them. */
  type(keys: string): void;
  /** Resolves once the text is on the screen; rejects when the program ends before. */
  shows(text: string): Promise<void>;
  readonly finished: Promise<{ readonly code: number | null; readonly screen: string }>;
}

/** Whether this machine has `script`, which is one of Debian's essential packages. */
export const hasTerminal: boolean = (process.env["PATH"] ?? "")
  .split(delimiter)
  .some((folder) => canRun(join(folder, "script")));

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Starts a command line on a terminal; the process ends with the test. */
export function startOnTerminal(
  { env, folder }: Pick<TestStore, "env" | "folder">,
  ...args: readonly string[]
): TerminalProcess {
  const program = [process.execPath, MAIN, ...args].map(quote).join(" ");
  // Without a terminal of its own to copy, `script` makes one with a width of 0.
  const command = `stty columns 100 rows 40 && exec ${program}`;
  const child = spawn("script", ["-qfec", command, "/dev/null"], {
    cwd: folder,
    env: { ...PROCESS_ENV, HOME: folder, SHELL: "/bin/sh", TERM: "xterm", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { promise: finished, resolve, reject } = Promise.withResolvers<Ended>();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  let screen = "";
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    for (const [wanted, { resolve: see }] of waiting) if (screen.includes(wanted)) see();
  });
  child.on("error", reject);
  child.on("close", (code) => {
    for (const [text, { reject: miss }] of waiting) {
      miss(new Error(`"${text}" was never shown:\n${screen}`));
    }
    try {
      assertSecretive(args, screen);
      expect(findUnexpectedControlCharacters(screen)).toEqual([]);
      resolve({ code, screen });
    } catch (error) {
      reject(error);
    }
  });
  return {
    type: (keys) => void child.stdin.write(keys),
    shows(text) {
      if (screen.includes(text)) return Promise.resolve();
      const waiter = waiting.get(text) ?? Promise.withResolvers<void>();
      waiting.set(text, waiter);
      return waiter.promise;
    },
    finished,
  };
}

type Ended = Awaited<TerminalProcess["finished"]>;
