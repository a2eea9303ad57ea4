/** The ledger of a memory journal: which codes are taken, and what is under way. */

import { type ProductChanges, type ProductId } from "@catalog/contract";

import {
  type Attempted,
  type Beginning,
  type Begun,
  type Journal,
  type RowKey,
  type RowRecord,
  type Settlement,
} from "../journal.ts";
import { CODE_TAKING_STATES, type RowState } from "../row-state.ts";
import {
  assertAttempt,
  type MemoryRoom,
  moveRow,
  type Operation,
  readRecord,
  toKey,
} from "./memory.ts";

type LedgerMethods = Pick<
  Journal,
  | "beginTogether"
  | "beginSending"
  | "settle"
  | "recover"
  | "readAmbiguous"
  | "readHeldAdds"
  | "readKnownCodes"
  | "freeCode"
  | "readLastSent"
  | "readLatestAdded"
>;

export function createMemoryLedger(room: MemoryRoom): LedgerMethods {
  const { step } = room;
  return {
    async beginTogether(rows) {
      return step(() => rows.map((row) => beginAhead(room, row)));
    },
    beginSending: (key, evidence) => step(() => letGo(room, key, evidence)),
    async settle(key, settlement) {
      step(() => settle(room, key, settlement));
    },
    async recover() {
      return step(() => recover(room));
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
          .filter(({ record }) => record.action === "add" && record.state === "held")
          .slice(0, limit),
      );
    },
    async readKnownCodes(codeKeys) {
      return step(() => readKnownCodes(room, codeKeys));
    },
    async freeCode(key) {
      step(() => {
        const operation = room.memory.operations.get(toKey(key));
        if (operation === undefined || !isRefused(room, operation)) return;
        room.memory.operations.set(toKey(key), { ...operation, state: "rejected" });
      });
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

/** A row that cannot begin is left as it is. */
function beginAhead(room: MemoryRoom, row: Beginning): Begun | undefined {
  try {
    if (begin(room, row) === "taken") return undefined;
  } catch {
    // Whoever tries to send it is told why.
    return undefined;
  }
  return { runId: row.runId, row: row.row, attempt: readRecord(room, row).attempts };
}

function letGo(
  room: MemoryRoom,
  { attempt, ...key }: Attempted,
  evidence?: Readonly<Record<string, unknown>>,
): "begun" | "taken" {
  if (attempt === undefined) {
    const outcome = begin(room, { ...key, evidence });
    if (outcome === "taken") return outcome;
  }
  const record = readRecord(room, key);
  if (record.state !== "sending") throw new Error(`row ${key.row} is not being sent any more`);
  assertAttempt(record, { ...key, attempt });
  const operation = room.memory.operations.get(toKey(key));
  if (operation === undefined) throw new Error(`row ${key.row} has no request`);
  room.memory.operations.set(toKey(key), { ...operation, isLetGo: true });
  return "begun";
}

/** What was not let go has not left, for this memory outlives its processes only. */
function recover(room: MemoryRoom): number {
  const found = operationsIn(room, ["sending"]);
  for (const { runId, row, isLetGo } of found) {
    const settlement: Settlement = isLetGo
      ? { to: "ambiguous", cause: "recovery" }
      : { to: "ready", cause: "recovery-unsent" };
    settle(room, { runId, row, from: "sending" }, settlement);
  }
  return found.length;
}

function begin(room: MemoryRoom, { evidence, ...key }: Beginning): "begun" | "taken" {
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
    isLetGo: false,
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
  move: Attempted & { readonly from: RowState },
  settlement: Settlement,
): void {
  moveRow(room, move, settlement);
  const operation = room.memory.operations.get(toKey(move));
  // A row that was held before its request has no request that could hold a code.
  if (operation === undefined || move.from === "ready") return;
  room.memory.operations.set(toKey(move), {
    ...operation,
    state: settlement.keepsCode === true ? "held" : settlement.to,
    productId: settlement.productId ?? operation.productId,
    settled: room.memory.events.length,
  });
}

/** Whether the row is over, and its code is kept because nobody knows what its request did. */
const isRefused = (room: MemoryRoom, operation: Operation): boolean =>
  operation.state === "held" && OVER.has(readRecord(room, operation).state);

const OVER: ReadonlySet<RowState> = new Set(["rejected", "cancelled"]);

function readKnownCodes(
  room: MemoryRoom,
  codeKeys: readonly string[],
): Awaited<ReturnType<Journal["readKnownCodes"]>> {
  return operationsIn(room, CODE_TAKING_STATES).flatMap((operation) => {
    const { kind, codeKey, state, runId, row, productId } = operation;
    const isAsked = kind === "add" && codeKey !== null && codeKeys.includes(codeKey);
    if (!isAsked) return [];
    return [{ codeKey, state, runId, row, productId, isRefused: isRefused(room, operation) }];
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
