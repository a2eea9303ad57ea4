/** Starts child processes, for tests of a dying process and of two processes. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setImmediate as afterEvents } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { onTestFinished } from "vitest";

export interface Script {
  /**
   * Resolves with the next line of output; rejects with all output when the process ends without
   * one.
   */
  nextLine(): Promise<string>;
  readonly pid: number;
  /** Suspends the process, as Ctrl-Z does. Resolves once it is. */
  suspend(): Promise<void>;
  /** Lets the script continue from `waitForGo`. */
  go(): void;
  /** Resolves when the process has ended by itself. */
  ended(): Promise<void>;
  /** Kills the process as a power cut would. */
  kill(): Promise<void>;
}

/** Starts a script of this folder; it is killed at the end of the test. */
export function startScript(name: string, ...args: readonly string[]): Script {
  return startCommand(process.execPath, [scriptPath(name), ...args]);
}

/** Returns the path of a script of this folder. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(`${name}.ts`, import.meta.url));
}

/** Starts a program that prints lines. */
export function startCommand(command: string, args: readonly string[]): Script {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const complaint = text(child.stderr);
  // The process may end before it reads the line.
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  const pid = child.pid ?? 0;
  return {
    pid,
    async suspend() {
      child.kill("SIGSTOP");
      while (!/\) T /u.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) await afterEvents();
    },
    async nextLine() {
      const line = await lines.next();
      if (line.done === true) throw new Error(`it ended: ${await complaint}`);
      return line.value;
    },
    go: () => {
      child.stdin.write("go\n");
    },
    async ended() {
      await exited;
    },
    kill,
  };
}
