import { setTimeout as wait } from "node:timers/promises";

/** Waits until a condition holds, and fails after a time that is long for a busy machine. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("the condition did not come true");
    await wait(50);
  }
}
