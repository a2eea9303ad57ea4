/** What reading several listings at once remembers. */

import { type ExportCheckpoint, type ExportJob, type LaneState } from "@catalog/store";

import { type Lane, type LanePage, UNREAD } from "./lane.ts";

/** How far the reading is. */
export interface LanesProgress {
  readonly items: number;
  /** By the totals as they are known so far. */
  readonly expected: number;
  /** Calls that are still to be made, by the totals; nothing while one of them is not known. */
  readonly callsLeft: number | undefined;
}

export interface LaneReadingOptions {
  readonly lanes: readonly Lane[];
  readonly job: Pick<ExportJob, "readCheckpoint" | "save">;
  /** Ends the reading after the page under way. */
  readonly stop?: AbortSignal | undefined;
  readonly onPage?: ((progress: LanesProgress) => void) | undefined;
}

export interface LaneReading {
  readonly lanes: readonly Lane[];
  /** Pages of every lane at the moment when the key was read last. */
  readonly pagesAt: Map<Lane, ReadonlyMap<Lane, number>>;
  /** Things that have left each lane by its totals, and are not known to be in another one yet. */
  readonly leaves: Map<Lane, number>;
  stateOf(lane: Lane): LaneState;
  /** A total that differs from the one before is a sign of movement. */
  setState(lane: Lane, state: LaneState): void;
  /** Whether a listing has changed since it was first read, as far as its totals tell. */
  hasMoved(): boolean;
  isStopped(): boolean;
  /** Things that were read so far, each once. */
  items(): number;
  /** Things that the totals promise, as far as they are known. */
  expected(): number;
  /** Keeps a page of the lane and the place up to which was read. Says how many things were new. */
  keep(lane: Lane, page: LanePage): number;
}

/** Goes on from the job's checkpoint. */
export function createLaneReading(options: LaneReadingOptions): LaneReading {
  const { lanes, job, stop, onPage } = options;
  const { lanes: begun, parts } = job.readCheckpoint() ?? { lanes: {}, parts: 0 };
  // Whatever has happened during a break was not seen.
  let hasMoved = Object.keys(begun).length > 0;
  const states = new Map(lanes.map((lane) => [lane, begun[lane.name] ?? UNREAD]));

  const stateOf = (lane: Lane): LaneState => states.get(lane) ?? UNREAD;
  const expected = (): number => lanes.reduce((sum, lane) => sum + (stateOf(lane).total ?? 0), 0);
  const items = (): number => lanes.reduce((sum, lane) => sum + stateOf(lane).found, 0);
  const callsLeft = (): number | undefined =>
    lanes.some((lane) => stateOf(lane).total === null)
      ? undefined
      : lanes.reduce((sum, lane) => sum + pagesLeft(lane, stateOf(lane)), 0);
  const checkpoint = (): ExportCheckpoint => {
    const entries = [...states].map(([{ name }, state]) => [name, state] as const);
    return { lanes: Object.fromEntries(entries), parts };
  };
  return {
    lanes,
    pagesAt: new Map(),
    leaves: new Map(),
    stateOf,
    setState(lane, state) {
      hasMoved ||= (stateOf(lane).total ?? state.total) !== state.total;
      states.set(lane, state);
    },
    hasMoved: () => hasMoved,
    isStopped: () => stop?.aborted === true,
    items,
    expected,
    keep(lane, page) {
      const seen = [...new Map(page.items.map((item) => [item.id, item])).values()];
      const fresh = job.save(seen, (known) => {
        const state = stateOf(lane);
        states.set(lane, { ...state, found: state.found + seen.length - known });
        return checkpoint();
      });
      onPage?.({ items: items(), expected: expected(), callsLeft: callsLeft() });
      return fresh;
    },
  };
}

const pagesLeft = (lane: Lane, { total, pages, isDone }: LaneState): number =>
  isDone ? 0 : Math.max(0, Math.ceil((total ?? 0) / lane.pageSize) - pages);
