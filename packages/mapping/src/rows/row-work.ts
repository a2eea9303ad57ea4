/**
 * The values and issues of the row that is being mapped. Its cells are sorted first: empty, broken,
 * to be cleared, or to be read. The rules read only the last kind, so that a bad cell is reported
 * once.
 */

import type { Id, ProductChanges, ProductId } from "@catalog/contract";
import { quoteText } from "@catalog/i18n";

import { type FieldKey, getField, IMAGE_FIELDS } from "../fields/fields.ts";
import type { TextKey } from "../issues/codes.ts";
import {
  createIssue,
  type Issue,
  type IssueLocation,
  type Problem,
  type Reading,
} from "../issues/issue.ts";
import { findNearestName } from "../names/suggester.ts";
import { isOfCategory, ruleFieldName } from "../names/value-rules.ts";
import {
  cellText,
  type CellTrait,
  type CellValue,
  isErrorText,
  isOpenFormula,
  type JoinedCell,
  PLACEHOLDER,
  type SourceRow,
} from "../source-row.ts";
import { fold } from "../text-keys.ts";
import type { KeywordReader, RowAction } from "../values/keywords.ts";
import {
  type CellDisplays,
  spellCell,
  type Spelling,
  type TextUse,
} from "../values/shown-cells.ts";
import {
  type Cell,
  constantCell,
  type Layout,
  type PropertyColumn,
  type ReadColumn,
} from "./layout.ts";

/** How descriptions are sent: with their HTML, or as plain text. */
export type DescriptionFormat = "html" | "text";

/**
 * Why a description is sent otherwise than its cell says. `cleaned`: scripts, styles or event
 * handlers were left out; `text`: it was turned into plain text; `decoded`: entities were decoded.
 */
export type DescriptionChange = "cleaned" | "text" | "decoded";

/** A description as it is sent. */
export interface DescriptionReading {
  readonly text: string;
  /** `undefined` where the text is sent as it stands in its cell. */
  readonly change: DescriptionChange | undefined;
}

/** Reads the text of a cell. */
export type ReadDescription = (text: string) => DescriptionReading;

/** Sends descriptions as they stand. */
export const KEEP_DESCRIPTION: ReadDescription = (text) => ({ text, change: undefined });

/**
 * Reads the cell of a column in a row; `undefined` where it is empty. Millions of cells are read,
 * and hardly one is reported, so that its location is made when it is asked for.
 */
export function readCell(layout: Layout, at: ReadColumn, row: SourceRow): Cell | undefined {
  const { field, use } = at;
  const source = cellAt(row, at.column.index);
  const { value, trait, format } = source;
  if (value === null || cellText(value) === "") return undefined;
  const spelling = spell({ value, trait, format, use }, layout.displays);
  const meanings = spelling.problem === undefined ? findRule(layout, field, spelling) : undefined;
  return new SheetCell({ layout, at, source, value, spelling, meanings });
}

/** The cell of another row of the product, where the row takes it; else the row's own cell. */
export function cellAt(
  { row, cells, traits, formats, joined, folded }: SourceRow,
  index: number,
): JoinedCell {
  const taken = joined?.cells?.[index];
  if (taken !== undefined) return taken;
  return {
    row,
    index: folded?.places[index],
    value: cells[index] ?? null,
    trait: traits?.[index],
    format: formats?.[index],
  };
}

interface CellContent {
  readonly layout: Pick<Layout, "sheet" | "mapping">;
  readonly at: Pick<ReadColumn, "column" | "field">;
  readonly source: Omit<JoinedCell, "value">;
  readonly value: Exclude<CellValue, null>;
  readonly spelling: Spelling;
  /** The texts that a rule gives instead. */
  readonly meanings: ReturnType<Layout["rules"]["find"]>;
}

class SheetCell implements Cell {
  readonly value: Cell["value"];
  readonly text: string;
  readonly #content: CellContent;

  constructor(content: CellContent) {
    const { value, spelling, meanings: [target] = [] } = content;
    this.value = target ?? value;
    this.text = target ?? spelling.text;
    this.#content = content;
  }

  get field(): string {
    return this.#content.at.field;
  }

  get index(): number {
    return this.#content.at.column.index;
  }

