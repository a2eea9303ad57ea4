/** What reading several listings at once remembers. */

import {
  type ExportCheckpoint,
  type ExportJob,
  type LaneState,
  type RankHole,
} from "@catalog/database";

import { type Lane, type LanePage, sizeOf, UNREAD } from "./listing.ts";
import { type Border } from "./reread-pages.ts";

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
  readonly job: Pick<ExportJob, "readCheckpoint" | "save" | "listRankHoles">;
  /** Ends the reading after the page under way. */
  readonly stop?: AbortSignal | undefined;
  readonly onPage?: ((progress: LanesProgress) => void) | undefined;
}

export interface LaneReading {
  readonly lanes: readonly Lane[];
  /** Borders that were passed since the reading began or went on. */
  readonly borders: Border[];
  /** Number of borders at the moment when the key was read last. */
  readonly bordersAt: Map<Lane, number>;
  /** Rank of the first thing that each lane has shown. */
  readonly firstRanks: Map<Lane, number>;
  /** Rank of the last thing of each lane's last page. */
  readonly lastRanks: Map<Lane, number | null>;
  stateOf(lane: Lane): LaneState;
  /** A total that differs from the one before is a sign of movement. */
  setState(lane: Lane, state: LaneState): void;
  /** Says whether a total has changed since this was last asked, and forgets it. */
  takeMoved(): boolean;
  isStopped(): boolean;
  /** Things that were read so far, each once. */
  items(): number;
  /** Things that the totals promise, as far as they are known. */
  expected(): number;
  /** Keeps a page of the lane and the place up to which was read. Says how many things were new. */
  keep(lane: Lane, page: LanePage): number;
  /** The same for a page that is read once more; its total counts as well. */
  keepAgain(lane: Lane, page: LanePage): number;
  /** Up to so many places between ranks that nothing has. */
  listHoles(most: number): readonly RankHole[];
}

const UNBEGUN: ExportCheckpoint = { lanes: {}, parts: 0 };

/** What was noted on the way; a reading that goes on after a break begins with nothing. */
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

/** Goes on from the job's checkpoint. */
export function createLaneReading(options: LaneReadingOptions): LaneReading {
  const { lanes, job, onPage } = options;
  const { lanes: begun, parts } = job.readCheckpoint() ?? UNBEGUN;
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
