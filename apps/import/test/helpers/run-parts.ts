/** Runs, summaries and issues as the database returns them. */

import { EMPTY_SUMMARY, type RunSummary } from "@catalog/report";
import {
  type Counts,
  NO_UNSENDABLE_FIELDS,
  type RowIssue,
  type RunRecord,
  toCounts,
} from "@catalog/runs";

export function createCounts(counts: Partial<Counts> = {}): Counts {
  const { rows: _rows, ...classes } = counts;
  const rows = Object.values(classes).reduce((sum, count) => sum + count, 0);
  return { ...toCounts([]), ...counts, rows };
}

export function createFileIssue(issue: Partial<RowIssue> = {}): RowIssue {
  return {
    code: "E_NOT_A_NUMBER",
    sheet: "Ürünler",
    row: 3,
    column: "Fiyat *",
    cell: "H3",
    value: "on iki",
    message: { tr: "“on iki” bir sayı değil.", en: "“on iki” is not a number." },
    ...issue,
  };
}

export function createRun(run: Partial<RunRecord> = {}): RunRecord {
  return {
    id: "r-261121-0930-4f2a",
    command: "import",
    kind: "import",
    state: "planned",
    file: {
      path: "/veri/urunler.xlsx",
      name: "urunler.xlsx",
      sha256: "0".repeat(64),
      kind: "xlsx",
      sheet: "Ürünler",
      headerRow: 1,
      header: ["Ürün Kodu *", "Fiyat *"],
    },
    mode: "upsert",
    lang: "tr",
    facts: {
      readBy: "listing",
      priceUnit: "minor",
      planned: { ...EMPTY_SUMMARY.planned, add: 1200, invalid: 6, requests: 1200, seconds: 4321 },
    },
    requests: { token: 1, read: 3, write: 0 },
    reportDir: "/veri/catalog-results/r-261121-0930-4f2a",
    warnings: [],
    settings: {},
    progress: {},
    createdAtMs: 0,
    updatedAtMs: 0,
    ...run,
  };
}

export function createSummary(summary: Partial<RunSummary> = {}): RunSummary {
  return {
    command: "import",
    run: "r-261121-0930-4f2a",
    state: "finished",
    exit: 0,
    counts: createCounts(),
    platform: null,
    planned: EMPTY_SUMMARY.planned,
    unsendable: NO_UNSENDABLE_FIELDS,
    verification: EMPTY_SUMMARY.verification,
    requests: { total: 0, token: 0, read: 0, write: 0 },
    files: EMPTY_SUMMARY.files,
    warnings: [],
    notes: [],
    open_names: [],
    issues: [],
    more_issues: 0,
    ...summary,
  };
}
