/** What a sheet's header is mapped with, and what comes of it. */

import type { Column, FieldKey } from "../fields/fields.ts";
import type { Issue } from "../issues/issue.ts";
import type { ReadPlatform } from "../platforms/platform-matcher.ts";
import type { CellValue } from "../source-row.ts";
import type { ColumnCells, Watch } from "./column-cells.ts";
import type { AlternativeColumn, ColumnQuestion } from "./column-questions.ts";
import type { LikelyColumn } from "./likely-columns.ts";
import type { KnownStores } from "./store-columns.ts";

/** The header of one sheet, and a person's decisions about it. */
export interface MapColumnsOptions {
  /** Name of the sheet, for issues. */
  readonly sheet: string;
  /** As the spreadsheet program shows it, from 1; 0 for XML and JSON, whose headers are paths. */
  readonly headerRow: number;
  readonly header: readonly CellValue[];
  /** The first row below the header, which may be the hidden row of machine keys. */
  readonly below?: readonly CellValue[] | undefined;
  /** Header to field key, `property:NAME`, or `-` to leave the column out. Beats everything. */
  readonly overrides?: ReadonlyMap<string, string> | undefined;
  /**
   * Headers of `overrides` that a person may not have decided: where such a header is in doubt, the
   * override is too.
   */
  readonly unconfirmed?: ReadonlySet<string> | undefined;
  /** Field key to the value of rows whose cell is empty or that have no such column. */
  readonly constants?: ReadonlyMap<string, string> | undefined;
  /** Field key to the value of new products that have none. @default none */
  readonly defaults?: ReadonlyMap<string, string> | undefined;
  /**
   * Facts about the cells below the headers, by column. @default not examined; any column may hold
   * values
   */
  readonly cells?: ReadonlyMap<number, ColumnCells> | undefined;
  /**
   * One of `PLATFORM_NAMES`; a file of machine keys is read without a profile unless it is named.
   * @default recognised by the headers
   */
  readonly platform?: string | undefined;
  /**
   * Fields that a file of this kind is expected to give. While one of them has no column, a person is
   * asked about each column of numbers that may hold it. @default none
   */
  readonly expected?: readonly FieldKey[] | undefined;
  /** The stores that a header may name in square brackets. @default none */
  readonly stores?: KnownStores | undefined;
}

/** The targets of all columns of one sheet. */
export interface ColumnMapping {
  readonly columns: readonly Column[];
  /** Whether the row below the header holds machine keys instead of data. */
  readonly hasKeyRow: boolean;
  readonly constants: ReadonlyMap<FieldKey, string>;
  /** Values of new products whose own cell is empty or missing; updates do not take them. */
  readonly defaults: ReadonlyMap<FieldKey, string>;
  /** The platform whose profile was used; `undefined` for none. */
  readonly platform: ReadPlatform | undefined;
  /** Headers of the columns that say how rows make up products with variants. */
  readonly variantHeaders: ReadonlySet<string>;
  /** Issues that keep the file from being used. */
  readonly issues: readonly Issue[];
  /** The issues that an answer of a person resolves, in the order of the columns. */
  readonly questions: readonly ColumnQuestion[];
  /** Columns whose cells decide whether there is a question; see `createColumnScan`. */
  readonly watched: ReadonlyMap<number, Watch>;
  /** Columns that are not used, with the reason. */
  readonly warnings: readonly Issue[];
  /** Fields that a new product needs and that have neither a column nor a constant. */
  readonly missingRequired: readonly FieldKey[];
  /** The column with the currency of the whole product, for records that name none. */
  readonly parentCurrency?: number;
  /** Columns that may hold these fields; for a person to decide. */
  readonly likely: readonly LikelyColumn[];
  /** Unknown columns that may hold a field better than its own column; for a person to decide. */
  readonly alternatives: readonly AlternativeColumn[];
}
