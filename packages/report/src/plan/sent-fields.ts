/** Which fields the rows of a plan send, in how many rows, and with which capability. */

import { type Capability, capabilityOf, type CapabilityState, type RowRecord } from "@catalog/runs";

/** A field of one kind of call. */
export interface SentField {
  readonly action: "add" | "update";
  /** Name in the API. */
  readonly field: string;
  /** Capability that was known when the plan was made. */
  readonly capability: CapabilityState;
  readonly rows: number;
}

/** Takes rows one by one. */
export interface FieldCount {
  observe(row: Pick<RowRecord, "action" | "payload">): void;
  /** Lists the fields by call and name. */
  list(learned: readonly Capability[]): readonly SentField[];
}

export function createFieldCount(): FieldCount {
  const counts = new Map<string, Omit<SentField, "capability">>();
  return {
    observe({ action, payload }) {
      if (action === null || payload === null) return;
      for (const field of Object.keys(payload)) {
        // `product_id` identifies the product and sets nothing.
        if (field === "product_id") continue;
        const key = `${action} ${field}`;
        counts.set(key, { action, field, rows: (counts.get(key)?.rows ?? 0) + 1 });
      }
    },
    list: (learned) =>
      [...counts.values()]
        .map((count) => Object.assign({ capability: capabilityOf(learned, count) }, count))
        .toSorted((a, b) => a.action.localeCompare(b.action) || a.field.localeCompare(b.field)),
  };
}
