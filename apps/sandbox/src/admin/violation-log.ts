/** Counts the clients' violations of the specification, by rule, endpoint and field. */

import type { Violation } from "./find-violations.ts";

/** A violation and how often it occurred. */
export interface CountedViolation extends Violation {
  readonly count: number;
}

/**
 * A body field that the specification does not document for this call; it may be needed, so it is
 * no violation.
 */
export interface UndocumentedField {
  readonly endpoint: string;
  readonly field: string;
  readonly count: number;
}

export interface SavedViolations {
  readonly violations: readonly CountedViolation[];
  readonly undocumented: readonly UndocumentedField[];
}

export interface ViolationLog {
  note(violations: readonly Violation[]): void;
  noteUndocumented(endpoint: string, fields: readonly string[]): void;
  /** In the order of their first occurrence. */
  read(): SavedViolations;
  reset(): void;
  load(saved: SavedViolations): void;
}

export function createViolationLog(): ViolationLog {
  const violations = new Map<string, CountedViolation>();
  const undocumented = new Map<string, UndocumentedField>();

  const reset = (): void => {
    violations.clear();
    undocumented.clear();
  };
  return {
    note(found) {
      for (const { rule, endpoint, field } of found) {
        const key = JSON.stringify([rule, endpoint, field]);
        const count = (violations.get(key)?.count ?? 0) + 1;
        violations.set(key, { rule, endpoint, field, count });
      }
    },
    noteUndocumented(endpoint, fields) {
      for (const field of fields) {
        const key = JSON.stringify([endpoint, field]);
        const count = (undocumented.get(key)?.count ?? 0) + 1;
        undocumented.set(key, { endpoint, field, count });
      }
    },
    read: () => ({
      violations: [...violations.values()],
      undocumented: [...undocumented.values()],
    }),
    reset,
    load(saved) {
      reset();
      for (const each of saved.violations) {
        violations.set(JSON.stringify([each.rule, each.endpoint, each.field]), each);
      }
      for (const each of saved.undocumented) {
        undocumented.set(JSON.stringify([each.endpoint, each.field]), each);
      }
    },
  };
}
