/** Plans the rows of a run with the exports of this package: store, background, decisions. */

import { holdContent } from "../../src/guards/content-watch.ts";
import { holdEmptied } from "../../src/guards/run-guards.ts";
import {
  createPlanChecks,
  createSameRequest,
  decideRows,
  type PlanRules,
  toSameCode,
} from "../../src/plan/decide-rows.ts";
import {
  countPlanned,
  countPlannedCalls,
  type PlanFacts,
  type PlannedCallsOptions,
} from "../../src/plan/plan-facts.ts";
import { askForUnit, readKnownUnit } from "../../src/plan/price-unit.ts";
import type { ReadListingOptions, RowIdentity } from "../../src/plan/read-listing.ts";
import { readBackground, readStoreBackground } from "../../src/plan/row-background.ts";
import { type Journal, readAllRows } from "../../src/ports/journal.ts";
import type { CandidateRow, RowRecord } from "../../src/row/row-record.ts";
import { type BeforeValueLog, toBeforeValues } from "../../src/verify/verification.ts";

export interface PlanAllOptions
  extends
    ReadListingOptions,
    Pick<PlanRules, "mode" | "guards" | "refused">,
    Omit<PlannedCallsOptions, "addSeconds"> {
  readonly journal: Journal;
  readonly toCandidate: (row: Pick<RowRecord, "row">) => CandidateRow;
  readonly before?: Pick<BeforeValueLog, "saveBefore">;
}

const BATCH_ROWS = 200;

/** Two seconds for each call. */
const toSeconds = (calls: number): number => 2 * calls;

export async function planAll(options: PlanAllOptions): Promise<PlanFacts> {
  const { runId, journal, toCandidate, guards } = options;
  const total = (await journal.countRows(runId)).reduce((sum, { rows }) => sum + rows, 0);
  const store = await readStoreBackground(
    { ...options, readIdentities: () => readIdentities(options) },
    total,
  );
  const known = (await readKnownUnit(journal, {})) ?? (await askForUnit(undefined, undefined));
  const sameCode = await readSameCode(options);
  const rules = { ...options, priceUnit: known.priceUnit, sameCode };
  const checks = createPlanChecks();
  for await (const rows of readAllRows(journal, runId, { states: ["parsed"] }, BATCH_ROWS)) {
    const candidates = rows.map(toCandidate);
    const background = await readBackground(options, store, candidates);
    const decisions = checks.check(candidates, decideRows(candidates, background, rules));
    const before = toBeforeValues(candidates, decisions, background);
    await options.before?.saveBefore(runId, before);
    await journal.saveDecisions(runId, decisions);
  }
  await holdEmptied(checks.stock, { runId, journal, guards });
  await holdContent(checks.content, {
    runId,
    journal,
    guards,
    locationOf: (row, field) => toCandidate(row).locationOf(field),
  });
  const counts = countPlanned(await journal.countRows(runId));
  const addSeconds = toSeconds(counts.add);
  const requests = countPlannedCalls(counts, { ...options, addSeconds });
  const planned = { ...counts, requests, seconds: toSeconds(requests) };
  return { readBy: store.readBy, ...known, unsendable: checks.unsendable(), planned };
}

async function* readIdentities({
  runId,
  journal,
  toCandidate,
}: PlanAllOptions): AsyncGenerator<readonly RowIdentity[]> {
  for await (const rows of readAllRows(journal, runId, { states: ["parsed"] }, BATCH_ROWS)) {
    yield rows.map(toCandidate);
  }
}

async function readSameCode(options: PlanAllOptions): Promise<PlanRules["sameCode"]> {
  const { runId, journal, toCandidate } = options;
  const duplicates = await journal.readDuplicates(runId);
  return toSameCode(
    duplicates.map(({ rows, identical }) => {
      const isSame = createSameRequest();
      return { rows, identical: identical || rows.every((row) => isSame(toCandidate({ row }))) };
    }),
  );
}
