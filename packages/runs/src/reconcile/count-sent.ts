/** Counts how often a row's request has left, which is less often than it was started. */

import { type RowEvent } from "../row/row-event.ts";

/** Causes of a move back to `ready` for which it is proven that no byte left. */
const NEVER_LEFT: ReadonlySet<string> = new Set(["unsent", "recovery-unsent"]);

/** Counts the requests of a row that left or may have left: those started and not proven unsent. */
export function countDepartures(events: readonly RowEvent[]): number {
  let departures = 0;
  for (const { from, to, cause } of events) {
    if (to === "sending") departures += 1;
    else if (from === "sending" && to === "ready" && NEVER_LEFT.has(cause)) departures -= 1;
  }
  return departures;
}
