/** Reads the sheets of a workbook that have the same headers as one sheet. */

import { type CellValue, isBlank, type SheetRow } from "./cell.ts";
import {
  type HeaderOptions,
  type JoinedSheet,
  type OpenedSheet,
  toOpenedSheet,
} from "./opened-sheet.ts";
import { readRows, type RowSource, type SourceOptions } from "./row-source.ts";
import { SheetError } from "./sheet-error.ts";
import { type SheetNotice, toNotices } from "./sheet-notice.ts";
import { isAllSheets } from "./xlsx/read/sheet-choice.ts";
import { createSheetContent, hasHeaders, type LeftOutSheet } from "./xlsx/read/sheet-content.ts";

/** How the sheets are opened. */
export interface AllSheetsOptions extends HeaderOptions {
  /** Further sheets that are wanted besides `sheet`, by name or number. */
  readonly more: readonly string[];
  readonly openSource: (options: SourceOptions) => Promise<RowSource>;
}

interface SheetPart {
  readonly source: RowSource;
  readonly opened: OpenedSheet;
}

/**
 * Joins the wanted sheets, or all with the headers of the one that knows most of them; `undefined`
 * where one sheet is wanted or the file has no other. Takes the source over. Throws
 * `E_SHEETS_DIFFER` for a named sheet with other headers, and where all are wanted for one whose
 * headers are only partly the same.
 */
export async function openAllSheets(
  first: RowSource,
  options: AllSheetsOptions,
): Promise<OpenedSheet | undefined> {
  const { sheet: wanted, more } = options;
  const others = first.facts?.leftOutSheets ?? [];
  const isNamed = more.length > 0 && first.kind === "xlsx";
  if (!isNamed && (!isAllSheets(wanted) || others.length === 0)) return undefined;
  await using open = new AsyncDisposableStack();
  open.defer(() => first.close());
  const openPart = async (name: string): Promise<SheetPart> => {
    const given = { ...options, sheet: name };
    const source = name === first.sheet ? first : await options.openSource(given);
    if (source !== first) open.defer(() => source.close());
    return { source, opened: await toOpenedSheet(source, given) };
  };

  const { parts, leftOut } = isNamed
    ? await openNamed(first, options, openPart)
    : await openAlike(first, options, openPart);
  const owned = open.move();
  return join(parts, { ...options, leftOut, close: () => owned.disposeAsync() });
}

type OpenPart = (name: string) => Promise<SheetPart>;

interface OpenedParts {
  readonly parts: readonly SheetPart[];
  readonly leftOut: readonly LeftOutSheet[];
}

/** Opens the sheets that were named, each once. */
async function openNamed(
  first: RowSource,
  { file, sheet: wanted = "", more }: AllSheetsOptions,
  openPart: OpenPart,
): Promise<OpenedParts> {
  assertOne(first, wanted);
  const main = await openPart(first.sheet);
  const parts = [main];
  for (const name of more) {
    const part = await openPart(name);
    assertOne(part.source, name);
    if (parts.some(({ source }) => source.sheet === part.source.sheet)) continue;
    assertSameHeaders(main, part, file);
    parts.push(part);
  }
  return { parts, leftOut: [] };
}

/** In a list, the word for all sheets is the name of one. */
function assertOne({ sheet, facts }: RowSource, wanted: string): void {
  if (!isAllSheets(wanted) || isAllSheets(sheet)) return;
  const names = [sheet, ...(facts?.leftOutSheets ?? []).map(({ name }) => name)];
  throw new SheetError("E_SHEET_UNKNOWN", { found: wanted, names });
}

/** Opens all sheets whose headers are those of the sheet that knows most of them. */
async function openAlike(
  first: RowSource,
  options: AllSheetsOptions,
  openPart: OpenPart,
): Promise<OpenedParts> {
  const candidates = [await describe(first), ...(first.facts?.leftOutSheets ?? [])];
  const main = await openPart(findMain(candidates, options).name);
  const rest = candidates.filter(({ name }) => name !== main.source.sheet);
  const leftOut = rest.filter((sheet) => !hasHeaders(sheet, main.opened.header.cells));
  const parts = [main];
  for (const sheet of rest) {
    if (leftOut.includes(sheet)) continue;
    const part = await openPart(sheet.name);
    assertSameHeaders(main, part, options.file);
    parts.push(part);
  }
  return { parts, leftOut };
}

