/** Workbooks written as XML, for contents that no program writes. */

import { changeParts, makeZip, type ZipPart } from "./make-zip.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

export interface MadeSheet {
  readonly name: string;
  /** XML inside `sheetData`. */
  readonly rows: string;
  readonly state?: string;
  /** XML before and after `sheetData`. */
  readonly before?: string;
  readonly after?: string;
}

export interface MadeWorkbook {
  readonly sheets: readonly MadeSheet[];
  /** XML inside `sst`. */
  readonly strings?: string;
  /** XML inside `styleSheet`. */
  readonly styles?: string;
  readonly properties?: string;
  /** XML after the sheets in the workbook part. */
  readonly workbook?: string;
}

export const workbookParts = (workbook: MadeWorkbook): readonly ZipPart[] => {
  const listed = workbook.sheets.map(
    ({ name, state = "visible" }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="r${index + 1}"/>`,
  );
  const related = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  const targets = workbook.sheets.map((_, index) =>
    related(`r${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`),
  );
  return [
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${workbook.properties ?? ""}/><sheets>${listed.join("")}</sheets>${workbook.workbook ?? ""}</workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships xmlns="${PACKAGE}">${targets.join("")}${related("s", "sharedStrings", "/xl/sharedStrings.xml")}${related("t", "styles", "styles.xml")}</Relationships>`,
    },
    {
      name: "xl/sharedStrings.xml",
      content: `<sst xmlns="${MAIN}">${workbook.strings ?? ""}</sst>`,
    },
    {
      name: "xl/styles.xml",
      content: `<styleSheet xmlns="${MAIN}">${workbook.styles ?? ""}</styleSheet>`,
    },
    ...workbook.sheets.map(({ rows, before = "", after = "" }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet xmlns="${MAIN}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
  ];
};

export const makeWorkbook = (workbook: MadeWorkbook): Buffer => makeZip(workbookParts(workbook));

export const textCell = (address: string, text: string): string =>
  `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** A header in row 1 and one row below it. */
export const SMALL_ROWS: string =
  `<row r="1">${textCell("A1", "Kod")}${textCell("B1", "Ad")}</row>` +
  `<row r="2">${textCell("A2", "1")}${textCell("B2", "Kaşık")}</row>`;

/** A workbook with one sheet. */
export const workbookOf = (rows: string, rest: Partial<MadeSheet> = {}): Buffer =>
  makeWorkbook({ sheets: [{ name: "Sayfa1", rows, ...rest }] });

/** A valid workbook in which the text of one part is changed. */
export const workbookWith = (
  name: string,
  change: (content: string) => string | Buffer,
  claims?: number,
): Buffer =>
  makeZip(
    changeParts(workbookParts({ sheets: [{ name: "Sayfa1", rows: SMALL_ROWS }] }), (part) =>
      part.name === name
        ? { content: change(String(part.content)), ...(claims !== undefined && { claims }) }
        : undefined,
    ),
  );
