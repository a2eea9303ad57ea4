/** `catalog worker` in a simulated world: the real loop over jobs, with real leases, on the queue of the world. */

import { DatabaseError } from "@catalog/connection";
import { createNoteRepository, createScheduleRepository } from "@catalog/database/testing";
import { runWork, type StartCommand, type WorkTools } from "@catalog/jobs";

import { STORE } from "../world/disk.ts";
import type { Sheet } from "../world/scenario.ts";
import {
  closeLater,
  type Machine,
  type MachineProcess,
  openProcess,
  throughYields,
} from "./process.ts";
import { runCommand } from "./run-command.ts";
import type { MachinesWorld } from "./world-parts.ts";
import { openQueue } from "./world-queue.ts";

/** A supervisor of services waits so long before it starts a worker again. */
const RESTART_MS = 10_000;

/** Keeps a worker running on the machine until the world ends. */
export async function keepWorker(world: MachinesWorld, machine: Machine): Promise<void> {
  const { timeline, oracle, end } = world;
  try {
    await runWorker(world, machine);
  } catch (error) {
    if (!(error instanceof DatabaseError)) oracle.break("bug", String(error));
    world.onEvent?.(`a worker of ${machine.number} fails: ${String(error)}`);
  }
  if (!end.isHere) timeline.add(RESTART_MS, undefined, () => void keepWorker(world, machine));
}

async function runWorker(world: MachinesWorld, machine: Machine): Promise<void> {
  const opened = await openProcess(world, { machine, kind: "worker" });
  try {
    await Promise.race([opened.died, work(world, machine, opened)]);
  } finally {
    machine.processes.delete(opened);
    closeLater(world, opened);
  }
}

async function work(
  world: MachinesWorld,
  machine: Machine,
  { process, database, leases, clock, serverClock }: MachineProcess,
): Promise<void> {
  const queue = openQueue(world, { machine, process, leases });
  const own = {
    now: () => clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => process.clock.sleep(ms, signal),
  };
  const tools: WorkTools = {
    ...STORE,
    clock: own,
    memory: {
      jobs: { ...throughYields(process, queue), nowMs: () => queue.nowMs() },
      notes: createNoteRepository(database, serverClock),
      schedules: createScheduleRepository({ database, clock: serverClock, store: STORE }),
    },
    locks: {
      schedules: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
      schedulesHolder: async () => undefined,
    },
  };
  const open = async (): Promise<WorkTools & AsyncDisposable> => ({
    ...tools,
    [Symbol.asyncDispose]: async () => undefined,
  });
  const store = { ...STORE, startCommand: createStart(world, machine, process), open };
  await runWork(tools, [store], {
    command: "catalog worker",
    clock: own,
    kinds: new Set(["apply"]),
    lang: "tr",
    stop: machine.stop.signal,
    stopsCommands: true,
    maxCommands: 4,
  });
}

function createStart(
  world: MachinesWorld,
  machine: Machine,
  worker: MachineProcess["process"],
): StartCommand {
  return (words) => {
    const runId = words.at(-1) ?? "";
    const stop = new AbortController();
    const { promise, resolve } =
      Promise.withResolvers<Awaited<ReturnType<StartCommand>["ended"]>>();
    const sheet = sheetOf(world, runId);
    const run = async (): Promise<void> => {
      const { exit, code } = await runCommand(world, { machine, sheet, stop: stop.signal });
      const document = code === undefined ? {} : { error: { code, message: code } };
      // A worker that sleeps learns of it when it wakes up.
      world.timeline.add(0, worker, () => resolve({ exit, document, errors: "" }));
    };
    void run();
    return {
      pid: undefined,
      ended: promise,
      onProgress: () => undefined,
      stop: () => stop.abort(new Error("interrupted")),
    };
  };
}

export function sheetOf({ plan }: Pick<MachinesWorld, "plan">, runId: string): Sheet {
  const sheet = plan.scenario.sheets.find((each) => each.runId === runId);
  if (sheet === undefined) throw new Error(`there is no sheet of ${runId}`);
  return sheet;
}
