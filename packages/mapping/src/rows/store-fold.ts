/**
 * Reads rows as one store has them: filled cells of the store's own columns stand in the places of the
 * common ones, as if a person had typed them there, and the columns of stores are empty.
 */

import type { Column, ColumnTarget } from "../fields/fields.ts";
import { cellText, type CellTrait, type CellValue, type SourceRow } from "../source-row.ts";

/** What the cells of a column are read as in this store. */
interface ColumnReading {
  readonly target: ColumnTarget;
  /** Index of the column as which they are read. */
  readonly at: number;
  /** The header without the name of a store. */
  readonly name: string;
}

/** What a column is read as; one of another store is not used. */
export const readingOf = ({ index, header, target, only }: Column): ColumnReading => ({
  target: only?.over === undefined ? target : only.target,
  at: only?.over ?? index,
  name: only?.base ?? header,
});

/** Reads rows as the store has them. */
export interface StoreFold {
  /** The row as one store has it; a row that was folded before stays. */
  readonly fold: (row: SourceRow) => SourceRow;
  /** The cells alone. */
  readonly foldCells: (cells: readonly CellValue[]) => readonly CellValue[];
}

const KEEP: StoreFold = { fold: (row) => row, foldCells: (cells) => cells };

/** Creates the reading of the rows of a file; the same rows where no column is that of one store. */
export function createStoreFold(columns: readonly Column[]): StoreFold {
  const own = columns.flatMap(({ index, only }) =>
    only?.over === undefined ? [] : [{ from: index, to: only.over }],
  );
  const dropped = columns
    .filter(({ only }) => only !== undefined && !only.isAlone)
    .map(({ index }) => index);
  if (dropped.length === 0) return KEEP;
  const fold = (row: SourceRow): SourceRow => {
    if (row.folded !== undefined) return row;
    const cells = [...row.cells];
    const traits: Record<number, CellTrait> = { ...row.traits };
    const formats: Record<number, string> = { ...row.formats };
    const places: Record<number, number> = {};
    const move = (from: number, to: number): void => {
      cells[to] = row.cells[from] ?? null;
      moveKey(row.traits, traits, { from, to });
      moveKey(row.formats, formats, { from, to });
      places[to] = from;
    };
    for (const { from, to } of own) if (isTaken(row, from)) move(from, to);
    for (const index of dropped) {
      if (index < cells.length) cells[index] = null;
      delete traits[index];
      delete formats[index];
    }
    const { cells: ownCells, traits: ownTraits, formats: ownFormats, ...rest } = row;
    return {
      ...rest,
      cells: Array.from(cells, (cell) => cell ?? null),
      ...(Object.keys(traits).length > 0 && { traits }),
      ...(Object.keys(formats).length > 0 && { formats }),
      folded: { places, cells: ownCells, traits: ownTraits, formats: ownFormats },
    };
  };
  return { fold, foldCells: (cells) => fold({ row: 0, cells }).cells };
}

/** A formula without a result is no empty cell: it is an error where it stands. */
const isTaken = ({ cells, traits }: SourceRow, index: number): boolean =>
  cellText(cells[index]) !== "" ||
  (traits?.[index] !== undefined && (cells[index] ?? null) === null);

function moveKey<Value>(
  source: Readonly<Record<number, Value>> | undefined,
  target: Record<number, Value>,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const value = source?.[from];
  delete target[to];
  if (value !== undefined) target[to] = value;
}

/** The row with its own cells again, and with what it takes from other rows. */
export function unfoldRow(row: SourceRow): SourceRow {
  const { folded, cells: _, traits: __, formats: ___, ...rest } = row;
  if (folded === undefined) return row;
  const { cells, traits, formats } = folded;
  return {
    ...rest,
    cells,
    ...(traits !== undefined && { traits }),
    ...(formats !== undefined && { formats }),
  };
}
