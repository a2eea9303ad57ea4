/** What a storm does to workers, their database and their jobs. */

import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";

import type { PostgresServer } from "@catalog/database/testing";

import type { Random } from "../../simulation/world/random.ts";
import type { AddWatch } from "./add-watch.ts";
import type { JobTable } from "./job-table.ts";
import { killCommand, type Machine, type StartIn } from "./machine.ts";

export interface Storm {
  readonly random: Random;
  readonly start: StartIn;
  readonly watch: AddWatch;
  readonly jobs: JobTable;
  readonly server: PostgresServer;
  readonly machines: readonly [Machine, ...Machine[]];
  readonly countAdds: () => number;
  readonly isOver: () => boolean;
  /** Whether the job is to be gone for a while; where it is not, it is written again. */
  readonly absence: { isWanted: boolean };
  /** Number of killed workers. */
  readonly counts: { kills: number };
  /** Called with the exit code of a command that was started by hand. */
  readonly onByHand: (end: string) => void;
}

/** Faults beside the kills of workers. */
export type FaultName =
  | "command"
  | "server"
  | "connections"
  | "double"
  | "drop"
  | "far"
  | "suspend";

export const FAULTS: Readonly<Record<FaultName, (storm: Storm) => Promise<void>>> = {
  command: killOneCommand,
  server: killServer,
  connections: endConnections,
  double: startTwice,
  drop: dropJob,
  far: killFarMachine,
  suspend: suspendMachine,
};

export const STORM_FAULTS: readonly FaultName[] = [
  "command",
  "server",
  "connections",
  "double",
  "drop",
  "far",
  "suspend",
];

/** Kills of workers to one fault of the kind; each is played once at least. */
export const FAULT_EVERY: Readonly<Record<FaultName, number>> = {
  command: 20,
  server: 25,
  connections: 20,
  double: 25,
  drop: 40,
  far: 70,
  suspend: 95,
};

/** Kills a worker, mostly the one that has started the command of the run. */
export async function killWorker(storm: Storm): Promise<void> {
  const { random, machines, watch, counts } = storm;
  const busy = machines.find((machine) => machine.command() !== undefined);
  const victim = random.chance(BUSY_SHARE)
    ? (busy ?? random.pick(machines))
    : random.pick(machines);
  const what = random.chance(WITH_COMMAND_SHARE) ? "all" : "worker";
  if (victim === busy) watch.noteFault(`kill ${what}`);
  counts.kills += 1;
  await victim.kill(what);
}

const BUSY_SHARE = 0.6;
const WITH_COMMAND_SHARE = 0.75;

const LOOK_MS = 20;

/** Waits for the machine that works on the run; `undefined` where the run ends before. */
async function findBusy({ machines, isOver }: Storm): Promise<Machine | undefined> {
  while (!isOver()) {
    const busy = machines.find((machine) => machine.command() !== undefined);
    if (busy !== undefined) return busy;
    await wait(LOOK_MS);
  }
  return undefined;
}

/** The worker sees that its command has died, and starts it again. */
async function killOneCommand(storm: Storm): Promise<void> {
  const busy = await findBusy(storm);
  storm.watch.noteFault("command");
  killCommand(busy?.command());
}

async function killServer({ watch, server }: Storm): Promise<void> {
  watch.noteFault("server");
  await server.crash("SIGKILL");
}

async function endConnections({ watch, jobs }: Storm): Promise<void> {
  watch.noteFault("connections");
  await jobs.endConnections();
}

/** Two more commands for the same run begin beside the workers, when nobody has the store. */
async function startTwice(storm: Storm): Promise<void> {
  const busy = await findBusy(storm);
  storm.watch.noteFault("double");
  storm.counts.kills += 1;
  await busy?.kill("all");
  await sendByHand(storm, ["three", "four"]);
}

const BY_HAND_ADDS = 12;

/**
 * Sends some rows by commands that are then killed. Each may end before: where it is refused, as a
 * process that was killed has not quite gone, and where it has sent all that was left.
 */
async function sendByHand(
  { start, jobs, watch, onByHand }: Storm,
  homes: readonly string[],
): Promise<void> {
  const started = homes.map((home) => start(home, "resume", jobs.run, "--no-files", "--json"));
  const isGone = (): boolean => started.every(({ child }) => hasEnded(child));
  await watch.untilAdds(BY_HAND_ADDS, isGone);
  for (const { child } of started) child.kill("SIGKILL");
  for (const { finished } of started) {
    const { code, signal } = await finished;
    onByHand(String(code ?? signal));
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** A lost job: the run is sent by hand for a while, or waits, until it is queued again. */
async function dropJob(storm: Storm): Promise<void> {
  const { watch, jobs, absence, random, counts } = storm;
  const busy = await findBusy(storm);
  absence.isWanted = true;
  await jobs.remove();
  if (random.chance(0.5)) {
    watch.noteFault("drop");
    counts.kills += 1;
    await busy?.kill("all");
    await sendByHand(storm, ["three"]);
  }
  watch.noteFault("drop");
  await jobs.write();
  absence.isWanted = false;
}

/** A machine is gone, and nobody can see that its processes have ended. */
async function killFarMachine(storm: Storm): Promise<void> {
  const busy = await findBusy(storm);
  if (busy === undefined) return;
  await storm.jobs.moveAway(busy.pids());
  storm.watch.noteFault("far");
  storm.counts.kills += 1;
  await busy.kill("all");
  await storm.watch.untilAdds(1);
}

const ADDS_OF_NEXT = 10;

/** A machine sleeps until another has taken the run over, and wakes up in the middle of it. */
async function suspendMachine(storm: Storm): Promise<void> {
  const busy = await findBusy(storm);
  if (busy === undefined) return;
  storm.watch.noteFault("suspend");
  busy.signal("SIGSTOP");
  // Requests that were under way are added meanwhile.
  await wait(ON_THE_WIRE_MS);
  storm.watch.noteFault("suspend");
  await storm.watch.untilAdds(ADDS_OF_NEXT);
  busy.signal("SIGCONT");
  await storm.watch.untilAdds(ADDS_OF_NEXT);
}

const ON_THE_WIRE_MS = 500;
