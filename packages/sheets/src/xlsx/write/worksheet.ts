/** The XML of a worksheet: cells, widths and heights, drop-downs and notes. */

import { type CellTrait, columnLetters, escapeFormula, type OutCell } from "../../cell.ts";
import { parseNumberFormat, serialToIso } from "../read/cell-value.ts";
import { createByteStore } from "../read/row-frame.ts";

export const SPREADSHEET_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Whether a spreadsheet could act on the text if a person typed it. */
export const isActive = (cell: OutCell): boolean =>
  typeof cell === "string" && escapeFormula(cell) !== cell;

/** Whether a cell without a format of its own is not written at all. */
export const isEmptyCell = (cell: OutCell): cell is null | "" => cell === null || cell === "";

/**
 * Formats a cell; `style` is the index of its style. Text over Excel's limit is cut. An object that
 * an API sent in place of a value is written as text, never as a formula or a link.
 */
export function formatCell(address: string, style: number, cell: OutCell): string {
  const start = `<c r="${address}"${style === 0 ? "" : ` s="${style}"`}`;
  if (isEmptyCell(cell)) return `${start}/>`;
  if (typeof cell === "boolean") return `${start} t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === "number" && Number.isFinite(cell)) return `${start}><v>${cell}</v></c>`;
  return `${start} t="inlineStr"><is>${formatText(String(cell))}</is></c>`;
}

// What has to be escaped somehow, an underscore that may begin an escape among it.
// oxlint-disable-next-line no-control-regex -- these characters are what has to be found
const SPECIAL = /[&<>_\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/;

/** Writes text with escapes as rich text, because only there does LibreOffice reverse escapes. */
function formatText(whole: string): string {
  const text = cutToCell(whole);
  if (!SPECIAL.test(text)) return `<t xml:space="preserve">${text}</t>`;
  const escaped = escapeXlsxText(text);
  const inner = `<t xml:space="preserve">${escapeXml(escaped)}</t>`;
  return escaped === text ? inner : `<r>${inner}</r>`;
}

const XML_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes a text for use between tags and between double quotes. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"]/gu, (sign) => XML_ESCAPES[sign] ?? sign);

/** The view of a sheet whose header and first columns stay visible. */
export function formatView(frozenColumns = 0): string {
  const split = frozenColumns === 0 ? "" : `xSplit="${frozenColumns}" `;
  const first = `${columnLetters(frozenColumns + 1)}2`;
  const pane = frozenColumns === 0 ? "bottomLeft" : "bottomRight";
  return `<sheetViews><sheetView workbookViewId="0"><pane ${split}ySplit="1" topLeftCell="${first}" activePane="${pane}" state="frozen"/></sheetView></sheetViews>`;
}

/** In points. Without it LibreOffice makes rows so low that dots of capitals are cut off. */
const ROW_HEIGHT = 15;

/** Height of the rows that state none; stands after the view. */
export const SHEET_FORMAT: string = `<sheetFormatPr defaultRowHeight="${ROW_HEIGHT}"/>`;

/** In characters. */
interface ColumnWidth {
  readonly width: number;
  /** The style of cells that are typed into; left out where there is none. */
  readonly style?: number;
}

export function formatColumns(columns: readonly ColumnWidth[]): string {
  if (columns.length === 0) return "";
  const written = columns.map(({ width, style }, index) => {
    const format = style === undefined ? "" : ` style="${style}"`;
    return `<col min="${index + 1}" max="${index + 1}" width="${width}"${format} customWidth="1"/>`;
  });
  return `<cols>${written.join("")}</cols>`;
}

/** Excel's limit; Excel reports a file with a longer text as damaged. */
export const MAX_CELL_CHARS = 32_767;

/** Maximum length of the name of a sheet. */
export const MAX_SHEET_NAME_CHARS = 31;

/** Cuts a text to the maximum of a cell, with `…` for the rest and no character split. */
export function cutToCell(text: string): string {
  if (text.length <= MAX_CELL_CHARS) return text;
  return `${text.slice(0, MAX_CELL_CHARS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

// The underscore of a text that looks like an escape, and what XML or its readers would drop. A DEL
// is left alone: LibreOffice would show its escape.
// oxlint-disable-next-line no-control-regex -- these characters are what has to be found
const ESCAPED = /_(?=x[0-9a-f]{4}_)|[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/gi;

export const escapeXlsxText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(
      ESCAPED,
      (found) => `_x${found.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}_`,
    );

/** Throws a `RangeError` for a name that Excel would not open. */
export function assertSheetName(name: string): void {
  if (name !== "" && name.length <= MAX_SHEET_NAME_CHARS && !/[[\]:*?/\\]|^'|'$/.test(name)) return;
  throw new RangeError(`“${name}” cannot be the name of a sheet.`);
}

/** Number of first rows that a width is measured by. */
export const MEASURED_ROWS = 100;

/** Widths, in characters of the usual font. */
export const MIN_WIDTH = 8;
const MAX_WIDTH = 40;
/** Room for the button of the filter beside a header, and for the edges of a cell. */
const [HEADER_ROOM, CELL_ROOM] = [4, 2];

/** Width of a column that has this header and begins with these cells. */
export function widthOf(header: string, cells: readonly OutCell[]): number {
  const texts = cells.map((cell) => longestLine(String(cell ?? "")) + CELL_ROOM);
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, header.length + HEADER_ROOM, ...texts));
}

const longestLine = (text: string): number =>
  text.includes("\n") ? Math.max(...text.split("\n").map(({ length }) => length)) : text.length;

/** A text as long as the cell is in this format, whose separators and words take room. */
export function toShown(cell: OutCell, format = ""): OutCell {
  if (typeof cell !== "number" || !/[0#]/u.test(format)) return cell;
  const positive = format.split(";", 1).join("");
  const decimals = /\.(0+)/u.exec(positive)?.at(1) ?? "";
  const number = cell.toFixed(Math.min(decimals.length, MAX_DECIMALS));
  const separators = positive.includes(",")
    ? Math.floor(Math.trunc(cell).toString().length / 3)
    : 0;
  const words = positive.replaceAll(/[0#?.,"\\]|\[[^\]]{0,40}\]/gu, "");
  return "0".repeat(number.length + separators + words.length);
}

/** Excel's maximum. */
const MAX_DECIMALS = 30;

/** Height of a line, and the largest height that Excel gives a row, in points. */
const [LINE_HEIGHT, MAX_HEIGHT] = [15, 409];

/** Height of a row with this many lines, in points; `undefined` for the usual height. */
export const toHeight = (lines: number): number | undefined =>
  lines <= 1 ? undefined : Math.min(MAX_HEIGHT, lines * LINE_HEIGHT);

/**
 * Characters by their widths, in those of a digit; each width is that in Calibri, the font of the
 * sheets, or in the font that LibreOffice takes where Calibri is missing, whichever is larger.
 */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  [" iıljİI!'.,:;|‘’", 0.5],
  ['frtJ()[]{}-/\\"“”', 0.8],
  ["csçşzxvyk", 0.93],
  ["mwMW@%&…", 1.7],
  ["ABCÇDEFGĞHKLNOÖPQRSŞTUÜVXYZ—→", 1.25],
];
const [SPACE_WIDTH, USUAL_WIDTH, FULL_WIDTH, WIDEST] = [0.5, 1.05, 2, 2];
/** Where the signs of East Asia begin, which are twice as wide as a digit. */
const FULL_WIDTH_START = 0x2e80;

/** Widths by character code, up to the signs of East Asia. */
const WIDTH_OF: Readonly<Float64Array> = toTable();

function toTable(): Float64Array {
  const table = new Float64Array(FULL_WIDTH_START).fill(USUAL_WIDTH);
  for (const [characters, width] of WIDTHS) {
    for (const character of characters) table[character.charCodeAt(0)] = width;
  }
  return table;
}

/** The edges of a cell, in digits, and the part of the rest that programs fill before they break. */
const [EDGES, FILL] = [0.75, 0.96];

/** Estimates the lines of a text in a column of this width in characters, and not too few. */
export function countLines(text: string, width: number): number {
  const room = Math.max(WIDEST, (width - EDGES) * FILL);
  if (text.length * WIDEST <= room && !text.includes("\n")) return 1;
  return text.split("\n").reduce((sum, line) => sum + countWrapped(line, room), 0);
}

function countWrapped(line: string, room: number): number {
  let [lines, used] = [1, 0];
  for (const word of line.split(" ")) {
    const width = measure(word);
    if (used > 0 && used + SPACE_WIDTH + width > room) {
      lines += 1;
      used = 0;
    }
    used += width + (used > 0 ? SPACE_WIDTH : 0);
    if (used <= room) continue;
    // A word longer than a line is broken between letters, of which the last may not fit.
    const whole = Math.max(1, room - USUAL_WIDTH);
    const more = Math.ceil(used / whole) - 1;
    lines += more;
    used -= more * whole;
  }
  return lines;
}

function measure(word: string): number {
  let width = 0;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.codePointAt(at) ?? 0;
    width += WIDTH_OF[code] ?? FULL_WIDTH;
    if (code > LAST_OF_ONE_UNIT) at += 1;
  }
  return width;
}

/** Characters behind this one take two units of a text. */
const LAST_OF_ONE_UNIT = 0xff_ff;

/*
 * Writes cells as they were read: a date stays a date, an error stays an error, and a number keeps
 * its format, so that reading them again gives the same.
 */

/** Facts about a cell beyond its value. */
interface CellReading {
  readonly trait: CellTrait | undefined;
  /** As Excel stores it. */
  readonly format: string | undefined;
}

/** A cell that is neither text nor a plain number. */
interface KeptCell {
  /** Content of its tag behind the address and the style. */
  readonly xml: string;
  /** A number is one of Excel's own formats. */
  readonly format: string | number | undefined;
}

/** The error values that every version of Excel opens. */
const ERROR_VALUES: ReadonlySet<OutCell> = new Set([
  "#N/A",
  "#REF!",
  "#VALUE!",
  "#DIV/0!",
  "#NAME?",
  "#NULL!",
  "#NUM!",
]);
/** Written in place of an error that only some programs know, and of a formula without a result. */
const NO_VALUE = "#N/A";

/** The value that is written for an error; any other value is returned as it is. */
export function toKeptValue(value: OutCell, trait: CellTrait | undefined): OutCell {
  const isBroken = trait === "error" || (trait === "formula" && value === null);
  return isBroken && !ERROR_VALUES.has(value) ? NO_VALUE : value;
}

/** Makes the cell; `undefined` where the value alone is enough. */
export function toKeptCell(value: OutCell, { trait, format }: CellReading): KeptCell | undefined {
  if (trait === "error" || (trait === "formula" && value === null)) {
    const text = String(toKeptValue(value, trait));
    return { xml: ` t="e"><v>${escapeXml(text)}</v></c>`, format: undefined };
  }
  if (trait === "date" && typeof value === "string") return toDateCell(value, format);
  if (typeof value !== "number" || !Number.isFinite(value) || format === undefined)
    return undefined;
  return { xml: `><v>${value}</v></c>`, format };
}

/** Excel's own date formats, displayed in the order of the reader's country. */
const OWN_DATE = { day: 14, moment: 22 } as const;
/** Names of these formats in programs that store no code for them. */
const OWN_DATE_NAMES: ReadonlyMap<string, number> = new Map([
  ["mm-dd-yy", OWN_DATE.day],
  ["m/d/yy", OWN_DATE.day],
  ["m/d/yyyy", OWN_DATE.day],
  ["m/d/yy h:mm", OWN_DATE.moment],
  ["m/d/yyyy h:mm", OWN_DATE.moment],
]);

function toDateCell(iso: string, given: string | undefined): KeptCell {
  const own = iso.includes("T") ? OWN_DATE.moment : OWN_DATE.day;
  const isDate = given !== undefined && parseNumberFormat(given).kind === "date";
  const format = isDate ? (OWN_DATE_NAMES.get(given) ?? given) : own;
  const serial = isoToSerial(iso);
  if (serial === undefined) return { xml: ` t="d"><v>${escapeXml(iso)}</v></c>`, format };
  return { xml: `><v>${serial}</v></c>`, format };
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2})?$/u;
const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);
/** The days before it are one off, because Excel believes that 1900 had a 29 February. */
const LEAP_SERIAL = 60;

/** The number of days that is read as this ISO text; `undefined` if there is none. */
function isoToSerial(iso: string): number | undefined {
  const days = ISO.test(iso)
    ? (Date.parse(`${iso}${iso.includes("T") ? "" : "T00:00:00"}Z`) - EPOCH) / DAY_MS
    : Number(iso);
  return [days, days - 1]
    .filter((serial, back) => Number.isFinite(serial) && (back === 0 || serial < LEAP_SERIAL))
    .find((serial) => serialToIso(serial, false) === iso);
}

/** Name of the hidden sheet that holds the lists of a workbook. */
export const LISTS_SHEET = "_listeler";

export interface ChoiceColumn {
  readonly choices?: readonly string[];
  readonly list?: PlacedList | undefined;
}

/** A list in the sheet {@link LISTS_SHEET}, by its column from 0. */
export interface PlacedList {
  readonly at: number;
  /** Words above it in its column. @default 0 */
  readonly after?: number;
  readonly length: number;
}

/** Cells that offer a list, as ranges with blanks between them. */
export interface OfferedList {
  readonly cells: string;
  readonly list: PlacedList;
}

/** Maximum length of a list that is stored in the sheet itself, a limit of Excel. */
const MAX_CHARS = 255;

const FIRST_ROW = 2;

/**
 * The part of a worksheet with the drop-down lists of its columns down to the last row, and of
 * single cells. Throws a `RangeError` for words that cannot form a list: too many, or with a comma or a quote in them.
 */
export function formatDropDowns(
  columns: readonly ChoiceColumn[],
  lastRow: number,
  offered: readonly OfferedList[] = [],
): string {
  if (lastRow < FIRST_ROW) return "";
  const ofColumns = columns.flatMap(({ choices = [], list }, index) => {
    const letters = columnLetters(index + 1);
    const cells = `${letters}${FIRST_ROW}:${letters}${lastRow}`;
    if (choices.length > 0) return [formatChoices(choices, cells)];
    return list === undefined || list.length === 0 ? [] : [formatList(list, cells)];
  });
  const lists = [...ofColumns, ...offered.map(({ cells, list }) => formatList(list, cells))];
  if (lists.length === 0) return "";
  return `<dataValidations count="${lists.length}">${lists.join("")}</dataValidations>`;
}

function formatChoices(choices: readonly string[], cells: string): string {
  const list = choices.join(",");
  if (list.length > MAX_CHARS || choices.some((word) => /[",]/u.test(word))) {
    throw new RangeError(`these words make no drop-down: ${list}`);
  }
  return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}"><formula1>${escapeXml(`"${list}"`)}</formula1></dataValidation>`;
}

/** Other values may be typed, so Excel has nothing to say of them. */
function formatList({ at, after = 0, length }: PlacedList, cells: string): string {
  const letters = columnLetters(at + 1);
  const first = FIRST_ROW + after;
  const range = `'${LISTS_SHEET}'!$${letters}$${first}:$${letters}$${first + length - 1}`;
  return `<dataValidation type="list" allowBlank="1" sqref="${cells}"><formula1>${range}</formula1></dataValidation>`;
}

interface SheetNote {
  /** From 1. */
  readonly row: number;
  /** From 1. */
  readonly column: number;
  readonly text: string;
}

/** The notes of a sheet while its rows are written; texts are kept as bytes, in a third of the memory. */
export interface SheetNotes extends Iterable<SheetNote> {
  readonly size: number;
  add(note: SheetNote): void;
}

export function createSheetNotes(): SheetNotes {
  const texts = createByteStore({});
  const rows: number[] = [];
  const columns: number[] = [];
  return {
    get size() {
      return rows.length;
    },
    add({ row, column, text }) {
      const bytes = Buffer.from(text.toWellFormed());
      texts.add(bytes, 0, bytes.length);
      rows.push(row);
      columns.push(column);
    },
    *[Symbol.iterator]() {
      for (const [index, row] of rows.entries()) {
        yield { row, column: columns[index] ?? 1, text: texts.text(index) ?? "" };
      }
    },
  };
}

export function* formatNotes(notes: Iterable<SheetNote>): Generator<string> {
  yield `${XML_HEAD}<comments xmlns="${SPREADSHEET_NAMESPACE}"><authors><author/></authors><commentList>`;
  for (const { row, column, text } of notes) {
    const run = `<r><t xml:space="preserve">${escapeXml(escapeXlsxText(text))}</t></r>`;
    yield `<comment ref="${columnLetters(column)}${row}" authorId="0"><text>${run}</text></comment>`;
  }
  yield "</commentList></comments>";
}

const BOX =
  '<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>' +
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';
const FIRST_SHAPE = 1025;
/** Number of columns and rows that the box of a note covers. */
const [BOX_COLUMNS, BOX_ROWS] = [3, 5];

/** Writes a hidden yellow box beside each cell that has a note. */
export function* formatNoteBoxes(notes: Iterable<SheetNote>): Generator<string> {
  yield `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">${BOX}`;
  let shape = FIRST_SHAPE;
  for (const { row, column } of notes) {
    const anchor = [column, 12, row - 1, 4, column + BOX_COLUMNS, 12, row - 1 + BOX_ROWS, 4];
    yield `<v:shape id="_x0000_s${shape}" type="#_x0000_t202" style="position:absolute;width:200pt;height:75pt;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">`;
    yield '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"><div style="text-align:left"/></v:textbox>';
    yield `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(", ")}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column - 1}</x:Column></x:ClientData></v:shape>`;
    shape += 1;
  }
  yield "</xml>";
}
