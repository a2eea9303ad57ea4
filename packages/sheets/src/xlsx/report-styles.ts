/** The formats of a workbook for people. */

import { SPREADSHEET_NAMESPACE, XML_HEAD } from "./sheet-cells.ts";

/** What a cell is marked as. Each mark has two formats: any content, and text whatever is typed. */
export const MARK = { none: 0, error: 1, warning: 2, header: 3 } as const;
export type Mark = (typeof MARK)[keyof typeof MARK];

/** The place of a format in the list below. */
export const markedStyle = (mark: Mark, isText: boolean): number => 2 * mark + (isText ? 1 : 0);

const TEXT_FORMAT_ID = 49;
const [PLAIN_FONT, BOLD_FONT] = [0, 1];
const [NO_FILL, ERROR_FILL, WARNING_FILL] = [0, 2, 3];

const LOOKS: readonly (readonly [font: number, fill: number])[] = [
  [PLAIN_FONT, NO_FILL],
  [PLAIN_FONT, ERROR_FILL],
  [PLAIN_FONT, WARNING_FILL],
  [BOLD_FONT, NO_FILL],
];

const FORMATS = LOOKS.flatMap(([font, fill]) =>
  [0, TEXT_FORMAT_ID].map(
    (id) =>
      `<xf numFmtId="${id}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`,
  ),
);

const font = (inner: string): string => `<font>${inner}<sz val="11"/><name val="Calibri"/></font>`;
const fill = (color: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/></patternFill></fill>`;

export const STYLES_PART: string = [
  `${XML_HEAD}<styleSheet xmlns="${SPREADSHEET_NAMESPACE}">`,
  `<fonts count="2">${font("")}${font("<b/>")}</fonts>`,
  `<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fill("FFFFC7CE")}${fill("FFFFEB9C")}</fills>`,
  `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>`,
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>`,
  `<cellXfs count="${FORMATS.length}">${FORMATS.join("")}</cellXfs>`,
  `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
].join("");
