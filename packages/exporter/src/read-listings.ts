/**
 * Reads listings to their end while others change them. Pages are cut by position: when an item
 * leaves a listing, the items after it move up, and the first item of the next page slips onto a
 * page that was already read. The totals are therefore checked at the end, and where they promise
 * more items than were read, the page boundaries at which an item may have slipped are read again.
 * Each page is stored together with the position up to which the listing was read.
 *
 * An item that is listed from the first call to the last is exported once or reported as missing.
 * An item that appears meanwhile is exported once if it appears before the last call to its
 * listing, and otherwise not at all.
 */

import {
  createLaneReading,
  type LaneReading,
  type LaneReadingOptions,
} from "./listing-progress.ts";
import { advance, chooseLane, fetchPage, type Lane, sizeOf } from "./listing.ts";
import { lookBackAfterBreak, lookWhereLikely, noteBorder } from "./reread-pages.ts";

/** Result of the reading. */
export interface LanesEnd {
  readonly isStopped: boolean;
  /** Items that the totals promise and no page showed. */
  readonly missing: number;
  /** Whether the totals are plausible, so that the reading could be checked against them. */
  readonly isChecked: boolean;
  /** Whether nothing moved while all totals were read. */
  readonly isSettled: boolean;
}

/** Rounds of searching for missing items while the store keeps moving. */
const MOST_SEARCHES = 6;

/**
 * Reads every listing to its end from the job's checkpoint. Where the totals promise more than was
 * read, likely pages are read once more, and finally all pages.
 */
export async function readLanes(options: LaneReadingOptions): Promise<LanesEnd> {
  const reading = createLaneReading(options);
  const countMissing = (): number => toEnd(reading, true).missing;
  await lookBackAfterBreak(reading);
  await readToEnd(reading);
  // The last pages were read one after the other, so their totals suffice for a first check.
  await lookWhereLikely(reading, countMissing);
  let isSettled = await settleTotals(reading);
  for (let search = 1; search <= MOST_SEARCHES && countMissing() > 0; search += 1) {
    const before = reading.items();
    await lookWhereLikely(reading, countMissing);
    isSettled = await settleTotals(reading);
    // The likely pages had nothing, so the item may be on any page.
    if (countMissing() > 0 && reading.items() === before) isSettled = await lookAgain(reading);
    // No page has it: the marketplace states more items than it lists.
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
  // A listing that repeats its last page instead of an empty one ends here as well.
  if (fresh === 0 && after.pages * sizeOf(lane, after) >= answer.total) {
    reading.setState(lane, { ...reading.stateOf(lane), isDone: true });
  }
  if (answer.items.length === 0) return;
  noteBorder(reading, lane, { page: after.pages, answer, total: before.total });
}

/**
 * Reads all pages again until no item is missing. Returns whether the totals have become stable.
 */
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

/** Rounds of reading all totals; after them a store that keeps moving is accepted as it is. */
const MOST_ROUNDS = 8;

/**
 * Totals of different moments cannot be added. After a movement all are read again until they stay
 * equal for a whole round. Returns whether they did.
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

/** Reads the total with the last page, whose new items are stored. */
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
