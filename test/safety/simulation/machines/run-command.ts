/** `catalog resume` in a simulated world: takes the lease of the store and sends the run. */

import { DatabaseError } from "@catalog/connection";
import { createCodeRegistry } from "@catalog/database/testing";
import { CODE_KEYS } from "@catalog/mapping";

import { createFullJournal, STORE } from "../world/disk.ts";
import { createJournalPort } from "../world/journal-port.ts";
import { createMarketplacePort, ReadFailed, type WireWatch } from "../world/marketplace-port.ts";
import { runProgram } from "../world/program.ts";
import type { Sheet } from "../world/scenario.ts";
import { type Death, START_MS } from "../world/sim-process.ts";
import { MAX_REQUEST_MS } from "./plan.ts";
import { closeLater, type Machine, type MachineProcess, openProcess } from "./process.ts";
import type { MachinesWorld } from "./world-parts.ts";

/** How a command ended, as its process tells the worker. */
export interface CommandEnd {
  readonly exit: number;
  /** Stable code of a failure. */
  readonly code?: string;
}

export interface CommandStart {
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
