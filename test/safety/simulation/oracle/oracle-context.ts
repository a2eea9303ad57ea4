/** State that the parts of the oracle share. */

import type { Timeline } from "../timeline.ts";
import type { Home } from "../world/homes.ts";
import type { Market } from "../world/market.ts";
import type { Scenario } from "../world/scenario.ts";
import type { SimProcess } from "../world/sim-process.ts";
import type { DoubleJudge } from "./doubles.ts";
import type { OverwriteJudge } from "./overwrites.ts";

export interface OracleOptions {
  readonly scenario: Scenario;
  readonly market: Market;
  readonly timeline: Timeline;
  readonly homes: readonly Home[];
}

export interface OracleContext extends OracleOptions {
  readonly broken: Set<string>;
  readonly break: (rule: string, what: string) => void;
  readonly doubles: DoubleJudge;
  /** When each process began to read the listing. */
  readonly recheckedAtMs: Map<SimProcess, number>;
  /** When a process of each home last began to read the listing. */
  readonly homeRecheckedAtMs: Map<number, number>;
  /** When an add of a code was last sent from a home. */
  readonly leftAtMs: Map<string, number>;
  /** Text of the marketplace's refusal of each row's last request, where it was refused. */
  readonly claims: Map<string, unknown>;
  /** Rows that a person has released. */
  readonly released: Set<string>;
  readonly overwrites: OverwriteJudge;
}
