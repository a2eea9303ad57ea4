/** Gives new products the default values of fields that their rows leave empty. */

import type { ProductChanges } from "@catalog/contract";

import type { FieldKey } from "../columns/fields/field.ts";
import { getField } from "../columns/fields/fields.ts";
import type { ColumnMapping } from "../columns/map-columns.ts";
import type { Issue } from "../issues/issue.ts";

/** A mapped row, as far as defaults need it. */
interface AddableRow {
  readonly changes: ProductChanges;
  readonly given: readonly FieldKey[];
  readonly issues: readonly Issue[];
  /** The row as a new product; missing where the file takes no defaults. */
  readonly asAdd?: (() => AddableRow) | undefined;
}

export interface Defaults {
  /** The row with the defaults that it takes; the same row where it takes none. */
  readonly apply: <Row extends AddableRow>(mapped: Row) => Row;
  /** Fields whose default some row has taken. */
  readonly used: ReadonlySet<FieldKey>;
}

export function createDefaults({ defaults }: Pick<ColumnMapping, "defaults">): Defaults {
  const used = new Set<FieldKey>();
  return {
    used,
    apply(mapped) {
      const fields = [...defaults.keys()].filter((field) => !mapped.given.includes(field));
      const whole = fields.length === 0 ? undefined : mapped.asAdd?.();
      if (whole === undefined) return mapped;
      for (const field of fields) used.add(field);
      const known = new Set(mapped.issues.map(toKey));
      const found = whole.issues.filter((issue) => !known.has(toKey(issue)));
      return {
        ...mapped,
        changes: { ...mapped.changes, ...pick(whole.changes, fields) },
        given: [...mapped.given, ...fields],
        issues: [...mapped.issues, ...found],
      };
    },
  };
}

const toKey = ({ code, column, cell, value }: Issue): string =>
  JSON.stringify([code, column, cell, value]);

/** The values of these fields. */
function pick(changes: ProductChanges, fields: readonly FieldKey[]): ProductChanges {
  const wanted = new Set<string>(fields.flatMap((field) => getField(field).apiFields));
  return Object.fromEntries(Object.entries(changes).filter(([name]) => wanted.has(name)));
}
