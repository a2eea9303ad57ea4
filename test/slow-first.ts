/**
 * The order of the test files: those that take long start first, so that the last minute of a run
 * has work for every core. Without times of an earlier run, as in CI, vitest starts large files
 * first, which says little: a short file may play a whole day.
 */

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Ends of the paths of files that take more than about ten seconds of processor time, the slowest first. */
export const SLOW_FILES: readonly string[] = [
  "test/e2e/worker/queue.test.ts",
  "test/e2e/postgres/machines.test.ts",
  "test/safety/kill/kill.test.ts",
  "test/safety/simulation/simulation.test.ts",
  "test/e2e/web/browser/tabs.test.ts",
  "test/e2e/web/browser/screens.test.ts",
  "test/e2e/web/browser/sending.test.ts",
  "test/safety/simulation/machines.test.ts",
  "test/contract/behavior/import.test.ts",
  "test/files/file-kinds/file-kinds.test.ts",
  "test/engine/apply-run-killed.test.ts",
  "test/e2e/web/queued.test.ts",
  "test/e2e/screens/screens.test.ts",
  "test/e2e/program/packed.test.ts",
  "test/e2e/packages/libraries.test.ts",
  "test/safety/linear-time/mapping.test.ts",
  "test/safety/outage/outage.test.ts",
  "test/files/results/untouched.test.ts",
  "test/e2e/web/files.test.ts",
  "test/e2e/web/web.test.ts",
  "test/e2e/web/browser/way.test.ts",
  "test/e2e/web/browser/columns.test.ts",
  "test/e2e/web/browser/grid.test.ts",
  "test/e2e/web/feeds.test.ts",
  "test/e2e/sync/sync.test.ts",
  "test/e2e/guards/guards.test.ts",
  "test/e2e/guards/decisions.test.ts",
  "test/e2e/guards/overwrites.test.ts",
  "test/e2e/program/stop.test.ts",
  "test/e2e/export/export.test.ts",
  "test/e2e/import/texts.test.ts",
  "packages/importer/test/apply/read-approvals.test.ts",
  "test/files/bad-files/bad-files.test.ts",
  "test/files/bad-files/fuzz.test.ts",
  "test/safety/fault-matrix/fault-matrix.test.ts",
];

/** Puts the slow files before all others, which keep their order. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the one of vitest, which copies
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW_FILES.findIndex((path) => moduleId.endsWith(`/${path}`));
  return rank === -1 ? SLOW_FILES.length : rank;
}
