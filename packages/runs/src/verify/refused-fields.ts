/**
 * Which undocumented fields a store refuses outright. A refusal is of a whole body and may be for a
 * value, so it is laid to a field only where several bodies were refused whose words name it, or
 * which had nothing else that is undocumented; and never where one update with the field went through.
 */

import { type RowRecord } from "../journal.ts";
import { type CapabilityFinding, isDocumented } from "./capability.ts";

/** A single update may be refused for its value. */
const LEAST_ROWS = 2;

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
  refused: number;
}

export function createRefusalWatch(): RefusalWatch {
  const tallies = new Map<string, Tally>();
  return {
    observe({ state, action, payload, note }) {
      if (action !== "update" || payload === null) return;
      const fields = Object.keys(payload).filter(isAssumed);
      for (const field of fields) {
        const tally = tallies.get(field) ?? { taken: 0, refused: 0 };
        tallies.set(field, tally);
        if (state === "done") tally.taken += 1;
        else if (note?.includes(field) === true || fields.length === 1) tally.refused += 1;
      }
    },
    judge: () =>
      [...tallies]
        .filter(([, { taken, refused }]) => taken === 0 && refused >= LEAST_ROWS)
        .map(([field, { refused }]) => ({
          finding: { action: "update", field, state: "refused" },
          rows: refused,
        })),
  };
}

/** A discount is refused for the price that it stands beside, so it is no sign of anything. */
const NEVER_BLAMED: ReadonlySet<string> = new Set([
  "product_id",
  "has_discount",
  "discount_type",
  "discount_value",
]);

const isAssumed = (field: string): boolean =>
  !NEVER_BLAMED.has(field) && !isDocumented("update", field);
