/** Stores the rows of a sheet unchanged, and learns from them what depends on all rows. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  type CodeSuspects,
  createCodeColumn,
  createCodeSuspects,
  createNamesKey,
  createNotationObserver,
  type NumberNotations,
  type SourceRow,
} from "@catalog/mapping";
import { createCompactTextMap, type Journal, type ParsedRow, type RunWarning } from "@catalog/runs";

import { readRememberedNotations } from "../../columns/remembered-notations.ts";
import { createLeftOutRows } from "../../file/left-out-rows.ts";
import { productBatches } from "../../file/product-rows.ts";
import { createSheetCount } from "../../file/sheet-count.ts";
import { createNameCases, type NameCase } from "../../names/find-open-names.ts";
import type { OpenedRun } from "../make-plan.ts";
import type { PlanFileOptions } from "../plan-file-options.ts";

/** Rows written to the journal at a time. Of more, more is copied at each collection of garbage. */
const BATCH_ROWS = 200;

export interface StoredRows {
  readonly total: number;
  /** Warnings that name the rows that were left out. */
  readonly leftOut: readonly RunWarning[];
  readonly notations: NumberNotations;
  /** Notes on the sheets, and on notations that differ from the accepted ones. */
  readonly notes: readonly Localized[];
  /** Codes of all rows, to find those that look alike. */
  readonly suspects: CodeSuspects;
  /** Combinations of names in the rows; `undefined` where there are too many to keep. */
  readonly cases: readonly NameCase[] | undefined;
}

export interface StoreRowsOptions {
  readonly onProgress: PlanFileOptions["onProgress"] | undefined;
  /** Whether all cells of a row could be read. */
  readonly isWhole: (row: SourceRow) => boolean;
}

/** Stores every row that is a product. */
export async function storeRows(
  { journal, memory: { notes }, baseUrl }: Pick<Connection, "journal" | "memory" | "baseUrl">,
  { runId, sheet, mapping, recalled: { decimal }, notations: known }: OpenedRun,
  { isWhole, onProgress }: StoreRowsOptions,
): Promise<StoredRows> {
  const observer = createNotationObserver(mapping, decimal === undefined ? {} : { decimal });
  const codes = createCodeColumn(sheet.sheet, mapping);
  const suspects = createCodeSuspects(createCompactTextMap());
  const cases = createNameCases(createNamesKey(mapping), isWhole);
  const leftOut = createLeftOutRows(mapping, sheet);
  const sheetCount = createSheetCount(sheet);
  let batch: ParsedRow[] = [];
  let total = 0;
  const store = async (): Promise<void> => {
    await journal.appendRows(runId, batch);
    total += batch.length;
    batch = [];
    onProgress?.({ step: "read", done: total, total: undefined });
  };
  const take = (row: SourceRow): void => {
    leftOut.noteProduct(row);
    sheetCount.note(row.row);
    observer.observe(row);
    const { code = null, codeKey: key = null } = codes.read(row) ?? {};
    if (code !== null) suspects.note(code, row.row);
    cases.note(row);
    batch.push({ ...row, code, codeKey: key });
  };
  for await (const rows of productBatches(sheet, mapping, (left, kind) =>
    leftOut.noteLeftOut(left, kind),
  )) {
    for (const row of rows) {
      take(row);
      if (batch.length === BATCH_ROWS) await store();
    }
  }
  await store();
  await recallCodes(journal, runId, suspects);
  const recalled =
    known === undefined
      ? await readRememberedNotations({ notes, baseUrl }, mapping, observer.decide())
      : { notations: known, notes: [] };
  return {
    total,
    leftOut: leftOut.warnings(),
    suspects,
    cases: cases.list(),
    notations: recalled.notations,
    notes: [...sheetCount.notes(), ...recalled.notes],
  };
}

async function recallCodes(
  journal: Pick<Journal, "readRows">,
  runId: string,
  suspects: CodeSuspects,
): Promise<void> {
  for (const row of suspects.forgotten) {
    const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
    if (record?.row !== row) throw new Error(`row ${row} was stored and is gone`);
    if (record.code !== null) suspects.recall(record.code);
  }
}
