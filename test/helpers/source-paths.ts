/**
 * The source files that tests name, each once by its path from the root, so that moving a file
 * changes one line.
 */

import { fileURLToPath } from "node:url";

const ROOT_URL = new URL("../../", import.meta.url);

/** The root of the checkout. */
export const ROOT: string = fileURLToPath(ROOT_URL);

export const SOURCE_PATHS = {
  sampleWorkbook: "templates/ornek-katalog.xlsx",
  catalogProgram: "apps/cli/bin/catalog.js",
  packProgram: "apps/cli/build/pack-program.ts",
  cliMain: "apps/cli/src/main.ts",
  keyring: "apps/cli/src/settings/login-store.ts",
  sandboxRun: "apps/cli/src/commands/sandbox/run.ts",
  sandboxIndex: "apps/sandbox/src/index.ts",
  sandboxRefusal: "apps/sandbox/src/http/answers.ts",
  marketAddress: "packages/client/src/market-address.ts",
  paging: "packages/client/src/paging.ts",
  wirePhase: "packages/client/src/http/wire-phase.ts",
  judgeAttempt: "packages/jobs/src/run-work.ts",
  imageWork: "packages/images/src/decode/image-operations.ts",
  absence: "packages/runs/src/reconcile/decide-absent.ts",
  addRechecks: "packages/runs/src/send/add-rechecks.ts",
  withAddRechecks: "packages/runs/src/send/recheck-queue.ts",
  answerClass: "packages/runs/src/send/outcome.ts",
  claimRows: "packages/runs/src/send/send-ready-rows.ts",
  decideRow: "packages/runs/src/plan/decide-row.ts",
  sendReadyRows: "packages/runs/src/send/send-ready-rows.ts",
  duplicateCodes: "packages/runs/src/plan/decide-rows.ts",
  duplicateProducts: "packages/runs/src/plan/decide-rows.ts",
  filterProof: "packages/runs/src/reconcile/proven-filters.ts",
  filterTrust: "packages/runs/src/ports/marketplace.ts",
  findProducts: "packages/runs/src/reconcile/find-products.ts",
  guardSettings: "packages/runs/src/guards/guard-settings.ts",
  absences: "packages/importer/src/feed/absences.ts",
  feedForm: "packages/importer/src/feed/feed-form.ts",
  exportKinds: "packages/exporter/src/kinds.ts",
  exportListings: "packages/exporter/src/read-listings.ts",
  exportTimestamps: "packages/exporter/src/timestamps.ts",
  lookupKinds: "packages/importer/src/lookup/lookup-kinds.ts",
  guardNames: "packages/runs/src/guards/guard-settings.ts",
  decideRows: "packages/runs/src/plan/decide-rows.ts",
  planRun: "packages/runs/src/plan/plan-run.ts",
  guardUpdate: "packages/runs/src/guards/price-guards.ts",
  holdChangedRow: "packages/runs/src/send/recheck-queue.ts",
  judgeRecheck: "packages/runs/src/send/judge-recheck.ts",
  findLostAdds: "packages/runs/src/reconcile/find-products.ts",
  updateRechecks: "packages/runs/src/send/update-rechecks.ts",
  matchProduct: "packages/runs/src/reconcile/match-product.ts",
  plannedCounts: "packages/runs/src/plan/plan-facts.ts",
  holdAppeared: "packages/runs/src/plan/hold-adds.ts",
  priceUnit: "packages/runs/src/plan/price-unit.ts",
  priceUnitCount: "packages/runs/src/plan/price-unit.ts",
  readListing: "packages/runs/src/plan/read-listing.ts",
  reconcile: "packages/runs/src/reconcile/reconcile.ts",
  recordLookup: "packages/runs/src/reconcile/reconcile.ts",
  refusalTrust: "packages/runs/src/reconcile/refusal-trust.ts",
  sendAttempt: "packages/runs/src/send/send-row.ts",
  releaseStock: "packages/runs/src/guards/stock-first.ts",
  rowParts: "packages/runs/src/guards/stock-first.ts",
  reconcileUpdates: "packages/runs/src/reconcile/open-rows.ts",
  sendRow: "packages/runs/src/send/send-row.ts",
  visibilitySampler: "packages/runs/src/reconcile/visibility.ts",
  visibleText: "packages/sheets/src/visible-text.ts",
  beginAttempt: "packages/database/src/journal/begin-sending.ts",
  fileBeginnings: "packages/database/src/journal/begin-sending.ts",
  transitions: "packages/database/src/journal/transitions.ts",
  databaseTables: "packages/database/src/sql/tables.ts",
  ledger: "packages/database/src/journal/ledger.ts",
  schedules: "packages/database/src/repositories/schedules.ts",
  leasedDatabase: "packages/database/src/locks/leases.ts",
  leasedBeginnings: "packages/database/src/journal/begin-sending.ts",
  leases: "packages/database/src/locks/leases.ts",
  serverClock: "packages/database/src/postgres/open-postgres.ts",
  advanceRun: "packages/database/src/archive/move-rows.ts",
  archiveIsOver: "packages/database/src/archive/judge-runs.ts",
  databaseRules: "packages/database/src/sql/migrations.ts",
  lastSentRequests: "packages/database/src/archive/move-rows.ts",
  moveRows: "packages/database/src/archive/move-rows.ts",
  runPruner: "packages/database/src/archive/run-pruner.ts",
  openFile: "packages/database/src/sqlite/file.ts",
  rowPieces: "packages/database/src/journal/row-pieces.ts",
  rowTable: "packages/database/src/journal/journal.ts",
  applyPlan: "packages/importer/src/apply/apply-plan.ts",
  suspectAdds: "packages/runs/src/send/pre-send-checks.ts",
  holdUnprovenAdds: "packages/runs/src/send/pre-send-checks.ts",
  openConnection: "packages/connection/src/open-connection.ts",
  resultWorkbook: "packages/report/src/result-workbooks.ts",
} as const;

export type SourcePath = (typeof SOURCE_PATHS)[keyof typeof SOURCE_PATHS];

/** The absolute path of a source file. */
export const toAbsolutePath = (path: SourcePath): string => fileURLToPath(new URL(path, ROOT_URL));
