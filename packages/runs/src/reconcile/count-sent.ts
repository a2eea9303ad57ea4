/** Counts how often a row's request has left, which is less often than it was started. */

import type { RowEvent } from "../row/row-event.ts";

/** Causes of a move back to `ready` for which it is proven that no byte left. */
const UNSENT_CAUSES: ReadonlySet<string> = new Set(["unsent", "recovery-unsent"]);

/** Counts the requests of a row that left or may have left: those started and not proven unsent. */
export function countSentAttempts(events: readonly RowEvent[]): number {
  let sent = 0;
  for (const { from, to, cause } of events) {
    if (to === "sending") sent += 1;
    else if (from === "sending" && to === "ready" && UNSENT_CAUSES.has(cause)) sent -= 1;
  }
  return sent;
}
