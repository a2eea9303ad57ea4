/**
 * Reads listings to their end while others change them. Pages are cut by position: when a thing
 * leaves a listing, those behind it move up, and the first of the next page slips into the one that
 * was read already. So the totals are checked at the end, and where they promise more than was seen,
 * the borders at which something can have slipped are looked at again. Each page is kept together
 * with the place up to which was read.
 *
 * What is there from the first call to the last is found once, or reported as missing. What comes
 * meanwhile is found once if it comes before the last call to its listing, and else not at all.
 */

import {
  createLaneReading,
  type LaneReading,
  type LaneReadingOptions,
} from "./listing-progress.ts";
import { advance, chooseLane, fetchPage, type Lane, sizeOf } from "./listing.ts";
import { lookBackAfterBreak, lookWhereLikely, noteBorder } from "./reread-pages.ts";

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

/** How often something that is missing is looked for anew, while the store goes on moving. */
const MOST_SEARCHES = 6;

/**
 * Reads every lane to its end, from where the job's checkpoint stands. Where the totals promise more
 * than was seen, likely pages are read once more, and at last all of them.
 */
export async function readLanes(options: LaneReadingOptions): Promise<LanesEnd> {
  const reading = createLaneReading(options);
  const countMissing = (): number => toEnd(reading, true).missing;
  await lookBackAfterBreak(reading);
  await readToEnd(reading);
  // The last pages were read one after the other, so their totals are good enough to begin with.
  await lookWhereLikely(reading, countMissing);
  let isSettled = await settleTotals(reading);
  for (let search = 1; search <= MOST_SEARCHES && countMissing() > 0; search += 1) {
    const before = reading.items();
    await lookWhereLikely(reading, countMissing);
    isSettled = await settleTotals(reading);
    // The likely places had nothing, so it can be anywhere.
    if (countMissing() > 0 && reading.items() === before) isSettled = await lookAgain(reading);
    // Nor is it anywhere: the marketplace states more than it shows.
    if (reading.items() === before) break;
  }
  return toEnd(reading, isSettled);
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
  if (fresh === 0 && after.pages * sizeOf(lane, after) >= answer.total) {
    reading.setState(lane, { ...reading.stateOf(lane), isDone: true });
  }
  if (answer.items.length === 0) return;
  noteBorder(reading, lane, { page: after.pages, answer, total: before.total });
}

/** Reads all pages again, until nothing is missing any more. Says whether the totals have settled. */
async function lookAgain(reading: LaneReading): Promise<boolean> {
  for (const lane of reading.lanes) {
    for (let page = 1; page <= reading.stateOf(lane).pages; page += 1) {
      if (reading.isStopped()) return false;
      const fresh = reading.keepAgain(lane, await fetchPage(lane, page, reading.stateOf(lane)));
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
  if (!reading.takeMoved()) return true;
  for (let round = 1; round <= MOST_ROUNDS && !reading.isStopped(); round += 1) {
    for (const lane of reading.lanes) await readTotal(reading, lane);
    if (!reading.takeMoved()) return true;
    await readToEnd(reading);
  }
  return false;
}

/** Asks for the total. The last page comes along, with what is new on it. */
async function readTotal(reading: LaneReading, lane: Lane): Promise<void> {
  const before = reading.stateOf(lane);
  const size = sizeOf(lane, before);
  const last = Math.max(1, Math.ceil((before.total ?? 0) / size));
  const answer = await fetchPage(lane, last, before);
  reading.keep(lane, answer);
  const { total } = answer;
  const after = reading.stateOf(lane);
  reading.setState(lane, { ...after, total, isDone: last * size >= total, pages: last });
}

function toEnd(reading: LaneReading, isSettled: boolean): LanesEnd {
  const isStopped = reading.isStopped();
  const isChecked = reading.lanes.every((lane) => reading.stateOf(lane).isTotalSound !== false);
  const missing = isChecked && !isStopped ? reading.expected() - reading.items() : 0;
  return { isStopped, isChecked, isSettled, missing: Math.max(0, missing) };
}
