/** `catalog worker` in a simulated world: the real loop over jobs, with real leases. */

import { createJobRepository, createNoteRepository, DatabaseError } from "@catalog/database";
import { createWorkSlots, type JobTools, runStoreJobs, type StartCommand } from "@catalog/jobs";

import { STORE } from "../world/database-disk.ts";
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
  const jobs = createJobRepository({ database, clock: serverClock, store: STORE });
  const holder = { command: "catalog worker", pid: globalThis.process.pid, sinceMs: clock.now() };
  const locks: JobTools["locks"] = {
    storeHolder: () => leases.readHolder("store"),
    async job({ kind, key }) {
      const lease = await leases.take(`job ${kind} ${key}`, holder);
      return { ...lease, isHeld: () => lease.mayStillSend() };
    },
  };
  const tools: JobTools = {
    clock: { now: () => clock.now(), sleep: (ms, signal) => process.clock.sleep(ms, signal) },
    memory: {
      jobs: { ...throughYields(process, jobs), nowMs: () => jobs.nowMs() },
      notes: createNoteRepository(database, serverClock),
    },
    locks: throughYields(process, locks),
  };
  await runStoreJobs(tools, {
    lang: "tr",
    stop: machine.stop.signal,
    slots: createWorkSlots(4),
    startCommand: createStart(world, machine, process),
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
