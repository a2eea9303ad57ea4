/** The sheet of a draft: what is stored of it besides its rows, and its rows with their edits. */

import type { Localized } from "@catalog/i18n";
import { type CellValue, type ColumnMapping, createSheetReader } from "@catalog/mapping";
import type { OpenedSheet, SheetRow } from "@catalog/sheets";

import type { PlanSheet } from "../plan/plan-source.ts";
import type { DraftSheetChoice } from "./draft-views.ts";
import type { DraftColumns, DraftFileRow, DraftRepository, DraftRow } from "./stored-draft.ts";

/** What is stored of an opened sheet. */
export interface DraftSource {
  readonly kind: "csv" | "xlsx";
  readonly sheet: string;
  readonly sheets?: OpenedSheet["sheets"];
  readonly header: Pick<SheetRow, "row" | "cells">;
  readonly width?: number | undefined;
  /** Cells of the longest row. */
  readonly maxWidth: number;
  /** Number of stored rows. */
  readonly rowCount: number;
  readonly meta?: readonly (readonly [string, string])[] | undefined;
  readonly notices: ReturnType<OpenedSheet["notices"]>;
  /** The notices of a sheet with a row of machine keys below its header. */
  readonly noticesBelowKeys: ReturnType<OpenedSheet["notices"]>;
  readonly guesses: OpenedSheet["guesses"];
  /** Whether the file says itself that it is UTF-8. */
  readonly isMarkedUtf8?: boolean | undefined;
  readonly fileSheets: readonly DraftSheetChoice[];
  readonly preview: readonly { readonly row: number; readonly cells: readonly string[] }[];
  /** How the file was read. */
  readonly description: Localized;
}

/** The sheet of a draft. */
export interface DraftSheet extends PlanSheet {
  readonly draft: string;
  readonly source: DraftSource;
  /** All headers, with those of columns that are not read. */
  readonly fileHeader: DraftSource["header"];
  /** The row as the file and its edits give it. */
  effective(row: DraftRow): SheetRow;
  /** Whether rows take cells of other rows, as those of products with variants do. */
  hasJoinedRows(mapping: ColumnMapping): boolean;
}

/** Rows read at a time. */
export const BATCH_ROWS = 200;

/** Makes the sheet of a draft whose rows are stored; rows that a person left out are not read. */
export function createDraftSheet(
  drafts: Pick<DraftRepository, "readRows">,
  draft: string,
  source: DraftSource,
  { leftOut = [], added = [] }: Pick<DraftColumns, "leftOut" | "added"> = {},
): DraftSheet {
  const { sheet, sheets, meta, notices, noticesBelowKeys } = source;
  const fileHeader = addHeaders(source, added);
  const header = hideHeaders(fileHeader, new Set(leftOut));
  const size = { width: source.width, first: firstAdded(source), added: added.length };
  const effective = (row: DraftRow): SheetRow => toRowWithAdded(row, size);
  const width = source.width === undefined ? undefined : fileHeader.cells.length;
  async function* batches(): AsyncGenerator<Iterable<SheetRow>> {
    for await (const rows of readDraftRows(drafts, draft)) {
      yield rows.filter(({ status }) => status !== "excluded").map(effective);
    }
  }
  async function* eachRow(): AsyncGenerator<SheetRow> {
    for await (const batch of batches()) yield* batch;
  }
  return {
    draft,
    source,
    fileHeader,
    added: added.length,
    effective,
    hasJoinedRows: (mapping) => createSheetReader(mapping).variants !== undefined,
    sheet,
    header,
    rows: eachRow,
    batches,
    notices: (row = header.row) => (row > header.row ? noticesBelowKeys : notices),
    ...(sheets !== undefined && { sheets }),
    ...(width !== undefined && { width }),
    ...(meta !== undefined && { meta: new Map(meta) }),
  };
}

/** Columns without a header are not read. */
const hideHeaders = (
  { row, cells }: DraftSource["header"],
  leftOut: ReadonlySet<number>,
): DraftSource["header"] => ({
  row,
  cells: cells.map((cell, index) => (leftOut.has(index) ? null : cell)),
});

