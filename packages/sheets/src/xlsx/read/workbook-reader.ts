/** Reads the rows of one sheet of a workbook, part by part, without holding any part in memory. */

import { SheetError } from "../../sheet-error.ts";
import { createMetaCollector, findMetaSheet, META_LIMITS, type MetaLines } from "../meta-sheet.ts";
import {
  fromZipError,
  isOpenDocument,
  type PackageParts,
  readPackage,
  refuseOtherKinds,
} from "../zip/package-check.ts";
import type { ByteSource, ZipEntry } from "../zip/zip-directory.ts";
import { createUnpacker, type Unpacker } from "../zip/zip-part.ts";
import type { WorkbookFacts } from "./cell-value.ts";
import type { FormatTable } from "./format-table.ts";
import { type NumberFormat, parseStyles } from "./number-formats.ts";
import type { ReaderOrder } from "./process/reader-protocol.ts";
import { toFrame, type RowWriter, unpackRow } from "./process/row-frame.ts";
import { collectSharedStrings, type SharedStrings } from "./shared-strings.ts";
import { chooseSheet, listFilledSheets, type SheetChoice } from "./sheet-choice.ts";
import { createSheetContent, type SheetContent } from "./sheet-content.ts";
import { type SheetFacts, toListFacts } from "./sheet-facts.ts";
import {
  type ListedSheet,
  parseRelationships,
  parseWorkbook,
  relationshipsOf,
  ROOT_RELATIONSHIPS,
  type WorkbookParts,
} from "./workbook-parts.ts";
import { createWorksheetReader } from "./worksheet.ts";
import { decodeXml, type XmlBytes } from "./xml/xml-bytes.ts";
import { XmlError } from "./xml/xml-scanner.ts";

/** Name of the workbook part in a file that does not state it. */
const USUAL_WORKBOOK = "xl/workbook.xml";
/** Maximum size of the parts that are read whole: lists of names and formats. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

/** Outputs and limits of a workbook reader. */
export interface ReaderTools {
  readonly order: ReaderOrder;
  /** An open file for shared texts that do not fit into memory. */
  readonly stringsFd?: number;
  /** Table of the number formats that rows name by number. */
  readonly table: FormatTable;
  /** Called for each row, which is valid until it returns. */
  readonly onRow: (row: RowWriter) => void;
  /** Called regularly, to write rows out and to check the memory. */
  readonly onPause: () => void;
}

export interface ReadWorkbook {
  readonly sheet: string;
  readonly facts: SheetFacts;
  readonly meta?: MetaLines;
}

/** The package to unpack, and the tools for it. */
interface OpenPackage extends ReaderTools {
  readonly parts: PackageParts;
  readonly unpacker: Unpacker;
}

/** Whether a zip is an OpenDocument file, which has its own reader. */
export const isOpenDocumentZip = (source: ByteSource, { limits, file }: ReaderOrder): boolean =>
  isOpenDocument(readPackage(source, limits, file));

/** Reads the requested sheet; throws a `SheetError` if it cannot be read or exceeds a limit. */
export async function readWorkbook(source: ByteSource, tools: ReaderTools): Promise<ReadWorkbook> {
  const { file, limits, sheet: wanted, isList } = tools.order;
  const parts = readPackage(source, limits, file);
  refuseOtherKinds(parts, file);
  const opened = { ...tools, parts, unpacker: createUnpacker(source, limits) };
  try {
    const workbook = readWorkbookParts(opened);
    const texts = await readTexts(opened, workbook);
    const { sheets } = workbook;
    const choice: SheetChoice = {
      wanted,
      file,
      contentOf: (sheet) => readContent(opened, texts, sheet),
    };
    if (isList === true) {
      return { sheet: "", facts: toListFacts(await listFilledSheets(sheets, choice)) };
    }
    const { listed, leftOutSheets } = await chooseSheet(sheets, choice);
    const facts = { ...(await readSheet(opened, texts, listed)), leftOutSheets };
    const meta = await readMeta(opened, texts, findMetaSheet(sheets));
    return { sheet: listed.name, facts, ...(meta !== undefined && { meta }) };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new SheetError("E_XML", { file, found: error.message }, { cause: error });
  }
}

function readWorkbookParts(opened: OpenPackage): WorkbookParts {
  const name = workbookName(opened);
  const relationships = relationshipsOf(name);
  return parseWorkbook(
    readText(opened, name),
    name,
    parseRelationships(readText(opened, relationships), name),
  );
}

