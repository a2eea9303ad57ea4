/** Writes the rows of a draft, as they are now, to a workbook that can be uploaded again. */

import { setImmediate } from "node:timers/promises";

import { CatalogError } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import type { ColumnMapping, SourceRow } from "@catalog/mapping";
import { createDraftSheet } from "@catalog/report";
import { rowAddress } from "@catalog/runs";
import { writeXlsx, type XlsxRow } from "@catalog/sheets";

import { cellToText, type DraftSheet, readDraftRows } from "./draft-rows.ts";
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
  const rows = writtenRows(parts, layout, options);
  await writeXlsx({
    path: options.path,
    sheets: [{ name: SHEET_NAMES[options.lang], columns: layout.columns, rows }],
  });
  const now = await readDraft(drafts, sheet.draft);
  if (now.version !== version) throw new CatalogError("E_DRAFT_CHANGED", name);
}

const SHEET_NAMES: Readonly<Record<Lang, string>> = { tr: "Ürünler", en: "Products" };

/** Codes are written as text; a row that is written without its neighbours names its place. */
function layOut(
  { sheet, mapping }: DraftParts,
  { lang, rows }: WriteDraftOptions,
): ReturnType<typeof createDraftSheet> {
  const codes = mapping.columns
    .filter(({ target }) => target.kind === "field" && target.field === "product_code")
    .map(({ index }) => index);
  return createDraftSheet({
    lang,
    draft: sheet.draft,
    header: sheet.header.cells,
    headers: sheet.header.cells.map(cellToText),
    width: sheet.source.maxWidth,
    codes: new Set(codes),
    hasPlaces: sheet.sheets !== undefined || rows === "errors",
  });
}

async function* writtenRows(
  { drafts, sheet }: DraftParts,
  layout: ReturnType<typeof createDraftSheet>,
  { rows, reword = (text) => text, signal }: WriteDraftOptions,
): AsyncGenerator<XlsxRow> {
  const isWanted = rows === "all" ? () => true : await createErrorSearch(drafts, sheet.draft);
  let number = 1;
  for await (const batch of readDraftRows(drafts, sheet.draft)) {
    signal?.throwIfAborted();
    for (const row of batch) {
      if (row.status === "excluded" || row.status === "left" || !isWanted(row)) continue;
      number += 1;
      const place = sheet.sheets === undefined ? row.row : rowAddress(sheet, row.row);
      const { issues } = rewordIssues(row, reword);
      const effective = sheet.effective(row);
      yield layout.toRow({ row: row.row, place, stored: row, effective, issues }, number);
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
