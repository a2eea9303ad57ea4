/** The parts of a workbook beside its sheets: lists of parts, and styles. */

import {
  escapeXml,
  SPREADSHEET_NAMESPACE,
  SPREADSHEET_NAMESPACE as MAIN,
  XML_HEAD,
  XML_HEAD as XML,
} from "./worksheet.ts";

export const OFFICE_RELATIONS =
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Indexes in the list of cell styles below. */
export const STYLE = {
  number: 0,
  text: 1,
  quotedText: 2,
  price: 3,
  integer: 4,
  header: 5,
  readOnlyHeader: 6,
  moment: 7,
  wrapped: 8,
} as const;

/** Number of the only custom format, that of moments. */
const MOMENT_FORMAT = 164;

const FORMATS = [
  `<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`,
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>`,
  `<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  `<xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  `<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`,
  `<xf numFmtId="49" fontId="2" fillId="3" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`,
  `<xf numFmtId="${MOMENT_FORMAT}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="left"/></xf>`,
  `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>`,
];

const font = (inner: string): string => `<font>${inner}<sz val="11"/><name val="Calibri"/></font>`;
const fill = (color: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/></patternFill></fill>`;

/** The part of the styles; moments are shown in this format. */
export const formatStyles = (momentFormat: string): string =>
  [
    `${XML}<styleSheet xmlns="${MAIN}">`,
    `<numFmts count="1"><numFmt numFmtId="${MOMENT_FORMAT}" formatCode="${escapeXml(momentFormat)}"/></numFmts>`,
    `<fonts count="3">${font("")}${font('<b/><color rgb="FFFFFFFF"/>')}${font('<i/><color rgb="FF404040"/>')}</fonts>`,
    `<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fill("FF44546A")}${fill("FFD9D9D9")}</fills>`,
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>`,
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>`,
    `<cellXfs count="${FORMATS.length}">${FORMATS.join("")}</cellXfs>`,
    `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  ].join("");

type Part = readonly [name: string, text: string];

/** A sheet of the workbook; one that is hidden is not offered to people either. */
export interface WrittenSheet {
  readonly name: string;
  /** @default false */
  readonly isHidden?: boolean;
}

interface PartsOptions {
  readonly styles: string;
  /** Indexes of the sheets that have notes. */
  readonly noted?: ReadonlySet<number>;
}

/** Name and text of each part, in the order in which they are written. */
export function workbookParts(
  sheets: readonly WrittenSheet[],
  { styles, noted = new Set() }: PartsOptions,
): readonly Part[] {
  return [
    ["[Content_Types].xml", contentTypes(sheets.length, noted)],
    ["_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])],
    ["xl/workbook.xml", workbook(sheets)],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ...sheets.map((_, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as const),
        ["styles", "styles.xml"],
      ]),
    ],
    ["xl/styles.xml", styles],
  ];
}

interface NoteParts {
  /** The names of the two parts. */
  readonly comments: string;
  readonly drawing: string;
  /** Relationships of the sheet to them, where `rId1` is the drawing. */
  readonly relations: Part;
}

/** The parts that the notes of a sheet need. */
export function noteParts(index: number): NoteParts {
  const number = index + 1;
  return {
    comments: `xl/comments${number}.xml`,
    drawing: `xl/drawings/vmlDrawing${number}.vml`,
    relations: [
      `xl/worksheets/_rels/sheet${number}.xml.rels`,
      relations([
        ["vmlDrawing", `../drawings/vmlDrawing${number}.vml`],
        ["comments", `../comments${number}.xml`],
      ]),
    ],
  };
}

function contentTypes(sheets: number, noted: ReadonlySet<number>): string {
  const parts = [
    ["/xl/workbook.xml", "sheet.main"],
    ["/xl/styles.xml", "styles"],
    ...Array.from({ length: sheets }, (_, index) => [
      `/xl/worksheets/sheet${index + 1}.xml`,
      "worksheet",
    ]),
    ...[...noted].map((index) => [`/${noteParts(index).comments}`, "comments"]),
  ];
  const overrides = parts.map(
    ([part, kind]) => `<Override PartName="${part}" ContentType="${TYPE}.${kind}+xml"/>`,
  );
  const defaults =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>';
  const drawings =
    noted.size === 0
      ? ""
      : '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>';
  return `${XML}<Types xmlns="${CONTENT_TYPES}">${defaults}${drawings}${overrides.join("")}</Types>`;
}

