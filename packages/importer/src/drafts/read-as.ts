/** Cells that a remembered answer reads as something else than they say. */

import type { ColumnMapping, SourceRow, ValueRules } from "@catalog/mapping";

import { cellToText } from "./draft-source.ts";

/** What a cell is read as because of a remembered answer. */
export interface ReadAs {
  /** Index of the column. */
  readonly column: number;
  readonly text: string;
}

/** Finds the cells that a rule reads. A column with an unknown header may be a property of the row's category. */
export function createReadAs(
  mapping: ColumnMapping,
  rules: ValueRules,
): (row: Pick<SourceRow, "cells">) => readonly ReadAs[] {
  const columns = mapping.columns.flatMap(({ index, header, target }) => {
    if (target.kind === "field") return [{ index, field: target.field }];
    const isProperty = target.kind === "property" || (target.kind === "unknown" && header !== "");
    const name = target.kind === "property" ? target.name : header;
    return isProperty ? [{ index, field: `property:${name}` }] : [];
  });
  return ({ cells }) =>
    columns.flatMap(({ index: column, field }) => {
      const cell = cells[column] ?? null;
      const text = cell === null ? undefined : rules.find(field, cellToText(cell));
      return text === undefined ? [] : [{ column, text }];
    });
}
