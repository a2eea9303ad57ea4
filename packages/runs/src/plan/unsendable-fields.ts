/**
 * Differences between the file and the store that no update can send, because the store was seen to
 * ignore their fields. Such a row is not `unchanged`: the store does not have the file's values.
 */

import type { RowDecision } from "../row/row-decision.ts";
import type { RowRecord } from "../row/row-record.ts";

const CODE = "W_FIELD_REFUSED";

/** The unsendable part of a run. Its rows stay in their classes, whose counts add up without it. */
export interface UnsendableFields {
  /** Rows that differ in such fields only: nothing of them is sent, and they are `skipped`. */
  readonly rows: number;
  /** Rows of which other fields can be sent. */
  readonly partly: number;
  /** The API's names of the fields, in the order in which they occurred. */
  readonly fields: readonly string[];
}

/** The count of a plan without unsendable fields. */
export const NO_UNSENDABLE_FIELDS: UnsendableFields = { rows: 0, partly: 0, fields: [] };

/** Says whether nothing of the row can be sent, though it differs from the store. */
export function isUnsendable({ state, issues }: Pick<RowRecord, "state" | "issues">): boolean {
  return state === "skipped" && issues.some(({ code }) => code === CODE);
}

/** Counts the decisions of one plan. */
export interface UnsendableCount {
  /** Counts one decision. */
  note(decision: RowDecision): void;
  /** Returns the counts so far. */
  counts(): UnsendableFields;
}

/** Creates a count of no decisions. */
export function createUnsendableCount(): UnsendableCount {
  const fields = new Set<string>();
  let rows = 0;
  let partly = 0;
  return {
    note(decision) {
      const { state, unsent = [] } = decision;
      if (unsent.length === 0 || !COUNTED.has(state)) return;
      for (const field of unsent) fields.add(field);
      if (state === "skipped") rows += 1;
      else partly += 1;
    },
    counts: () => ({ rows, partly, fields: [...fields] }),
  };
}

/** Rows with errors are reported as such, and their fields do not count. */
const COUNTED: ReadonlySet<RowDecision["state"]> = new Set(["skipped", "ready", "held"]);
