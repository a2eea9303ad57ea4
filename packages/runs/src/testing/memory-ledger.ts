/** The ledger of a memory journal: which codes are taken, and what is under way. */

import { type ProductChanges, type ProductId } from "@catalog/contract";

import { type Journal, type RowKey, type RowRecord, type Settlement } from "../journal.ts";
import { CODE_TAKING_STATES, type RowState } from "../row-state.ts";
import { type MemoryRoom, moveRow, type Operation, readRecord, toKey } from "./memory.ts";

type LedgerMethods = Pick<
  Journal,
  | "beginSending"
  | "settle"
  | "recover"
  | "readAmbiguous"
  | "readHeldAdds"
  | "readKnownCodes"
  | "readLastSent"
  | "readLatestAdded"
>;

export function createMemoryLedger(room: MemoryRoom): LedgerMethods {
  const { step } = room;
  return {
    beginSending: (key, evidence) => step(() => beginSending(room, key, evidence)),
    async settle({ from, runId, row }, settlement) {
      step(() => settle(room, { runId, row, from }, settlement));
    },
    async recover() {
      return step(() => {
        const found = operationsIn(room, ["sending"]);
        for (const { runId, row } of found) {
          settle(room, { runId, row, from: "sending" }, { to: "ambiguous", cause: "recovery" });
        }
        return found.length;
      });
    },
    async readAmbiguous(limit) {
      return step(() =>
        operationsIn(room, ["ambiguous"])
          .slice(0, limit)
          .map(({ runId, row }) => ({ runId, row, record: readRecord(room, { runId, row }) })),
      );
    },
    async readHeldAdds(limit) {
      return step(() =>
        operationsIn(room, ["held"])
          .map(({ runId, row }) => ({ runId, row, record: readRecord(room, { runId, row }) }))
          .filter(({ record }) => record.action === "add")
          .slice(0, limit),
      );
    },
    async readKnownCodes(codeKeys) {
      return step(() => readKnownCodes(room, codeKeys));
    },
    async readLastSent(productIds) {
      return step(() => readLastSent(room, productIds));
    },
    async readLatestAdded() {
      return step(() => readLatestAdded(room));
    },
  };
}

/** Requests that ended in one of the states, in the order in which they ended. */
function operationsIn({ memory }: MemoryRoom, states: readonly RowState[]): readonly Operation[] {
  return [...memory.operations.values()]
    .filter(({ state }) => states.includes(state))
    .toSorted((a, b) => a.settled - b.settled);
}

function beginSending(
  room: MemoryRoom,
  key: RowKey,
  evidence?: Readonly<Record<string, unknown>>,
): "begun" | "taken" {
  const record = readRecord(room, key);
  const { action, payload, codeKey, productId } = record;
  if (action === null || payload === null) throw new Error(`row ${key.row} has nothing to send`);
  if (isTaken(room, key, record)) return "taken";
  moveRow(room, { ...key, from: "ready" }, { to: "sending", cause: "begin", evidence });
  const { runId, row } = key;
  const operation: Operation = {
    runId,
    row,
    codeKey,
    productId,
    payload,
    kind: action,
    state: "sending",
    settled: 0,
  };
  room.memory.operations.set(toKey(key), operation);
  return "begun";
}

function isTaken(room: MemoryRoom, key: RowKey, record: RowRecord): boolean {
  const { action, codeKey, productId } = record;
  const isOther = (operation: Operation): boolean =>
    operation.kind === action && toKey(operation) !== toKey(key);
  return action === "add"
    ? operationsIn(room, CODE_TAKING_STATES).some((o) => isOther(o) && o.codeKey === codeKey)
    : operationsIn(room, ["sending", "ambiguous"]).some(
        (o) => isOther(o) && o.productId === productId,
      );
}

function settle(
  room: MemoryRoom,
  move: RowKey & { readonly from: RowState },
  settlement: Settlement,
): void {
  moveRow(room, move, settlement);
  const operation = room.memory.operations.get(toKey(move));
  // A row that was held before its request has no request that could hold a code.
  if (operation === undefined || move.from === "ready") return;
  room.memory.operations.set(toKey(move), {
    ...operation,
    state: settlement.to,
    productId: settlement.productId ?? operation.productId,
    settled: room.memory.events.length,
  });
}

function readKnownCodes(
  room: MemoryRoom,
  codeKeys: readonly string[],
): Awaited<ReturnType<Journal["readKnownCodes"]>> {
  return operationsIn(room, CODE_TAKING_STATES).flatMap((operation) => {
    const { kind, codeKey, state, runId, row, productId } = operation;
    const isAsked = kind === "add" && codeKey !== null && codeKeys.includes(codeKey);
    return isAsked ? [{ codeKey, state, runId, row, productId }] : [];
  });
}

function readLastSent(
  room: MemoryRoom,
  productIds: readonly ProductId[],
): ReadonlyMap<ProductId, ProductChanges> {
  const sent = new Map<ProductId, ProductChanges>();
  for (const { productId, payload } of operationsIn(room, ["done"])) {
    if (productId === null || !productIds.includes(productId)) continue;
    sent.set(productId, { ...sent.get(productId), ...payload });
  }
  return sent;
}

function readLatestAdded(room: MemoryRoom): Awaited<ReturnType<Journal["readLatestAdded"]>> {
  const latest = operationsIn(room, ["done"]).findLast(({ kind }) => kind === "add");
  if (latest === undefined) return undefined;
  const { code } = readRecord(room, latest);
  return code === null || latest.productId === null
    ? undefined
    : { code, productId: latest.productId };
}
