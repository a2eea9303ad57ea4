/** What a memory journal remembers beyond its rows: their events, and the ways of the store. */

import { type Journal, type RowEvent } from "../journal.ts";
import { appendEvent, type MemoryRoom, readRecord } from "./memory.ts";

type EventMethods = Pick<
  Journal,
  | "noteLook"
  | "readEvents"
  | "readDoubtedAdds"
  | "mustRecheck"
  | "readDoubt"
  | "readWaitingElsewhere"
  | "acceptCopy"
>;

type LearntMethods = Pick<
  Journal,
  "readSignature" | "noteSignature" | "watchLag" | "noteLagSample" | "readLagSamples"
>;

export function createMemoryKnowledge(room: MemoryRoom): EventMethods & LearntMethods {
  return { ...createEvents(room), ...createLearnt(room) };
}

function createEvents(room: MemoryRoom): EventMethods {
  const { memory, step } = room;
  return {
    async noteLook({ state, ...key }, evidence) {
      step(() => {
        if (readRecord(room, key).state !== state)
          throw new Error(`row ${key.row} is not ${state}`);
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
    // Nor does anybody plan a second run here while a first one waits.
    readWaitingElsewhere: () => Promise.resolve([]),
    async readDoubt(runId) {
      const begun = memory.events.findLast((event) => event.runId === runId && isBeginning(event));
      const serverMs = begun?.evidence["serverMs"];
      const at = typeof serverMs === "number" ? serverMs : null;
      const lastBegun = begun === undefined ? null : { atMs: begun.atMs, serverMs: at };
      return step(() => ({ restoredSeq: null, lastBegun }));
    },
    async readDoubtedAdds(runId, limit) {
      const doubted = new Set(
        memory.events
          .filter((event) => event.runId === runId && event.to === "ambiguous")
          .map(({ row }) => row),
      );
      return step(() =>
        [...(memory.rows.get(runId)?.values() ?? [])]
          .filter(({ row, state, action }) => {
            return doubted.has(row) && state === "done" && action === "add";
          })
          .slice(0, limit),
      );
    },
  };
}

const isBeginning = ({ to }: RowEvent): boolean => to === "sending";

function createLearnt({ memory, step, now }: MemoryRoom): LearntMethods {
  const evidenceOf = (key: string): Awaited<ReturnType<Journal["readSignature"]>> =>
    memory.signatures.get(key) ?? { applied: 0, notApplied: 0, lastSeenMs: null };
  return {
    async readSignature(key) {
      return step(() => evidenceOf(key));
    },
    async noteSignature(key, found) {
      step(() => {
        const { applied, notApplied, lastSeenMs } = evidenceOf(key);
        memory.signatures.set(
          key,
          found === "applied"
            ? { applied: applied + 1, notApplied, lastSeenMs }
            : { applied, notApplied: notApplied + 1, lastSeenMs: now() },
        );
      });
    },
    async watchLag(productId, addedMs) {
      const fresh = { productId, addedMs, shownMs: null, lookedMs: null, isShown: false };
      step(() => void memory.lagSamples.set(productId, fresh));
    },
    async noteLagSample(productId, { shown, serverMs }) {
      step(() => {
        const sample = memory.lagSamples.get(productId);
        if (sample === undefined || sample.isShown) return;
        const shownMs = shown ? serverMs : null;
        // A clock that is put back does not undo that it was missing for so long.
        const lookedMs =
          serverMs === null ? sample.lookedMs : Math.max(sample.lookedMs ?? 0, serverMs);
        memory.lagSamples.set(productId, { ...sample, isShown: shown, shownMs, lookedMs });
      });
    },
    async readLagSamples() {
      return step(() => [...memory.lagSamples.values()]);
    },
  };
}
