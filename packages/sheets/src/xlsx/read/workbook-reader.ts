/**
 * Reads the rows of one sheet of a workbook, part by part, without holding any part in memory.
 */

import { SheetError, type SheetErrorDetails } from "../../sheet-error.ts";
import {
  continuedName,
  createSheetContent,
  type LeftOutSheet,
  type SheetContent,
} from "../../sheet-rows.ts";
import {
  type ByteSource,
  createUnpacker,
  fromZipError,
  isOpenDocument,
  type PackageParts,
  readPackage,
  refuseOtherKinds,
  type Unpacker,
  type ZipEntry,
} from "../zip/read-zip.ts";
import {
  collectSharedStrings,
  type NumberFormat,
  parseStyles,
  type SharedStrings,
  type WorkbookFacts,
} from "./cell-value.ts";
import { type FormatTable, type RowWriter, toFrame, unpackRow } from "./row-frame.ts";
import {
  createMetaCollector,
  findMetaSheet,
  type ListedSheet,
  META_LIMITS,
  type MetaLines,
  parseRelationships,
  parseWorkbook,
  relationshipsOf,
  ROOT_RELATIONSHIPS,
  type SheetFacts,
  toListFacts,
  type WorkbookParts,
} from "./workbook-parts.ts";
import { createWorksheetReader } from "./worksheet.ts";
import type { ReaderOrder } from "./xlsx-source.ts";
import { decodeXml, type XmlBytes, XmlError } from "./xml-scanner.ts";

/** Names of guide sheets and of product sheets, as `fold` returns them. */
const GUIDES: ReadonlySet<string> = new Set([
  "aciklama",
  "aciklamalar",
  "guide",
  "help",
  "instructions",
  "kilavuz",
  "oku beni",
  "readme",
  "talimatlar",
  "yardim",
]);
const DATA_SHEETS: ReadonlySet<string> = new Set(["urunler", "products"]);

/** Each stands for every sheet, in a workbook without a sheet of that name. */
const ALL_SHEETS: ReadonlySet<string> = new Set(["all", "hepsi"]);

/** Whether all sheets are wanted. */
export const isAllSheets = (wanted: string | undefined): boolean =>
  wanted !== undefined && ALL_SHEETS.has(fold(wanted));

export interface SheetChoice {
  /** A name, where case and accents do not count, a position from 1, or all sheets. */
  readonly wanted: string | undefined;
  readonly file: string;
  /** Called only when more than one sheet is possible. */
  readonly contentOf: (sheet: ListedSheet) => Promise<SheetContent>;
}

export interface ChosenSheet {
  readonly listed: ListedSheet;
  /** Visible sheets with content that are not read although the user did not exclude them. */
  readonly leftOutSheets: readonly LeftOutSheet[];
}

/**
 * Chooses the wanted sheet, whatever its state. Without one, hidden sheets, those whose name
 * begins with `_` (unless all do), the guides and then the empty ones are left out; of the rest, one
 * called `Ürünler` or `Products` is taken first. More than one is `E_SHEET_CHOICE`, as is a table
 * that continues on further sheets. Where all are wanted, the first one is chosen and the others are
 * left out. Where only hidden sheets have content, `E_FILE_EMPTY` names them.
 */
export async function chooseSheet(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
): Promise<ChosenSheet> {
  const { wanted } = choice;
  const isAll =
    isAllSheets(wanted) && !sheets.some(({ name }) => fold(name) === fold(wanted ?? ""));
  if (wanted === undefined || isAll) return await chooseOpen(sheets, choice, isAll);
  return only(findWanted(sheets, wanted, choice.file));
}

/** Chooses among the sheets that the user sees. */
async function chooseOpen(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
  isAll: boolean,
): Promise<ChosenSheet> {
  const open = withoutInternal(sheets).filter(({ isVisible }) => isVisible);
  const [first, ...others] = withoutGuides(open.filter((sheet) => sheet.part !== undefined));
  const hidden = withoutInternal(sheets).filter(({ isVisible }) => !isVisible);
  if (first !== undefined && others.length + hidden.length === 0) return only(first);

  const visible = first === undefined ? [] : [first, ...others];
  const filled = await findFilled(visible, choice);
  if (filled.length === 0) await refuseHidden(hidden, choice);
  const [single, ...more] = filled;
  const chosen = single?.listed ?? first;
  if (chosen === undefined) throw new SheetError("E_FILE_EMPTY", { file: choice.file });
  if (more.length === 0) return only(chosen);
  return isAll ? chosenOf(chosen, filled) : chooseData(filled, choice);
}

