/** Writes the cells and rows of a worksheet as XML. */

import { escapeFormula } from "../../formula-safety.ts";
import type { OutCell } from "../../out-cell.ts";
import { columnLetters } from "../cell-address.ts";
import { cutToCell, escapeXlsxText } from "./workbook-file.ts";

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

/** The view of a sheet whose top rows and first columns stay visible. */
export function formatView(frozenRows: number, frozenColumns = 0): string {
  if (frozenRows + frozenColumns === 0) return "";
  const splits = [
    ...(frozenColumns === 0 ? [] : [`xSplit="${frozenColumns}"`]),
    ...(frozenRows === 0 ? [] : [`ySplit="${frozenRows}"`]),
  ];
  const first = `${columnLetters(frozenColumns + 1)}${frozenRows + 1}`;
  const pane = PANES[frozenColumns === 0 ? "rows" : frozenRows === 0 ? "columns" : "both"];
  return `<sheetViews><sheetView workbookViewId="0"><pane ${splits.join(" ")} topLeftCell="${first}" activePane="${pane}" state="frozen"/></sheetView></sheetViews>`;
}

/** In points. Without it LibreOffice makes rows so low that dots of capitals are cut off. */
const ROW_HEIGHT = 15;

/** Height of the rows that state none; stands after the view. */
export const SHEET_FORMAT: string = `<sheetFormatPr defaultRowHeight="${ROW_HEIGHT}"/>`;

/** The part of the window that scrolls. */
const PANES = { rows: "bottomLeft", columns: "topRight", both: "bottomRight" } as const;

/** In characters. */
export interface ColumnWidth {
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
