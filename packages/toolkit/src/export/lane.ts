/** One listing as an export reads it: page by page, in an order in which new things come last. */

import { ApiError } from "@catalog/client";
import { type LaneState, type SpooledItem } from "@catalog/store";

/** A page of a listing, ready to be kept. */
export interface LanePage {
  readonly total: number;
  readonly items: readonly SpooledItem[];
}

export interface Lane {
  /** Tells it from the other listings of the export, in the checkpoint too. */
  readonly name: string;
  readonly pageSize: number;
  /** What is new to the store lands here, so a growing total tells nothing about other lanes. */
  readonly takesNew: boolean;
  fetch(page: number): Promise<LanePage>;
}

export const UNREAD: LaneState = {
  pages: 0,
  total: null,
  found: 0,
  rank: null,
  isDone: false,
  isTotalSound: null,
};

/** Statuses with which a marketplace may refuse a page after the last one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** A page; an empty one where the listing ends and the marketplace refuses to say so. */
export async function fetchPage(lane: Lane, page: number, state: LaneState): Promise<LanePage> {
  try {
    return await lane.fetch(page);
  } catch (error) {
    const isPastEnd = page > 1 && (page - 1) * lane.pageSize >= (state.total ?? Infinity);
    const isRefused = error instanceof ApiError && NO_SUCH_PAGE.has(error.status);
    if (!isPastEnd || !isRefused) throw error;
    return { total: state.total ?? 0, items: [] };
  }
}

/** How far the lane is once this page, the next one, was read. */
export function advance(lane: Lane, before: LaneState, page: LanePage): LaneState {
  const { items, total } = page;
  const reach = before.pages * lane.pageSize + items.length;
  const isSound = isTotalSound(lane, before, page);
  const isShort = items.length < lane.pageSize;
  const isDone = items.length === 0 || (reach >= total && (isShort || isSound === true));
  return {
    pages: before.pages + 1,
    total,
    found: before.found,
    rank: items.at(-1)?.rank ?? before.rank,
    isDone,
    // What is still promised after the last page does not exist.
    isTotalSound: isSound !== false && !(isDone && reach < total) ? isSound : false,
  };
}

/**
 * A total may count no more than its own page. A full first page cannot tell; then it takes one more
 * page to know.
 */
function isTotalSound(lane: Lane, before: LaneState, { items, total }: LanePage): boolean | null {
  const reach = before.pages * lane.pageSize + items.length;
  if (before.isTotalSound === false || (items.length > 0 && reach > total)) return false;
  const isTold = reach < total || items.length < lane.pageSize;
  return before.isTotalSound ?? (isTold ? true : null);
}

/** The lane to read from next; nothing when all of them are done. */
export function chooseLane(
  lanes: readonly Lane[],
  stateOf: (lane: Lane) => LaneState,
): Lane | undefined {
  const open = lanes.filter((lane) => !stateOf(lane).isDone);
  const unread = open.find((lane) => stateOf(lane).pages === 0);
  if (unread !== undefined) return unread;
  // Last pages are kept for the end, so that all totals are of nearly the same moment.
  const inside = open.filter((lane) => !isLastNext(lane, stateOf(lane)));
  // The lanes go forward together: what moves from one to another meanwhile is then either behind
  // both places, and was read, or before both, and will be.
  const far = (lane: Lane): number => stateOf(lane).rank ?? 0;
  return inside.toSorted((a, b) => far(a) - far(b))[0] ?? open.at(-1);
}

const isLastNext = (lane: Lane, { pages, total }: LaneState): boolean =>
  (pages + 1) * lane.pageSize >= (total ?? 0);
