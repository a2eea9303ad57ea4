/**
 * The columns of one sheet by what a row mapper reads from them, also where a platform says more of a
 * row than its fields do.
 */

import type { DiscountType } from "@catalog/contract";

import type { ColumnMapping } from "../columns/column-mapping.ts";
import { type Column, type FieldKey, FIELDS, getField } from "../fields/fields.ts";
import type { IssueLocation, Problem } from "../issues/issue.ts";
import { NO_RULES, propertyField, type ValueRules } from "../names/value-rules.ts";
import { findPlatform } from "../platforms/platform-matcher.ts";
import { findHeaders, type PlatformSalePeriod } from "../platforms/platform.ts";
import type { CellTrait, CellValue } from "../source-row.ts";
import { trimText } from "../text-keys.ts";
import { type CellDisplays, createCellDisplays, type TextUse } from "../values/shown-cells.ts";
import { findVariantColumns, type VariantColumns } from "../variants/variant-columns.ts";
import { readingOf } from "./store-fold.ts";

/** How the platform of a sheet writes stocks that are no number. */
export interface StockWords {
  /** Index of the column that says only whether there is any stock. */
  readonly state: number | undefined;
  /** Its words for none, in lower case. */
  readonly none: ReadonlySet<string>;
  /** The text of a stock that a variant shares with its parent row. */
  readonly shared: string | undefined;
  /** Index of the column that names who counts the stock; a person may leave it out. */
  readonly tracker: number | undefined;
}

/** `undefined` where the platform writes numbers only. */
function findStockWords({
  columns,
  platform,
}: Pick<ColumnMapping, "columns" | "platform">): StockWords | undefined {
  const words = platform && findPlatform(platform.name)?.stock;
  if (words === undefined) return undefined;
  const { state: states = [], none = [], tracker: trackers = [], shared } = words;
  const [state] = findHeaders(columns, states);
  const used = columns.filter(({ target }) => target.kind !== "unused");
  const [tracker] = findHeaders(used, trackers);
  return { state, none: new Set(none), shared, tracker };
}

/** Indexes of columns by which a platform says more of a row's price and code. */
export interface RowColumns {
  /** The dates of reduced prices. */
  readonly salePeriod: Readonly<Record<keyof PlatformSalePeriod, number | undefined>>;
  /** Says no where the prices do not include tax. */
  readonly taxIncluded: number | undefined;
  readonly taxRate: number | undefined;
  /** What is added to the price. */
  readonly surcharge: number | undefined;
  /** Filled in for a listing that has all its variations in one row. */
  readonly variations: number | undefined;
  /** What stands between the codes of such a listing. */
  readonly codeSeparator: string | undefined;
}

/** Headers under which other programs say whether their prices include tax. */
const SAYS_TAX: readonly string[] = [
  "KDV Dahil",
  "KDV Dahil mi",
  "KDV Dahil mi?",
  "KDV Dahil/Hariç",
  "KDV Durumu",
  "Fiyata KDV Dahil",
  "Fiyata KDV Dahil mi",
  "Fiyata KDV Dahil mi?",
  "VAT Included",
  "Is VAT Included",
  "Tax Included",
  "Is Tax Included",
  "Price Includes VAT",
  "Price Includes Tax",
];

/** A person may leave the columns out, but for those of taxes. */
function findRowColumns({
  columns,
  platform,
}: Pick<ColumnMapping, "columns" | "platform">): RowColumns {
  const { tax, listings, salePeriod, surcharge } = (platform && findPlatform(platform.name)) ?? {};
  const used = columns.filter(({ target }) => target.kind !== "unused");
  const unmapped = columns.filter(({ target }) => target.kind !== "field");
  const find = (headers: readonly string[] = []): number | undefined =>
    findHeaders(used, headers)[0];
  return {
    salePeriod: {
      starts: find(salePeriod?.starts),
      ends: find(salePeriod?.ends),
      spans: find(salePeriod?.spans),
    },
    // No answer about the column turns a price without tax into one with it.
    taxIncluded: findHeaders(unmapped, tax?.included ?? SAYS_TAX)[0],
    taxRate: findHeaders(columns, tax?.rate ?? [])[0],
    surcharge: find(surcharge),
    variations: find(listings?.variations),
    codeSeparator: listings?.separator,
  };
}

/** Where each field stands in the sheet; computed once for all rows. */
export interface Layout {
  readonly sheet: string;
  readonly mapping: ColumnMapping;
  /** Names a row for people. */
  readonly nameRow: (row: number) => string;
  /** Columns of fields, in the order of the file. */
  readonly fields: readonly FieldColumn[];
  /**
   * Columns of properties: named as such, or with an unknown header that a category may have as
   * property.
   */
  readonly properties: readonly PropertyColumn[];
  /** The column of a field; `undefined` where the file has none. */
  column(field: FieldKey): Column | undefined;
  /** The kinds of discounts that headers of discount values state, by the index of the column. */
  readonly headerDiscounts: ReadonlyMap<number, DiscountType>;
  /** A person's rules for texts. */
  readonly rules: ValueRules;
  /** How number formats display cells. */
  readonly displays: CellDisplays;
  /** The columns of variants; `undefined` where every row is a product by itself. */
  readonly variants: VariantColumns | undefined;
  /** A platform's words for stocks; `undefined` where it writes numbers only. */
  readonly stockWords: StockWords | undefined;
  /** Columns that say more of a row's price and code; each may be missing. */
  readonly says: RowColumns;
}

