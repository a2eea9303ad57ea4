/**
 * Writes a workbook to be filled in: columns for people are shown, machine data is hidden. The same
 * content gives the same bytes.
 */

import { createWriteStream, type WriteStream } from "node:fs";
import { open } from "node:fs/promises";

import type {
  CellRichTextValue,
  DataValidation,
  Fill,
  PageSetup,
  Row,
  stream,
  Worksheet,
} from "exceljs";

import { columnLetters, type OutCell } from "../../cell.ts";
import { replaceFile } from "../../write-file.ts";
import { META_SHEET } from "../read/workbook-parts.ts";
import { fileBytes, readZipDirectory } from "../zip/read-zip.ts";
import {
  assertSheetName,
  countLines,
  cutToCell,
  escapeXlsxText,
  isActive,
  LISTS_SHEET,
} from "./worksheet.ts";

type Workbook = stream.xlsx.WorkbookWriter;
const CREATED = new Date(Date.UTC(2000, 0, 1));
/** Date and time fields of 1 January 1980, the first day that a zip can hold. */
const ZIP_MIDNIGHT = Buffer.from([0, 0, 0x21, 0]);
const MAX_ENTRIES = 0xffff;

/**
 * Replaces `path` by the workbook that `fill` writes, completely or not at all. The library is
 * loaded here, because loading it takes longer than starting a program without it.
 */
async function writeWorkbookFile(
  path: string,
  fill: (workbook: Workbook) => Promise<void>,
): Promise<void> {
  const { default: exceljs } = await import("exceljs");
  await replaceFile(path, async (temporaryPath) => {
    const output = createWriteStream(temporaryPath, { flags: "wx" });
    const workbook = new exceljs.stream.xlsx.WorkbookWriter({
      stream: output,
      useStyles: true,
      useSharedStrings: false,
    });
    workbook.created = CREATED;
    workbook.modified = CREATED;
    await Promise.race([fill(workbook).then(() => workbook.commit()), failureOf(output)]).finally(
      () => output.destroy(),
    );
    await setZipTimes(temporaryPath);
  });
}

/** Rejects when the output fails, which the library does not check; never resolves. */
const failureOf = (output: WriteStream): Promise<never> =>
  new Promise((_, reject) => output.once("error", reject));

/**
 * Prepares a value so that the library writes exactly it: objects, which the library takes for
 * formulas and links, become text, and text beyond Excel's limit is cut. Text with escapes becomes
 * rich text, because only there does LibreOffice reverse them.
 */
export function toWritableCell(value: OutCell): OutCell | CellRichTextValue {
  if (value === null || value === "") return null;
  if (typeof value === "boolean" || Number.isFinite(value)) return value;
  const text = cutToCell(String(value));
  // The library would drop a DEL.
  const escaped = escapeXlsxText(text).replaceAll("\u007f", "_x007F_");
  return escaped === text ? text : { richText: [{ text: escaped }] };
}

/** Replaces the times at which the parts were written by one fixed time. */
async function setZipTimes(path: string): Promise<void> {
  await using handle = await open(path, "r+");
  const { size } = await handle.stat();
  for (const entry of readZipDirectory(fileBytes(handle.fd, size), MAX_ENTRIES)) {
    await handle.write(ZIP_MIDNIGHT, 0, 4, entry.headerOffset + 10);
    await handle.write(ZIP_MIDNIGHT, 0, 4, entry.directoryOffset + 12);
  }
}

/** A column of the data sheet. */
interface TemplateColumn {
  /** Machine name of the column, in the hidden second row. */
  readonly key: string;
  readonly header: string;
  readonly required: boolean;
  readonly kind: "text" | "price" | "integer";
  /** Help text, shown as a note at the header. */
  readonly note: string;
  /** In characters. @default by the header, the list and the rows, within limits */
  readonly width?: number;
  readonly list?: TemplateDropDown;
}

