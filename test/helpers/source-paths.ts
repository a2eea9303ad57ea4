/**
 * The source files that tests name: each stands here once, by a path from the root, so that a file
 * that moves changes one line.
 */

import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);

export const SOURCE_PATHS = {
  catalogProgram: "apps/cli/bin/catalog.js",
  cliMain: "apps/cli/src/main.ts",
  keyring: "apps/cli/src/keyring.ts",
  sandboxRun: "apps/cli/src/commands/sandbox-run.ts",
  smallHeap: "apps/cli/bin/small-heap.js",
  sandboxIndex: "apps/sandbox/src/index.ts",
  sandboxRefusal: "apps/sandbox/src/refusal.ts",
  syncDockerfile: "apps/sync/deploy/Dockerfile",
  syncService: "apps/sync/deploy/catalog-sync.service",
  marketAddress: "packages/client/src/market-address.ts",
  paging: "packages/client/src/paging.ts",
  wirePhase: "packages/client/src/wire-phase.ts",
  imageWork: "packages/images/src/decode/picture-work.ts",
  absence: "packages/runs/src/unknown/absence.ts",
  addLooks: "packages/runs/src/look/look-at-adds.ts",
  answerClass: "packages/runs/src/classify.ts",
  decideRow: "packages/runs/src/plan-row.ts",
  duplicateCodes: "packages/runs/src/same-code.ts",
  duplicateProducts: "packages/runs/src/refuse-second.ts",
  filterProof: "packages/runs/src/filters/proven-filters.ts",
  filterTrust: "packages/runs/src/filters/may-trust.ts",
  findProducts: "packages/runs/src/reconcile/find-products.ts",
  guardSettings: "packages/runs/src/guards/guard-settings.ts",
  guardNames: "packages/runs/src/guards.ts",
  guardUpdate: "packages/runs/src/guards/guard-update.ts",
  holdLooked: "packages/runs/src/look/hold-looked.ts",
  judgeLook: "packages/runs/src/look/judge-look.ts",
  lookUp: "packages/runs/src/unknown/look-up.ts",
  looks: "packages/runs/src/look/looks.ts",
  matchProduct: "packages/runs/src/unknown/match.ts",
  memoryJournal: "packages/runs/src/testing/memory.ts",
  memoryLedger: "packages/runs/src/testing/memory-ledger.ts",
  planRun: "packages/runs/src/plan-run.ts",
  priceUnit: "packages/runs/src/learn-price-unit.ts",
  readListing: "packages/runs/src/read-store.ts",
  reconcile: "packages/runs/src/reconcile.ts",
  refusalTrust: "packages/runs/src/unknown/trust.ts",
  sendAttempt: "packages/runs/src/errand.ts",
  sendRow: "packages/runs/src/send-row.ts",
  visibilitySampler: "packages/runs/src/unknown/sampler.ts",
  visibleText: "packages/sheets/src/visible-text.ts",
  beginAttempt: "packages/store/src/journal/beginning.ts",
  ledger: "packages/store/src/journal/ledger.ts",
  openFile: "packages/store/src/database/open-file.ts",
  rowTable: "packages/store/src/journal/row-table.ts",
  applyPlan: "packages/toolkit/src/apply-planned.ts",
  doubtedAdds: "packages/toolkit/src/look-for-adds.ts",
  holdUnseen: "packages/toolkit/src/hold-unseen.ts",
  openConnection: "packages/toolkit/src/open-toolkit.ts",
  resultFiles: "packages/toolkit/src/result-files.ts",
} as const;

export type SourcePath = (typeof SOURCE_PATHS)[keyof typeof SOURCE_PATHS];

/** The absolute path of a source file. */
export const toAbsolutePath = (path: SourcePath): string => fileURLToPath(new URL(path, ROOT));
