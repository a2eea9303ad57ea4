/** Processes of their own, for what only a process can show: dying, and being two. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { onTestFinished } from "vitest";

export interface Script {
  /** The next line that it writes; throws what it said when it ends without one. */
  nextLine(): Promise<string>;
  /** Lets it go on from where it waits. */
  go(): void;
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts a script of this folder; what the test leaves running is ended with it. */
export function startScript(name: string, ...args: readonly string[]): Script {
  return startCommand(process.execPath, [scriptPath(name), ...args]);
}

/** The path of a script of this folder. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(`${name}.ts`, import.meta.url));
}

/** Starts a program that writes lines. */
export function startCommand(command: string, args: readonly string[]): Script {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const complaint = text(child.stderr);
  // It may be gone before it is told to go on.
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return {
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