/** The drop-down of a column. */
interface TemplateDropDown {
  /** One of the workbook's lists. */
  readonly name: string;
  /** Whether other values are refused; otherwise they may be typed. */
  readonly strict: boolean;
  /** Shown beside a chosen cell. @default nothing */
  readonly prompt?: string;
  /** Shown for a value that is not in the list. @default the words of the program */
  readonly error?: string;
  /**
   * Offers only the values of the row's group: the column with this key holds the group, and the
   * list with this name has the group of each value, equal ones together. `values` names the list of
   * these values where a value may have several groups. In a row of no group all values are offered.
   * @default all values
   */
  readonly group?: { readonly column: string; readonly list: string; readonly values?: string };
}

/** Values to choose from. `name` becomes a defined name of the workbook. */
interface TemplateList {
  readonly name: string;
  readonly values: readonly { readonly label: string; readonly id: string }[];
}

/** Path and content of a template. */
export interface TemplateWorkbook {
  readonly path: string;
  readonly dataSheet: string;
  readonly guideSheet: {
    readonly name: string;
    readonly header: readonly string[];
    /** In characters. @default 30 each */
    readonly widths?: readonly number[];
    readonly rows: readonly (readonly string[])[];
  };
  readonly columns: readonly TemplateColumn[];
  /** Number of first columns that stay visible. @default 0 */
  readonly frozenColumns?: number;
  readonly lists: readonly TemplateList[];
  /** Lines of the hidden sheet `_meta`. */
  readonly meta: Readonly<Record<string, string>>;
  /** Rows that the data sheet already holds, from row 3. */
  readonly rows?: readonly (readonly OutCell[])[];
}

const FIRST_DATA_ROW = 3;
/** Last row with drop-downs and colours; more rows are not read either. */
const LAST_DATA_ROW = 50_002;
const WIDTH = { least: 10, most: 44, padding: 3 } as const;
const GUIDE_WIDTH = 30;
/** In points. */
const LINE_HEIGHT = 15;
/** The format in which typed values stay text. */
const TEXT_FORMAT = "@";

const FORMATS: Readonly<Record<TemplateColumn["kind"], string>> = {
  text: TEXT_FORMAT,
  price: "#,##0.00",
  integer: "0",
};

/** A font without a name is one with serifs in some programs. */
const FONT = { name: "Calibri", size: 11 } as const;

/** All columns on the width of a page, the headers on each: A4, sideways. */
const PRINT: Partial<PageSetup> = {
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- A4; its enum would load the library at the start
  paperSize: 9,
  orientation: "landscape",
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  printTitlesRow: "1:1",
};

const solid = (argb: string): Fill => ({ type: "pattern", pattern: "solid", fgColor: { argb } });
const REQUIRED_HEADER = solid("FFC00000");
const OPTIONAL_HEADER = solid("FF44546A");
const MISSING_CELL: Fill = { type: "pattern", pattern: "solid", bgColor: { argb: "FFFFC7CE" } };

/**
 * Writes the data sheet (headers with notes, hidden keys, data from row 3), the
 * guide, and the veryHidden sheets `_listeler` and `_meta`. Required cells of a started row are
 * coloured while they are empty. There are no macros and no protection, and labels of one list must
 * differ. Throws a `RangeError` if a column names an unknown list. Replaces `path` completely.
 */
export async function writeTemplate(template: TemplateWorkbook): Promise<void> {
  assertTemplate(template);
  await writeWorkbookFile(template.path, async (workbook) => {
    writeDataSheet(workbook, template);
    writeGuide(workbook, template);
    writeLists(workbook, template);
    writeMeta(workbook, template);
  });
}

function assertTemplate(template: TemplateWorkbook): void {
  assertSheetName(template.dataSheet);
  assertSheetName(template.guideSheet.name);
  for (const { name } of template.lists) {
    if (!/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) || /^[a-z]{1,3}\d+$/i.test(name)) {
      throw new RangeError(`“${name}” cannot be the name of a list.`);
    }
  }
  const lists = new Set(template.lists.map(({ name }) => name));
  const lost = template.columns.find(({ list }) =>
    [list?.name, list?.group?.list, list?.group?.values].some(
      (name) => name !== undefined && !lists.has(name),
    ),
  );
  if (lost !== undefined)
    throw new RangeError(`The list of the column “${lost.header}” is missing.`);
}

