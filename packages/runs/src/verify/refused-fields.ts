/**
 * Which undocumented fields a store refuses outright. A refusal is of a whole body, so it is laid to
 * a field only where its words name the field, or where nothing else that is undocumented was in
 * several refused bodies; and never where one update with the field went through.
 */

import { type RowRecord } from "../journal.ts";
import { type CapabilityFinding, isDocumented } from "./capability.ts";

/** A refused update whose words do not say why may be refused for its values. */
const LEAST_UNNAMED = 2;

/** A field that updates of the run were refused for, and how many of them. */
export interface RefusedField {
  readonly finding: CapabilityFinding;
  readonly rows: number;
}

/** Takes updates that are done or rejected, one by one. */
export interface RefusalWatch {
  observe(record: Pick<RowRecord, "state" | "action" | "payload" | "note">): void;
  /** The fields that are refused, in the order in which they were met. */
  judge(): readonly RefusedField[];
}

interface Tally {
  taken: number;
  named: number;
  alone: number;
}

export function createRefusalWatch(): RefusalWatch {
  const tallies = new Map<string, Tally>();
  return {
    observe({ state, action, payload, note }) {
      if (action !== "update" || payload === null) return;
      const fields = Object.keys(payload).filter(isAssumed);
      for (const field of fields) {
        const tally = tallies.get(field) ?? { taken: 0, named: 0, alone: 0 };
        tallies.set(field, tally);
        if (state === "done") tally.taken += 1;
        else if (note?.includes(field) === true) tally.named += 1;
        else if (state === "rejected" && fields.length === 1) tally.alone += 1;
      }
    },
    judge: () =>
      [...tallies]
        .filter(([, { taken, named, alone }]) => taken === 0 && isEnough(named, alone))
        .map(([field, { named, alone }]) => ({
          finding: { action: "update", field, state: "refused" },
          rows: named + alone,
        })),
  };
}

const isEnough = (named: number, alone: number): boolean => named > 0 || alone >= LEAST_UNNAMED;

/** The key of the body is no field of the product. */
const isAssumed = (field: string): boolean =>
  field !== "product_id" && !isDocumented("update", field);
