/** What a memory journal remembers, and the one way in which a row of it moves. */

import { type ProductId, type StoreProduct } from "@catalog/contract";

import { type WriteAction } from "../counts.ts";
import {
  type Attempted,
  type Payload,
  type RowEvent,
  type RowKey,
  type RowRecord,
  type SeenProduct,
  type Settlement,
} from "../journal.ts";
import { isLegalCause, isLegalMove, type RowState } from "../row-state.ts";
import { type SignatureEvidence } from "../unknown/signature.ts";
import { type LagSample } from "../unknown/visibility.ts";

/** The last request that was begun for a row. */
export interface Operation extends RowKey {
  readonly kind: WriteAction;
  readonly state: RowState;
  readonly codeKey: string | null;
  readonly productId: ProductId | null;
  readonly payload: Payload;
  /** It may have left; without this it surely has not. */
  readonly isLetGo: boolean;
  /** Place in the order of settling. */
  readonly settled: number;
}

export interface Memory {
  /** By run, then by row. */
  readonly rows: Map<string, Map<number, RowRecord>>;
  /** By run and row, in the order in which they were begun first. */
  readonly operations: Map<string, Operation>;
  readonly seen: Map<ProductId, SeenProduct>;
  /** What updates overwrite, by run and row. */
  readonly before: Map<string, StoreProduct>;
  readonly events: RowEvent[];
  readonly signatures: Map<string, SignatureEvidence>;
  readonly lagSamples: Map<ProductId, LagSample>;
}

/** Does one operation of the journal, unless the process is dead. */
export type Step = <T>(work: () => T) => T;

/** What each part of a memory journal works with. */
export interface MemoryRoom {
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

export function readRecord({ memory }: MemoryRoom, { runId, row }: RowKey): RowRecord {
  const record = memory.rows.get(runId)?.get(row);
  if (record === undefined) throw new Error(`run ${runId} has no row ${row}`);
  return record;
}

export function writeRecord(
  { memory, now }: MemoryRoom,
  runId: string,
  record: Omit<RowRecord, "updatedAtMs">,
): void {
  const rows = memory.rows.get(runId) ?? new Map<number, RowRecord>();
  memory.rows.set(runId, rows.set(record.row, { ...record, updatedAtMs: now() }));
}

type Move = Attempted & { readonly from: RowState };

/** Moves a row and appends the event; throws when the row is in another state. */
export function moveRow(
  room: MemoryRoom,
  { from, attempt, ...key }: Move,
  settlement: Settlement,
): void {
  const record = readRecord(room, key);
  const { runId, row } = key;
  const { to, cause, productId, note, issues, changes, evidence = {} } = settlement;
  if (record.state !== from) throw new Error(`row ${row} of ${runId} is not ${from}`);
  assertAttempt(record, { ...key, attempt });
  if (!isLegalMove(from, to)) throw new Error(`illegal move of row ${row}: ${from} to ${to}`);
  if (!isLegalCause(from, to, cause)) throw new Error(`${from} to ${to} for no reason: ${cause}`);
  writeRecord(room, runId, {
    ...record,
    state: to,
    productId: productId ?? record.productId,
    note: note ?? record.note,
    issues: issues ?? record.issues,
    changes: changes ?? record.changes,
    attempts: record.attempts + (to === "sending" ? 1 : 0),
  });
  appendEvent(room, { runId, row, from, to, cause, evidence });
}

/** Throws when the row is on its way by another attempt than the one that is meant, if one is. */
export function assertAttempt(record: RowRecord, key: Attempted): void {
  const { runId, row, attempt = record.attempts } = key;
  if (record.attempts !== attempt) throw new Error(`row ${row} of ${runId} is not ours any more`);
}

/** Appends an event with its number and its time. */
export function appendEvent(
  { memory, now }: MemoryRoom,
  event: Omit<RowEvent, "seq" | "atMs">,
): void {
  memory.events.push({ ...event, seq: memory.events.length + 1, atMs: now() });
}
