import { LISTING_STATUSES } from "@catalog/contract";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import type { PlanFacts, CandidateRow, RowRecord } from "@catalog/runs";
import {
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeProduct,
  candidate,
  codeKey,
  listed,
  parsedRow,
  RUN,
} from "@catalog/runs/testing";

import { planAll as planRows, type PlanAllOptions } from "./plan-all.ts";

export interface PlanFixture {
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
  const planAll = (more: Partial<PlanAllOptions> = {}): Promise<PlanFacts> =>
    planRows({
      runId: RUN,
      journal,
      marketplace,
      toCandidate: ({ row }) => candidate(row, codes[row - 2] ?? null, rows[row]),
      codeKey,
      ...more,
    });
  return { journal, marketplace, planAll };
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
