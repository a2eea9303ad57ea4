/**
 * Decides which call meets which fault, from the seed, the faults and the order of the calls only,
 * so that the same run meets the same faults again.
 */

import { pickNumber } from "../catalog/hashed-id.ts";
import { OptionError } from "../option-error.ts";
import { assertFault, type Fault } from "./fault.ts";

export interface FaultPlan {
  /** The faults of the next call of this endpoint, in the order in which they were given. */
  next(endpoint: string): readonly Fault[];
  /** Resets all counts. */
  reset(): void;
  /** Number of calls that each fault has counted, in the order of the faults. */
  save(): readonly number[];
  load(counts: readonly number[]): void;
}

export interface FaultPlanOptions {
  readonly faults: readonly Fault[];
  readonly seed: string;
  /** Names of endpoints that a fault can have. */
  readonly endpoints: readonly string[];
}

const STEPS = 1_000_000;

/** Makes the plan. Throws an `OptionError` for an invalid fault. */
export function createFaultPlan({ faults, seed, endpoints }: FaultPlanOptions): FaultPlan {
  for (const fault of faults) {
    assertFault(fault);
    const { endpoint } = fault;
    if (endpoint !== undefined && !endpoints.includes(endpoint)) {
      const names = endpoints.join(", ");
      throw new OptionError({
        tr: `"${endpoint}" adında bir uç yok; olanlar: ${names}`,
        en: `no endpoint is named "${endpoint}"; there are ${names}`,
      });
    }
  }
  const counts: number[] = faults.map(() => 0);

  const isMet = ({ rate, nth, ...fault }: Fault, index: number): boolean => {
    const count = (counts[index] ?? 0) + 1;
    counts[index] = count;
    if (nth !== undefined && count === nth) return true;
    if (rate === undefined) return nth === undefined;
    const pick = pickNumber(STEPS, "fault", seed, String(index), fault.kind, String(count));
    return pick < rate * STEPS;
  };

  return {
    // Every fault counts all its calls, even those that an earlier fault decides.
    next: (name) =>
      faults.filter(
        (fault, index) =>
          (fault.endpoint === undefined || fault.endpoint === name) && isMet(fault, index),
      ),
    reset: () => void counts.fill(0),
    save: () => [...counts],
    load(saved) {
      for (const index of counts.keys()) counts[index] = saved[index] ?? 0;
    },
  };
}