async function describe(source: RowSource): Promise<LeftOutSheet> {
  const content = createSheetContent();
  for await (const { cells } of source.rows()) {
    if (content.isFull()) break;
    content.add(cells);
  }
  return { name: source.sheet, ...content.content() };
}

/** The first of the sheets with most known headers. */
function findMain(
  candidates: readonly LeftOutSheet[],
  { countKnownHeaders = () => 0 }: HeaderOptions,
): LeftOutSheet {
  const counted = candidates.map((sheet) => ({
    sheet,
    known: Math.max(0, ...sheet.head.map((texts) => countKnownHeaders(texts))),
  }));
  return counted.reduce((best, each) => (each.known > best.known ? each : best)).sheet;
}

function assertSameHeaders(main: SheetPart, part: SheetPart, file: string): void {
  const wanted = toTexts(main.opened.header);
  const texts = toTexts(part.opened.header);
  const index = [...wanted, ...texts].findIndex((_, at) => wanted[at] !== texts[at]);
  if (index === -1) return;
  const { sheet } = part.opened;
  const names = [main.opened.sheet, sheet];
  const headers = [wanted[index] ?? "", texts[index] ?? ""];
  throw new SheetError("E_SHEETS_DIFFER", { file, names, headers, column: index + 1 });
}

/** Headers without empty ones at the end. */
function toTexts({ cells }: SheetRow): readonly string[] {
  const last = cells.findLastIndex((cell) => !isBlank(cell));
  return cells.slice(0, last + 1).map((cell: CellValue) => String(cell ?? "").trim());
}

interface Joined extends AllSheetsOptions {
  readonly leftOut: readonly LeftOutSheet[];
  readonly close: () => Promise<void>;
}

function join(parts: readonly SheetPart[], joined: Joined): OpenedSheet {
  const { file, limits, leftOut, close } = joined;
  const [main] = parts;
  if (main === undefined) throw new Error("no sheet was opened");
  const sheets = numberRows(parts);
  async function* batches(): AsyncGenerator<Iterable<SheetRow>> {
    let count = 0;
    function* numbered(batch: Iterable<SheetRow>, rowsBefore: number): Generator<SheetRow> {
      for (const row of batch) {
        count += 1;
        if (count > limits.rows)
          throw new SheetError("E_TOO_MANY_ROWS", { file, limit: limits.rows });
        yield rowsBefore === 0 ? row : { ...row, row: row.row + rowsBefore };
      }
    }
    for (const [index, { opened }] of parts.entries()) {
      const { rowsBefore = 0 } = sheets[index] ?? {};
      for await (const batch of opened.batches()) yield numbered(batch, rowsBefore);
    }
  }
  const { header } = main.opened;
  return {
    ...main.opened,
    ...(sheets.length > 1 && { sheets }),
    rows: () => readRows(batches()),
    batches,
    notices: (row = header.row) =>
      parts.flatMap((part) => noticesOf(part, { row, leftOut, isMain: part === main })),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Rows that a sheet is numbered by at least, so that people see the number of the sheet. */
const MIN_STEP = 1_000;

/** The second sheet's row 7 becomes 2007, or 20007 where a sheet has a thousand rows. */
function numberRows(parts: readonly SheetPart[]): readonly JoinedSheet[] {
  const lastRow = Math.max(...parts.map(({ source }) => source.facts?.lastRow ?? 0));
  let step = MIN_STEP;
  while (step <= lastRow) step *= 10;
  return parts.map(({ opened: { sheet: name } }, index) => ({
    name,
    rowsBefore: index === 0 ? 0 : step * (index + 1),
  }));
}

interface NoticeOptions {
  /** The last row of headers of the first sheet. */
  readonly row: number;
  readonly isMain: boolean;
  readonly leftOut: readonly LeftOutSheet[];
}

function noticesOf(
  { source, opened: { sheet, header } }: SheetPart,
  { row, isMain, leftOut }: NoticeOptions,
): readonly SheetNotice[] {
  if (source.facts === undefined) return [];
  const facts = { ...source.facts, leftOutSheets: isMain ? leftOut : [] };
  return toNotices(facts, isMain ? row : header.row).map((notice) => inSheet(sheet, notice));
}

/** A notice about other sheets names them itself. */
function inSheet(sheet: string, { code, count, message }: SheetNotice): SheetNotice {
  if (code === "W_SHEETS_LEFT_OUT") return { code, count, message };
  const { tr, en } = message;
  return {
    code,
    count,
    message: { tr: `“${sheet}” sayfası: ${tr}`, en: `Sheet “${sheet}”: ${en}` },
  };
}
