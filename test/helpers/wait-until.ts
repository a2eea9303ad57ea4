import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits until a condition holds, and fails after a time that is long for any machine: a command that
 * another one has started takes over a minute where ten others start beside it.
 */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  limitMs = 300_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("the condition did not come true");
    await wait(50);
  }
}
