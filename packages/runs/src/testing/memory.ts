/** The data of a memory journal, and the one function that moves a row in it. */

import type { ProductId, StoreProduct } from "@catalog/contract";

import {
  type LagSample,
  type ListedProductRow,
  type RefusalEvidence,
  RowMovedError,
} from "../ports/journal.ts";
import type {
  AttemptedRow,
  Payload,
  RowEvent,
  RowKey,
  RowOutcome,
  RowRecord,
} from "../row/row-record.ts";
import { isLegalCause, isLegalMove, type RowState, type WriteAction } from "../row/row-state.ts";

/** The last request that was started for a row. */
export interface Operation extends RowKey {
  readonly kind: WriteAction;
  readonly state: RowState;
  readonly codeKey: string | null;
  readonly productId: ProductId | null;
  readonly payload: Payload;
  /** Whether the request may have left; without it, it surely has not. */
  readonly isLetGo: boolean;
  readonly begunAtMs: number;
  /** Position in the order in which requests ended. */
  readonly ended: number;
}

export interface Memory {
  /** By run, then by row. */
  readonly rows: Map<string, Map<number, RowRecord>>;
  /** By run and row, in the order in which they first started. */
  readonly operations: Map<string, Operation>;
  readonly seen: Map<ProductId, ListedProductRow>;
  /** Overwritten values of updates, by run and row. */
  readonly before: Map<string, StoreProduct>;
  readonly events: RowEvent[];
  readonly signatures: Map<string, RefusalEvidence>;
  readonly lagSamples: Map<ProductId, LagSample>;
}

/** Runs one operation of the journal, unless the process is dead. */
export type Step = <T>(work: () => T) => T;

/** The context that each part of a memory journal gets. */
export interface MemoryContext {
  readonly memory: Memory;
  readonly step: Step;
  readonly now: () => number;
}

export function createMemory(): Memory {
  return {
    rows: new Map(),
    operations: new Map(),
    seen: new Map(),
    before: new Map(),
    events: [],
    signatures: new Map(),
    lagSamples: new Map(),
  };
}

export const toKey = ({ runId, row }: RowKey): string => `${runId}/${row}`;

export function readRecord({ memory }: MemoryContext, { runId, row }: RowKey): RowRecord {
  const record = memory.rows.get(runId)?.get(row);
  if (record === undefined) throw new Error(`this store has no row ${row} of a run ${runId}`);
  return record;
}

/** Rows of a run in the order of the sheet. */
export function rowsOf({ memory }: MemoryContext, runId: string): readonly RowRecord[] {
  return [...(memory.rows.get(runId)?.values() ?? [])].toSorted((a, b) => a.row - b.row);
}

/** Returns requests that ended in one of the states, in the order in which they ended. */
export function operationsIn(
  { memory }: MemoryContext,
  states: readonly RowState[],
): readonly Operation[] {
  return [...memory.operations.values()]
    .filter(({ state }) => states.includes(state))
    .toSorted((a, b) => a.ended - b.ended);
}

/** Sorts by start time, and requests of the same time by run and row. */
export function byBeginning(operations: readonly Operation[]): readonly Operation[] {
  return operations.toSorted(
    (a, b) => a.begunAtMs - b.begunAtMs || compareTexts(a.runId, b.runId) || a.row - b.row,
  );
}

const compareTexts = (a: string, b: string): number => Number(a > b) - Number(a < b);

export function writeRecord(
  { memory, now }: MemoryContext,
  runId: string,
  record: Omit<RowRecord, "updatedAtMs">,
): void {
  const rows = memory.rows.get(runId) ?? new Map<number, RowRecord>();
  memory.rows.set(runId, rows.set(record.row, { ...record, updatedAtMs: now() }));
}

type Move = AttemptedRow & { readonly from: RowState };

/** Moves a row and appends the event; throws when the row is in another state. */
export function moveRow(
  context: MemoryContext,
  { from, attempt, ...key }: Move,
  outcome: RowOutcome,
): void {
  const record = readRecord(context, key);
  const { runId, row } = key;
  const { to, cause, productId, note, issues, changes, evidence = {} } = outcome;
  assertLegal({ ...key, from }, outcome);
  if (record.state !== from || !isAttempt(record, attempt)) {
    throw new RowMovedError({ runId, row }, from);
  }
  writeRecord(context, runId, {
    ...record,
    state: to,
    productId: productId ?? record.productId,
    note: note ?? record.note,
    issues: issues ?? record.issues,
    changes: changes ?? record.changes,
    attempts: record.attempts + (to === "sending" ? 1 : 0),
  });
  appendEvent(context, { runId, row, from, to, cause, evidence });
}

/** Says whether the attempt is the row's latest one; true where no attempt is given. */
export const isAttempt = ({ attempts }: RowRecord, attempt: number = attempts): boolean =>
  attempts === attempt;

function assertLegal({ runId, row, from }: Move, { to, cause }: RowOutcome): void {
  if (!isLegalMove(from, to)) {
    throw new Error(`row ${row} of ${runId} may not go from ${from} to ${to}`);
  }
  if (!isLegalCause(from, to, cause)) throw new Error(`${from} to ${to} for no reason: ${cause}`);
}

/** Appends an event with its number and its time. */
export function appendEvent(
  { memory, now }: MemoryContext,
  event: Omit<RowEvent, "seq" | "atMs">,
): void {
  memory.events.push({ ...event, seq: memory.events.length + 1, atMs: now() });
}
