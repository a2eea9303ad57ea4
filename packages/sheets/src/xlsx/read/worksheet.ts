/**
 * Reads the rows of a worksheet from its XML as a stream. Rows and cells without an address follow
 * the one before; an address that contradicts its position is refused as ambiguous.
 */

import type { CellSource } from "./cell-value.ts";
import type { RowWriter } from "./process/row-frame.ts";
import { createRowBuilder, type RowBuilderOptions } from "./row-builder.ts";
import { createSheetFacts, type SheetFacts } from "./sheet-facts.ts";
import { isTrue } from "./workbook-parts.ts";
import { createPlainCell, readPlainCell } from "./xml/plain-markup.ts";
import { createXmlBytes, type XmlBytes } from "./xml/xml-bytes.ts";
import { parseAttributes } from "./xml/xml-scanner.ts";

export interface WorksheetOptions extends RowBuilderOptions {
  /** Called for each row with content, which is valid until it returns. */
  readonly onRow: (row: RowWriter) => void;
}

export interface WorksheetReader {
  /** Receives the part of the worksheet. */
  readonly xml: XmlBytes;
  /** The facts of the sheet; valid once the part has ended. */
  facts(): SheetFacts;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** `xml` throws a `SheetError` at what is refused. */
// oxlint-disable-next-line max-lines-per-function -- one state, shared by what each element does to it
export function createWorksheetReader(options: WorksheetOptions): WorksheetReader {
  const facts = createSheetFacts();
  const row = createRowBuilder(options);
  const cell: Mutable<CellSource> = { ...NO_CELL };
  let valueIn: "none" | "value" | "inline" = "none";
  let phonetic = 0;
  /** Whether the cell has a text of its own, beside which a value means nothing. */
  let isInline = false;

  const opened: Readonly<Record<string, (attributes: string) => void>> = {
    c(attributes) {
      Object.assign(cell, NO_CELL);
      isInline = false;
      readCellAttributes(attributes, cell);
      row.beginCell(cell.address);
    },
    is() {
      isInline = cell.type === "inlineStr";
      if (isInline) cell.value = undefined;
    },
    v() {
      if (isInline) return;
      valueIn = "value";
      cell.value = "";
    },
    t() {
      if (cell.type === "inlineStr" && phonetic === 0) valueIn = "inline";
    },
    rPh: () => (phonetic += 1),
    f: () => (cell.isFormula = true),
    row(source) {
      const usual = USUAL_ROW.exec(source);
      if (usual !== null) row.begin(usual[1], false);
      else {
        const attributes = parseAttributes(source);
        row.begin(attributes.get("r"), isTrue(attributes.get("hidden")));
      }
    },
    col: (attributes) => facts.column(parseAttributes(attributes)),
    mergeCell: (attributes) => facts.merge(parseAttributes(attributes)),
  };
  const closed: Readonly<Record<string, () => void>> = {
    c: () => row.endCell(cell),
    v: () => (valueIn = "none"),
    t: () => (valueIn = "none"),
    rPh: () => (phonetic -= 1),
    row() {
      const { done, isHidden } = row.end();
      if (done === undefined) return;
      facts.row(done, isHidden);
      options.onRow(done);
    },
  };
  const plain = createPlainCell();
  const openers = new Map(Object.entries(opened));
  const closers = new Map(Object.entries(closed));
  const xml = createXmlBytes({
    take(bytes, start) {
      const end = readPlainCell(bytes, start, plain);
      return end !== -1 && row.plainCell(bytes, plain) ? end : -1;
    },
    open: (name, attributes) => openers.get(name)?.(attributes),
    close: (name) => closers.get(name)?.(),
    text(text) {
      if (valueIn === "none") return;
      const soFar = cell.value ?? "";
      if (soFar.length <= options.limits.cellChars) cell.value = soFar + text;
    },
  });
  return { xml, facts: () => facts.result() };
}

/** Attributes that most programs write for a row; none after the first is needed. */
const USUAL_ROW =
  /^ r="(\d+)"(?: (?:spans|s|customFormat|ht|customHeight|thickTop|thickBot|x14ac:dyDescent)="[^"]*")*$/u;

const NO_CELL: CellSource = {
  address: undefined,
  style: 0,
  type: "n",
  isFormula: false,
  value: undefined,
};

const EQUALS = 61;

/** Reads `r`, `s` and `t` without allocating, because every cell is read so. */
function readCellAttributes(source: string, cell: Mutable<CellSource>): void {
  let at = 0;
  for (;;) {
    const equals = source.indexOf("=", at);
    if (equals === -1) return;
    const start = source.indexOf('"', equals);
    const end = start === -1 ? -1 : source.indexOf('"', start + 1);
    if (end === -1 || source.charCodeAt(equals) !== EQUALS || start !== equals + 1) {
      readRareAttributes(source, cell);
      return;
    }
    const name = source.slice(at, equals).trim();
    if (name === "r") cell.address = source.slice(start + 1, end);
    else if (name === "t") cell.type = source.slice(start + 1, end);
    else if (name === "s") cell.style = Number(source.slice(start + 1, end));
    at = end + 1;
  }
}

/** Reads the same attributes with single quotes or blanks around the equals sign. */
function readRareAttributes(source: string, cell: Mutable<CellSource>): void {
  const attributes = parseAttributes(source);
  cell.address = attributes.get("r");
  cell.type = attributes.get("t") ?? "n";
  cell.style = Number(attributes.get("s") ?? 0);
}
