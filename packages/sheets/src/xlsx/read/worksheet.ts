/**
 * Reads the rows of a worksheet from its XML as a stream. Rows and cells without an address follow the
 * one before; an address that contradicts its position is refused as ambiguous.
 */

import {
  type CellTrait,
  type CellValue,
  columnLetters,
  MAX_COLUMN,
  parseCellAddress,
  parseRowNumber,
} from "../../cell.ts";
import { SheetError, type SheetErrorCode, type SheetErrorDetails } from "../../sheet-error.ts";
import type { ReadLimits } from "../../sheet-rows.ts";
import {
  type CellSource,
  type NumberFormat,
  toCell,
  toNumber,
  unescapeXlsxText,
  type WorkbookFacts,
} from "./cell-value.ts";
import { createPlainCell, type PlainCell, readPlainCell, toInteger } from "./plain-markup.ts";
import {
  createFormatTable,
  createRowWriter,
  type FormatTable,
  NO_FORMAT,
  type RowWriter,
  type StoredRange,
} from "./row-frame.ts";
import { createSheetFacts, isTrue, type SheetFacts } from "./workbook-parts.ts";
import { createXmlBytes, decodeEntities, parseAttributes, type XmlBytes } from "./xml-scanner.ts";

interface RowBuilderOptions {
  readonly file: string;
  /** Maximum number of rows with content. */
  readonly maxRows: number;
  readonly limits: Pick<ReadLimits, "columns" | "cellChars" | "rows">;
  readonly workbook: WorkbookFacts;
  /** Table of the cells' format codes. @default a table of its own */
  readonly table?: FormatTable;
}

interface RowBuilder {
  /** `given` is the row's own number, if it states one. */
  begin(given: string | undefined, isHidden: boolean): void;
  beginCell(address: string | undefined): void;
  endCell(source: CellSource): void;
  /** Adds a cell; returns whether its reference is valid. Otherwise nothing was changed. */
  plainCell(bytes: Buffer, cell: PlainCell): boolean;
  /**
   * `done` is undefined for a row without cells; otherwise it is valid until the next row begins.
   */
  end(): { readonly done: RowWriter | undefined; readonly isHidden: boolean };
}

/** Makes a builder, which throws a `SheetError` for a cell that is refused. */
const createRowBuilder = (options: RowBuilderOptions): RowBuilder => new Builder(options);

class Builder implements RowBuilder {
  readonly #options: RowBuilderOptions;
  readonly #table: FormatTable;
  readonly #writer: RowWriter;
  /** Number formats by style, for numbers and for texts. */
  readonly #numberFormats: readonly number[];
  readonly #textFormats: readonly number[];
  readonly #place: StoredRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  #number = 0;
  #column = 0;
  #filledRows = 0;
  #isHidden = false;

  constructor(options: RowBuilderOptions) {
    this.#options = options;
    const { workbook, table = createFormatTable() } = options;
    this.#table = table;
    this.#writer = createRowWriter(table);
    this.#numberFormats = workbook.formats.map(({ code }) => table.idOf(code));
    this.#textFormats = textFormats(workbook.formats, table);
  }

