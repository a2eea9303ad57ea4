/** Progress of reading several listings together. */

import {
  type ExportCheckpoint,
  type ExportJob,
  type LaneState,
  type RankHole,
} from "@catalog/database";

import { type Lane, type LanePage, sizeOf, UNREAD } from "./listing.ts";
import { type Border } from "./reread-pages.ts";

/** Progress of the reading, for people. */
export interface LanesProgress {
  readonly items: number;
  /** Items by the totals that are known so far. */
  readonly expected: number;
  /** Calls that are still needed by the totals; `undefined` while one of them is not known. */
  readonly callsLeft: number | undefined;
}

export interface LaneReadingOptions {
  readonly lanes: readonly Lane[];
  readonly job: Pick<ExportJob, "readCheckpoint" | "save" | "listRankHoles">;
  /** Ends the reading after the page under way. */
  readonly stop?: AbortSignal | undefined;
  readonly onPage?: ((progress: LanesProgress) => void) | undefined;
}

export interface LaneReading {
  readonly lanes: readonly Lane[];
  /** Page boundaries passed since the reading began or was resumed. */
  readonly borders: Border[];
  /** Number of passed boundaries when the key was last read. */
  readonly bordersAt: Map<Lane, number>;
  /** Sort key of the first item that each listing has shown. */
  readonly firstRanks: Map<Lane, number>;
  /** Sort key of the last item on each listing's last page. */
  readonly lastRanks: Map<Lane, number | null>;
  stateOf(lane: Lane): LaneState;
  /** Stores the listing's state; a total that differs from the one before is a sign of movement. */
  setState(lane: Lane, state: LaneState): void;
  /** Returns whether a total has changed since the last call, and resets it. */
  takeMoved(): boolean;
  isStopped(): boolean;
  /** Distinct items read so far. */
  items(): number;
  /** Items that the known totals promise. */
  expected(): number;
  /**
   * Stores a page and the position up to which the listing was read. Returns the number of new
   * items.
   */
  keep(lane: Lane, page: LanePage): number;
  /** Stores a page that is read once more, and its total. Returns the number of new items. */
  keepAgain(lane: Lane, page: LanePage): number;
  /** The first gaps between sort keys that no item fills, at most as many as given. */
  listHoles(most: number): readonly RankHole[];
}

const UNBEGUN: ExportCheckpoint = { lanes: {}, parts: 0 };

/** Notes of the reading; a resumed one starts without any. */
const createNotes = ({
  job,
  stop,
}: LaneReadingOptions): Pick<
  LaneReading,
  "borders" | "bordersAt" | "firstRanks" | "listHoles" | "isStopped"
> => ({
  isStopped: () => stop?.aborted === true,
  listHoles: (most) => job.listRankHoles(most),
  borders: [],
  bordersAt: new Map(),
  firstRanks: new Map(),
});

/** Resumes from the job's checkpoint. */
export function createLaneReading(options: LaneReadingOptions): LaneReading {
  const { lanes, job, onPage } = options;
  const { lanes: begun, parts } = job.readCheckpoint() ?? UNBEGUN;
  // Changes during the interruption were not seen, so movement is assumed.
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
  const setState = (lane: Lane, state: LaneState): void => {
    hasMoved ||= (stateOf(lane).total ?? state.total) !== state.total;
    states.set(lane, state);
  };
  const keep = (lane: Lane, page: LanePage): number => {
    const seen = [...new Map(page.items.map((item) => [item.id, item])).values()];
    const fresh = job.save(seen, (known) => {
      const state = stateOf(lane);
      states.set(lane, { ...state, found: state.found + seen.length - known });
      return checkpoint();
    });
    onPage?.({ items: items(), expected: expected(), callsLeft: callsLeft() });
    return fresh;
  };
  return {
    lanes,
    ...createNotes(options),
    lastRanks: new Map(lanes.map((lane) => [lane, stateOf(lane).rank])),
    stateOf,
    setState,
    takeMoved() {
      const was = hasMoved;
      hasMoved = false;
      return was;
    },
    items,
    expected,
    keep,
    keepAgain(lane, page) {
      setState(lane, { ...stateOf(lane), total: page.total });
      return keep(lane, page);
    },
  };
}

const pagesLeft = (lane: Lane, state: LaneState): number =>
  state.isDone ? 0 : Math.max(0, Math.ceil((state.total ?? 0) / sizeOf(lane, state)) - state.pages);
