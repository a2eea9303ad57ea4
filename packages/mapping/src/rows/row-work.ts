/**
 * Working state of one row. Its cells are sorted first: empty, broken, to be cleared, or to be
 * read. The rules read only the last kind, so that a bad cell is reported once.
 */

import type { ProductChanges } from "@catalog/contract";

import { IMAGE_FIELDS } from "../columns/fields/delivery-fields.ts";
import type { FieldKey } from "../columns/fields/field.ts";
import { getField } from "../columns/fields/fields.ts";
import { fold } from "../fold.ts";
import {
  createIssue,
  type Issue,
  type IssueLocation,
  type Problem,
  type Reading,
} from "../issues/issue.ts";
import { type Cell, constantCell, type Layout, type PropertyColumn } from "./layout.ts";
import { cellAt, readCell } from "./read-cell.ts";
import { cellText, isErrorText, isOpenFormula, type SourceRow } from "./source-row.ts";
import { blameStoredText } from "./stored-text.ts";

/** Resolved names, for comparing with listings that carry names only. */
export interface ResolvedNames {
  category?: string;
  brand?: string;
  brandModel?: string;
  /** The listed model that is near to one sent as free text. */
  nearModel?: string;
  shippingTemplate?: string;
}

/** A cell of a property column that is not empty. */
export interface PropertyCell {
  readonly column: PropertyColumn;
  readonly cell: Cell;
}

/** One image that a row names, in the order in which they are shown. */
export interface ImageCell {
  readonly kind: "address" | "file";
  /** The address, or the name of a file. */
  readonly text: string;
  readonly place: IssueLocation;
}

/** A text whose meaning a person has to choose. */
export interface OpenName {
  /** The field, or `property:` and the name of the property. */
  readonly field: string;
  /** The header of its column. */
  readonly column: string;
  /** As it stands in the cell. */
  readonly value: string;
  /** Choices, best first; a chosen text can replace the value. */
  readonly choices: readonly string[];
}

/** What a new product lacks although its cell may be filled in. */
export interface AddIssue {
  readonly field: FieldKey;
  readonly issue: Issue;
}

/** Fields whose cells are not empty, valid or not. */
export interface GivenFields {
  has(field: FieldKey): boolean;
  /** In no particular order. */
  list(): readonly FieldKey[];
}

/** Cells of a row by field. */
export interface FieldCells {
  get(field: FieldKey): Cell | undefined;
  has(field: FieldKey): boolean;
}

/** Shared input and output of the rules. */
export interface RowWork {
  readonly layout: Layout;
  readonly row: number;
  readonly source: SourceRow;
  /** Cells to be read; broken cells and clear keywords are left out. */
  readonly cells: FieldCells;
  /** Cells of further columns for fields that have several, in the order of the file. */
  readonly further: readonly Cell[];
  /** Whether any column that may hold options is filled. */
  hasProperties(): boolean;
  /** The filled cells of these columns. */
  readProperties(columns: readonly PropertyColumn[]): readonly PropertyCell[];
  readonly given: GivenFields;
  readonly clears: ReadonlySet<FieldKey>;
  readonly changes: { -readonly [Field in keyof ProductChanges]: ProductChanges[Field] };
  readonly names: ResolvedNames;
  readonly takesImageFiles: boolean;
  readonly imageFiles: ImageCell[];
  report(problem: Problem, cell: Cell): void;
  warn(problem: Problem, cell: Cell): void;
  /** Issues of cells that say nothing: a new product lacks their fields, an update leaves them. */
  readonly addIssues: AddIssue[];
  /**
   * The value of a reading; when it failed, reports an issue at the cell and returns `undefined`.
   */
  take<T>(reading: Reading<T>, cell: Cell): T | undefined;
  /** In the order of the columns. */
  issues(): readonly Issue[];
  warnings(): readonly Issue[];
  /** Texts that were reported with choices, in the order of the columns. */
  openNames(): readonly OpenName[];
}