  begin(given: string | undefined, isHidden: boolean): void {
    const next = given === undefined ? this.#number + 1 : parseRowNumber(given);
    if (next === undefined || next <= this.#number) {
      const found = given ?? String(this.#number + 1);
      throw this.#refuse("E_ROW_RANGE", { row: this.#number + 1, found });
    }
    this.#number = next;
    this.#column = 0;
    this.#writer.begin(next);
    this.#isHidden = isHidden;
  }

  beginCell(address: string | undefined): void {
    if (address === undefined) {
      this.#column += 1;
      return;
    }
    const position = parseCellAddress(address);
    if (position?.row !== this.#number) throw this.#refuse("E_CELL_REF", { found: address });
    this.#column = position.column;
  }

  endCell(source: CellSource): void {
    this.#putRead(toCell(source, this.#options.workbook), String(source.value));
  }

  plainCell(bytes: Buffer, cell: PlainCell): boolean {
    if (cell.row !== this.#number || cell.column > MAX_COLUMN) return false;
    this.#column = cell.column;
    switch (cell.kind) {
      case "shared":
        this.#putShared(toInteger(bytes, cell.start, cell.end), cell.style);
        break;
      case "number":
        this.#putNumber(bytes, cell);
        break;
      case "text":
      case "inline":
        this.#putText(bytes, cell);
        break;
      case "empty":
        break;
    }
    return true;
  }

  end(): { readonly done: RowWriter | undefined; readonly isHidden: boolean } {
    if (this.#writer.size() === 0) return { done: undefined, isHidden: this.#isHidden };
    this.#filledRows += 1;
    const { maxRows, limits } = this.#options;
    if (this.#filledRows > maxRows) throw this.#refuse("E_TOO_MANY_ROWS", { limit: limits.rows });
    return { done: this.#writer, isHidden: this.#isHidden };
  }

  #putShared(index: number, style: number): void {
    const { strings } = this.#options.workbook;
    const position = this.#place;
    const format = this.#textFormat(style);
    if (
      format === NO_FORMAT &&
      strings.find(index, position) &&
      this.#fits(position.end - position.start)
    ) {
      this.#putBytes(position);
      return;
    }
    const text = strings.get(index);
    if (text === undefined) throw this.#wrong(String(index));
    if (text !== "") this.#put(text, undefined, format);
  }

  #putText(bytes: Buffer, cell: PlainCell): void {
    const format = this.#textFormat(cell.style);
    if (format === NO_FORMAT && cell.isBare && this.#fits(cell.end - cell.start)) {
      this.#putBytes(this.#placeOf(bytes, cell));
      return;
    }
    const text = unescapeXlsxText(decodeEntities(bytes.toString("utf8", cell.start, cell.end)));
    if (text !== "") this.#put(text, undefined, format);
  }

  #textFormat(style: number): number {
    return this.#textFormats[style] ?? NO_FORMAT;
  }

  #putNumber(bytes: Buffer, cell: PlainCell): void {
    const { formats, isDate1904 } = this.#options.workbook;
    const format = formats[cell.style];
    if (cell.isBare && (format?.kind ?? "plain") === "plain") {
      this.#assertFree();
      const id = this.#numberFormats[cell.style] ?? NO_FORMAT;
      this.#writer.putNumber(this.#column, this.#placeOf(bytes, cell), id);
      return;
    }
    const text = decodeEntities(bytes.toString("utf8", cell.start, cell.end));
    this.#putRead(toNumber(text, format, isDate1904), text);
  }

  #placeOf(bytes: Buffer, { start, end }: PlainCell): StoredRange {
    const position = this.#place;
    position.bytes = bytes;
    position.start = start;
    position.end = end;
    return position;
  }

  /** A text never has more characters than bytes. */
  #fits(bytes: number): boolean {
    return bytes <= this.#options.limits.cellChars;
  }

  /** An empty text is an empty cell. */
  #putBytes(range: StoredRange): void {
    if (range.end === range.start) return;
    this.#assertFree();
    this.#writer.putText(this.#column, range);
  }

  #putRead(cell: ReturnType<typeof toCell>, text: string): void {
    if (cell === undefined) return;
    if (cell === "wrong") throw this.#wrong(text);
    this.#put(cell.value, cell.trait, this.#table.idOf(cell.format));
  }

  #put(value: CellValue, trait: CellTrait | undefined, format: number): void {
    const limit = this.#options.limits.cellChars;
    this.#assertFree();
    if (typeof value === "string" && value.length > limit) {
      throw this.#refuse("E_CELL_TOO_LONG", { column: this.#column, limit });
    }
    this.#writer.put(this.#column, value, trait);
    this.#writer.setFormat(this.#column, format);
  }

  #assertFree(): void {
    const limit = this.#options.limits.columns;
    if (this.#column > limit) throw this.#refuse("E_TOO_MANY_COLUMNS", { limit });
    if (!this.#writer.isFilled(this.#column)) return;
    throw this.#refuse("E_CELL_REF", { found: `${columnLetters(this.#column)}${this.#number}` });
  }

  #wrong(found: string): SheetError {
    return this.#refuse("E_CELL_VALUE", { column: this.#column, found });
  }

  #refuse(code: SheetErrorCode, details: SheetErrorDetails): SheetError {
    return new SheetError(code, { file: this.#options.file, row: this.#number, ...details });
  }
}

/**
 * Text formats by style; empty where every style displays texts as they are, which is nearly
 * always.
 */
function textFormats(formats: readonly NumberFormat[], table: FormatTable): readonly number[] {
  if (formats.every(({ textCode }) => textCode === undefined)) return [];
  return formats.map(({ textCode }) => table.idOf(textCode));
}

interface WorksheetOptions extends RowBuilderOptions {
  /** Called for each row with content, which is valid until it returns. */
  readonly onRow: (row: RowWriter) => void;
}

interface WorksheetReader {
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
