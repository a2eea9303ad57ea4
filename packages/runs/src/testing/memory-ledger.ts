/** Claims, sending and recovery in a memory journal. */

import { openBody } from "../guards/stock-first.ts";
import type { Ledger, RowMove } from "../ports/journal.ts";
import type {
  AttemptedRow,
  Claim,
  RowKey,
  RowOutcome,
  RowRecord,
  StartOfSend,
} from "../row/row-record.ts";
import { CODE_TAKING_STATES, type RowState } from "../row/row-state.ts";
import {
  byBeginning,
  isAttempt,
  type MemoryContext,
  moveRow,
  type Operation,
  operationsIn,
  readRecord,
  toKey,
} from "./memory.ts";

type SendMethods = Pick<
  Ledger,
  "claim" | "beginSending" | "recordOutcome" | "recordOutcomes" | "recover"
>;

export function createMemoryLedger(context: MemoryContext): SendMethods {
  const { step } = context;
  return {
    async claim(rows) {
      return step(() => rows.map((row) => claimRow(context, row)));
    },
    beginSending: (key, evidence) => step(() => letGo(context, key, evidence)),
    async recordOutcome(key, outcome) {
      assertNotBegun(key, outcome);
      step(() => recordOutcome(context, key, outcome));
    },
    async recordOutcomes(moves) {
      for (const { key, outcome } of moves) assertNotBegun(key, outcome);
      step(() => recordAll(context, moves));
    },
    async recover() {
      return step(() => recover(context));
    },
  };
}

/** A row that cannot be claimed keeps its state. */
function claimRow(context: MemoryContext, row: StartOfSend): Claim | undefined {
  try {
    if (begin(context, row) === "taken") return undefined;
  } catch {
    // `beginSending` says why.
    return undefined;
  }
  return { runId: row.runId, row: row.row, attempt: readRecord(context, row).attempts };
}

function letGo(
  context: MemoryContext,
  { attempt, ...key }: AttemptedRow,
  evidence?: Readonly<Record<string, unknown>>,
): "begun" | "taken" {
  if (attempt === undefined) {
    const outcome = begin(context, { ...key, evidence });
    if (outcome === "taken") return outcome;
  }
  const record = readRecord(context, key);
  if (record.state !== "sending" || !isAttempt(record, attempt)) {
    throw new Error(`row ${key.row} of ${key.runId} was recovered by another process`);
  }
  const operation = context.memory.operations.get(toKey(key));
  if (operation === undefined) throw new Error(`row ${key.row} has no request`);
  context.memory.operations.set(toKey(key), { ...operation, isLetGo: true });
  return "begun";
}

/**
 * A row without `beginSending` has not left: this memory only outlives its processes, not its
 * machine.
 */
function recover(context: MemoryContext): number {
  const found = byBeginning(operationsIn(context, ["sending"]));
  for (const { runId, row, isLetGo } of found) {
    const outcome: RowOutcome = isLetGo
      ? { to: "ambiguous", cause: "recovery" }
      : { to: "ready", cause: "recovery-unsent" };
    recordOutcome(context, { runId, row, from: "sending" }, outcome);
  }
  return found.length;
}

function begin(context: MemoryContext, { evidence, ...key }: StartOfSend): "begun" | "taken" {
  const record = readRecord(context, key);
  const { action, codeKey, productId } = record;
  const payload = openBody(record);
  if (action === null || payload === null) throw new Error(`row ${key.row} has nothing to send`);
  if (action === "add" && codeKey === null) throw new Error(`row ${key.row} has no product code`);
  if (isTaken(context, key, record)) return "taken";
  moveRow(context, { ...key, from: "ready" }, { to: "sending", cause: "begin", evidence });
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
    begunAtMs: context.now(),
    ended: 0,
  };
  context.memory.operations.set(toKey(key), operation);
  return "begun";
}

function isTaken(context: MemoryContext, key: RowKey, record: RowRecord): boolean {
  const { action, codeKey, productId } = record;
  const isOther = (operation: Operation): boolean =>
    operation.kind === action && toKey(operation) !== toKey(key);
  return action === "add"
    ? operationsIn(context, CODE_TAKING_STATES).some((o) => isOther(o) && o.codeKey === codeKey)
    : operationsIn(context, ["sending", "ambiguous"]).some(
        (o) => isOther(o) && o.productId === productId,
      );
}

function recordOutcome(
  context: MemoryContext,
  move: AttemptedRow & { readonly from: RowState },
  outcome: RowOutcome,
): void {
  moveRow(context, move, outcome);
  const operation = context.memory.operations.get(toKey(move));
  // A request that went back to `ready` never left, so another row may have taken its code.
  if (operation === undefined || operation.state === "ready") return;
  // Nor does a request that was carried out change any more, when the rest of its row moves on.
  if (operation.state === "done") return;
  context.memory.operations.set(toKey(move), {
    ...operation,
    state: toOperationState(outcome),
    productId: outcome.productId ?? operation.productId,
    ended: context.memory.events.length,
  });
}

function toOperationState({ to, cause, keepsCode }: RowOutcome): RowState {
  if (cause === "stock-sent") return "done";
  return keepsCode === true ? "held" : to;
}

function assertNotBegun({ runId, row }: RowKey, { to }: RowOutcome): void {
  if (to === "sending") throw new Error(`row ${row} of ${runId} can only begin to be sent`);
}

/** Takes all moves back where one of them fails. */
function recordAll(context: MemoryContext, moves: readonly RowMove[]): void {
  const { rows, operations, events } = context.memory;
  const before = moves.map(({ key }) => {
    return { key, record: readRecord(context, key), operation: operations.get(toKey(key)) };
  });
  const count = events.length;
  try {
    for (const { key, outcome } of moves) recordOutcome(context, key, outcome);
  } catch (error) {
    for (const { key, record, operation } of before) {
      rows.get(key.runId)?.set(key.row, record);
      if (operation !== undefined) operations.set(toKey(key), operation);
    }
    events.length = count;
    throw error;
  }
}
