import type { FakeClock } from "@catalog/clock/testing";
import type { Journal } from "@catalog/runs";

/** An empty journal of one store, which has the runs `run-1`, `run-2` and `run-3`. */
export interface JournalUnderTest {
  readonly journal: Journal;
  /** The journal's clock, at 1 000 ms. */
  readonly clock: FakeClock;
}

/** Opens a journal for one test, and closes it when the test is over. */
export type CreateJournal = () => Promise<JournalUnderTest>;