/** Fields that the API can clear: no discount, no personalisation, one image fewer. */
const CLEARABLE: ReadonlySet<FieldKey> = new Set([
  ...IMAGE_FIELDS,
  "list_price",
  "discount_type",
  "discount_value",
  "custom_order",
]);

const CLEAR = /^<([^<>]+)>$/u;
const CLEAR_KEYWORDS: ReadonlySet<string> = new Set(["clear", "sil"]);

/** Whether a text asks to clear a field: `<CLEAR>` or `<SİL>`, in any case. */
export function isClearKeyword(text: string): boolean {
  const word = text.startsWith("<") ? CLEAR.exec(text)?.[1] : undefined;
  return word !== undefined && CLEAR_KEYWORDS.has(fold(word));
}

export interface RowWorkOptions {
  /** @default false */
  readonly takesImageFiles?: boolean | undefined;
}

/** Sorts the cells of a row. */
export function createRowWork(
  layout: Layout,
  row: SourceRow,
  { takesImageFiles = false }: RowWorkOptions = {},
): RowWork {
  const issues: Finding[] = [];
  const warnings: Finding[] = [];
  const report = (problem: Problem, cell: Cell): void => {
    const { index, field } = cell;
    const issue = issueAt(blameStoredText(problem, cell), cell);
    // A rule cannot say what a default means: it is corrected itself.
    const choices = cell.isDefault === true ? undefined : problem.choices;
    issues.push({ index, field, choices, issue });
  };
  const warn = (problem: Problem, cell: Cell): void => {
    warnings.push({ index: cell.index, issue: issueAt(problem, cell) });
  };
  const { cells, further, given, clears } = sortCells(layout, row, { report, warn });
  return {
    layout,
    row: row.row,
    source: row,
    cells,
    further,
    hasProperties: () =>
      layout.properties.some(({ column }) => cellText(cellAt(row, column.index).value) !== ""),
    readProperties: (columns) => propertyCells(columns, layout, row),
    given,
    clears,
    changes: {},
    names: {},
    takesImageFiles,
    imageFiles: [],
    report,
    warn,
    addIssues: [],
    take(reading, cell) {
      if (reading.ok) return reading.value;
      report(reading.problem, cell);
      return undefined;
    },
    issues: () => inOrder(issues),
    warnings: () => inOrder(warnings),
    openNames: () =>
      issues
        .toSorted((a, b) => a.index - b.index)
        .flatMap(({ field = "", choices, issue: { column, value } }) =>
          choices === undefined ? [] : [{ field, column, value, choices }],
        ),
  };
}

/** Shows a number with the decimal sign of each language; a text keeps its own. */
function issueAt(problem: Problem, { value, location }: Cell): Issue {
  if (typeof value !== "number" || problem.value !== undefined)
    return createIssue(problem, location);
  const { value: en } = location;
  return createIssue({ ...problem, shown: { tr: en.replace(".", ","), en } }, location);
}

/** Reports a cell that cannot be read for any field; returns whether it did. */
export function refuseBroken(
  cell: Cell,
  { report, warn }: Pick<RowWork, "report" | "warn">,
): boolean {
  if (cell.trait === "error" || isErrorText(cell.text)) report({ text: "E_CELL_ERROR" }, cell);
  else if (cell.trait === "date") report({ text: "E_CELL_DATE" }, cell);
  else if (isOpenFormula(cell.text, cell.trait)) report({ text: "E_FORMULA" }, cell);
  else if (cell.problem !== undefined) report(cell.problem, cell);
  else {
    if (cell.trait === "formula") warn({ text: "W_FORMULA" }, cell);
    return false;
  }
  return true;
}

interface Finding {
  readonly index: number;
  readonly field?: string;
  readonly choices?: readonly string[] | undefined;
  readonly issue: Issue;
}

const inOrder = (findings: readonly Finding[]): readonly Issue[] =>
  findings.toSorted((a, b) => a.index - b.index).map(({ issue }) => issue);