/** A column, and how its cells are read. */
export interface ReadColumn {
  readonly column: Column;
  /** The field whose rules apply to its texts. */
  readonly field: string;
  /** `undefined` for a cell that is read as a number, or by a rule of its own. */
  readonly use: TextUse | undefined;
}

interface FieldColumn extends ReadColumn {
  readonly field: FieldKey;
}

/** A column that may hold options of a property. */
export interface PropertyColumn {
  readonly column: Column;
  readonly name: string;
  /**
   * Whether the header says that it is a property; otherwise it counts only where the category has
   * it.
   */
  readonly isExplicit: boolean;
  /** How its cells are read. */
  readonly read: ReadColumn;
}

/** Fields that are sent as text; a model that is not listed is one. */
const TEXT_FIELDS: ReadonlySet<FieldKey> = new Set([
  "title",
  "sub_title",
  "description",
  "brand_model",
]);

const USES: ReadonlyMap<FieldKey, TextUse> = new Map(
  FIELDS.filter(({ key, kind }) => TEXT_FIELDS.has(key) || kind === "name" || kind === "words").map(
    ({ key }) => [key, TEXT_FIELDS.has(key) ? "text" : "list"],
  ),
);

/** How the text of a field is used. */
const textUse = (field: FieldKey): TextUse | undefined => USES.get(field);

/** A cell that is not empty. */
export interface Cell {
  /** The field, or `property:` and the name of the property. */
  readonly field: string;
  /** Whether the text comes from a rule instead of the cell. */
  readonly isRuled: boolean;
  /** What the rule says that the text may mean, in order. @default there is no rule */
  readonly meanings?: readonly string[] | undefined;
  /** Whether the text is the default value of the store. @default false */
  readonly isDefault?: boolean | undefined;
  /** Index of its column; after all columns for a value that stands in no cell. */
  readonly index: number;
  readonly value: Exclude<CellValue, null>;
  /** Trimmed; for a number cell the text that its sheet displays. */
  readonly text: string;
  /** Further spellings of the same content, for lookups. */
  readonly others: readonly string[];
  readonly trait: CellTrait | undefined;
  /** The number format, where the cell is read as a number. */
  readonly format: string | undefined;
  /** Why the content of the cell is not certain. */
  readonly problem: Problem | undefined;
  readonly location: IssueLocation;
}

export function createLayout(
  sheet: string,
  mapping: ColumnMapping,
  rules: ValueRules = NO_RULES,
): Layout {
  const fields: FieldColumn[] = [];
  const properties: PropertyColumn[] = [];
  const headerDiscounts = new Map<number, DiscountType>();
  for (const column of mapping.columns) {
    const { target, header } = column;
    if (target.kind === "field") {
      fields.push({ column, field: target.field, use: textUse(target.field) });
      if (target.discountType !== undefined) headerDiscounts.set(column.index, target.discountType);
    } else if (target.kind === "property") {
      properties.push(propertyColumn(column, target.name, true));
    } else if (target.kind === "unknown" && header !== "") {
      properties.push(propertyColumn(column, readingOf(column).name, false));
    }
  }
  const byField = new Map(fields.map(({ field, column }) => [field, column]));
  return {
    sheet,
    mapping,
    nameRow: String,
    fields,
    properties,
    headerDiscounts,
    rules,
    displays: createCellDisplays(),
    variants: findVariantColumns(mapping),
    stockWords: findStockWords(mapping),
    says: findRowColumns(mapping),
    column: (field) => byField.get(field),
  };
}

/** The layout of the same columns with other constants. */
export const withConstants = (layout: Layout, constants: ColumnMapping["constants"]): Layout => ({
  ...layout,
  mapping: { ...layout.mapping, constants },
});

const propertyColumn = (column: Column, name: string, isExplicit: boolean): PropertyColumn => ({
  column,
  name,
  isExplicit,
  read: { column, field: propertyField(name), use: "list" },
});

/** Location of a column's cell in a row. */
export function locationOf(
  layout: Pick<Layout, "sheet">,
  column: Column,
  row: number,
): IssueLocation {
  const { letter, header } = column;
  return { sheet: layout.sheet, row, column: header, cell: `${letter}${row}`, value: "" };
}

/** Location of a field's cell, which may be empty; `undefined` when the file has no such column. */
export function fieldLocation(
  layout: Layout,
  field: FieldKey,
  row: number,
): IssueLocation | undefined {
  const column = layout.column(field);
  return column === undefined ? undefined : locationOf(layout, column, row);
}

/** Index of a value that stands in no cell: after all columns. */
export const NO_COLUMN: number = Number.MAX_SAFE_INTEGER;

/** A value that holds for all rows, in the form of a cell. */
export function constantCell(layout: Layout, field: FieldKey, row: number): Cell | undefined {
  const value = trimText(layout.mapping.constants.get(field) ?? "");
  if (value === "") return undefined;
  const column = getField(field).header.tr;
  const location = { sheet: layout.sheet, row, column, cell: "", value };
  const isDefault = layout.mapping.defaults.has(field);
  return { ...PLAIN_CELL, isDefault, field, index: NO_COLUMN, location, value, text: value };
}

/** Facts of a cell that has only its text. */
export const PLAIN_CELL: Pick<Cell, "isRuled" | "others" | "trait" | "format" | "problem"> = {
  isRuled: false,
  others: [],
  trait: undefined,
  format: undefined,
  problem: undefined,
};
