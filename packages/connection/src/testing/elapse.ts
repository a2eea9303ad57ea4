import { type FakeClock } from "@catalog/clock/testing";

/** Waits for work that sleeps by moving the fake clock from sleep to sleep. */
export async function elapse<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  const pending = new Set([work]);
  const end = (): void => pending.clear();
  work.then(end, end);
  while (pending.size > 0) await clock.advanceToNext();
  return await work;
}
