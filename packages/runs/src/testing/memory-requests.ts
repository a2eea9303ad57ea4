/** The requests of all runs in a memory journal. */

import type { ProductChanges, ProductId } from "@catalog/contract";

import type { KnownCode, Ledger, PriceEvidence } from "../ports/journal.ts";
import type { RowKey, RowRecord } from "../row/row-record.ts";
import { CODE_TAKING_STATES, type RowState } from "../row/row-state.ts";
import {
  byBeginning,
  type MemoryContext,
  type Operation,
  operationsIn,
  readRecord,
  toKey,
} from "./memory.ts";

type RequestMethods = Pick<
  Ledger,
  | "readAmbiguous"
  | "readHeldAdds"
  | "readKnownCodes"
  | "freeCode"
  | "readLastSent"
  | "readLatestAdded"
  | "readPriceEvidence"
>;

export function createMemoryRequests(context: MemoryContext): RequestMethods {
  const { step } = context;
  return {
    async readAmbiguous(limit) {
      return step(() => readOpen(context, "ambiguous").slice(0, limit));
    },
    async readHeldAdds(limit) {
      return step(() =>
        readOpen(context, "held")
          .filter(({ record }) => record.action === "add" && record.state === "held")
          .slice(0, limit),
      );
    },
    async readKnownCodes(codeKeys) {
      return step(() => readKnownCodes(context, codeKeys));
    },
    async freeCode(key) {
      step(() => {
        const operation = context.memory.operations.get(toKey(key));
        if (operation === undefined || !isRefused(context, operation)) return;
        context.memory.operations.set(toKey(key), { ...operation, state: "rejected" });
      });
    },
    async readLastSent(productIds) {
      return step(() => readLastSent(context, productIds));
    },
    async readLatestAdded() {
      return step(() => readLatestAdded(context));
    },
    async readPriceEvidence(limit) {
      return step(() => readPriceEvidence(context).slice(0, limit));
    },
  };
}

/** Requests in the state with their rows, in the order in which they started. */
function readOpen(
  context: MemoryContext,
  state: RowState,
): readonly (RowKey & { readonly record: RowRecord })[] {
  return byBeginning(operationsIn(context, [state])).map(({ runId, row }) => ({
    runId,
    row,
    record: readRecord(context, { runId, row }),
  }));
}

/** Says whether the row is over and keeps its code because its request may have left a product. */
const isRefused = (context: MemoryContext, operation: Operation): boolean =>
  operation.state === "held" && OVER.has(readRecord(context, operation).state);

const OVER: ReadonlySet<RowState> = new Set(["rejected", "cancelled"]);

function readKnownCodes(context: MemoryContext, codeKeys: readonly string[]): readonly KnownCode[] {
  const asked = new Set(codeKeys);
  return operationsIn(context, CODE_TAKING_STATES).flatMap((operation) => {
    const { kind, codeKey, state, runId, row, productId } = operation;
    if (kind !== "add" || codeKey === null || !asked.has(codeKey)) return [];
    return [{ codeKey, state, runId, row, productId, isRefused: isRefused(context, operation) }];
  });
}

function readLastSent(
  context: MemoryContext,
  productIds: readonly ProductId[],
): ReadonlyMap<ProductId, ProductChanges> {
  const sent = new Map<ProductId, ProductChanges>();
  for (const { productId, payload } of operationsIn(context, ["done"])) {
    if (productId === null || !productIds.includes(productId)) continue;
    sent.set(productId, { ...sent.get(productId), ...payload });
  }
  return sent;
}

function readLatestAdded(context: MemoryContext): Awaited<ReturnType<Ledger["readLatestAdded"]>> {
  return operationsIn(context, ["done"])
    .filter(({ kind }) => kind === "add")
    .flatMap(({ runId, row, productId }) => {
      const { code } = readRecord(context, { runId, row });
      return code === null || productId === null ? [] : [{ code, productId }];
    })
    .at(-1);
}

/** An older sent price is no evidence, because the listing cannot show it any more. */
function readPriceEvidence(context: MemoryContext): readonly PriceEvidence[] {
  const latest = new Map<ProductId, number>();
  for (const { productId, payload } of operationsIn(context, ["done"]).toReversed()) {
    if (productId === null || payload.price === undefined || latest.has(productId)) continue;
    latest.set(productId, payload.price);
  }
  return [...latest].flatMap(([productId, sent]) => {
    const seen = context.memory.seen.get(productId)?.product.price;
    return seen === undefined || seen === null ? [] : [{ sent, seen }];
  });
}
