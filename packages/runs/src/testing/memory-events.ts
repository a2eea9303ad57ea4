/** The events of a memory journal, and the suspicion that another copy has sent rows. */

import {
  type CopySuspicion,
  type Ledger,
  RowMovedError,
  type RunWaitingElsewhere,
} from "../ports/journal.ts";
import type { RowState } from "../row/row-state.ts";
import { appendEvent, type MemoryContext, readRecord, rowsOf } from "./memory.ts";

type EventMethods = Pick<
  Ledger,
  | "recordLookup"
  | "readEvents"
  | "readSuspectAdds"
  | "mustRecheck"
  | "readCopySuspicion"
  | "readWaitingElsewhere"
  | "acceptCopy"
>;

export function createMemoryEvents(context: MemoryContext): EventMethods {
  const { memory, step } = context;
  return {
    async recordLookup({ state, ...key }, evidence) {
      step(() => {
        if (readRecord(context, key).state !== state) throw new RowMovedError(key, state);
        appendEvent(context, { ...key, from: state, to: state, cause: "look", evidence });
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
    async readCopySuspicion(runId) {
      return step(() => ({ restoredSeq: null, lastBegun: readLastBegun(context, runId) }));
    },
    async readWaitingElsewhere(runId) {
      return step(() => readWaitingElsewhere(context, runId));
    },
    async readSuspectAdds(runId, limit) {
      const suspect = new Set(
        memory.events
          .filter((event) => event.runId === runId && event.to === "ambiguous")
          .map(({ row }) => row),
      );
      return step(() =>
        rowsOf(context, runId)
          .filter(({ row, state, action }) => {
            return suspect.has(row) && state === "done" && action === "add";
          })
          .slice(0, limit),
      );
    },
  };
}

/** Returns when a request of the run was last started. */
function readLastBegun({ memory }: MemoryContext, runId: string): CopySuspicion["lastBegun"] {
  const begun = memory.events.findLast((event) => event.runId === runId && event.to === "sending");
  if (begun === undefined) return null;
  const { serverMs } = begun.evidence;
  return { atMs: begun.atMs, serverMs: typeof serverMs === "number" ? serverMs : null };
}

function readWaitingElsewhere(
  context: MemoryContext,
  runId: string,
): readonly RunWaitingElsewhere[] {
  const mine = rowsOf(context, runId).filter(({ state }) => state === "ready");
  return [...context.memory.rows.keys()].flatMap((other) => {
    const lastBegun = other === runId ? null : readLastBegun(context, other);
    if (lastBegun === null) return [];
    const theirs = new Set(
      rowsOf(context, other)
        .filter(({ state, action }) => action === "add" && WAITING.has(state))
        .map(({ codeKey }) => codeKey),
    );
    return mine
      .filter(({ action, codeKey }) => action === "add" && theirs.has(codeKey))
      .map(({ row }) => ({ row, lastBegun }));
  });
}

const WAITING: ReadonlySet<RowState> = new Set(["ready", "held"]);
