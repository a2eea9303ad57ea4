/** The listing cache of a memory journal. */

import type { ListingCache, ListedProductRow } from "../ports/journal.ts";
import type { MemoryContext } from "./memory.ts";

export function createMemorySeen({ memory: { seen }, step }: MemoryContext): ListingCache {
  const find = (isAsked: (product: ListedProductRow) => boolean): readonly ListedProductRow[] =>
    step(() => [...seen.values()].filter(isAsked));

  return {
    async clearSeen() {
      step(() => seen.clear());
    },
    async saveSeen(products) {
      step(() => {
        for (const { codeKey, status, product } of products) {
          seen.set(product.id, { codeKey, status, product });
        }
      });
    },
    async readSeenCodes(codeKeys) {
      const asked = new Set(codeKeys);
      return new Set(find(({ codeKey }) => asked.has(codeKey)).map(({ codeKey }) => codeKey));
    },
    async readSeenByCode(codeKeys) {
      const asked = new Set(codeKeys);
      return find(({ codeKey }) => asked.has(codeKey));
    },
    async readSeenById(productIds) {
      const asked = new Set(productIds);
      return find(({ product }) => asked.has(product.id));
    },
  };
}
