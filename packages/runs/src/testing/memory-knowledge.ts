/** What a memory journal has learnt of the store. */

import { type ShopBehavior, type SignatureEvidence } from "../ports/shop-behavior.ts";
import { type MemoryRoom } from "./memory.ts";

/** As many samples as the database keeps in mind. */
const MAX_SAMPLES = 200;

export function createMemoryKnowledge({ memory, step, now }: MemoryRoom): ShopBehavior {
  const evidenceOf = (key: string): SignatureEvidence =>
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
      step(() => {
        if (!memory.lagSamples.has(productId)) memory.lagSamples.set(productId, fresh);
      });
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
      return step(() => [...memory.lagSamples.values()].slice(-MAX_SAMPLES));
    },
  };
}
