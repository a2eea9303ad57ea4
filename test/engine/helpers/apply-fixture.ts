import { createFakeClock, elapse, type FakeClock } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  type RowDecision,
  applyRun,
  type ApplyRunOptions,
  type ApplyResult,
  type RecheckOptions,
} from "@catalog/runs";
import {
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
  type Reply,
  codeKey,
  toProductId,
  plan,
  RUN,
  SHEET,
  toAdd,
} from "@catalog/runs/testing";

export interface ApplyFixture {
  readonly journal: MemoryJournal;
  readonly marketplace: FakeMarketplace;
  readonly clock: FakeClock;
  readonly apply: (more?: Partial<ApplyRunOptions>) => Promise<ApplyResult>;
}

/** Makes the journal know that the store shows new products at once. */
export async function proveVisible(journal: MemoryJournal): Promise<void> {
  await journal.startLagSample(toProductId("shown"), 0);
  await journal.recordLagSample(toProductId("shown"), { shown: true, serverMs: 0 });
}

/**
 * Opens a planned run that is sent one row at a time, in a store that shows new products at once,
 * or in an unknown store where it `isNew`.
 */
export async function openApplyFixture(
  decisions: readonly RowDecision[],
  { isNew = false, ...store }: FakeMarketplaceOptions & { readonly isNew?: boolean } = {},
): Promise<ApplyFixture> {
  const journal = await openMemoryJournal();
  const clock = createFakeClock();
  const marketplace = createFakeMarketplace({ serverTimeMs: () => clock.now(), ...store });
  await plan(journal, decisions);
  if (!isNew) await proveVisible(journal);
  const apply = (more: Partial<ApplyRunOptions> = {}): Promise<ApplyResult> => {
    const fixed = { runId: RUN, journal, marketplace, clock, codeKey, sheet: SHEET };
    const recheck = recheckOf(journal);
    return elapse(
      clock,
      applyRun({ ...fixed, recheck, concurrency: 1, lookupDelaysMs: [0], sampleEvery: 0, ...more }),
    );
  };
  return { journal, marketplace, clock, apply };
}

/** Options of rechecks without guards and texts. */
export const recheckOf = (before: RecheckOptions["before"]): RecheckOptions => ({
  before,
  priceUnit: "unknown",
});

/** Returns rows 2, 3 and so on, which add A2, A3 and so on. */
export const adds = (count: number): readonly RowDecision[] =>
  Array.from({ length: count }, (_, n) => toAdd(n + 2, `A${n + 2}`));

export const times = (count: number, reply: Reply): readonly Reply[] =>
  Array.from({ length: count }, () => reply);

export const writesOf = ({ log }: FakeMarketplace): readonly string[] =>
  log.filter((request) => /^(?:ADD|UPDATE) /u.test(request));

export const allDone = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${n + 2}: done`);
