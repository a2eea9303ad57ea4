/** Reads the tables of an OpenDocument file as a stream: their rows and their cells. */

import { parseAttributes, XmlError, type XmlHandler } from "../xlsx/read/xml/xml-scanner.ts";
import { type OdsCell, parseOdsCell } from "./cell-content.ts";
import { createCellText } from "./cell-text.ts";

type Attributes = ReadonlyMap<string, string>;

/** A column element: its values apply to this many columns, from `first` on. */
export interface OdsColumns {
  readonly first: number;
  readonly count: number;
  readonly attributes: Attributes;
}

/** A cell and its repetitions to the right. */
export interface OdsCells {
  /** From 1. */
  readonly column: number;
  readonly count: number;
  readonly cell: OdsCell;
  readonly text: string | undefined;
}

/** Called for one table after another. */
export interface OdsTableHandler {
  /** Returns whether the content is wanted; parsing that of other tables takes most of the time. */
  table(attributes: Attributes, position: number): boolean;
  columns(columns: OdsColumns): void;
  /** `number` is from 1. */
  row(attributes: Attributes, number: number): void;
  cells(cells: OdsCells): void;
  endRow(repeated: number): void;
  /** Whether the other rows of the table are not wanted. @default all are */
  isFull?(): boolean;
  /** Elements that are in no table. */
  other?: Pick<XmlHandler, "open" | "text" | "close">;
}

/** Elements whose content, tables included, belongs neither to the cell nor to the sheet. */
const FOREIGN: ReadonlySet<string> = new Set([
  "annotation",
  "shapes",
  "frame",
  "custom-shape",
  "g",
  "rect",
  "line",
  "polyline",
  "polygon",
  "regular-polygon",
  "path",
  "circle",
  "ellipse",
  "connector",
  "caption",
  "measure",
  "control",
  "note",
  "ruby-text",
  "dde-links",
  "tracked-changes",
  "table-source",
  "scenario",
]);

export const repeats = (attributes: Attributes, name: string): number => {
  const count = Number(attributes.get(name) ?? 1);
  if (!Number.isSafeInteger(count) || count < 1) throw new XmlError("A cell repeats wrongly.");
  return count;
};

/** Tags that are kept: most cells of a sheet have one of a few. */
const MAX_TAGS = 1_000;

function createParseCell(): typeof parseOdsCell {
  const known = new Map<string, OdsCell>();
  return (source) => {
    const cell = known.get(source) ?? parseOdsCell(source);
    if (known.size < MAX_TAGS) known.set(source, cell);
    return cell;
  };
}

/** Makes the handler of a document from that of its tables. */
// oxlint-disable-next-line max-lines-per-function -- one state, shared by what each element does to it
export function readTables(handler: OdsTableHandler): XmlHandler {
  const text = createCellText();
  const parseCell = createParseCell();
  let position = 0;
  let depth = 0;
  let isWanted = false;
  let foreign = 0;
  let row = 0;
  let rowCount = 1;
  let column = 1;
  let columnStart = 1;
  let cell: OdsCell | undefined;
  const isRead = (): boolean => depth === 1 && isWanted;

  const openers: Readonly<Record<string, (source: string) => void>> = {
    "table-column"(source) {
      const attributes = parseAttributes(source);
      const count = repeats(attributes, "number-columns-repeated");
      handler.columns({ first: columnStart, count, attributes });
      columnStart += count;
    },
    "table-row"(source) {
      const attributes = parseAttributes(source);
      rowCount = repeats(attributes, "number-rows-repeated");
      column = 1;
      handler.row(attributes, row + 1);
    },
    "table-cell"(source) {
      cell = parseCell(source);
      text.begin();
    },
    "covered-table-cell"(source) {
      column += repeats(parseAttributes(source), "number-columns-repeated");
    },
  };
  const closers: Readonly<Record<string, () => void>> = {
    "table-row"() {
      handler.endRow(rowCount);
      row += rowCount;
      isWanted = handler.isFull?.() !== true;
    },
    "table-cell"() {
      if (cell === undefined) return;
      const count = repeats(cell.attributes, "number-columns-repeated");
      handler.cells({ column, count, cell, text: text.end() });
      column += count;
      cell = undefined;
    },
  };
  const openTable = (source: string): void => {
    depth += 1;
    if (depth > 1) return;
    position += 1;
    [row, columnStart] = [0, 1];
    isWanted = handler.table(parseAttributes(source), position);
  };

  return {
    open(name, source) {
      if (foreign > 0 || FOREIGN.has(name)) {
        if (FOREIGN.has(name)) foreign += 1;
      } else if (name === "table") openTable(source);
      else if (depth === 0) handler.other?.open(name, source);
      else if (isRead()) {
        if (cell === undefined) openers[name]?.(source);
        else text.open(name, source);
      }
    },
    text(piece) {
      if (foreign > 0) return;
      if (depth === 0) handler.other?.text(piece);
      else if (cell !== undefined && depth === 1) text.text(piece);
    },
    close(name) {
      if (FOREIGN.has(name)) foreign -= 1;
      else if (foreign > 0) return;
      else if (name === "table") depth -= 1;
      else if (depth === 0) handler.other?.close(name);
      else if (isRead()) {
        text.close(name);
        closers[name]?.();
      }
    },
  };
}
