/** Plans the rows of a run with the exports of this package: store, background, decisions. */

import {
  holdContent,
  holdEmptied,
  createPlanChecks,
  createSameRequest,
  decideRows,
  type PlanRules,
  toSameCode,
  countPlanned,
  countPlannedCalls,
  type PlanFacts,
  type PlannedCallsOptions,
  askForUnit,
  readKnownUnit,
  type ReadListingOptions,
  readBackground,
  readStoreBackground,
  type Journal,
  readAllRows,
  type CandidateRow,
  type RowRecord,
  type BeforeValueLog,
  toBeforeValues,
} from "@catalog/runs";

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
}: PlanAllOptions): AsyncGenerator<readonly CandidateRow[]> {
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
