/** A machine of the storm: a worker in a home, which is started again whenever it ends. */

import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import type { CatalogProcess } from "../../../helpers/processes/catalog-process.ts";

/** Starts the program in a home. */
export type StartIn = (home: string, ...args: readonly string[]) => CatalogProcess;

export interface MachineOptions {
  readonly home: string;
  readonly start: StartIn;
  /** Called when the worker has started the command of the run. */
  readonly onStarted: () => void;
  /** Called with what a worker told that ended by itself. */
  readonly onEnded: (end: string) => void;
}

export interface Machine {
  readonly home: string;
  /** The processes of the worker and of its command. */
  readonly pids: () => readonly number[];
  /** The command of the worker, or the one that an earlier worker has left; `undefined` for none. */
  readonly command: () => number | undefined;
  /** Kills the worker, and its command as well unless it is to go on; another one starts. */
  kill(what: "all" | "worker"): Promise<void>;
  /** Sends a signal to the worker and to its command. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Kills everything that was ever started here, and starts no more. */
  close(): Promise<void>;
}

interface Worker {
  readonly process: CatalogProcess;
  command: number | undefined;
}

/** A supervisor of services waits so long before it starts one again, in milliseconds. */
const RESTART_MS = 1_000;

export function openMachine(options: MachineOptions): Machine {
  const commands = new Set<number>();
  const ended = new WeakSet<Worker>();
  let isClosed = false;
  let left: number | undefined;
  let worker = start();

  function start(): Worker {
    const process = options.start(options.home, "worker", "--kinds", "apply", "--json");
    const started: Worker = { process, command: undefined };
    readEvents(started, (pid) => {
      started.command = pid;
      if (pid === undefined) return;
      commands.add(pid);
      options.onStarted();
    });
    void startAgain(started);
    return started;
  }
  async function startAgain(before: Worker): Promise<void> {
    const { code, err } = await before.process.finished;
    if (isClosed || ended.has(before)) return;
    options.onEnded(`${code}: ${err.trim().split("\n").at(-1)?.slice(0, 100)}`);
    await wait(RESTART_MS);
    if (!isClosed && !ended.has(before)) worker = start();
  }
  const command = (): number | undefined => [worker.command, left].find(isCommand);
  const pids = (): readonly number[] =>
    [worker.process.child.pid, command()].filter((pid) => pid !== undefined);
  return {
    home: options.home,
    pids,
    command,
    async kill(what) {
      const victim = worker;
      ended.add(victim);
      left = command();
      victim.process.child.kill("SIGKILL");
      if (what === "all") killCommand(left);
      await victim.process.finished;
      worker = start();
    },
    signal(name) {
      for (const pid of pids()) process.kill(pid, name);
    },
    async close() {
      isClosed = true;
      worker.process.child.kill("SIGKILL");
      await worker.process.finished;
      for (const pid of commands) killCommand(pid);
    },
  };
}

function readEvents(
  { process: { child } }: Worker,
  onEvent: (pid: number | undefined) => void,
): void {
  let text = "";
  child.stdout?.on("data", (chunk) => {
    const lines = (text + String(chunk)).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const { event, pid }: { readonly event: string; readonly pid?: number } = JSON.parse(line);
      onEvent(event === "started" ? pid : undefined);
    }
  });
}

/** Whether the process is a command; its number may belong to another program by now. */
function isCommand(pid: number | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("resume");
  } catch {
    // It has ended.
    return false;
  }
}

export function killCommand(pid: number | undefined): void {
  if (pid !== undefined && isCommand(pid)) process.kill(pid, "SIGKILL");
}
