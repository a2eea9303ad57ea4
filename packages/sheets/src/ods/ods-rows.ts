/**
 * Builds the rows of one table of an OpenDocument file; a cell without a valid place is refused.
 */

import type { ReadLimits } from "../limits.ts";
import { SheetError, type SheetErrorCode, type SheetErrorDetails } from "../sheet-error.ts";
import { columnLetters, MAX_COLUMN } from "../xlsx/cell-address.ts";
import type { ReadCell } from "../xlsx/read/cell-value.ts";
import { createFormatTable, type FormatTable } from "../xlsx/read/format-table.ts";
import type { NumberFormat } from "../xlsx/read/number-formats.ts";
import { createRowWriter, type RowWriter } from "../xlsx/read/process/row-frame.ts";
import { createSheetFacts, type SheetFacts } from "../xlsx/read/sheet-facts.ts";
import { toOdsCell } from "./cell-content.ts";
import type { CellStyles } from "./cell-styles.ts";
import { type OdsCells, type OdsColumns, type OdsTableHandler, repeats } from "./table-reader.ts";

export interface OdsRowsOptions {
  readonly file: string;
  /** Maximum number of rows with content. */
  readonly maxRows: number;
  readonly limits: Pick<ReadLimits, "columns" | "cellChars" | "rows">;
  readonly styles: Pick<CellStyles, "find">;
  /** Table of the cells' format codes. @default a table of its own */
  readonly table?: FormatTable;
  /** Called for each row with content; the row is valid until it returns. */
  readonly onRow: (row: RowWriter) => void;
}

/** Throws a `SheetError` for a cell that is refused. */
export interface OdsRows extends OdsTableHandler {
  /** The facts of the sheet; valid once the table has ended. */
  facts(): SheetFacts;
}

type Attributes = ReadonlyMap<string, string>;

/**
 * Reads the table at `wanted`, from 1, and skips the others. Throws a `SheetError` for a cell that
 * is refused.
 */
export const createOdsRows = (options: OdsRowsOptions, wanted: number): OdsRows =>
  new Rows(options, wanted);

const HIDDEN: ReadonlySet<string | undefined> = new Set(["collapse", "filter"]);

class Rows implements OdsRows {
  readonly #options: OdsRowsOptions;
  readonly #wanted: number;
  readonly #facts = createSheetFacts();
  readonly #table: FormatTable;
  readonly #writer: RowWriter;
  /** By column, from 1. */
  readonly #columnStyles: (string | undefined)[] = [];
  #row = 0;
  #rowStyle: string | undefined;
  #isHidden = false;
  #filledRows = 0;
  #cells: { readonly column: number; readonly read: ReadCell }[] = [];

  constructor(options: OdsRowsOptions, wanted: number) {
    this.#options = options;
    this.#wanted = wanted;
    this.#table = options.table ?? createFormatTable();
    this.#writer = createRowWriter(this.#table);
  }

  table(_: Attributes, position: number): boolean {
    return position === this.#wanted;
  }

  columns({ first, count, attributes }: OdsColumns): void {
    const last = Math.min(first + count - 1, MAX_COLUMN);
    const style = attributes.get("default-cell-style-name");
    for (let at = first; at <= last; at += 1) this.#columnStyles[at] = style;
    if (!HIDDEN.has(attributes.get("visibility"))) return;
    const range = { hidden: "1", min: String(first), max: String(last) };
    this.#facts.column(new Map(Object.entries(range)));
  }

  row(attributes: Attributes, number: number): void {
    this.#row = number;
    this.#rowStyle = attributes.get("default-cell-style-name");
    this.#isHidden = HIDDEN.has(attributes.get("visibility"));
    this.#cells = [];
  }

  cells({ column, count, cell, text }: OdsCells): void {
    this.#noteMerge(column, cell.attributes);
    for (let at = column; at < column + count; at += 1) {
      const read = toOdsCell(cell, text, this.#formatOf(at, cell.attributes.get("style-name")));
      if (read === undefined) return;
      this.#put(at, read, cell.attributes.get("value"));
    }
  }

  endRow(repeated: number): void {
    if (this.#cells.length === 0) return;
    for (let row = this.#row; row < this.#row + repeated; row += 1) {
      this.#filledRows += 1;
      const { maxRows, limits } = this.#options;
      if (this.#filledRows > maxRows) throw this.#refuse("E_TOO_MANY_ROWS", { limit: limits.rows });
      this.#writeRow(row);
    }
  }

  facts(): SheetFacts {
    return this.#facts.result();
  }

  #writeRow(row: number): void {
    this.#writer.begin(row);
    for (const { column, read } of this.#cells) {
      this.#writer.put(column, read.value, read.trait);
      this.#writer.setFormat(column, this.#table.idOf(read.format));
    }
    this.#facts.row(this.#writer, this.#isHidden);
    this.#options.onRow(this.#writer);
  }

  #formatOf(column: number, style: string | undefined): NumberFormat | undefined {
    const name = style ?? this.#rowStyle ?? this.#columnStyles[column];
    return name === undefined ? undefined : this.#options.styles.find(name);
  }

  #put(column: number, read: ReadCell | "wrong", source: string | undefined): void {
    const { columns, cellChars } = this.#options.limits;
    if (column > columns) throw this.#refuse("E_TOO_MANY_COLUMNS", { limit: columns });
    if (read === "wrong") throw this.#refuse("E_CELL_VALUE", { column, found: source ?? "" });
    if (typeof read.value === "string" && read.value.length > cellChars) {
      throw this.#refuse("E_CELL_TOO_LONG", { column, limit: cellChars });
    }
    this.#cells.push({ column, read });
  }

  #noteMerge(column: number, attributes: Attributes): void {
    const columns = repeats(attributes, "number-columns-spanned");
    const rows = repeats(attributes, "number-rows-spanned");
    if (columns * rows === 1) return;
    const last = `${columnLetters(column + columns - 1)}${this.#row + rows - 1}`;
    this.#facts.merge(new Map([["ref", last]]));
  }

  #refuse(code: SheetErrorCode, details: SheetErrorDetails): SheetError {
    return new SheetError(code, { file: this.#options.file, row: this.#row, ...details });
  }
}
