/**
 * Reads listings to their end while others change them. Pages are cut by position: when a thing
 * leaves a listing, those behind it move up, and the first of the next page slips into the one that
 * was read already. So every sign of a thing that left makes the reader look back, and the totals
 * are checked at the end. Each page is kept together with the place up to which was read.
 */

import { createLaneReading, type LaneReading, type LaneReadingOptions } from "./lane-reading.ts";
import { advance, chooseLane, fetchPage, type Lane } from "./lane.ts";
import { lookBackAfterBreak, lookBackForLeft, lookWhereFrom } from "./look-back.ts";

/** How the reading ended. */
export interface LanesEnd {
  readonly isStopped: boolean;
  /** Things that the totals promise and that no page showed. */
  readonly missing: number;
  /** Totals that cannot be right keep the reading from being checked. */
  readonly isChecked: boolean;
}

type Look = "first" | "second";

/**
 * Reads every lane to its end, from where the job's checkpoint stands. Where the totals promise more
 * than was seen, everything is read once more, until it is found.
 */
export async function readLanes(options: LaneReadingOptions): Promise<LanesEnd> {
  const reading = createLaneReading(options);
  await lookBackAfterBreak(reading);
  for (const look of ["first", "second"] as const) {
    await readToEnd(reading, look);
    const end = toEnd(reading);
    if (end.isStopped || end.missing === 0 || look === "second") return end;
    for (const lane of reading.lanes) {
      const state = reading.stateOf(lane);
      reading.setState(lane, { ...state, pages: 0, rank: null, isDone: false });
    }
  }
  return toEnd(reading);
}

async function readToEnd(reading: LaneReading, look: Look): Promise<void> {
  while (!reading.isStopped()) {
    if (look === "second" && reading.items() >= reading.expected()) return;
    const lane = chooseLane(reading.lanes, (each) => reading.stateOf(each));
    if (lane === undefined) return;
    await readNext(reading, lane, look);
  }
}

async function readNext(reading: LaneReading, lane: Lane, look: Look): Promise<void> {
  const before = reading.stateOf(lane);
  const answer = await fetchPage(lane, before.pages + 1, before);
  const after = advance(lane, before, answer);
  reading.setState(lane, after);
  const fresh = reading.keep(lane, answer);
  // A listing that shows its last page again instead of an empty one ends here too.
  if (look === "first" && fresh === 0 && after.pages * lane.pageSize >= answer.total) {
    reading.setState(lane, { ...reading.stateOf(lane), isDone: true });
  }
  const left = (before.total ?? answer.total) - answer.total;
  if (left > 0) await lookBackForLeft(reading, lane, { page: after.pages, left });
  if (left < 0 && !lane.takesNew) await lookWhereFrom(reading, lane);
  const pages = reading.lanes.map((each) => [each, reading.stateOf(each).pages] as const);
  reading.pagesAt.set(lane, new Map(pages));
}

function toEnd(reading: LaneReading): LanesEnd {
  const isStopped = reading.isStopped();
  const isChecked = reading.lanes.every((lane) => reading.stateOf(lane).isTotalSound !== false);
  const missing = isChecked && !isStopped ? reading.expected() - reading.items() : 0;
  return { isStopped, isChecked, missing: Math.max(0, missing) };
}
