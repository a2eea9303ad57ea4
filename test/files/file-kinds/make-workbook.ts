/**
 * Workbooks as Excel writes them, cell by cell: types, number formats, hidden rows, merged cells.
 */

import { type MadeSheet, workbookParts } from "../bad-files/make-workbook.ts";
import { makeZip, type ZipPart } from "../bad-files/make-zip.ts";

export interface MadeCell {
  /** XML inside its tag, after the address. */
  readonly xml: string;
  /** Number format as Excel stores it. @default General */
  readonly format?: string;
}

/** A text, a plain number, an empty cell, or given XML. */
export type WorkbookCell = string | number | null | MadeCell;

export const shown = (value: number, format: string): MadeCell => ({
  xml: `<v>${value}</v>`,
  format,
});
export const typed = (type: string, value: string): MadeCell => ({
  xml: `${type}|<v>${value}</v>`,
});
export const formula = (text: string, result: string): MadeCell => ({
  xml: `<f>${text}</f>${result}`,
});

export interface MadeWorkbook {
  /** @default "Ürünler" */
  readonly name?: string;
  /** @default "visible" */
  readonly state?: string;
  readonly rows: readonly (readonly WorkbookCell[])[];
  readonly isDate1904?: boolean;
  /** XML after the cells, such as merged cells. */
  readonly after?: string;
  /** XML before the cells, such as the columns. */
  readonly before?: string;
  /** Numbers of the rows that are hidden. */
  readonly hidden?: ReadonlySet<number>;
  /** A sheet before it. */
  readonly first?: { readonly name: string; readonly rows: readonly (readonly WorkbookCell[])[] };
  readonly strings?: string;
}

export const makeWorkbook = (workbook: MadeWorkbook): Buffer => makeZip(partsOf(workbook));

function partsOf(workbook: MadeWorkbook): readonly ZipPart[] {
  const all = [...(workbook.first?.rows ?? []), ...workbook.rows].flat();
  const formats = [
    ...new Set(
      all.flatMap((cell) => (typeof cell === "object" && cell?.format ? [cell.format] : [])),
    ),
  ];
  const sheetXml = (rows: MadeWorkbook["rows"], hidden: ReadonlySet<number> = new Set()): string =>
    rows
      .map((cells, at) => rowXml(cells, at + 1, { formats, isHidden: hidden.has(at + 1) }))
      .join("");
  const main = { ...mainSheetOf(workbook), rows: sheetXml(workbook.rows, workbook.hidden) };
  const first = workbook.first && {
    name: workbook.first.name,
    rows: sheetXml(workbook.first.rows),
  };
  const parts = workbookParts({
    sheets: first === undefined ? [main] : [first, main],
    styles: stylesXml(formats),
    ...(workbook.isDate1904 === true && { properties: 'date1904="1"' }),
    ...(workbook.strings !== undefined && { strings: workbook.strings }),
  });
  return [...parts, ...OUTER_PARTS];
}

const mainSheetOf = ({
  name = "Ürünler",
  state = "visible",
  before = "",
  after = "",
}: MadeWorkbook): Omit<MadeSheet, "rows"> => ({ name, state, before, after });

const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const typeOf = (part: string, kind: string): string =>
  `<Override PartName="/xl/${part}.xml" ContentType="${TYPE}.${kind}+xml"/>`;

/** Parts without which other programs do not open a workbook. */
const OUTER_PARTS: readonly ZipPart[] = [
  {
    name: "[Content_Types].xml",
    content:
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' +
      `${typeOf("workbook", "sheet.main")}${typeOf("styles", "styles")}${typeOf("sharedStrings", "sharedStrings")}${typeOf("worksheets/sheet1", "worksheet")}</Types>`,
  },
  {
    name: "_rels/.rels",
    content:
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  },
];

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const PLAIN =
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>';

const stylesXml = (formats: readonly string[]): string => {
  const named = formats.map(
    (code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escape(code)}"/>`,
  );
  const cells = ["0", ...formats.map((_, at) => String(200 + at))];
  return `<numFmts count="${named.length}">${named.join("")}</numFmts>${PLAIN}<cellXfs count="${cells.length}">${cells.map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join("")}</cellXfs>`;
};

function rowXml(
  cells: readonly WorkbookCell[],
  number: number,
  { formats, isHidden }: { readonly formats: readonly string[]; readonly isHidden: boolean },
): string {
  const tags = cells.map((cell, at) => cellXml(cell, `${letters(at)}${number}`, formats));
  return `<row r="${number}"${isHidden ? ' hidden="1"' : ""}>${tags.join("")}</row>`;
}

const letters = (at: number): string =>
  at < 26 ? String.fromCodePoint(65 + at) : `A${String.fromCodePoint(65 + at - 26)}`;

function cellXml(cell: WorkbookCell, address: string, formats: readonly string[]): string {
  if (cell === null) return "";
  if (typeof cell === "number") return `<c r="${address}"><v>${cell}</v></c>`;
  if (typeof cell === "string") {
    return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`;
  }
  const style = cell.format === undefined ? "" : ` s="${formats.indexOf(cell.format) + 1}"`;
  const [type, xml] = cell.xml.startsWith("<") ? [undefined, cell.xml] : cell.xml.split("|", 2);
  return `<c r="${address}"${style}${type === undefined ? "" : ` t="${type}"`}>${xml}</c>`;
}