/** Lists the sheets that the user sees and that have content, in the order of the workbook. */
export async function listFilledSheets(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
): Promise<readonly LeftOutSheet[]> {
  const open = withoutInternal(sheets).filter(({ isVisible }) => isVisible);
  return (await findFilled(withoutGuides(open), choice)).map(toLeftOut);
}

interface FilledSheet {
  readonly listed: ListedSheet;
  readonly content: SheetContent;
}

async function findFilled(
  sheets: readonly ListedSheet[],
  choice: SheetChoice,
): Promise<readonly FilledSheet[]> {
  const filled: FilledSheet[] = [];
  for (const listed of sheets) {
    if (listed.part === undefined) continue;
    const content = await choice.contentOf(listed);
    if (content.rows > 0) filled.push({ listed, content });
  }
  return filled;
}

/** Throws where hidden sheets have content, which a file without any other is about. */
async function refuseHidden(hidden: readonly ListedSheet[], choice: SheetChoice): Promise<void> {
  const filled = await findFilled(hidden, choice);
  if (filled.length > 0) throw new SheetError("E_FILE_EMPTY", choiceOf(filled, choice.file));
}

const choiceOf = (filled: readonly FilledSheet[], file: string): SheetErrorDetails => ({
  file,
  names: filled.map(({ listed }) => listed.name),
  rowCounts: filled.map(({ content }) => content.rows),
});

const only = (listed: ListedSheet): ChosenSheet => ({ listed, leftOutSheets: [] });

/** Chooses among several sheets with content. */
function chooseData(filled: readonly FilledSheet[], choice: SheetChoice): ChosenSheet {
  const [data, ...moreData] = filled.filter(({ listed }) =>
    DATA_SHEETS.has(continuedName(fold(listed.name))),
  );
  if (data === undefined || moreData.length > 0) {
    throw new SheetError("E_SHEET_CHOICE", choiceOf(filled, choice.file));
  }
  return chosenOf(data.listed, filled);
}

const chosenOf = (listed: ListedSheet, filled: readonly FilledSheet[]): ChosenSheet => ({
  listed,
  leftOutSheets: filled.filter((sheet) => sheet.listed !== listed).map(toLeftOut),
});

const toLeftOut = ({ listed: { name }, content: { rows, head } }: FilledSheet): LeftOutSheet => ({
  name,
  rows,
  head,
});

/** Leaves out sheets whose name begins with `_`, unless the workbook has no others. */
function withoutInternal(sheets: readonly ListedSheet[]): readonly ListedSheet[] {
  const rest = sheets.filter(({ name }) => !name.startsWith("_"));
  return rest.length > 0 ? rest : sheets;
}

/** Leaves out guides, unless the workbook has nothing else. */
function withoutGuides(sheets: readonly ListedSheet[]): readonly ListedSheet[] {
  const rest = sheets.filter((sheet) => !GUIDES.has(fold(sheet.name)));
  return rest.length > 0 ? rest : sheets;
}

function findWanted(sheets: readonly ListedSheet[], wanted: string, file: string): ListedSheet {
  const alike = sheets.filter(({ name }) => fold(name) === fold(wanted));
  const exact = sheets.find(({ name }) => name === wanted);
  if (exact === undefined && alike.length > 1) {
    throw new SheetError("E_SHEET_CHOICE", { file, names: namesOf(alike) });
  }
  const sheet =
    exact ?? alike[0] ?? sheets.find(({ position }) => String(position) === wanted.trim());
  if (sheet?.part === undefined) {
    throw new SheetError("E_SHEET_UNKNOWN", {
      found: wanted,
      names: namesOf(withoutInternal(sheets)),
    });
  }
  return sheet;
}

const namesOf = (sheets: readonly ListedSheet[]): readonly string[] =>
  sheets.map(({ name }) => name);

/** Ignores case, accents and the difference between the two Turkish i's. */
export const fold = (name: string): string =>
  name.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ı", "i").toLowerCase().trim();

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
