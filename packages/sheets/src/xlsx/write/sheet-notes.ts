/** The notes of a sheet, which are two parts of the workbook: texts and boxes. */

import { columnLetters } from "../cell-address.ts";
import { createByteStore } from "../read/process/byte-store.ts";
import { escapeXml, SPREADSHEET_NAMESPACE, XML_HEAD } from "./sheet-cells.ts";
import { escapeXlsxText } from "./workbook-file.ts";

export interface SheetNote {
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
