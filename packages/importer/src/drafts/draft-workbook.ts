/** Writes the rows of a draft, as they are now, to a workbook that can be uploaded again. */

import { setImmediate } from "node:timers/promises";

import { CatalogError } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { columnLetter, type ColumnMapping, type SourceRow } from "@catalog/mapping";
import {
  type AddedColumn,
  type ErrorColumn,
  errorColumns,
  findRecordColumn,
  formatRecord,
  inputRow,
  parseRecord,
  toLines,
} from "@catalog/report";
import { rowAddress } from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import { cellToText, type DraftSheet, readDraftRows } from "./draft-rows.ts";
import type { DraftIssue } from "./draft-views.ts";
import { readDraft } from "./edit-draft.ts";
import type { DraftRepository, DraftRow } from "./stored-draft.ts";

/** The workbook to write. */
export interface WriteDraftOptions {
  /** Absolute path; an existing file is replaced. */
  readonly path: string;
  readonly lang: Lang;
  /** `errors`: rows with an error, and the other rows of their products. */
  readonly rows: "all" | "errors";
  /** Rewrites a message or a suggestion; an empty text leaves it out. @default as it stands */
  readonly reword?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface DraftParts {
  readonly drafts: DraftRepository;
  readonly sheet: DraftSheet;
  readonly mapping: ColumnMapping;
}

/**
 * Writes the columns of the file in their order, and after them what is wrong; uploads do not map
 * the added columns. Rows that a person left out and rows that are no products are not written.
 * A row with an error holds a record by which an upload recognizes it unchanged, as some errors do
 * not show in the workbook, such as a wrong number of cells.
 */
export async function writeDraftWorkbook(
  parts: DraftParts,
  options: WriteDraftOptions,
): Promise<void> {
  const { drafts, sheet } = parts;
  const { name, version } = await readDraft(drafts, sheet.draft);
  const layout = layOut(parts, options);
  const { columns } = layout;
  const rows = writtenRows(parts, layout, options);
  await writeXlsx({
    path: options.path,
    sheets: [{ name: SHEET_NAMES[options.lang], columns, rows }],
  });
  const now = await readDraft(drafts, sheet.draft);
  if (now.version !== version) throw new CatalogError("E_DRAFT_CHANGED", name);
}

const SHEET_NAMES: Readonly<Record<Lang, string>> = { tr: "Ürünler", en: "Products" };

interface DraftLayout {
  readonly columns: readonly XlsxColumn[];
  readonly header: readonly string[];
  /** Index of each column of the file that is written. */
  readonly sources: readonly number[];
  readonly added: readonly AddedColumn<ErrorColumn>[];
  /** Index of the column of records in the file; less than 0 for none. */
  readonly record: number;
}

/** The columns of the file but for those that an earlier workbook has added for the same. */
function layOut({ sheet, mapping }: DraftParts, { lang, rows }: WriteDraftOptions): DraftLayout {
  const headers = sheet.header.cells.map(cellToText);
  const count = Math.max(headers.length, sheet.source.maxWidth);
  const sources = [...Array(count).keys()].filter((index) => !REPLACED.has(headers[index] ?? ""));
  const codes = new Set(
    mapping.columns
      .filter(({ target }) => target.kind === "field" && target.field === "product_code")
      .map(({ index }) => index),
  );
  const { error, suggestion, place, record } = errorColumns(lang);
  const hasPlaces = sheet.sheets !== undefined || rows === "errors";
  const added = [error, suggestion, ...(hasPlaces ? [place] : []), record];
  const input = sources.map((index): XlsxColumn => {
    const header = headers[index] ?? "";
    return codes.has(index) ? { header, kind: "text" } : { header };
  });
  const own = added.map((column) => toColumn(column));
  const columns = [...input, ...own];
  const header = columns.map((column) => column.header);
  return { columns, header, sources, added, record: findRecordColumn(sheet.header.cells) };
}

const toColumn = ({ header, width, wraps = false }: XlsxColumn): XlsxColumn => ({
  header,
  wraps,
  isAdded: true,
  ...(width !== undefined && { width }),
});

const REPLACED: ReadonlySet<string> = new Set(
  (["tr", "en"] as const).flatMap((lang) => {
    const { error, suggestion, place, record } = errorColumns(lang);
    return [error, suggestion, place, record].map(({ header }) => header);
  }),
);

async function* writtenRows(
  { drafts, sheet }: DraftParts,
  layout: DraftLayout,
  { lang, rows, reword = (text) => text, signal }: WriteDraftOptions,
): AsyncGenerator<XlsxRow> {
  const isWanted = rows === "all" ? () => true : await createErrorSearch(drafts, sheet.draft);
  let number = 1;
  for await (const batch of readDraftRows(drafts, sheet.draft)) {
    signal?.throwIfAborted();
    for (const row of batch) {
      if (row.status === "excluded" || row.status === "left" || !isWanted(row)) continue;
      number += 1;
      yield toXlsxRow(rewordIssues(row, reword), { sheet, layout, lang, number });
    }
    await setImmediate();
  }
}

function rewordIssues(row: DraftRow, reword: (text: string) => string): DraftRow {
  const change = ({ tr, en }: Localized): Localized => ({ tr: reword(tr), en: reword(en) });
  const issues = row.issues.map(({ message, suggestion, ...issue }) => ({
    ...issue,
    message: change(message),
    suggestion: suggestion === null ? null : change(suggestion),
  }));
  return { ...row, issues };
}

/** A variant is read with the other rows of its product, so that these are written as well. */
async function createErrorSearch(
  drafts: DraftRepository,
  draft: string,
): Promise<(row: DraftRow) => boolean> {
  const products = new Set<number>();
  for await (const rows of readDraftRows(drafts, draft)) {
    for (const row of rows) if (row.status === "error") products.add(productOf(row));
    await setImmediate();
  }
  return (row) => products.has(productOf(row));
}

/** The first row of the product of a row. */
function productOf({ row, joined }: DraftRow): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the row checker
  const { parentRow } = (joined ?? {}) as Partial<NonNullable<SourceRow["joined"]>>;
  return parentRow ?? row;
}

