/**
 * Reads OpenDocument spreadsheets: `.ods` while they unpack, `.fods` from their text. The one part with
 * all sheets is read twice: for its styles and the names of its sheets, and for the rows of one of them.
 */

import { type CellValue, columnLetters, MAX_COLUMN } from "../cell.ts";
import { SheetError, type SheetErrorCode, type SheetErrorDetails } from "../sheet-error.ts";
import { createSheetContent, type ReadLimits, type SheetContentCollector } from "../sheet-rows.ts";
import type { NumberFormat, ReadCell } from "../xlsx/read/cell-value.ts";
import { readFlatText } from "../xlsx/read/old-workbook.ts";
import {
  createFormatTable,
  createRowWriter,
  type FormatTable,
  type RowWriter,
  toFrame,
  unpackRow,
} from "../xlsx/read/row-frame.ts";
import {
  createMetaCollector,
  createSheetFacts,
  findMetaSheet,
  type ListedSheet,
  META_LIMITS,
  type SheetFacts,
  toListFacts,
} from "../xlsx/read/workbook-parts.ts";
import {
  chooseSheet,
  isAllSheets,
  listFilledSheets,
  type ReaderTools,
  type ReadWorkbook,
  type SheetChoice,
} from "../xlsx/read/workbook-reader.ts";
import type { ReaderOrder } from "../xlsx/read/xlsx-source.ts";
import {
  createXmlBytes,
  decodeXml,
  parseAttributes,
  scanXml,
  XmlError,
  type XmlHandler,
} from "../xlsx/read/xml-scanner.ts";
import {
  type ByteSource,
  createUnpacker,
  type PackageParts,
  readPackage,
} from "../xlsx/zip/read-zip.ts";
import {
  type CellStyles,
  createCellStyles,
  createCellText,
  type OdsCell,
  parseOdsCell,
  toOdsCell,
} from "./cell-content.ts";

type Attributes = ReadonlyMap<string, string>;

/** A column element: its values apply to this many columns, from `first` on. */
interface OdsColumns {
  readonly first: number;
  readonly count: number;
  readonly attributes: Attributes;
}

/** A cell and its repetitions to the right. */
interface OdsCells {
  /** From 1. */
  readonly column: number;
  readonly count: number;
  readonly cell: OdsCell;
  readonly text: string | undefined;
}

/** Called for one table after another. */
interface OdsTableHandler {
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

interface OdsRowsOptions {
  readonly file: string;
  /** Maximum number of rows with content. */
  readonly maxRows: number;
  readonly limits: Pick<ReadLimits, "columns" | "cellChars" | "rows">;
  readonly styles: Pick<CellStyles, "find">;
  /** Table of the cells' format codes. @default a table of its own */
  readonly table?: FormatTable;
  /** Called for each row with content; the row is valid until it returns. */
  readonly onRow: (row: RowWriter) => void;
}

/** Throws a `SheetError` for a cell that is refused. */
interface OdsRows extends OdsTableHandler {
  /** The facts of the sheet; valid once the table has ended. */
  facts(): SheetFacts;
}

/**
 * Reads the table at `wanted`, from 1, and skips the others. Throws a `SheetError` for a cell that
 * is refused.
 */
const createOdsRows = (options: OdsRowsOptions, wanted: number): OdsRows =>
  new Rows(options, wanted);

const HIDDEN: ReadonlySet<string | undefined> = new Set(["collapse", "filter"]);

class Rows implements OdsRows {
  readonly #options: OdsRowsOptions;
  readonly #wanted: number;
  readonly #facts = createSheetFacts();
  readonly #table: FormatTable;
  readonly #writer: RowWriter;
  /** By column, from 1. */
  readonly #columnStyles: (string | undefined)[] = [];
  #row = 0;
  #rowStyle: string | undefined;
  #isHidden = false;
  #filledRows = 0;
  #cells: { readonly column: number; readonly read: ReadCell }[] = [];

  constructor(options: OdsRowsOptions, wanted: number) {
    this.#options = options;
    this.#wanted = wanted;
    this.#table = options.table ?? createFormatTable();
    this.#writer = createRowWriter(this.#table);
  }

  table(_: Attributes, position: number): boolean {
    return position === this.#wanted;
  }

  columns({ first, count, attributes }: OdsColumns): void {
    const last = Math.min(first + count - 1, MAX_COLUMN);
    const style = attributes.get("default-cell-style-name");
    for (let at = first; at <= last; at += 1) this.#columnStyles[at] = style;
    if (!HIDDEN.has(attributes.get("visibility"))) return;
    const range = { hidden: "1", min: String(first), max: String(last) };
    this.#facts.column(new Map(Object.entries(range)));
  }