function workbookName(opened: OpenPackage): string {
  const { parts, order } = opened;
  const named =
    parts.get(ROOT_RELATIONSHIPS) === undefined
      ? undefined
      : parseRelationships(readText(opened, ROOT_RELATIONSHIPS), "").find(
          ({ kind }) => kind === "officeDocument",
        )?.part;
  const name = named ?? USUAL_WORKBOOK;
  if (parts.get(name) === undefined) throw new SheetError("E_NOT_XLSX", { file: order.file });
  return name;
}

const readText = (opened: OpenPackage, name: string): string =>
  decodeXml(opened.unpacker.whole(entryOf(opened, name), MAX_WHOLE_BYTES));

function entryOf({ parts, order }: OpenPackage, name: string | undefined): ZipEntry {
  const entry = name === undefined ? undefined : parts.get(name);
  if (entry === undefined) throw new SheetError("E_NOT_XLSX", { file: order.file });
  return entry;
}

/** Passes a part through a reader; stops early when `isEnough` returns true. */
async function scanPart(
  { unpacker, onPause }: OpenPackage,
  entry: ZipEntry,
  { xml, isEnough }: { readonly xml: XmlBytes; readonly isEnough?: () => boolean },
): Promise<void> {
  for await (const piece of unpacker.pieces(entry)) {
    xml.write(piece);
    if (isEnough?.() === true) return;
    onPause();
  }
  xml.end();
}

/** Reads what a sheet holds; formats alone do not count. */
async function readContent(
  opened: OpenPackage,
  workbook: WorkbookFacts,
  sheet: ListedSheet,
): Promise<SheetContent> {
  const { file, limits } = opened.order;
  const content = createSheetContent();
  const { xml } = createWorksheetReader({
    file,
    limits: { ...limits, columns: Infinity },
    maxRows: Infinity,
    workbook,
    onRow: (row) => content.add(unpackRow(toFrame(row)).cells),
  });
  try {
    const isEnough = (): boolean => content.isFull();
    await scanPart(opened, entryOf(opened, sheet.part), { xml, isEnough });
  } catch (error) {
    // A cell that is refused matters only in the sheet that is read.
    if (!(error instanceof SheetError) || content.content().rows === 0) throw error;
  }
  return content.content();
}

const readTexts = async (opened: OpenPackage, workbook: WorkbookParts): Promise<WorkbookFacts> => ({
  strings: await readStrings(opened, workbook.sharedStrings),
  formats: readFormats(opened, workbook.styles),
  isDate1904: workbook.isDate1904,
});

async function readSheet(
  opened: OpenPackage,
  workbook: WorkbookFacts,
  listed: ListedSheet,
): Promise<SheetFacts> {
  const { order, table, onRow } = opened;
  const entry = entryOf(opened, listed.part);
  const reader = createWorksheetReader({
    file: order.file,
    limits: order.limits,
    maxRows: order.maxRows,
    workbook,
    table,
    onRow,
  });
  await scanPart(opened, entry, reader);
  return reader.facts();
}

async function readMeta(
  opened: OpenPackage,
  workbook: WorkbookFacts,
  listed: ListedSheet | undefined,
): Promise<MetaLines | undefined> {
  if (listed?.part === undefined) return undefined;
  const { file } = opened.order;
  const { add, isFull, lines } = createMetaCollector();
  const limits = { file, limits: META_LIMITS, maxRows: Infinity };
  const { xml } = createWorksheetReader({
    ...limits,
    workbook,
    onRow: (row) => add(unpackRow(toFrame(row))),
  });
  try {
    await scanPart(opened, entryOf(opened, listed.part), { xml, isEnough: isFull });
    return lines();
  } catch (error) {
    // The rows are read already, so a failure here must not lose them.
    const isRefusal = error instanceof XmlError || fromZipError(error, file) instanceof SheetError;
    if (isRefusal) return undefined;
    throw error;
  }
}

/** Reads the shared texts; a workbook without any may name a part that is missing. */
async function readStrings(opened: OpenPackage, part: string): Promise<SharedStrings> {
  const { order, stringsFd } = opened;
  const { xml, strings } = collectSharedStrings({
    maxChars: order.limits.cellChars,
    ...(stringsFd !== undefined && { fd: stringsFd }),
  });
  const entry = opened.parts.get(part);
  if (entry !== undefined) await scanPart(opened, entry, { xml });
  return strings;
}

function readFormats(opened: OpenPackage, part: string): readonly NumberFormat[] {
  const isThere = opened.parts.get(part) !== undefined;
  return isThere ? parseStyles(readText(opened, part)) : [];
}
