import { type FakeClock } from "@catalog/clock/testing";

/** Awaits work that sleeps, while it advances the clock from one sleep to the next. */
export async function elapse<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  const pending = new Set([work]);
  const end = (): void => pending.clear();
  work.then(end, end);
  while (pending.size > 0) await clock.advanceToNext();
  return await work;
}