  get isRuled(): boolean {
    return this.#content.meanings !== undefined;
  }

  get meanings(): readonly string[] | undefined {
    return this.#content.meanings;
  }

  /** A list that has none of the meanings may have the text itself, as before there was a rule. */
  get others(): readonly string[] {
    const { spelling, meanings } = this.#content;
    if (meanings === undefined || !isOfCategory(this.field)) return spelling.others;
    return [...meanings.slice(1), spelling.text, ...spelling.others];
  }

  get trait(): CellTrait | undefined {
    return this.#content.source.trait;
  }

  get format(): string | undefined {
    return this.#content.source.format;
  }

  get problem(): Problem | undefined {
    return this.#content.spelling.problem;
  }

  get location(): IssueLocation {
    const { layout, at, source, value, spelling } = this.#content;
    const { row, index = at.column.index } = source;
    const { letter, header } = layout.mapping.columns[index] ?? at.column;
    const shown = typeof value === "string" ? value : spelling.text;
    return { sheet: layout.sheet, row, column: header, cell: `${letter}${row}`, value: shown };
  }
}

interface OwnCell {
  readonly value: CellValue;
  readonly trait: CellTrait | undefined;
  readonly format: string | undefined;
  readonly use: TextUse | undefined;
}

const NO_OTHERS: readonly string[] = [];

function spell({ value, trait, format, use }: OwnCell, displays: CellDisplays): Spelling {
  const isPlainText = typeof value === "string" && format === undefined;
  const isBroken = trait === "date" || trait === "error";
  return isPlainText || isBroken || use === undefined
    ? { text: cellText(value), others: NO_OTHERS, problem: undefined }
    : spellCell({ value, format, use }, displays);
}

/** Finds the rule for the displayed text or for the stored text. */
function findRule(
  { rules }: Layout,
  field: string,
  { text, others }: Spelling,
): ReturnType<Layout["rules"]["find"]> {
  const meanings = rules.find(field, text);
  if (meanings !== undefined || others.length === 0) return meanings;
  return others.map((other) => rules.find(field, other)).find((found) => found !== undefined);
}

/** Reads a cell by a closed list of keywords, in the first of its spellings that is one. */
export function readWord<Value>(
  { text, others }: Pick<Cell, "text" | "others">,
  words: KeywordReader<Value>,
): Reading<Value> {
  const other = others.find((each) => words.find(each) !== undefined);
  return words.read(words.find(text) === undefined && other !== undefined ? other : text);
}

const OF_DEFAULTS: ReadonlyMap<TextKey, TextKey> = new Map([
  ["E_MODEL_AMBIGUOUS", "E_MODEL_AMBIGUOUS.default"],
  ["E_TEMPLATE_AMBIGUOUS", "E_TEMPLATE_AMBIGUOUS.default"],
  ["E_TEMPLATE_UNKNOWN", "E_TEMPLATE_UNKNOWN.default"],
]);

/** The problem of a stored text that names nothing; another problem is returned unchanged. */
function blameStoredText(problem: Problem, cell: Cell): Problem {
  if (problem.choices === undefined) return problem;
  const { isRuled, meanings = [], isDefault = false, text, field, location } = cell;
  const name = ruleFieldName(field);
  if (isRuled) {
    const params = { target: meanings.join(" / "), field: name };
    return { text: "E_RULE_TARGET", params, value: location.value };
  }
  const ofDefault = isDefault ? OF_DEFAULTS.get(problem.text) : undefined;
  if (ofDefault === undefined) return problem;
  const nearest = findNearestName(text, problem.choices, { isPath: false }) ?? PLACEHOLDER;
  const words = (header: string): string => `${quoteText(header)} ${quoteText(nearest)}`;
  const command = { tr: words(name.tr), en: words(name.en) };
  return { text: ofDefault, params: { ...problem.params, field: name, command } };
}

/** Resolved names, for comparing with listings that carry names only. */
interface ResolvedNames {
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
  /** The category, and for models the brand, whose list lacks the text. @default it has one list */
  readonly within?: NamesWithin | undefined;
}

/** What the brands, models or properties belong to. */
export interface NamesWithin {
  readonly category: Id<"category">;
  readonly brand?: Id<"brand"> | undefined;
}