  row(attributes: Attributes, number: number): void {
    this.#row = number;
    this.#rowStyle = attributes.get("default-cell-style-name");
    this.#isHidden = HIDDEN.has(attributes.get("visibility"));
    this.#cells = [];
  }

  cells({ column, count, cell, text }: OdsCells): void {
    this.#noteMerge(column, cell.attributes);
    for (let at = column; at < column + count; at += 1) {
      const read = toOdsCell(cell, text, this.#formatOf(at, cell.attributes.get("style-name")));
      if (read === undefined) return;
      this.#put(at, read, cell.attributes.get("value"));
    }
  }

  endRow(repeated: number): void {
    if (this.#cells.length === 0) return;
    for (let row = this.#row; row < this.#row + repeated; row += 1) {
      this.#filledRows += 1;
      const { maxRows, limits } = this.#options;
      if (this.#filledRows > maxRows) throw this.#refuse("E_TOO_MANY_ROWS", { limit: limits.rows });
      this.#writeRow(row);
    }
  }

  facts(): SheetFacts {
    return this.#facts.result();
  }

  #writeRow(row: number): void {
    this.#writer.begin(row);
    for (const { column, read } of this.#cells) {
      this.#writer.put(column, read.value, read.trait);
      this.#writer.setFormat(column, this.#table.idOf(read.format));
    }
    this.#facts.row(this.#writer, this.#isHidden);
    this.#options.onRow(this.#writer);
  }

  #formatOf(column: number, style: string | undefined): NumberFormat | undefined {
    const name = style ?? this.#rowStyle ?? this.#columnStyles[column];
    return name === undefined ? undefined : this.#options.styles.find(name);
  }

  #put(column: number, read: ReadCell | "wrong", source: string | undefined): void {
    const { columns, cellChars } = this.#options.limits;
    if (column > columns) throw this.#refuse("E_TOO_MANY_COLUMNS", { limit: columns });
    if (read === "wrong") throw this.#refuse("E_CELL_VALUE", { column, found: source ?? "" });
    if (typeof read.value === "string" && read.value.length > cellChars) {
      throw this.#refuse("E_CELL_TOO_LONG", { column, limit: cellChars });
    }
    this.#cells.push({ column, read });
  }

  #noteMerge(column: number, attributes: Attributes): void {
    const columns = repeats(attributes, "number-columns-spanned");
    const rows = repeats(attributes, "number-rows-spanned");
    if (columns * rows === 1) return;
    const last = `${columnLetters(column + columns - 1)}${this.#row + rows - 1}`;
    this.#facts.merge(new Map([["ref", last]]));
  }

  #refuse(code: SheetErrorCode, details: SheetErrorDetails): SheetError {
    return new SheetError(code, { file: this.#options.file, row: this.#row, ...details });
  }
}

const CONTENT = "content.xml";
const STYLES = "styles.xml";
const MIME_TYPE = "mimetype";
const MANIFEST = "META-INF/manifest.xml";
/** Maximum size of the parts that are read whole: lists of styles and of parts. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

interface OpenDocument extends ReaderTools {
  /** Passes the content through a handler, as often as it is called. */
  readonly scan: (handler: XmlHandler) => Promise<void>;
  /** Styles that stand in another part. */
  readonly commonStyles: string | undefined;
}

interface OpenPackage extends ReaderTools {
  readonly source: ByteSource;
  readonly parts: PackageParts;
}

/** Reads the requested sheet; throws a `SheetError` if it cannot be read or exceeds a limit. */
export async function readOds(source: ByteSource, tools: ReaderTools): Promise<ReadWorkbook> {
  const { file, limits } = tools.order;
  const opened = { ...tools, source, parts: readPackage(source, limits, file) };
  try {
    return await readDocument(tools, () => {
      refuseEncrypted(opened);
      return {
        ...tools,
        scan: (handler) => scanContent(opened, handler),
        commonStyles: readText(opened, STYLES),
      };
    });
  } catch (error) {
    const isOldKind =
      error instanceof SheetError && error.code === "E_XML" && isOldOpenOffice(opened);
    if (!isOldKind) throw error;
    throw new SheetError("E_FILE_TYPE", { file, hint: "old-openoffice" }, { cause: error });
  }
}

/** Reads a spreadsheet that is one XML file. */
export async function readFlatOds(source: ByteSource, tools: ReaderTools): Promise<ReadWorkbook> {
  const text = readFlatText(source, tools.order.file);
  const scan = async (handler: XmlHandler): Promise<void> => scanXml(text, handler);
  return await readDocument(tools, () => ({ ...tools, scan, commonStyles: undefined }));
}

