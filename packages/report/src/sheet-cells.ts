/**
 * Cells of the result files: the order of their columns, the cells of a stored row, those about the
 * row as a whole, and the values that they offer in a list.
 */

import { type Connection, createStoredNameLists } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  columnLetter,
  type ColumnMapping,
  createNameIndexes,
  findField,
  labelNames,
  mapColumns,
  type NameIndexes,
} from "@catalog/mapping";
import {
  isBlocking,
  isNote,
  locateIssue,
  rowAddress,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, toKeptValue, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import { ACTION_HEADERS } from "./action-headers.ts";
import { RESULT_TEXTS } from "./result-texts.ts";

type CellTrait = NonNullable<RowRecord["traits"]>[number];

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
interface LayoutParts<Name extends string> {
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
const fieldsOf = ({
  facts,
  file: { sheet, headerRow, header },
}: Pick<RunRecord, "facts" | "file">): readonly string[] =>
  facts?.reading?.columns.used ?? readTargets(mapColumns({ sheet, headerRow, header }));

const readTargets = ({ columns }: ColumnMapping): readonly string[] =>
  columns.map(({ target }) => (target.kind === "field" ? target.field : ""));

/** The cells of the row, one for each column that is shown; those of added columns are empty. */
export const inputCells = (
  columns: readonly number[],
  { cells, traits }: Pick<RowRecord, "cells" | "traits">,
): readonly OutCell[] =>
  columns.map((index) => toKeptValue(withoutNoise(cells[index] ?? null), traits?.[index]));

/**
 * Removes binary noise: spreadsheet programs show 15 digits of a fraction. Whole numbers are kept,
 * as a shortened one would be another number.
 */
const withoutNoise = (cell: OutCell): OutCell =>
  typeof cell === "number" && !Number.isInteger(cell) ? Number(cell.toPrecision(15)) : cell;

/** The same cells, written so that reading them gives the same dates, broken cells and formats. */
export function inputRow(
  columns: readonly number[],
  record: Pick<RowRecord, "cells" | "traits" | "formats">,
): Pick<MarkedRow, "cells" | "traits" | "formats"> {
  const cells = inputCells(columns, record);
  if (record.traits === undefined && record.formats === undefined) {
    return { cells, traits: {}, formats: {} };
  }
  const traits: Record<number, CellTrait> = {};
  const formats: Record<number, string> = {};
  for (const [at, index] of columns.entries()) {
    const trait = keptTrait(record, index);
    const format = record.formats?.[index];
    if (trait !== undefined) traits[at] = trait;
    if (format !== undefined) formats[at] = format;
  }
  return { cells, traits, formats };
}

/**
 * The row with the cells and images that it takes from other rows of its product, so that it can be
 * read without them. A cell of its own stays, as it may name the variant.
 */
export function withTakenCells(
  record: Pick<RowRecord, "cells" | "traits" | "formats" | "joined">,
): Pick<RowRecord, "cells" | "traits" | "formats"> {
  const { cells: taken = {}, images = [] } = record.joined ?? {};
  if (Object.keys(taken).length + images.length === 0) return record;
  const cells = [...record.cells];
  const traits = { ...record.traits };
  const formats = { ...record.formats };
  const isEmpty = ([key]: readonly [string, unknown]): boolean =>
    String(record.cells[Number(key)] ?? "").trim() === "";
  for (const [key, { value, trait, format }] of Object.entries(taken).filter(isEmpty)) {
    const index = Number(key);
    cells[index] = value;
    delete traits[index];
    delete formats[index];
    if (trait !== undefined) traits[index] = trait;
    if (format !== undefined) formats[index] = format;
  }
  for (const [index, own] of Map.groupBy(images, (image) => image.index)) {
    cells[index] = [...new Set(own.map(({ value }) => String(value ?? "")))].join("\n");
  }
  return { cells, traits, formats };
}

/** A calculated cell is written as its value, and a formula without a value as an error. */
function keptTrait(
  { cells, traits }: Pick<RowRecord, "cells" | "traits">,
  index: number,
): CellTrait | undefined {
  const trait = traits?.[index];
  if (trait !== "formula") return trait;
  return (cells[index] ?? null) === null ? "error" : undefined;
}

/** Headers of the columns that a result or failed file adds to the input. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...Object.values(RESULT_TEXTS).flatMap(({ columns }) =>
    // The product id is left out, as the input may have such a column itself.
    Object.values(columns).filter((header) => header !== columns.productId),
  ),
  ...ACTION_HEADERS,
]);

/** Indexes of the input's columns; columns that an earlier result file added are written anew. */
export function inputColumns({ file: { header } }: RunRecord): readonly number[] {
  return [...header.keys()].filter((index) => !OWN_HEADERS.has(header[index] ?? ""));
}

type MarkedRow = Exclude<XlsxRow, readonly OutCell[]>;

/** Notes and colours for the wrong cells, by the columns as they are shown. */
export function cellMarks(
  columns: readonly number[],
  { id, lang, file }: RunRecord,
  { issues }: RowRecord,
): Pick<MarkedRow, "notes" | "fills"> {
  const notes: Record<number, string> = {};
  const fills: Record<number, "error" | "warning"> = {};
  for (const issue of issues) {
    const index = columnOf(columns, issue);
    if (index === undefined) continue;
    const lines = [
      notes[index],
      issue.message[lang],
      locateIssue(file, issue, id).suggestion?.[lang],
    ];
    notes[index] = lines.filter((line) => line !== undefined).join("\n");
    // A note explains a cell with which nothing is wrong.
    if (isNote(issue)) continue;
    fills[index] = isBlocking(issue) || fills[index] === "error" ? "error" : "warning";
  }
  return { notes, fills };
}

/** The column of the workbook that an issue is about; `undefined` where it has none. */
export function columnOf(
  columns: readonly number[],
  { cell }: Pick<RowIssue, "cell">,
): number | undefined {
  const source = columnIndexOf(cell);
  const index = source === undefined ? -1 : columns.indexOf(source);
  return index < 0 ? undefined : index;
}

/** Index of the column of an address such as `F12`, from 0. */
export function columnIndexOf(cell: string): number | undefined {
  const letters = /^[A-Z]+/u.exec(cell)?.[0];
  if (letters === undefined) return undefined;
  const index = Array.from(letters).reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
  return index - 1;
}

/** Joins texts line by line, each text once. */
export function toLines(texts: readonly (string | undefined)[]): string | null {
  if (texts.length <= 1) return texts[0] || null;
  return [...new Set(texts.filter((text) => text !== undefined && text !== ""))].join("\n") || null;
}

/** Width of a column that holds a word, in characters. */
const WORD_WIDTH = 13;

/** Headers of the input's columns that are shown. */
export const inputHeader = (run: RunRecord): readonly string[] =>
  inputColumns(run).map((index) => run.file.header[index] ?? "");

/** Whether rows are named by their sheet. */
export const hasPlaces = ({ file }: RunRecord): boolean => file.sheets !== undefined;

/** The name of the row, where a column is for it. */
export const placeCells = (run: RunRecord, { row }: RowRecord): readonly OutCell[] =>
  hasPlaces(run) ? [rowAddress(run.file, row)] : [];

/** The row in the imported file: its number, with its sheet where there are several. */
export const placeCell = ({ file }: RunRecord, { row }: RowRecord): OutCell =>
  file.sheets === undefined ? row : rowAddress(file, row);

/** What is wrong with a row: codes, messages and suggestions, one line each. */
type ErrorCells = Readonly<Record<"errorCode" | "error" | "suggestion", OutCell>>;

/** The name of the cell of an issue; empty where it has none. */
type NameCell = (issue: RowIssue) => string;

/** Describes errors; of warnings only where there is no error. */
export function errorCells(
  { id, lang, file }: RunRecord,
  { issues }: RowRecord,
  nameCell: NameCell = (issue) => locateIssue(file, issue).cell,
): ErrorCells {
  const wrong = issues.filter((issue) => !isNote(issue));
  const shown = wrong.some(isBlocking) ? wrong.filter(isBlocking) : wrong;
  return {
    errorCode: toLines(shown.map(({ code }) => code)),
    error: toLines(shown.map((issue) => prefix(nameCell(issue), issue.message[lang]))),
    suggestion: toLines(shown.map((issue) => locateIssue(file, issue, id).suggestion?.[lang])),
  };
}

/** Names cells as the workbook shows them in a row of its own. */
export const cellsIn =
  (columns: readonly number[], row: number): NameCell =>
  (issue) => {
    const column = columnOf(columns, issue);
    return column === undefined ? "" : `${columnLetter(column)}${row}`;
  };

const prefix = (cell: string, message: string): string =>
  cell === "" ? message : `${cell}: ${message}`;

/** The columns that say what is wrong, as result and failed files have them. */
export function errorColumns(
  lang: Lang,
): Readonly<Record<keyof ErrorCells | "result" | "place" | "record", AddedColumn<ErrorColumn>>> {
  const texts = RESULT_TEXTS[lang].columns;
  return {
    result: { name: "result", header: texts.result, width: WORD_WIDTH },
    error: { name: "error", header: texts.error, width: 38, wraps: true },
    suggestion: { name: "suggestion", header: texts.suggestion, width: 52, wraps: true },
    errorCode: { name: "errorCode", header: texts.errorCode, width: 22, wraps: true },
    place: { name: "place", header: texts.place, width: 18 },
    record: { name: "record", header: texts.record, width: 16 },
  };
}

export type ErrorColumn = keyof ErrorCells | "result" | "place" | "record";

type CategoryId = Parameters<NameIndexes["brands"]>[0];
type Suggestions = Pick<XlsxColumn, "suggestions">;

export interface CellSuggestions {
  /** The list of a column of the input. */
  ofColumn(index: number): Suggestions;
  /** Reads the category of a row, whose brands are offered. */
  note(record: Pick<RowRecord, "cells" | "payload">): void;
}

/** The list of a field that accepts only certain words; none for any other. */
export function suggestWords(field: string, lang: Lang): Suggestions {
  const words = findField(field)?.keywords?.map((word) => word[lang]);
  return words === undefined ? {} : { suggestions: async () => words };
}

/** Creates the lists of a run; names are those of the lists that were fetched last. */
export function createCellSuggestions(
  { memory, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
  run: RunRecord,
): CellSuggestions {
  const indexes = createNameIndexes(createStoredNameLists({ cache: memory.names, baseUrl }));
  const fields = fieldsOf(run);
  const categoryAt = fields.indexOf("category");
  const ids = new Set<CategoryId>();
  const texts = new Set<string>();
  const names: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    category: async () => toLabels((await indexes.categories()).labels()),
    brand: async () => await listBrands(indexes, { ids, texts }),
    shipping_template: async () => toLabels((await indexes.templates()).labels()),
  };
  return {
    ofColumn(index) {
      const field = fields[index] ?? "";
      const suggestions = names[field];
      return suggestions === undefined ? suggestWords(field, run.lang) : { suggestions };
    },
    note({ cells, payload }) {
      const text = String(cells[categoryAt] ?? "").trim();
      if (payload?.category_id !== undefined) ids.add(payload.category_id);
      else if (text !== "") texts.add(text);
    },
  };
}

interface RowCategories {
  readonly ids: ReadonlySet<CategoryId>;
  /** Texts of the file. */
  readonly texts: ReadonlySet<string>;
}

async function listBrands(
  indexes: NameIndexes,
  { ids, texts }: RowCategories,
): Promise<readonly string[]> {
  const categories = await indexes.categories();
  const named = [...texts].flatMap((text) => {
    const found = categories.resolve(text);
    return found.kind === "found" ? [found.item.category.id] : [];
  });
  const sold = await Promise.all(
    [...new Set([...ids, ...named])].map(async (id) => (await indexes.brands(id)).items),
  );
  return toLabels(labelNames([...new Map(sold.flat().map((brand) => [brand.id, brand])).values()]));
}

const toLabels = (choices: readonly { readonly label: string }[]): readonly string[] =>
  choices.map(({ label }) => label);

/** Issues whose messages name other rows or cells of the file. */
const NAMING_CODES: ReadonlySet<string> = new Set([
  "E_CODE_DUPLICATE",
  "E_PRODUCT_TWICE",
  "E_NUMBER_MIXED",
  "E_IMG_TWICE",
  "W_IMG_TWICE",
  "W_IMG_ALIKE",
]);

interface NamedRowsOptions {
  readonly run: Pick<RunRecord, "file">;
  /** Index in the input of each column of the workbook. */
  readonly columns: readonly number[];
  /** Reads the rows of the workbook in their order, by their numbers in the run. */
  readonly listRows: () => AsyncIterable<number>;
}

/** Names the rows of messages anew; the workbook's rows are listed once, where a message needs it. */
export function createNamedRows({
  run,
  columns,
  listRows,
}: NamedRowsOptions): <Row extends RowRecord>(row: Row) => Promise<Row> {
  let numbers: Promise<ReadonlyMap<number, number>> | undefined;
  return async (record) => {
    // A file of several sheets names the sheet of each row, which is plain enough.
    const isPlain = !record.issues.some(({ code }) => NAMING_CODES.has(code));
    if (isPlain || run.file.sheets !== undefined) return record;
    numbers ??= numberRows(listRows());
    const workbook = { columns, numbers: await numbers };
    const issues = record.issues.map((issue) => rename(issue, workbook));
    return { ...record, issues };
  };
}

async function numberRows(rows: AsyncIterable<number>): Promise<ReadonlyMap<number, number>> {
  const numbers = new Map<number, number>();
  // The header is the first row.
  for await (const row of rows) numbers.set(row, numbers.size + 2);
  return numbers;
}

interface Workbook {
  readonly columns: readonly number[];
  readonly numbers: ReadonlyMap<number, number>;
}

function rename(issue: RowIssue, workbook: Workbook): RowIssue {
  if (!NAMING_CODES.has(issue.code)) return issue;
  const { tr, en } = issue.message;
  return {
    ...issue,
    message: { tr: renameIn(tr, "tr", workbook), en: renameIn(en, "en", workbook) },
  };
}

/** A list of rows, a row or a cell. */
const NAMES =
  /\((?:satırlar:|rows) (?<list>[^()]*)\)|(?<=[ (])(?<trRow>\d+)\. satır|\brow (?<enRow>\d+)|(?<=[ (])(?<column>[A-Z]{1,3})(?<row>[1-9]\d*)(?=[ .,)])/gu;

/** Values of cells stand in quotes and stay as they are. */
const renameIn = (text: string, lang: Lang, workbook: Workbook): string =>
  text
    .split(/(“[^“”]*”)/u)
    .map((part) =>
      part.startsWith("“")
        ? part
        : part.replaceAll(NAMES, (...found) => renameOne(found, lang, workbook)),
    )
    .join("");

function renameOne(found: readonly unknown[], lang: Lang, { columns, numbers }: Workbook): string {
  const { list, trRow, enRow, column, row } = readGroups(found.at(-1));
  const whole = String(found[0]);
  if (list !== undefined) return renameList(list, lang, numbers);
  const number = numbers.get(Number(trRow ?? enRow ?? row));
  if (number === undefined) return inOriginal(whole, lang);
  if (column !== undefined) {
    const index = columns.indexOf(columnIndexOf(column) ?? -1);
    return index < 0 ? inOriginal(whole, lang) : `${columnLetter(index)}${number}`;
  }
  return trRow === undefined ? `row ${number}` : `${number}. satır`;
}

const readGroups = (groups: unknown): Readonly<Record<string, string | undefined>> =>
  typeof groups === "object" && groups !== null
    ? Object.fromEntries(
        Object.entries(groups).map(([name, text]) => [
          name,
          typeof text === "string" ? text : undefined,
        ]),
      )
    : {};

const inOriginal = (name: string, lang: Lang): string =>
  lang === "tr" ? `asıl dosyadaki ${name}` : `${name} of the original file`;

function renameList(list: string, lang: Lang, numbers: ReadonlyMap<number, number>): string {
  const named = list.split(", ");
  const [rows, rest] = named.at(-1) === "…" ? [named.slice(0, -1), ", …"] : [named, ""];
  const here = rows.flatMap((row) => numbers.get(Number(row)) ?? []).join(", ");
  const elsewhere = rows.filter((row) => !numbers.has(Number(row))).join(", ");
  const original =
    lang === "tr" ? `asıl dosyada: ${elsewhere}` : `in the original file: ${elsewhere}`;
  const words = lang === "tr" ? `satırlar: ${here}` : `rows ${here}`;
  const parts = [here === "" ? "" : words, elsewhere === "" ? "" : original];
  return `(${parts.filter((part) => part !== "").join("; ")}${rest})`;
}
