/** One listing as an export reads it: page by page, in an order in which new things come last. */

import { ApiError } from "@catalog/client/errors";
import { type LaneState, type SpooledItem } from "@catalog/database";

/** A page of a listing, ready to be kept. */
export interface LanePage {
  readonly total: number;
  readonly items: readonly SpooledItem[];
}

export interface Lane {
  /** Tells it from the other listings of the export, in the checkpoint too. */
  readonly name: string;
  /** Items of a page, as far as the marketplace gives so many. */
  readonly pageSize: number;
  /** What is new to the store lands here, so a growing total tells nothing about other lanes. */
  readonly takesNew: boolean;
  /** The page of a listing that is cut into pages of this size. */
  fetch(page: number, size: number): Promise<LanePage>;
}

export const UNREAD: LaneState = {
  pages: 0,
  total: null,
  found: 0,
  rank: null,
  isDone: false,
  isTotalSound: null,
};

/** How large the pages of the lane are, once the first one has shown it. */
export const sizeOf = (lane: Lane, { size }: LaneState): number => size ?? lane.pageSize;

/** Statuses with which a marketplace may refuse a page after the last one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** A page; an empty one where the listing ends and the marketplace refuses to say so. */
export async function fetchPage(lane: Lane, page: number, state: LaneState): Promise<LanePage> {
  const size = sizeOf(lane, state);
  try {
    return await lane.fetch(page, size);
  } catch (error) {
    const isPastEnd = page > 1 && (page - 1) * size >= (state.total ?? Infinity);
    const isRefused = error instanceof ApiError && NO_SUCH_PAGE.has(error.status);
    if (!isPastEnd || !isRefused) throw error;
    return { total: state.total ?? 0, items: [] };
  }
}

/**
 * How far the lane is once this page, the next one, was read. A first page that is shorter than asked
 * may be all that there is, or all that the marketplace gives at a time; only the next one can tell.
 */
export function advance(lane: Lane, before: LaneState, page: LanePage): LaneState {
  const { items } = page;
  const isEmpty = items.length === 0;
  // Behind the end some totals are those of an empty page.
  const total = isEmpty ? (before.total ?? page.total) : page.total;
  const reach = before.pages * sizeOf(lane, before) + items.length;
  const isSound = isTotalSound(lane, before, { items, total });
  const isDone = isEmpty || (reach >= total && isLast(lane, { before, page, isSound }));
  return {
    pages: before.pages + 1,
    total,
    found: before.found,
    rank: items.at(-1)?.rank ?? before.rank,
    size: before.pages === 0 ? sizeOfFirst(lane, page) : before.size,
    isDone,
    // What is still promised after the last page does not exist.
    isTotalSound: isDone && reach < total ? false : isSound,
  };
}

/** Pages may be counted in the size that is given or in the one that is asked for: both are one then. */
const sizeOfFirst = (lane: Lane, { items }: LanePage): number | undefined =>
  items.length > 0 && items.length < lane.pageSize ? items.length : undefined;

interface LastPage {
  readonly before: LaneState;
  readonly page: LanePage;
  readonly isSound: boolean | null;
}

/** Whether a page that no total promises anything behind is the last one. */
function isLast(lane: Lane, { before, page: { items }, isSound }: LastPage): boolean {
  const isShort = items.length < sizeOf(lane, before);
  // Where pages are cut short, a total that happens to be reached may be too low as well.
  return before.pages > 0 && (isShort || (isSound === true && before.size === undefined));
}

/** A total may count no more than its own page, which a first page cannot tell. */
function isTotalSound(lane: Lane, before: LaneState, { items, total }: LanePage): boolean | null {
  const reach = before.pages * sizeOf(lane, before) + items.length;
  if (before.isTotalSound === false || (items.length > 0 && reach > total)) return false;
  const isTold = reach < total || items.length < sizeOf(lane, before);
  return before.isTotalSound ?? (isTold && before.pages > 0 ? true : null);
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

const isLastNext = (lane: Lane, state: LaneState): boolean =>
  (state.pages + 1) * sizeOf(lane, state) >= (state.total ?? 0);
