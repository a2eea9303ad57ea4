/** Which columns of the file the grid shows, and in which order. */

import type { ColumnView } from "../../src/api/index.ts";

/** Fields whose column stays in sight while the others move. */
const FROZEN_FIELDS = ["product_code", "code", "title"] as const;
/** Fields whose values are names of the store, or of a closed list. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  "category",
  "brand",
  "brand_model",
  "shipping_template",
  "warranty_type",
  "warranty_period",
]);

export interface GridColumn {
  readonly column: ColumnView;
  readonly isFrozen: boolean;
  /** Whether a cell holds a name of a list, which can be looked up. */
  readonly isName: boolean;
  /** Whether a person left the column out. */
  readonly isOut: boolean;
}

const isOut = (column: ColumnView): boolean => column.field === "-";

/** Code and title first, then the rest as in the file, and what was left out last. */
export const toGridColumns = (columns: readonly ColumnView[]): readonly GridColumn[] => {
  const frozen = FROZEN_FIELDS.flatMap((field) => {
    const column = columns.find((one) => one.field === field);
    return column === undefined ? [] : [column];
  });
  const rest = columns.filter((column) => !frozen.includes(column));
  const ordered = [...frozen, ...rest.filter((one) => !isOut(one)), ...rest.filter(isOut)];
  return ordered.map((column) => ({
    column,
    isFrozen: frozen.includes(column),
    isName: column.field !== null && NAME_FIELDS.has(column.field),
    isOut: isOut(column),
  }));
};