interface WrittenRow {
  readonly sheet: DraftSheet;
  readonly layout: DraftLayout;
  readonly lang: Lang;
  /** Number of the row in the workbook. */
  readonly number: number;
}

function toXlsxRow(stored: DraftRow, { sheet, layout, lang, number }: WrittenRow): XlsxRow {
  const { sources, header, added } = layout;
  const row = inputRow(sources, sheet.effective(stored));
  const columnOf = ({ column }: DraftIssue): number =>
    column === null ? -1 : sources.indexOf(column);
  const { issues } = stored;
  const nameCell = (issue: DraftIssue): string => {
    const at = columnOf(issue);
    return at < 0 ? "" : `${columnLetter(at)}${number}: `;
  };
  const values: Readonly<Partial<Record<ErrorColumn, OutCell>>> = {
    error: toLines(issues.map((issue) => nameCell(issue) + issue.message[lang])),
    suggestion: toLines(issues.map(({ suggestion }) => suggestion?.[lang])),
    place: sheet.sheets === undefined ? stored.row : rowAddress(sheet, stored.row),
    record: toRecord(stored, { layout, table: { header, ...row }, draft: sheet.draft }),
  };
  const cells = [...row.cells, ...added.map(({ name }) => values[name] ?? null)];
  return { ...row, cells, ...toMarks(issues, columnOf, lang) };
}

function toMarks(
  issues: readonly DraftIssue[],
  columnOf: (issue: DraftIssue) => number,
  lang: Lang,
): { readonly notes: Record<number, string>; readonly fills: Record<number, Fill> } {
  const notes: Record<number, string> = {};
  const fills: Record<number, Fill> = {};
  for (const issue of issues) {
    const at = columnOf(issue);
    if (at < 0) continue;
    const lines = [notes[at], issue.message[lang], issue.suggestion?.[lang]];
    notes[at] = lines.filter(Boolean).join("\n");
    if (fills[at] !== "error") fills[at] = issue.severity;
  }
  return { notes, fills };
}

type Fill = DraftIssue["severity"];

interface Recorded {
  readonly layout: DraftLayout;
  readonly table: Parameters<typeof formatRecord>[0]["table"];
  readonly draft: string;
}

function toRecord(
  { row, cells, issues: found }: DraftRow,
  { layout: { sources, record }, table, draft }: Recorded,
): string | null {
  const issues = found
    .filter(({ severity }) => severity === "error")
    .map(({ code, column }) => ({
      code,
      cell: column === null ? "" : `${columnLetter(column)}${row}`,
    }));
  const places = new Map(
    found.map(({ column }) => [column === null ? "" : `${columnLetter(column)}${row}`, column]),
  );
  return formatRecord({
    runId: draft,
    record: { row, state: "invalid", issues },
    table,
    columnOf: ({ cell }) => {
      const at = sources.indexOf(places.get(cell) ?? -1);
      return at < 0 ? undefined : at;
    },
    // All rows of one code are wrong; of codes that look alike one alone may be.
    areTwinsThere: issues.every(({ code }) => code !== "E_CODE_SUSPECT"),
    earlier: record < 0 ? undefined : parseRecord(String(cells[record] ?? "")),
  });
}