/** What a new product lacks although its cell may be filled in. */
interface AddIssue {
  readonly field: FieldKey;
  readonly issue: Issue;
}

/** Fields whose cells are not empty, valid or not. */
interface GivenFields {
  has(field: FieldKey): boolean;
  /** In no particular order. */
  list(): readonly FieldKey[];
}

/** Shared input and output of the rules. */
export interface RowWork {
  readonly layout: Layout;
  readonly row: number;
  readonly source: SourceRow;
  /** Cells to be read; broken cells and clear keywords are left out. */
  readonly cells: ReadonlyMap<FieldKey, Cell>;
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

interface RowWorkOptions {
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
  const cells = new Map<FieldKey, Cell>();
  const further: Cell[] = [];
  const clears = new Set<FieldKey>();
  const refused = new Set<FieldKey>();
  for (const column of layout.fields) {
    const { field } = column;
    const cell = readCell(layout, column, row);
    if (cell === undefined) continue;
    if (isClearKeyword(cell.text)) clear(field, cell, { clears, report: reporter.report });
    else if (takesDate(field, cell) || !refuseBroken(cell, reporter)) {
      // A field keeps its first cell.
      if (cells.has(field)) further.push(cell);
      else cells.set(field, cell);
      continue;
    }
    refused.add(field);
  }
  const isGiven = (field: FieldKey): boolean => cells.has(field) || refused.has(field);
  const constants = [...layout.mapping.constants.keys()].filter(
    (field) => !isGiven(field) && !alternativesOf(field).some((other) => isGiven(other)),
  );
  for (const field of constants) {
    const cell = constantCell(layout, field, row.row);
    if (cell !== undefined) cells.set(field, cell);
  }
  const given = { has: isGiven, list: () => [...cells.keys(), ...refused] };
  return { cells, further, given, clears };
}

const ALL_IMAGES: readonly FieldKey[] = [...IMAGE_FIELDS, "images"];

/** Fields that say what a value for all rows says, so that a row with one of them does not take it. */
function alternativesOf(field: FieldKey): readonly FieldKey[] {
  if (ALL_IMAGES.includes(field)) return ALL_IMAGES;
  if (field === "list_price") return ["discount_value"];
  return field === "discount_value" || field === "discount_type" ? ["list_price"] : [];
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

/** The values that a row asks for, in the API's own types. */
export interface MappedRow {
  /** As the spreadsheet program shows it, from 1. */
  readonly row: number;
  /** As it is sent: trimmed, otherwise as typed. */
  readonly code: string | undefined;
  /** Whether the code's cell holds a number that is displayed without leading zeros. */
  readonly isNumberCode: boolean;
  /** Key for comparing products (see `codeKey`). */
  readonly codeKey: string | undefined;
  readonly productId: ProductId | undefined;
  readonly action: RowAction;
  /** Only values that the row gives and that are valid. */
  readonly changes: ProductChanges;
  /** Fields to be cleared; `changes` has the value that clears them, where the API has one. */
  readonly clears: readonly FieldKey[];
  /** Fields whose cells are not empty, valid or not. */
  readonly given: readonly FieldKey[];
  readonly names: Readonly<ResolvedNames>;
  /** In the order of `changes.images`; empty where that is missing. */
  readonly imageFiles: readonly ImageCell[];
  /** Why the description differs from its cell. @default it is sent as it stands */
  readonly descriptionChange?: DescriptionChange | undefined;
  /** All issues of the row, in the order of its columns. */
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /**
   * Whether the row names single images, so that further ones that the product has stay: an empty
   * cell removes none, and neither does a column that the file lacks.
   */
  readonly keepsImages: boolean;
  /**
   * Whether the row gives a price, and leaves the cell empty that another row has its reduced price
   * or list price in.
   */
  readonly leavesSale: boolean;
  /** What a new product lacks although its cell may be filled in. @default nothing */
  readonly addIssues?: readonly AddIssue[];
  /** Location of a field's value; `undefined` when the row gives none. */
  locationOf(field: FieldKey): IssueLocation | undefined;
  /** The row as a new product with default values; missing where the file takes none. */
  readonly asAdd?: (() => MappedRow) | undefined;
}
