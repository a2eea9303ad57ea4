/** The learnt behaviour of the store in a memory journal. */

import type { ShopBehavior, RefusalEvidence } from "../ports/journal.ts";
import type { MemoryContext } from "./memory.ts";

/** Maximum number of samples, as in the database. */
const MAX_SAMPLES = 200;

export function createMemoryKnowledge({ memory, step, now }: MemoryContext): ShopBehavior {
  const evidenceOf = (key: string): RefusalEvidence =>
    memory.signatures.get(key) ?? { applied: 0, notApplied: 0, lastSeenMs: null };
  return {
    async readSignature(key) {
      return step(() => evidenceOf(key));
    },
    async recordSignature(key, found) {
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
    async startLagSample(productId, addedMs) {
      const fresh = { productId, addedMs, shownMs: null, readMs: null, isShown: false };
      step(() => {
        if (!memory.lagSamples.has(productId)) memory.lagSamples.set(productId, fresh);
      });
    },
    async recordLagSample(productId, { shown, serverMs }) {
      step(() => {
        const sample = memory.lagSamples.get(productId);
        if (sample === undefined || sample.isShown) return;
        const shownMs = shown ? serverMs : null;
        // The longest time that a product was missing stays, even when the clock is put back.
        const readMs = serverMs === null ? sample.readMs : Math.max(sample.readMs ?? 0, serverMs);
        memory.lagSamples.set(productId, { ...sample, isShown: shown, shownMs, readMs });
      });
    },
    async readLagSamples() {
      return step(() => [...memory.lagSamples.values()].slice(-MAX_SAMPLES));
    },
  };
}