function writeDataSheet(workbook: Workbook, template: TemplateWorkbook): void {
  const { columns, rows = [], frozenColumns = 0 } = template;
  const topLeftCell = `${columnLetters(frozenColumns + 1)}${FIRST_DATA_ROW}`;
  const sheet = workbook.addWorksheet(template.dataSheet, {
    pageSetup: PRINT,
    views: [{ state: "frozen", xSplit: frozenColumns, ySplit: 2, topLeftCell }],
  });
  sheet.columns = columns.map((column, index) => ({
    width: column.width ?? widthOf(column, index, template),
    style: { numFmt: FORMATS[column.kind] },
  }));
  writeHeader(sheet, columns);
  const keys = addRow(
    sheet,
    columns.map(({ key }) => key),
  );
  keys.hidden = true;
  keys.commit();
  for (const row of rows) addRow(sheet, row).commit();
  for (const [index, column] of columns.entries()) {
    const letters = sheet.getColumn(index + 1).letter;
    if (column.required) paintMissing(sheet, letters, sheet.getColumn(columns.length).letter);
    if (hasValues(column, template)) addDropDown(sheet, letters, { column, columns });
  }
  sheet.commit();
}

function widthOf(
  { header, list }: TemplateColumn,
  index: number,
  { lists, rows = [] }: TemplateWorkbook,
): number {
  const choices = lists.find(({ name }) => name === list?.name)?.values ?? [];
  const texts = [
    header,
    ...choices.map(({ label }) => label),
    ...rows.map((cells) => String(cells[index] ?? "")),
  ];
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  return Math.min(WIDTH.most, Math.max(WIDTH.least, longest + WIDTH.padding));
}

function writeHeader(sheet: Worksheet, columns: readonly TemplateColumn[]): void {
  const header = addRow(
    sheet,
    columns.map((column) => column.header),
  );
  for (const [index, column] of columns.entries()) {
    const cell = header.getCell(index + 1);
    cell.font = { ...FONT, bold: true, color: { argb: "FFFFFFFF" } };
    cell.fill = column.required ? REQUIRED_HEADER : OPTIONAL_HEADER;
    if (column.note !== "") cell.note = escapeXlsxText(column.note);
  }
  header.commit();
}

/** In the rule, the column is fixed and the row is relative: `C3` is the first cell. */
function paintMissing(sheet: Worksheet, letters: string, lastLetters: string): void {
  const row = FIRST_DATA_ROW;
  const isStarted = `COUNTA($A${row}:$${lastLetters}${row})>0`;
  sheet.addConditionalFormatting({
    ref: `${letters}${row}:${letters}${LAST_DATA_ROW}`,
    rules: [
      {
        type: "expression",
        priority: 1,
        formulae: [`AND(${isStarted},LEN(TRIM(${letters}${row}))=0)`],
        style: { fill: MISSING_CELL },
      },
    ],
  });
}

const hasValues = ({ list }: TemplateColumn, { lists }: TemplateWorkbook): boolean =>
  lists.some(({ name, values }) => name === list?.name && values.length > 0);

interface PlacedColumn {
  readonly column: TemplateColumn;
  readonly columns: readonly TemplateColumn[];
}

/** Longest texts that Excel shows. */
const MAX_PROMPT = { title: 32, text: 255 } as const;

function addDropDown(sheet: Worksheet, letters: string, { column, columns }: PlacedColumn): void {
  const { list, header } = column;
  if (list === undefined) return;
  const { prompt, error, strict } = list;
  const title = header.slice(0, MAX_PROMPT.title);
  const rule: DataValidation = {
    type: "list",
    allowBlank: true,
    showErrorMessage: true,
    errorStyle: strict ? "stop" : "warning",
    formulae: [listFormula(list, columns)],
    ...(error === undefined ? {} : { errorTitle: title, error: error.slice(0, MAX_PROMPT.text) }),
    ...(prompt === undefined
      ? {}
      : {
          showInputMessage: true,
          promptTitle: title,
          prompt: prompt.slice(0, MAX_PROMPT.text),
        }),
  };
  if (!hasDropDowns(sheet)) throw new TypeError("The sheet takes no drop-downs.");
  sheet.dataValidations.add(`${letters}${FIRST_DATA_ROW}:${letters}${LAST_DATA_ROW}`, rule);
}

