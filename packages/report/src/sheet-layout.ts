/** The order of the columns of a result workbook: those of the input, and those that are added. */

import { type ColumnMapping, mapColumns } from "@catalog/mapping";
import type { RunRecord } from "@catalog/runs";
import type { OutCell, XlsxColumn } from "@catalog/sheets";

/** Stands for the index in the input of a column that the input does not have. */
export const ADDED = -1;

/** A column that is added, by its name. */
export interface AddedColumn<Name extends string> extends XlsxColumn {
  readonly name: Name;
}

/** The columns of a workbook. */
export interface SheetLayout<Name extends string> {
  readonly columns: readonly XlsxColumn[];
  readonly header: readonly string[];
  /** Index in the input of each column, or {@link ADDED}. */
  readonly sources: readonly number[];
  /** Number of columns that stay visible. */
  readonly frozenColumns: number;
  /** The cells of a row with those of its added columns, which are empty so far. */
  fill(cells: readonly OutCell[], added: Readonly<Record<Name, OutCell>>): readonly OutCell[];
}

/** What a layout is made of; an index is that of a column of the input. */
export interface LayoutParts<Name extends string> {
  /** These stand first and stay visible. */
  readonly frozen: readonly (number | AddedColumn<Name>)[];
  /** @default none */
  readonly next?: readonly AddedColumn<Name>[];
  /** Every column of the input that is shown; those that stand further left are left out. */
  readonly input: readonly number[];
  readonly last: readonly AddedColumn<Name>[];
}

/** Lays the columns out. The headers of added columns have their own colour. */
export function createLayout<Name extends string>(
  { file: { header } }: Pick<RunRecord, "file">,
  { frozen, next = [], input, last }: LayoutParts<Name>,
): SheetLayout<Name> {
  const rest = input.filter((index) => !frozen.includes(index));
  const laid = [...frozen, ...next, ...rest, ...last];
  const columns = laid.map((part): XlsxColumn => {
    if (typeof part === "number") return { header: header[part] ?? "" };
    const { name: _, ...column } = part;
    return { isAdded: true, ...column };
  });
  const names = laid.map((part) => (typeof part === "number" ? undefined : part.name));
  return {
    columns,
    header: columns.map((column) => column.header),
    sources: laid.map((part) => (typeof part === "number" ? part : ADDED)),
    frozenColumns: frozen.length,
    fill: (cells, added) =>
      names.map((name, at) => (name === undefined ? (cells[at] ?? null) : added[name])),
  };
}

/** Index of the input's column of this field, in a list that is empty where it has none. */
export function columnsOf(
  run: Pick<RunRecord, "facts" | "file">,
  field: string,
  shown: readonly number[],
): readonly number[] {
  const fields = fieldsOf(run);
  return shown.filter((index) => fields[index] === field).slice(0, 1);
}

/**
 * The field of each column of the input. A run of a feed does not store what its columns are, so
 * they are read from their headers.
 */
export const fieldsOf = ({
  facts,
  file: { sheet, headerRow, header },
}: Pick<RunRecord, "facts" | "file">): readonly string[] =>
  facts?.reading?.columns.used ?? readTargets(mapColumns({ sheet, headerRow, header }));

const readTargets = ({ columns }: ColumnMapping): readonly string[] =>
  columns.map(({ target }) => (target.kind === "field" ? target.field : ""));
