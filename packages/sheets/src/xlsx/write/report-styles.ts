/** The cell formats of a workbook for people. */

import { escapeXml, SPREADSHEET_NAMESPACE, XML_HEAD } from "./sheet-cells.ts";

/** What a cell is marked as. */
export const MARK = { none: 0, error: 1, warning: 2, header: 3, addedHeader: 4 } as const;
export type Mark = (typeof MARK)[keyof typeof MARK];

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
    const [font, fill] = FONTS_AND_FILLS[mark] ?? [PLAIN_FONT, NO_FILL];
    const start = `<xf numFmtId="${numberOf(format ?? 0)}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"`;
    const added = cellFormats.push(
      `${start} applyAlignment="1"><alignment vertical="top"${wraps ? ' wrapText="1"' : ""}/></xf>`,
    );
    ofFormat[key] = added - 1;
    indexes.set(format, ofFormat);
    return added - 1;
  };
  return { indexOf, part: () => stylesPart(cellFormats, custom) };
}

const font = (inner: string): string => `<font>${inner}<sz val="11"/><name val="Calibri"/></font>`;
const fill = (color: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/></patternFill></fill>`;

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
