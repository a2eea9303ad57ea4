/** What happens to machines, to their way to the database, and to jobs. */

import type { Random } from "../world/random.ts";
import { type Mishap, STRIKES } from "./plan.ts";
import { type Machine, type MachineProcess, runCommand } from "./process.ts";
import type { MachinesWorld } from "./shared-database.ts";
import { openQueue } from "./world-queue.ts";

export const toJob = (runId: string): { readonly kind: "apply"; readonly key: string } => ({
  kind: "apply",
  key: runId,
});

export function scheduleMishaps(world: MachinesWorld): void {
  for (const mishap of world.plan.mishaps) {
    world.timeline.add(mishap.atMs, undefined, () => void happen(world, mishap));
  }
}

/** Something happens to the machine within this time after its request has left. */
const STRIKE_WITHIN_MS = 100;

/** Longest sleep: some are longer than a lease. */
const MAX_STRIKE_MS = 3 * 60_000;

/** Creates the function that lets something happen while a request is under way. */
export function createStrike(
  random: Random,
  strikeShare: number,
): (world: MachinesWorld, machine: Machine) => void {
  return (world, { number }) => {
    if (!random.chance(strikeShare)) return;
    const mishap = { atMs: 0, kind: random.pick(STRIKES), machine: number };
    const lengthMs = random.below(MAX_STRIKE_MS);
    const delayMs = random.below(STRIKE_WITHIN_MS);
    world.timeline.add(delayMs, undefined, () => void happen(world, { ...mishap, lengthMs }));
  };
}

/** What each mishap does to the machine, until it ends by itself. */
const MISHAPS: Readonly<
  Record<
    Mishap["kind"],
    (world: MachinesWorld, machine: Machine, mishap: Mishap) => Promise<void> | void
  >
> = {
  suspended: (world, machine, { lengthMs }) =>
    suspend(world, machine, world.timeline.nowMs + lengthMs),
  offline: ({ timeline }, machine, { lengthMs }) => cutOff([machine], timeline.nowMs + lengthMs),
  "server offline": ({ machines, timeline }, _machine, { lengthMs }) =>
    cutOff(machines, timeline.nowMs + lengthMs),
  "powered off": (_world, machine) => kill(machine, ["worker", "command"]),
  "worker killed": (_world, machine) => kill(machine, ["worker"]),
  "command killed": (_world, machine) => kill(machine, ["command"]),
  "job dropped": changeJob,
  "job written again": changeJob,
  "sent by hand": changeJob,
};

async function happen(world: MachinesWorld, mishap: Mishap): Promise<void> {
  const machine = world.machines[mishap.machine];
  if (machine === undefined || world.calm.isHere || world.end.isHere) return;
  world.onEvent?.(`machine ${machine.number}: ${mishap.kind} for ${mishap.lengthMs}`);
  await MISHAPS[mishap.kind](world, machine, mishap);
}

/** The way of a job: it is lost, written again, or its run is sent beside the workers. */
async function changeJob(world: MachinesWorld, machine: Machine, { kind }: Mishap): Promise<void> {
  const jobs = openQueue(world);
  const random = world.random.fork(`${kind} ${world.timeline.nowMs}`);
  const [first, ...others] = world.plan.scenario.sheets;
  if (first === undefined) return;
  const sheet = random.pick([first, ...others]);
  if (kind === "job dropped") await jobs.remove(toJob(sheet.runId));
  if (kind === "job written again") await jobs.add({ ...toJob(sheet.runId), spec: {} });
  if (kind === "sent by hand") {
    await runCommand(world, { machine, sheet, stop: new AbortController().signal });
  }
}

function suspend({ timeline }: MachinesWorld, machine: Machine, untilMs: number): void {
  const fromMs = Math.max(timeline.nowMs, machine.suspendedUntilMs);
  if (untilMs <= fromMs) return;
  machine.suspendedUntilMs = untilMs;
  for (const { process } of machine.processes) process.suspend(untilMs);
  timeline.add(untilMs - timeline.nowMs, undefined, () => {
    machine.suspendedMs += untilMs - fromMs;
  });
}

/** Time in which the other end of a closed connection notices it. */
const NOTICED_MS = 10;

async function cutOff(machines: readonly Machine[], untilMs: number): Promise<void> {
  for (const machine of machines) {
    machine.offlineUntilMs = Math.max(machine.offlineUntilMs, untilMs);
    for (const { wire } of machine.processes) await wire.cutAll();
  }
  await new Promise((resolve) => setTimeout(resolve, NOTICED_MS));
}

function kill(machine: Machine, kinds: readonly MachineProcess["kind"][]): void {
  for (const opened of machine.processes) {
    if (kinds.includes(opened.kind)) opened.process.die();
  }
}