/** The column is fixed and the row is relative, as in the rule of missing cells. */
function listFormula(
  { name, group }: TemplateDropDown,
  columns: readonly TemplateColumn[],
): string {
  const at = columns.findIndex(({ key }) => key === group?.column);
  if (group === undefined || at === -1) return name;
  const cell = `$${columnLetters(at + 1)}${FIRST_DATA_ROW}`;
  const count = `COUNTIF(${group.list},${cell})`;
  const start = `MATCH(${cell},${group.list},0)-1`;
  return `IF(${count}=0,${name},OFFSET(${group.values ?? name},${start},0,${count},1))`;
}

interface DropDowns {
  readonly dataValidations: { add(range: string, rule: DataValidation): void };
}

/**
 * The library's types lack this method, with which a whole column needs one rule instead of one per
 * cell.
 */
const hasDropDowns = (sheet: object): sheet is DropDowns => "dataValidations" in sheet;

function writeGuide(workbook: Workbook, { guideSheet }: TemplateWorkbook): void {
  const sheet = workbook.addWorksheet(guideSheet.name, {
    pageSetup: PRINT,
    views: [{ state: "frozen", ySplit: 1 }],
  });
  const widths = guideSheet.header.map((_, index) => guideSheet.widths?.[index] ?? GUIDE_WIDTH);
  sheet.columns = widths.map((width) => ({
    width,
    style: { numFmt: TEXT_FORMAT, alignment: { wrapText: true, vertical: "top" } },
  }));
  const header = addRow(sheet, guideSheet.header);
  for (const index of widths.keys()) {
    const cell = header.getCell(index + 1);
    cell.font = { ...FONT, bold: true, color: { argb: "FFFFFFFF" } };
    cell.fill = OPTIONAL_HEADER;
  }
  header.commit();
  for (const cells of guideSheet.rows) {
    const row = addRow(sheet, cells);
    // LibreOffice does not fit the height of a row to text of several lines.
    const lines = cells.map((text, index) => countLines(text, widths[index] ?? GUIDE_WIDTH));
    row.height = Math.max(1, ...lines) * LINE_HEIGHT;
    row.commit();
  }
  sheet.commit();
}

/** Writes two columns per list, label and id, under a header with the list's name. */
function writeLists(workbook: Workbook, { lists }: TemplateWorkbook): void {
  const sheet = workbook.addWorksheet(LISTS_SHEET, { state: "veryHidden" });
  addRow(
    sheet,
    lists.flatMap(({ name }) => [name, `${name}:id`]),
  ).commit();
  const length = Math.max(0, ...lists.map(({ values }) => values.length));
  for (let at = 0; at < length; at += 1) {
    const cells = lists.flatMap(({ values }) => [
      values[at]?.label ?? null,
      values[at]?.id ?? null,
    ]);
    addRow(sheet, cells).commit();
  }
  for (const [index, { name, values }] of lists.entries()) {
    const letters = sheet.getColumn(index * 2 + 1).letter;
    const range = `'${LISTS_SHEET}'!$${letters}$2:$${letters}$${values.length + 1}`;
    if (values.length > 0) workbook.definedNames.add(range, name);
  }
  sheet.commit();
}

function writeMeta(workbook: Workbook, { meta }: TemplateWorkbook): void {
  const sheet = workbook.addWorksheet(META_SHEET, { state: "veryHidden" });
  for (const entry of Object.entries(meta)) addRow(sheet, entry).commit();
  sheet.commit();
}

/** Adds a row of plain values; the caller commits it. */
function addRow(worksheet: Worksheet, cells: readonly OutCell[]): Row {
  const row = worksheet.addRow(cells.map(toWritableCell));
  for (const [index, cell] of cells.entries()) {
    // In the text format, Excel leaves such a text as it is even after the cell was edited.
    if (isActive(cell)) row.getCell(index + 1).numFmt = TEXT_FORMAT;
  }
  return row;
}
