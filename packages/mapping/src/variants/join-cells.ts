import type { JoinedCell, JoinedImage, SourceRow } from "../rows/source-row.ts";
import { isFilled, type VariantColumns } from "./variant-columns.ts";

/** A copy of a cell that other rows take. */
export function copyCell({ row, cells, traits, formats }: SourceRow, index: number): JoinedCell {
  const trait = traits?.[index];
  const format = formats?.[index];
  return {
    row,
    value: cells[index] ?? null,
    ...(trait === undefined ? undefined : { trait }),
    ...(format === undefined ? undefined : { format }),
  };
}

/** The cells that a row takes from its parent: shared ones that are filled in there only. */
export function takeCells(
  row: SourceRow,
  parent: SourceRow,
  { carried }: VariantColumns,
): Record<number, JoinedCell> {
  const taken = carried.filter((index) => !isFilled(row, index) && isFilled(parent, index));
  return Object.fromEntries(taken.map((index) => [index, copyCell(parent, index)]));
}

/** The filled cells of a row in these columns. */
export const imagesOf = (row: SourceRow, columns: readonly number[]): readonly JoinedImage[] =>
  columns
    .filter((index) => isFilled(row, index))
    .map((index) => ({ row: row.row, index, value: row.cells[index] ?? null }));

/** The row with the cells that it takes in their places, as one that stands alone. */
export function withJoinedCells(row: SourceRow): SourceRow {
  if (row.joined === undefined) return row;
  const { joined, ...own } = row;
  const taken = Object.entries(joined.cells ?? {}).map(
    ([index, cell]) => [Number(index), cell] as const,
  );
  if (taken.length === 0) return own;
  const cells = [...own.cells];
  const traits = { ...own.traits };
  const formats = { ...own.formats };
  for (const [index, { value, trait, format }] of taken) {
    cells[index] = value;
    delete traits[index];
    delete formats[index];
    if (trait !== undefined) traits[index] = trait;
    if (format !== undefined) formats[index] = format;
  }
  return {
    row: own.row,
    cells,
    ...(Object.keys(traits).length === 0 ? undefined : { traits }),
    ...(Object.keys(formats).length === 0 ? undefined : { formats }),
  };
}