/** Index of the first column that a person adds: after every cell of the file. */
export const firstAdded = ({
  header,
  maxWidth,
}: Pick<DraftSource, "header" | "maxWidth">): number => Math.max(header.cells.length, maxWidth);

function addHeaders(
  source: DraftSource,
  added: NonNullable<DraftColumns["added"]>,
): DraftSource["header"] {
  if (added.length === 0) return source.header;
  const { row, cells } = source.header;
  const own = padCells(cells, firstAdded(source));
  return { row, cells: [...own, ...added.map(({ header }) => header)] };
}

const padCells = (cells: readonly CellValue[], length: number): readonly CellValue[] => [
  ...cells,
  ...Array.from({ length: Math.max(0, length - cells.length) }, () => null),
];

interface RowSize {
  readonly width: number | undefined;
  /** Index of the first added column. */
  readonly first: number;
  readonly added: number;
}

/** The cells of the added columns follow those of the file, whose number is judged as before. */
function toRowWithAdded(row: DraftRow, { width, first, added }: RowSize): SheetRow {
  if (added === 0) return toEffectiveRow(row, width);
  const edits = Object.entries(row.edits);
  const own = Object.fromEntries(edits.filter(([index]) => Number(index) < first));
  const effective = toEffectiveRow({ ...row, edits: own }, width);
  const cells = edits.length > 0 ? layOver(effective.cells, [], width) : effective.cells;
  if (width !== undefined && cells.length < width) return { ...effective, cells };
  const texts = Array.from({ length: added }, (_, at) => row.edits[first + at] || null);
  // One cell too many tells that cells of the file are beyond its header.
  const surplus = width !== undefined && cells.length > width ? [null] : [];
  return { ...effective, cells: [...padCells(cells, first), ...texts, ...surplus] };
}

/** Reads all rows of a draft in batches. */
export async function* readDraftRows(
  drafts: Pick<DraftRepository, "readRows">,
  draft: string,
): AsyncGenerator<readonly DraftRow[]> {
  for (let after = 0; ;) {
    const rows = await drafts.readRows(draft, { after, limit: BATCH_ROWS });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.row;
  }
}

/**
 * Lays the edits over a row. An edited cell is a text without the format of the cell before. A row
 * that a person has edited counts as wide as the header: missing cells are empty, and more cells
 * are left out where all of them are empty.
 */
export function toEffectiveRow(
  { row, cells, traits, formats, edits }: DraftFileRow & Pick<DraftRow, "edits">,
  width: number | undefined,
): SheetRow {
  const edited = Object.entries(edits).map(([index, text]) => [Number(index), text] as const);
  const kept = (facts: Readonly<Record<number, string>> | undefined): boolean =>
    facts !== undefined && Object.keys(facts).some((index) => edits[Number(index)] === undefined);
  return {
    row,
    cells: edited.length === 0 ? cells : layOver(cells, edited, width),
    ...(kept(traits) && { traits: without(traits ?? {}, edits) }),
    ...(kept(formats) && { formats: without(formats ?? {}, edits) }),
  };
}

function layOver(
  cells: readonly CellValue[],
  edited: readonly (readonly [index: number, text: string])[],
  width: number | undefined,
): readonly CellValue[] {
  const laid = [...cells];
  const last = Math.max(width ?? 0, ...edited.map(([index]) => index + 1));
  while (laid.length < last) laid.push(null);
  for (const [index, text] of edited) laid[index] = text === "" ? null : text;
  const isSurplusEmpty = width !== undefined && laid.slice(width).every((cell) => cell === null);
  return isSurplusEmpty ? laid.slice(0, width) : laid;
}

const without = <Fact>(
  facts: Readonly<Record<number, Fact>>,
  edits: DraftRow["edits"],
): Readonly<Record<number, Fact>> =>
  Object.fromEntries(Object.entries(facts).filter(([index]) => edits[Number(index)] === undefined));

/** The text of a cell as a person edits it. */
export const cellToText = (cell: CellValue | undefined): string => String(cell ?? "");
