/**
 * Reads OpenDocument spreadsheets: `.ods` while they unpack, `.fods` from their text. The one part with all sheets is read
 * twice: for its styles and the names of its sheets, and for the rows of one of them.
 */

import type { CellValue } from "../cell.ts";
import { SheetError } from "../sheet-error.ts";
import { createMetaCollector, findMetaSheet, META_LIMITS } from "../xlsx/meta-sheet.ts";
import { readFlatText } from "../xlsx/read/markup-table.ts";
import type { ReaderOrder } from "../xlsx/read/process/reader-protocol.ts";
import { toFrame, unpackRow } from "../xlsx/read/process/row-frame.ts";
import {
  chooseSheet,
  isAllSheets,
  listFilledSheets,
  type SheetChoice,
} from "../xlsx/read/sheet-choice.ts";
import { createSheetContent, type SheetContentCollector } from "../xlsx/read/sheet-content.ts";
import { type SheetFacts, toListFacts } from "../xlsx/read/sheet-facts.ts";
import type { ListedSheet } from "../xlsx/read/workbook-parts.ts";
import type { ReaderTools, ReadWorkbook } from "../xlsx/read/workbook-reader.ts";
import { createXmlBytes, decodeXml } from "../xlsx/read/xml/xml-bytes.ts";
import { scanXml, XmlError, type XmlHandler } from "../xlsx/read/xml/xml-scanner.ts";
import { type PackageParts, readPackage } from "../xlsx/zip/package-check.ts";
import type { ByteSource } from "../xlsx/zip/zip-directory.ts";
import { createUnpacker } from "../xlsx/zip/zip-part.ts";
import { toOdsCell } from "./cell-content.ts";
import { type CellStyles, createCellStyles } from "./cell-styles.ts";
import { createOdsRows, type OdsRowsOptions } from "./ods-rows.ts";
import { readTables } from "./table-reader.ts";

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
