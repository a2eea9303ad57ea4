/** State that the parts of a world of several machines share. */

import type { Oracle } from "../oracle/oracle.ts";
import type { Timeline } from "../timeline.ts";
import type { FaultWeather } from "../world/faults.ts";
import type { Market } from "../world/market.ts";
import type { Random } from "../world/random.ts";
import type { MachinesPlan } from "./plan.ts";
import type { Machine } from "./process.ts";
import type { SharedDatabase } from "./shared-database.ts";
import type { Wire } from "./wire.ts";
import type { WorldJob } from "./world-queue.ts";

export interface MachinesWorld {
  readonly random: Random;
  readonly plan: MachinesPlan;
  readonly timeline: Timeline;
  readonly market: Market;
  readonly oracle: Oracle;
  readonly shared: SharedDatabase;
  readonly machines: readonly Machine[];
  readonly wires: Set<Wire>;
  /** The jobs of the queue, by the ids of their runs. */
  readonly jobs: Map<string, WorldJob>;
  readonly counts: { starts: number; deaths: number; cuts: number; takeOvers: number };
  /** Whether the faults have ended. */
  readonly calm: { isHere: boolean };
  /** Whether the workers end. */
  readonly end: { isHere: boolean };
  readonly weather: () => FaultWeather | undefined;
  /** Error that all clocks have besides their own. */
  readonly skewMs: () => number;
  /** A request of the machine is under way, and something may happen to it. */
  readonly strike: (machine: Machine) => void;
  readonly onEvent: ((text: string) => void) | undefined;
}
