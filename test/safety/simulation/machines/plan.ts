/** What happens to the machines of a world, drawn from its seed. */

import type { Random } from "../world/random.ts";
import { drawScenario, type Scenario } from "../world/scenario.ts";

export interface MachinePlan {
  /** Error of its clock. */
  readonly skewMs: number;
  /** Whether its monotonic clock goes on while it is suspended. */
  readonly countsSuspension: boolean;
}

/** Something that happens to a machine, or to the job of a run. */
export interface Mishap {
  readonly atMs: number;
  readonly kind: (typeof KINDS)[number];
  /** Number of the machine, from 0. */
  readonly machine: number;
  /** How long it lasts, for what ends by itself. */
  readonly lengthMs: number;
}

const KINDS = [
  "suspended",
  "suspended",
  "suspended",
  "offline",
  "server offline",
  "powered off",
  "worker killed",
  "command killed",
  "job dropped",
  "job written again",
  "sent by hand",
] as const;

export interface MachinesPlan {
  readonly scenario: Scenario;
  readonly machines: readonly MachinePlan[];
  readonly mishaps: readonly Mishap[];
  /** Share of the transactions whose connection is cut. */
  readonly cutShare: number;
  /** Share of the requests during which something happens to the machine that sends them. */
  readonly strikeShare: number;
}

/** What may happen to a machine while a request of it is under way. */
export const STRIKES: readonly [Mishap["kind"], ...Mishap["kind"][]] = [
  "suspended",
  "offline",
  "powered off",
  "command killed",
];

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A client gives up its requests after this time where leases keep machines apart. */
export const MAX_REQUEST_MS = 30_000;

export function drawPlan(random: Random): MachinesPlan {
  const drawn = drawScenario(random.fork("scenario"));
  const { weather, sheets } = drawn;
  const own = random.fork("machines");
  const count = own.between(2, 3);
  return {
    scenario: {
      ...drawn,
      // All machines share a database, whose leases are the lock.
      sheets: sheets.map(({ runId, rows }) => ({ runId, rows, home: 0 })),
      isLocked: true,
      restoring: undefined,
      losesPower: false,
      weather: { ...weather, slowestAnswerMs: Math.min(weather.slowestAnswerMs, MAX_REQUEST_MS) },
    },
    machines: Array.from({ length: count }, () => ({
      skewMs: own.pick([0, -1, 1, -7, 10]) * MINUTE_MS,
      countsSuspension: own.chance(0.7),
    })),
    mishaps: Array.from({ length: own.between(2, 12) }, () => ({
      atMs: own.below(own.pick([20 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS])),
      kind: own.pick(KINDS),
      machine: own.below(count),
      lengthMs: own.below(own.pick([5 * SECOND_MS, 40 * SECOND_MS, 3 * MINUTE_MS, 10 * MINUTE_MS])),
    })),
    cutShare: own.pick([0, 0.01, 0.04]),
    strikeShare: own.pick([0, 0.1, 0.3]),
  };
}