function relations(targets: readonly (readonly [kind: string, target: string])[]): string {
  const entries = targets.map(
    ([kind, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE_RELATIONS}/${kind}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE_RELATIONS}">${entries.join("")}</Relationships>`;
}

function workbook(sheets: readonly WrittenSheet[]): string {
  const entries = sheets.map(({ name, isHidden = false }, index) => {
    const state = isHidden ? ' state="veryHidden"' : "";
    return `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE_RELATIONS}"><sheets>${entries.join("")}</sheets></workbook>`;
}

/** What a cell is marked as. */
export const MARK = { none: 0, error: 1, warning: 2, header: 3, addedHeader: 4 } as const;
type Mark = (typeof MARK)[keyof typeof MARK];

/** Style of a cell: its mark, and the number format, by its text or by Excel's own number. */
export interface CellStyle {
  readonly mark: Mark;
  /** @default any content */
  readonly format?: string | number | undefined;
  /** Whether long text is broken into lines. @default false */
  readonly wraps?: boolean | undefined;
}

/** The format in which typed values stay text. */
export const TEXT_FORMAT = 49;

/** Collects the styles of cells as they are written; the part is made at the end. */
export interface ReportStyles {
  /** Index of a style in the part. */
  readonly indexOf: (style: CellStyle) => number;
  readonly part: () => string;
}

/** Number of the first custom format. */
const FIRST_CUSTOM = 164;
const [PLAIN_FONT, HEADER_FONT] = [0, 1];
const [NO_FILL, ERROR_FILL, WARNING_FILL, HEADER_FILL, ADDED_FILL] = [0, 2, 3, 4, 5];

const FONTS_AND_FILLS: readonly (readonly [font: number, fill: number])[] = [
  [PLAIN_FONT, NO_FILL],
  [PLAIN_FONT, ERROR_FILL],
  [PLAIN_FONT, WARNING_FILL],
  [HEADER_FONT, HEADER_FILL],
  [HEADER_FONT, ADDED_FILL],
];

export function createReportStyles(): ReportStyles {
  // By format; of each the marks, and again those of cells that wrap.
  const indexes = new Map<CellStyle["format"], number[]>();
  // The first style is that of cells that are not written; LibreOffice takes no alignment from it.
  const cellFormats: string[] = ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'];
  const custom = new Map<string, number>();
  const numberOf = (format: string | number): number => {
    if (typeof format === "number") return format;
    const known = custom.get(format) ?? FIRST_CUSTOM + custom.size;
    custom.set(format, known);
    return known;
  };
  const indexOf = ({ mark, format, wraps = false }: CellStyle): number => {
    const ofFormat = indexes.get(format) ?? [];
    const key = mark + (wraps ? FONTS_AND_FILLS.length : 0);
    const known = ofFormat[key];
    if (known !== undefined) return known;
    const [fontId, fillId] = FONTS_AND_FILLS[mark] ?? [PLAIN_FONT, NO_FILL];
    const start = `<xf numFmtId="${numberOf(format ?? 0)}" fontId="${fontId}" fillId="${fillId}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"`;
    const added = cellFormats.push(
      `${start} applyAlignment="1"><alignment vertical="top"${wraps ? ' wrapText="1"' : ""}/></xf>`,
    );
    ofFormat[key] = added - 1;
    indexes.set(format, ofFormat);
    return added - 1;
  };
  return { indexOf, part: () => stylesPart(cellFormats, custom) };
}

function stylesPart(cellFormats: readonly string[], custom: ReadonlyMap<string, number>): string {
  const numbers = [...custom].map(
    ([code, id]) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`,
  );
  return [
    `${XML_HEAD}<styleSheet xmlns="${SPREADSHEET_NAMESPACE}">`,
    numbers.length === 0 ? "" : `<numFmts count="${numbers.length}">${numbers.join("")}</numFmts>`,
    `<fonts count="2">${font("")}${font('<b/><color rgb="FFFFFFFF"/>')}</fonts>`,
    `<fills count="6"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fill("FFFFC7CE")}${fill("FFFFEB9C")}${fill("FF44546A")}${fill("FF7F5200")}</fills>`,
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>`,
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>`,
    `<cellXfs count="${cellFormats.length}">${cellFormats.join("")}</cellXfs>`,
    `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  ].join("");
}
