/** Claims, sending and recovery in a memory journal. */

import { type Ledger } from "../ports/ledger.ts";
import { type Attempted, type Beginning, type Claim, type Settlement } from "../row/row-outcome.ts";
import { type RowKey, type RowRecord } from "../row/row-record.ts";
import { CODE_TAKING_STATES, type RowState } from "../row/row-state.ts";
import {
  byBeginning,
  isAttempt,
  type MemoryRoom,
  moveRow,
  type Operation,
  operationsIn,
  readRecord,
  toKey,
} from "./memory.ts";

type SendMethods = Pick<Ledger, "claim" | "beginSending" | "settle" | "recover">;

export function createMemoryLedger(room: MemoryRoom): SendMethods {
  const { step } = room;
  return {
    async claim(rows) {
      return step(() => rows.map((row) => claimRow(room, row)));
    },
    beginSending: (key, evidence) => step(() => letGo(room, key, evidence)),
    async settle(key, settlement) {
      if (settlement.to === "sending") {
        throw new Error(`row ${key.row} of ${key.runId} can only begin to be sent`);
      }
      step(() => settle(room, key, settlement));
    },
    async recover() {
      return step(() => recover(room));
    },
  };
}

/** A row that cannot be claimed keeps its state. */
function claimRow(room: MemoryRoom, row: Beginning): Claim | undefined {
  try {
    if (begin(room, row) === "taken") return undefined;
  } catch {
    // `beginSending` says why.
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
  if (record.state !== "sending" || !isAttempt(record, attempt)) {
    throw new Error(`row ${key.row} of ${key.runId} was recovered by another process`);
  }
  const operation = room.memory.operations.get(toKey(key));
  if (operation === undefined) throw new Error(`row ${key.row} has no request`);
  room.memory.operations.set(toKey(key), { ...operation, isLetGo: true });
  return "begun";
}

/**
 * A row without `beginSending` has not left: this memory only outlives its processes, not its
 * machine.
 */
function recover(room: MemoryRoom): number {
  const found = byBeginning(operationsIn(room, ["sending"]));
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
  if (action === "add" && codeKey === null) throw new Error(`row ${key.row} has no product code`);
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
    begunAtMs: room.now(),
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
  // A request that went back to `ready` never left, so another row may have taken its code.
  if (operation === undefined || operation.state === "ready") return;
  room.memory.operations.set(toKey(move), {
    ...operation,
    state: settlement.keepsCode === true ? "held" : settlement.to,
    productId: settlement.productId ?? operation.productId,
    settled: room.memory.events.length,
  });
}
