/** Reading pages again, where something that left a listing has made the others move up. */

import { type LaneReading } from "./lane-reading.ts";
import { fetchPage, type Lane } from "./lane.ts";

/** `left` things have left the lane before the page that was just read, `page`. */
export async function lookBackForLeft(
  reading: LaneReading,
  lane: Lane,
  { page, left }: { readonly page: number; readonly left: number },
): Promise<void> {
  reading.leaves.set(lane, (reading.leaves.get(lane) ?? 0) + left);
  const pages = Math.ceil(left / lane.pageSize);
  for (let back = page - 1; back >= Math.max(1, page - pages); back -= 1) {
    if (reading.isStopped()) return;
    reading.keep(lane, await fetchPage(lane, back, reading.stateOf(lane)));
  }
}

/** How many of `came` things did not leave another lane before our eyes. */
export function countUnexplained(
  { lanes, leaves }: Pick<LaneReading, "lanes" | "leaves">,
  lane: Lane,
  came: number,
): number {
  let open = came;
  for (const other of lanes) {
    const left = other === lane ? 0 : (leaves.get(other) ?? 0);
    const matched = Math.min(open, left);
    leaves.set(other, (leaves.get(other) ?? 0) - matched);
    open -= matched;
  }
  return open;
}

/**
 * Something came into `lane` from another one: there it has left a gap, at one of the borders that
 * were passed since `lane` was read before.
 */
export async function lookWhereFrom(reading: LaneReading, lane: Lane): Promise<void> {
  const before = reading.pagesAt.get(lane);
  for (const other of reading.lanes) {
    const { pages, isDone } = reading.stateOf(other);
    if (other === lane || isDone || pages === 0) continue;
    if (await findMissed(reading, other, before?.get(other) ?? pages)) return;
  }
}

async function findMissed(reading: LaneReading, lane: Lane, first: number): Promise<boolean> {
  const state = reading.stateOf(lane);
  for (let page = state.pages; page >= Math.max(1, first); page -= 1) {
    if (reading.isStopped()) return false;
    const answer = await fetchPage(lane, page, state);
    if (reading.keep(lane, answer) === 0) continue;
    // It is found, so the lower total that comes next says nothing new.
    const after = reading.stateOf(lane);
    reading.setState(lane, { ...after, total: Math.min(state.total ?? 0, answer.total) });
    return true;
  }
  return false;
}

/** After a break: what has moved up meanwhile is on the pages that were read last. */
export async function lookBackAfterBreak(reading: LaneReading): Promise<void> {
  for (const lane of reading.lanes) {
    const state = reading.stateOf(lane);
    if (state.isDone) continue;
    for (let page = state.pages; page >= 1 && !reading.isStopped(); page -= 1) {
      if (reading.keep(lane, await fetchPage(lane, page, state)) === 0) break;
    }
  }
}