/** The code has its own issue about dates, and a note is not sent. */
const TAKES_DATES: ReadonlySet<FieldKey> = new Set(["product_code", "note"]);

const takesDate = (field: FieldKey, { trait }: Cell): boolean =>
  trait === "date" && TAKES_DATES.has(field);

function sortCells(
  layout: Layout,
  row: SourceRow,
  reporter: Pick<RowWork, "report" | "warn">,
): Pick<RowWork, "cells" | "further" | "given" | "clears"> {
  const cells = new RowCells(layout);
  const clears = new Set<FieldKey>();
  let left: Set<FieldKey> | undefined;
  for (const column of layout.fields) {
    const { field } = column;
    const cell = readCell(layout, column, row);
    if (cell === undefined) continue;
    if (isClearKeyword(cell.text)) clear(field, cell, { clears, report: reporter.report });
    else if (takesDate(field, cell) || !refuseBroken(cell, reporter)) {
      cells.add(field, cell);
      continue;
    }
    left ??= new Set();
    left.add(field);
  }
  const isGiven = (field: FieldKey): boolean => cells.has(field) || left?.has(field) === true;
  const constants = [...layout.mapping.constants.keys()].filter(
    (field) => !isGiven(field) && !alternativesOf(field).some((other) => isGiven(other)),
  );
  for (const field of constants) {
    const cell = constantCell(layout, field, row.row);
    if (cell !== undefined) cells.add(field, cell);
  }
  return {
    cells,
    further: cells.further,
    given: { has: isGiven, list: () => [...cells.fields(), ...(left ?? [])] },
    clears,
  };
}

const ALL_IMAGES: readonly FieldKey[] = [...IMAGE_FIELDS, "images"];

/** Fields that say what a value for all rows says, so that a row with one of them does not take it. */
function alternativesOf(field: FieldKey): readonly FieldKey[] {
  if (ALL_IMAGES.includes(field)) return ALL_IMAGES;
  if (field === "list_price") return ["discount_value"];
  return field === "discount_value" || field === "discount_type" ? ["list_price"] : [];
}

const NO_CELLS: readonly Cell[] = [];

/** The cells of a row by field; a list, because a map for each row takes ten times the memory. */
class RowCells implements FieldCells {
  readonly #places: Layout["places"];
  readonly #cells: (Cell | undefined)[];
  #further: readonly Cell[] = NO_CELLS;

  constructor({ places, noCells }: Layout) {
    this.#places = places;
    this.#cells = [...noCells];
  }

  get(field: FieldKey): Cell | undefined {
    const place = this.#places.get(field);
    return place === undefined ? undefined : this.#cells[place];
  }

  has(field: FieldKey): boolean {
    return this.get(field) !== undefined;
  }

  /** A field keeps its first cell. */
  add(field: FieldKey, cell: Cell): void {
    const place = this.#places.get(field);
    if (place === undefined) return;
    if (this.#cells[place] === undefined) this.#cells[place] = cell;
    else this.#further = [...this.#further, cell];
  }

  /** The other cells of fields that have several columns. */
  get further(): readonly Cell[] {
    return this.#further;
  }

  fields(): readonly FieldKey[] {
    return [...this.#places.keys()].filter((field) => this.has(field));
  }
}

function clear(
  field: FieldKey,
  cell: Cell,
  { clears, report }: { readonly clears: Set<FieldKey>; readonly report: RowWork["report"] },
): void {
  if (CLEARABLE.has(field)) clears.add(field);
  else report({ text: getField(field).requiredForAdd ? "E_CLEAR_REQUIRED" : "E_CLEAR" }, cell);
}

function propertyCells(
  columns: readonly PropertyColumn[],
  layout: Layout,
  row: SourceRow,
): readonly PropertyCell[] {
  const found: PropertyCell[] = [];
  for (const property of columns) {
    const cell = readCell(layout, property.read, row);
    if (cell !== undefined) found.push({ column: property, cell });
  }
  return found;
}
