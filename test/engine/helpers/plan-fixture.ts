/** Plans the rows of a run whose candidates a test states. */

import { LISTING_STATUSES } from "@catalog/contract";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  type BeforeValueLog,
  type CandidateRow,
  type PlanFacts,
  planRun,
  type PlanRunOptions,
  type RowRecord,
} from "@catalog/runs";
import {
  candidate,
  codeKey,
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeProduct,
  listed,
  parsedRow,
  RUN,
  countPlanned,
  countPlannedCalls,
  type PlannedCallsOptions,
} from "@catalog/runs/testing";

interface PlanAllOptions
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

interface PlanFixture {
  readonly journal: MemoryJournal;
  readonly marketplace: FakeMarketplace;
  readonly planAll: (more?: Partial<PlanAllOptions>) => Promise<PlanFacts>;
}

/** Opens a run of rows with the given candidates; a row without one adds its code. */
export async function openPlanFixture(
  codes: readonly (string | null)[],
  products: readonly FakeProduct[] = [],
  rows: Readonly<Record<number, Partial<CandidateRow>>> = {},
): Promise<PlanFixture> {
  const journal = await openMemoryJournal();
  const marketplace = createFakeMarketplace({ products });
  await journal.appendRows(
    RUN,
    codes.map((code, n) => parsedRow(n + 2, code)),
  );
  const planRows = (more: Partial<PlanAllOptions> = {}): Promise<PlanFacts> =>
    planAll({
      runId: RUN,
      journal,
      marketplace,
      toCandidate: ({ row }) => candidate(row, codes[row - 2] ?? null, rows[row]),
      codeKey,
      ...more,
    });
  return { journal, marketplace, planAll: planRows };
}

/** The same marketplace, of which the first readings of the whole listing do not stand still. */
export function changing(marketplace: FakeMarketplace, readings: number = 1): FakeMarketplace {
  let lists = 0;
  return {
    ...marketplace,
    async *listProducts({ onEnd, ...query }) {
      const isWhole = query.code === undefined && query.ids === undefined;
      if (isWhole) lists += 1;
      const isStill = lists > readings * LISTING_STATUSES.length;
      yield* marketplace.listProducts(query);
      onEnd?.({ isStill });
    },
  };
}

export const listedProducts = (count: number): readonly FakeProduct[] =>
  Array.from({ length: count }, (_, n) => listed(`p${n}`, `B${n}`));

export const readAll = async (journal: MemoryJournal): Promise<readonly RowRecord[]> =>
  await journal.readRows(RUN, { limit: 1_000 });
