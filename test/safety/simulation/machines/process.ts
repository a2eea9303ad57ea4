/** `catalog resume` in a simulated world: takes the lease of the store and sends the run. */

import { DatabaseError } from "@catalog/connection";
import {
  createCodeRegistry,
  createNoteRepository,
  createPeriodRepository,
  createScheduleRepository,
} from "@catalog/database/testing";
import { runWork, type StartCommand, type WorkTools } from "@catalog/jobs";
import { CODE_KEYS } from "@catalog/mapping";

import { createFullJournal, STORE } from "../world/disk.ts";
import { createJournalPort } from "../world/journal-port.ts";
import { createMarketplacePort, ReadFailed, type WireWatch } from "../world/marketplace-port.ts";
import { runProgram } from "../world/program.ts";
import type { Sheet } from "../world/scenario.ts";
import { createSimProcess, type Death, type SimProcess, START_MS } from "../world/sim-process.ts";
import { type MachinePlan, MAX_REQUEST_MS } from "./plan.ts";
import type { MachinesWorld, Opened } from "./shared-database.ts";
import { openWire, type Wire } from "./wire.ts";
import { openQueue } from "./world-queue.ts";

/** How a command ended, as its process tells the worker. */
interface CommandEnd {
  readonly exit: number;
  /** Stable code of a failure. */
  readonly code?: string;
}

interface CommandStart {
  readonly machine: Machine;
  readonly sheet: Sheet;
  readonly stop: AbortSignal;
}

const EXITS = { done: 0, failed: 1, stopped: 6, busy: 75, killed: 137 } as const;

/** Share of the commands that die at one of their calls. */
const DEATH_SHARE = 0.3;

function drawDeath({ random, counts, calm }: MachinesWorld): Death | undefined {
  const own = random.fork(`death ${counts.starts}`);
  if (calm.isHere || !own.chance(DEATH_SHARE)) return undefined;
  return { at: 1 + own.below(own.pick([20, 60, 120])), when: own.pick(["before", "after"]) };
}

export async function runCommand(world: MachinesWorld, start: CommandStart): Promise<CommandEnd> {
  const { machine } = start;
  const death = drawDeath(world);
  let opened: MachineProcess;
  try {
    opened = await openProcess(world, { machine, kind: "command", death });
  } catch (error) {
    return toEnd(world, start, error);
  }
  const sending = send(world, start, opened).then(
    (end): CommandEnd => ({ exit: end === "finished" ? EXITS.done : EXITS.stopped }),
    (error: unknown) => toEnd(world, start, error),
  );
  const killed = opened.died.then((): CommandEnd => ({ exit: EXITS.killed }));
  const end = await Promise.race([killed, sending]);
  machine.processes.delete(opened);
  closeLater(world, opened);
  world.onEvent?.(`${opened.process.name} ends: ${JSON.stringify(end)}`);
  return end;
}

function toEnd({ oracle }: MachinesWorld, { stop }: CommandStart, error: unknown): CommandEnd {
  if (error instanceof ReadFailed || error === stop.reason) return { exit: EXITS.stopped };
  if (error instanceof DatabaseError) {
    const { code } = error;
    return code === "E_STORE_BUSY" ? { exit: EXITS.busy } : { exit: EXITS.failed, code };
  }
  oracle.break("bug", String(error));
  return { exit: EXITS.failed };
}

async function send(
  world: MachinesWorld,
  { machine, sheet, stop }: CommandStart,
  opened: MachineProcess,
): ReturnType<typeof runProgram> {
  const { timeline, market, oracle, plan, weather, onEvent } = world;
  const { scenario } = plan;
  const { process, database, leases, clock } = opened;
  const random = world.random.fork(`${process.name} wire`);
  const holder = { command: "catalog resume", pid: globalThis.process.pid, sinceMs: clock.now() };
  const take = (): ReturnType<typeof leases.take> => leases.take("store", holder);
  await using lease = await process.yield(take, { what: "takes the store" });
  onEvent?.(`${process.name} has the store, ${lease.epoch}`);
  const common = { database, clock, store: STORE };
  return await runProgram({
    ...scenario,
    sheet,
    process,
    stop,
    codes: createCodeRegistry({ ...common, leases, suspectKey: CODE_KEYS.lookAlike }),
    journal: createJournalPort({
      journal: createFullJournal({ ...common, leases }),
      process,
      isTraced: onEvent !== undefined,
      onOutcome: oracle.recorded,
      onHeld: oracle.held,
      onDecide: (...decided) => oracle.decided(process, ...decided),
      onCall: () => undefined,
    }),
    marketplace: createMarketplacePort({
      process,
      runId: sheet.runId,
      line: LINE,
      pages: scenario.pages,
      market,
      timeline,
      weather,
      watch: createWatch(world, machine),
      random,
      ready: () => lease.ready(),
      serverNowMs: () =>
        scenario.serverClock.isTold
          ? START_MS + timeline.nowMs + scenario.serverClock.aheadMs
          : undefined,
    }),
    onRecheck: (what) => oracle.rechecked(process, what, 0),
  });
}

