/** The last listing of the store, as a memory journal keeps it. */

import { type Journal, type PriceEvidence, type SeenProduct } from "../journal.ts";
import { type MemoryRoom } from "./memory.ts";

type SeenMethods = Pick<
  Journal,
  "clearSeen" | "saveSeen" | "readSeenByCode" | "readSeenById" | "readPriceEvidence"
>;

export function createMemorySeen({ memory, step }: MemoryRoom): SeenMethods {
  const { seen } = memory;
  const find = (isAsked: (product: SeenProduct) => boolean): readonly SeenProduct[] =>
    step(() => [...seen.values()].filter(isAsked));

  return {
    async clearSeen() {
      step(() => seen.clear());
    },
    async saveSeen(products) {
      step(() => {
        for (const product of products) seen.set(product.product.id, product);
      });
    },
    async readSeenByCode(codeKeys) {
      return find(({ codeKey }) => codeKeys.includes(codeKey));
    },
    async readSeenById(productIds) {
      return find(({ product }) => productIds.includes(product.id));
    },
    async readPriceEvidence(limit) {
      return step(() => readPriceEvidence({ memory }).slice(0, limit));
    },
  };
}

/** The price that was sent last, request by request, newest first. */
function readPriceEvidence({ memory }: Pick<MemoryRoom, "memory">): readonly PriceEvidence[] {
  return [...memory.operations.values()]
    .filter(({ state }) => state === "done")
    .toSorted((a, b) => b.settled - a.settled)
    .flatMap(({ productId, payload }) => {
      const seen = productId === null ? undefined : memory.seen.get(productId)?.product.price;
      const sent = payload.price;
      return sent === undefined || seen === undefined || seen === null ? [] : [{ sent, seen }];
    });
}