async function readDocument(
  { order: { file, sheet: wanted, isList } }: ReaderTools,
  openDocument: () => OpenDocument,
): Promise<ReadWorkbook> {
  try {
    const opened = openDocument();
    const { styles, sheets, contents } = await scanSheet(opened);
    const choice: SheetChoice = {
      wanted,
      file,
      contentOf: async ({ position }) => (contents[position - 1] ?? createSheetContent()).content(),
    };
    if (isList === true) {
      return { sheet: "", facts: toListFacts(await listFilledSheets(sheets, choice)) };
    }
    const { listed, leftOutSheets } = await chooseSheet(sheets, choice);
    const facts = { ...(await readSheet(opened, styles, listed)), leftOutSheets };
    const meta = await readMeta(opened, styles, findMetaSheet(sheets));
    return { sheet: listed.name, facts, ...(meta !== undefined && { meta }) };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new SheetError("E_XML", { file, found: error.message }, { cause: error });
  }
}

/** Whether the file is one of OpenOffice 1, which gave its XML a document type. */
const isOldOpenOffice = (opened: OpenPackage): boolean =>
  readText(opened, MIME_TYPE)?.startsWith("application/vnd.sun.xml") === true;

function refuseEncrypted(opened: OpenPackage): void {
  const manifest = readText(opened, MANIFEST);
  if (manifest?.includes("encryption-data") !== true) return;
  throw new SheetError("E_FILE_TYPE", { file: opened.order.file, hint: "password" });
}

function readText({ source, parts, order }: OpenPackage, name: string): string | undefined {
  const entry = parts.get(name);
  if (entry === undefined) return undefined;
  return decodeXml(createUnpacker(source, order.limits).whole(entry, MAX_WHOLE_BYTES));
}

/** Passes the sheets through a handler. */
async function scanContent(
  { source, parts, order, onPause }: OpenPackage,
  handler: XmlHandler,
): Promise<void> {
  const entry = parts.get(CONTENT);
  if (entry === undefined) throw new SheetError("E_NOT_XLSX", { file: order.file });
  const xml = createXmlBytes(handler);
  for await (const piece of createUnpacker(source, order.limits).pieces(entry)) {
    xml.write(piece);
    onPause();
  }
  xml.end();
}

interface SheetScan {
  readonly styles: CellStyles;
  readonly sheets: readonly ListedSheet[];
  /** What the sheets hold, in their order. */
  readonly contents: readonly SheetContentCollector[];
}

/** Reads what the sheets hold only where a sheet is chosen by that. */
async function scanSheet(opened: OpenDocument): Promise<SheetScan> {
  const { sheet: wanted, isList } = opened.order;
  const isChosen = isList === true || wanted === undefined || isAllSheets(wanted);
  const common = createCellStyles();
  if (opened.commonStyles !== undefined) scanXml(opened.commonStyles, common);
  const styles = createCellStyles(common);
  const sheets: ListedSheet[] = [];
  const contents: SheetContentCollector[] = [];
  let row: CellValue[] = [];
  const handler = readTables({
    table(attributes, position) {
      const name = attributes.get("name") ?? "";
      const isVisible = !styles.hidesTable(attributes.get("style-name") ?? "");
      sheets.push({ name, position, isVisible, part: name });
      contents.push(createSheetContent());
      return isChosen;
    },
    columns: () => {},
    row: () => (row = []),
    cells({ cell, text }) {
      const read = toOdsCell(cell, text, undefined);
      // A formula without a result counts as content.
      if (typeof read === "object") row.push(read.value ?? "=");
      else if (read !== undefined) row.push(read);
    },
    endRow: () => contents.at(-1)?.add(row),
    isFull: () => contents.at(-1)?.isFull() === true,
    other: styles,
  });
  await opened.scan(handler);
  return { styles, sheets, contents };
}

async function readSheet(
  opened: OpenDocument,
  styles: CellStyles,
  listed: ListedSheet,
): Promise<SheetFacts> {
  const { order, table, onRow } = opened;
  const rows = createOdsRows({ ...limitsOf(order), styles, table, onRow }, listed.position);
  await opened.scan(readTables(rows));
  return rows.facts();
}

const limitsOf = ({
  file,
  maxRows,
  limits,
}: ReaderOrder): Omit<OdsRowsOptions, "styles" | "onRow"> => ({
  file,
  maxRows,
  limits,
});

async function readMeta(
  opened: OpenDocument,
  styles: CellStyles,
  listed: ListedSheet | undefined,
): Promise<ReadWorkbook["meta"]> {
  if (listed === undefined) return undefined;
  const { add, isFull, lines } = createMetaCollector();
  const rows = createOdsRows(
    {
      file: opened.order.file,
      maxRows: Infinity,
      limits: META_LIMITS,
      styles,
      onRow: (row) => isFull() || add(unpackRow(toFrame(row))),
    },
    listed.position,
  );
  try {
    await opened.scan(readTables(rows));
    return lines();
  } catch (error) {
    // The rows are read already, so a failure here must not lose them.
    if (error instanceof SheetError) return undefined;
    throw error;
  }
}
