/** Plans the rows of a run whose candidates a test states. */

import {
  type BeforeValueLog,
  type CandidateRow,
  type PlanFacts,
  planRun,
  type PlanRunOptions,
  type RowRecord,
} from "@catalog/runs";
import { countPlanned, countPlannedCalls, type PlannedCallsOptions } from "@catalog/runs/testing";

export interface PlanAllOptions
  extends
    Omit<PlanRunOptions, "reader" | "verificationLog">,
    Omit<PlannedCallsOptions, "addSeconds"> {
  readonly toCandidate: (row: Pick<RowRecord, "row">) => CandidateRow;
  readonly before?: Pick<BeforeValueLog, "saveBefore">;
}

/** Two seconds for each call. */
const toSeconds = (calls: number): number => 2 * calls;

export async function planAll(options: PlanAllOptions): Promise<PlanFacts> {
  const { runId, journal, toCandidate, before = { saveBefore: async () => undefined } } = options;
  const facts = await planRun({
    ...options,
    verificationLog: before,
    reader: {
      toCandidates: async (rows) => rows.map(toCandidate),
      toDraft: toCandidate,
      readProductId: (row) => toCandidate(row).productId ?? undefined,
    },
  });
  const counts = countPlanned(await journal.countRows(runId));
  const addSeconds = toSeconds(counts.add);
  const requests = countPlannedCalls(counts, { ...options, addSeconds });
  return { ...facts, planned: { ...counts, requests, seconds: toSeconds(requests) } };
}
