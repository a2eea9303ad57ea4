/** A process of a simulated machine, with a connection of its own to the shared database. */

import { createSimProcess, type Death, type SimProcess } from "../world/sim-process.ts";
import type { MachinePlan } from "./plan.ts";
import type { Opened } from "./shared-database.ts";
import { openWire, type Wire } from "./wire.ts";
import type { MachinesWorld } from "./world-parts.ts";

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

export interface OpenProcessOptions {
  readonly machine: Machine;
  readonly kind: MachineProcess["kind"];
  readonly death?: Death | undefined;
}

/** Rejects with `DatabaseError` where the server cannot be reached. */
export async function openProcess(
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
export function closeLater(
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
export function throughYields<Ports extends object>(process: SimProcess, ports: Ports): Ports {
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
