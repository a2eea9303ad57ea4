/** The events of a memory journal, and the suspicion that another copy has sent rows. */

import { type Ledger, type RunDoubt, type WaitingElsewhere } from "../ports/ledger.ts";
import { type RowState } from "../row/row-state.ts";
import { appendEvent, type MemoryRoom, readRecord, rowsOf } from "./memory.ts";

type EventMethods = Pick<
  Ledger,
  | "noteLook"
  | "readEvents"
  | "readDoubtedAdds"
  | "mustRecheck"
  | "readDoubt"
  | "readWaitingElsewhere"
  | "acceptCopy"
>;

export function createMemoryEvents(room: MemoryRoom): EventMethods {
  const { memory, step } = room;
  return {
    async noteLook({ state, ...key }, evidence) {
      step(() => {
        if (readRecord(room, key).state !== state)
          throw new Error(`row ${key.row} of ${key.runId} is not ${state}`);
        appendEvent(room, { ...key, from: state, to: state, cause: "look", evidence });
      });
    },
    async readEvents({ runId, row }) {
      return step(() =>
        memory.events.filter((event) => event.runId === runId && event.row === row),
      );
    },
    // Memory cannot be replaced by an older copy.
    mustRecheck: () => Promise.resolve(false),
    acceptCopy: () => Promise.resolve(),
    async readDoubt(runId) {
      return step(() => ({ restoredSeq: null, lastBegun: readLastBegun(room, runId) }));
    },
    async readWaitingElsewhere(runId) {
      return step(() => readWaitingElsewhere(room, runId));
    },
    async readDoubtedAdds(runId, limit) {
      const doubted = new Set(
        memory.events
          .filter((event) => event.runId === runId && event.to === "ambiguous")
          .map(({ row }) => row),
      );
      return step(() =>
        rowsOf(room, runId)
          .filter(({ row, state, action }) => {
            return doubted.has(row) && state === "done" && action === "add";
          })
          .slice(0, limit),
      );
    },
  };
}

/** Returns when a request of the run was last started. */
function readLastBegun({ memory }: MemoryRoom, runId: string): RunDoubt["lastBegun"] {
  const begun = memory.events.findLast((event) => event.runId === runId && event.to === "sending");
  if (begun === undefined) return null;
  const { serverMs } = begun.evidence;
  return { atMs: begun.atMs, serverMs: typeof serverMs === "number" ? serverMs : null };
}

function readWaitingElsewhere(room: MemoryRoom, runId: string): readonly WaitingElsewhere[] {
  const mine = rowsOf(room, runId).filter(({ state }) => state === "ready");
  return [...room.memory.rows.keys()].flatMap((other) => {
    const lastBegun = other === runId ? null : readLastBegun(room, other);
    if (lastBegun === null) return [];
    const theirs = new Set(
      rowsOf(room, other)
        .filter(({ state, action }) => action === "add" && WAITING.has(state))
        .map(({ codeKey }) => codeKey),
    );
    return mine
      .filter(({ action, codeKey }) => action === "add" && theirs.has(codeKey))
      .map(({ row }) => ({ row, lastBegun }));
  });
}

const WAITING: ReadonlySet<RowState> = new Set(["ready", "held"]);
