/**
 * Reads listings to their end while others change them. Pages are cut by position: when a thing
 * leaves a listing, those behind it move up, and the first of the next page slips into the one that
 * was read already. So every sign of a thing that left makes the reader look back, and the totals
 * are checked at the end. Each page is kept together with the place up to which was read.
 */

import { createLaneReading, type LaneReading, type LaneReadingOptions } from "./lane-reading.ts";
import { advance, chooseLane, fetchPage, type Lane } from "./lane.ts";
import {
  countUnexplained,
  lookBackAfterBreak,
  lookBackForLeft,
  lookWhereFrom,
} from "./look-back.ts";

/** How the reading ended. */
export interface LanesEnd {
  readonly isStopped: boolean;
  /** Things that the totals promise and that no page showed. */
  readonly missing: number;
  /** Whether totals that cannot be right have kept the reading from being checked. */
  readonly isChecked: boolean;
  /** Whether the store kept still for the moment that it takes to ask for all totals. */
  readonly isSettled: boolean;
}

/**
 * Reads every lane to its end, from where the job's checkpoint stands. Where the totals promise more
 * than was seen, everything is read once more, until it is found.
 */
export async function readLanes(options: LaneReadingOptions): Promise<LanesEnd> {
  const reading = createLaneReading(options);
  await lookBackAfterBreak(reading);
  await readToEnd(reading);
  const isSettled = await settleTotals(reading);
  if (toEnd(reading, isSettled).missing === 0) return toEnd(reading, isSettled);
  return toEnd(reading, await lookAgain(reading));
}

async function readToEnd(reading: LaneReading): Promise<void> {
  while (!reading.isStopped()) {
    const lane = chooseLane(reading.lanes, (each) => reading.stateOf(each));
    if (lane === undefined) return;
    await readNext(reading, lane);
  }
}

async function readNext(reading: LaneReading, lane: Lane): Promise<void> {
  const before = reading.stateOf(lane);
  const answer = await fetchPage(lane, before.pages + 1, before);
  const after = advance(lane, before, answer);
  reading.setState(lane, after);
  const fresh = reading.keep(lane, answer);
  // A listing that shows its last page again instead of an empty one ends here too.
  if (fresh === 0 && after.pages * lane.pageSize >= answer.total) {
    reading.setState(lane, { ...reading.stateOf(lane), isDone: true });
  }
  const left = (before.total ?? answer.total) - answer.total;
  if (left > 0) await lookBackForLeft(reading, lane, { page: after.pages, left });
  const hasCome = left < 0 && countUnexplained(reading, lane, -left) > 0;
  if (hasCome && !lane.takesNew) await lookWhereFrom(reading, lane);
  const pages = reading.lanes.map((each) => [each, reading.stateOf(each).pages] as const);
  reading.pagesAt.set(lane, new Map(pages));
}

/** Reads all pages again, until nothing is missing any more. Says whether the totals have settled. */
async function lookAgain(reading: LaneReading): Promise<boolean> {
  for (const lane of reading.lanes) {
    for (let page = 1; page <= reading.stateOf(lane).pages; page += 1) {
      if (reading.isStopped()) return false;
      const fresh = reading.keep(lane, await fetchPage(lane, page, reading.stateOf(lane)));
      if (fresh === 0 || toEnd(reading, true).missing > 0) continue;
      const isSettled = await settleTotals(reading);
      if (isSettled && toEnd(reading, true).missing === 0) return true;
    }
  }
  return settleTotals(reading);
}

/** Rounds in which all totals are asked for again; a store that never rests is let go at last. */
const MOST_ROUNDS = 8;

/**
 * Totals of different moments add up to nothing. Where something has moved, they are asked for once
 * more, until they stay the same for a whole round. Says whether they did.
 */
async function settleTotals(reading: LaneReading): Promise<boolean> {
  if (!reading.hasMoved()) return true;
  for (let round = 1; round <= MOST_ROUNDS && !reading.isStopped(); round += 1) {
    let isSettled = true;
    for (const lane of reading.lanes) isSettled = (await readTotal(reading, lane)) && isSettled;
    if (isSettled) return true;
    await readToEnd(reading);
  }
  return false;
}

/** Says whether the total is what it was. The last page comes along, with what is new on it. */
async function readTotal(reading: LaneReading, lane: Lane): Promise<boolean> {
  const before = reading.stateOf(lane);
  const last = Math.max(1, Math.ceil((before.total ?? 0) / lane.pageSize));
  const answer = await fetchPage(lane, last, before);
  reading.keep(lane, answer);
  const { total } = answer;
  const after = reading.stateOf(lane);
  reading.setState(lane, { ...after, total, isDone: last * lane.pageSize >= total, pages: last });
  return total === before.total;
}

function toEnd(reading: LaneReading, isSettled: boolean): LanesEnd {
  const isStopped = reading.isStopped();
  const isChecked = reading.lanes.every((lane) => reading.stateOf(lane).isTotalSound !== false);
  const missing = isChecked && !isStopped ? reading.expected() - reading.items() : 0;
  return { isStopped, isChecked, isSettled, missing: Math.max(0, missing) };
}