/** All machines send for one home: the shared database. */
export const LINE = "home 0, state 0";

/** A request is off the wire after its time limit, also where its sender sleeps and has not seen it. */
function createWatch({ oracle, timeline, strike }: MachinesWorld, machine: Machine): WireWatch {
  return {
    left(write) {
      const told = oracle.left(write);
      strike(machine);
      let isOver = false;
      const end = (): void => {
        if (!isOver) told();
        isOver = true;
      };
      timeline.add(MAX_REQUEST_MS, undefined, end);
      return end;
    },
    arrived: (write) => oracle.arrived(write),
  };
}

/* `catalog worker` in a simulated world: the real loop over jobs, with real leases, on the queue of the world. */

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
      periods: createPeriodRepository({ database, clock: serverClock, store: STORE }),
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
      kill: () => stop.abort(new Error("killed")),
    };
  };
}

function sheetOf({ plan }: Pick<MachinesWorld, "plan">, runId: string): Sheet {
  const sheet = plan.scenario.sheets.find((each) => each.runId === runId);
  if (sheet === undefined) throw new Error(`there is no sheet of ${runId}`);
  return sheet;
}

/* A process of a simulated machine, with a connection of its own to the shared database. */

/** A machine of a world, whose worker is started again whenever it ends. */
export interface Machine extends MachinePlan {
  readonly number: number;
  readonly processes: Set<MachineProcess>;
  /** Until when no server can be reached. */
  offlineUntilMs: number;
  /** Until when it is suspended. */
  suspendedUntilMs: number;
  /** How long it has been suspended so far. */
  suspendedMs: number;
  /** Asks its workers to stop. */
  readonly stop: AbortController;
}

export interface MachineProcess extends Opened {
  readonly kind: "worker" | "command";
  readonly process: SimProcess;
  readonly wire: Wire;
  readonly died: Promise<void>;
}

interface OpenProcessOptions {
  readonly machine: Machine;
  readonly kind: MachineProcess["kind"];
  readonly death?: Death | undefined;
}

/** Rejects with `DatabaseError` where the server cannot be reached. */
async function openProcess(
  world: MachinesWorld,
  { machine, kind, death }: OpenProcessOptions,
): Promise<MachineProcess> {
  const { timeline, counts, shared, plan, onEvent } = world;
  counts.starts += 1;
  const name = `${kind} ${counts.starts} of ${machine.number}`;
  const random = world.random.fork(name);
  const { promise: died, resolve: onDeath } = Promise.withResolvers<void>();
  const process = createSimProcess({
    name,
    timeline,
    random,
    skewMs: () => machine.skewMs + world.skewMs(),
    death,
    onTrace: onEvent,
    onDeath: () => {
      counts.deaths += 1;
      onEvent?.(`${name} dies`);
      onDeath();
    },
  });
  process.suspend(machine.suspendedUntilMs);
  // Each part counts as work by itself, as what waits for the server lets the world go on.
  const wire = await shared.activity.run(() =>
    openWire({
      url: shared.url,
      random: random.fork("wire"),
      cutShare: () => (world.calm.isHere ? 0 : plan.cutShare),
      isOffline: () => timeline.nowMs < machine.offlineUntilMs,
      onCut: (where) => {
        counts.cuts += 1;
        onEvent?.(`${name} loses its connection ${where}`);
      },
    }),
  );
  world.wires.add(wire);
  const monotonicMs = (): number =>
    timeline.nowMs - (machine.countsSuspension ? 0 : machine.suspendedMs);
  const opened = await shared.open({ url: wire.url, clock: process.clock, monotonicMs });
  const self = { ...opened, kind, process, wire, died };
  machine.processes.add(self);
  return self;
}

/** Closes the connections of a process that has ended, once what it had begun is over. */
function closeLater(
  { timeline, shared, wires }: MachinesWorld,
  { wire, database }: Pick<MachineProcess, "wire" | "database">,
): void {
  const close = async (): Promise<void> => {
    wires.delete(wire);
    await wire.close();
    await database.close();
  };
  timeline.add(0, undefined, () => void shared.activity.run(close));
}

/** Makes every call of the methods a yield of the process. */
function throughYields<Ports extends object>(process: SimProcess, ports: Ports): Ports {
  return new Proxy(ports, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown =>
        process.yield((): unknown => Reflect.apply(member, undefined, args), {
          what: String(name),
        });
    },
  });
}
