/** Rows of a memory journal: read from the sheet, decided by the plan, read back in its order. */

import { type StateCount } from "../counts.ts";
import {
  type DuplicateCode,
  type Journal,
  type ParsedRow,
  type RowDecision,
  type RowFilter,
  type RowRecord,
} from "../journal.ts";
import { type MemoryRoom, moveRow, readRecord, writeRecord } from "./memory.ts";

type RowMethods = Pick<
  Journal,
  "appendRows" | "readDuplicates" | "readRows" | "countRows" | "decideRows"
>;

export function createMemoryRows(room: MemoryRoom): RowMethods {
  const { memory, step } = room;
  const rowsOf = (runId: string): readonly RowRecord[] =>
    [...(memory.rows.get(runId)?.values() ?? [])].toSorted((a, b) => a.row - b.row);

  return {
    async appendRows(runId, rows) {
      step(() => {
        for (const row of rows) append(room, runId, row);
      });
    },
    async readDuplicates(runId) {
      return step(() => findDuplicates(rowsOf(runId)));
    },
    async readRows(runId, filter) {
      return step(() => pick(rowsOf(runId), filter));
    },
    async countRows(runId) {
      return step(() => count(rowsOf(runId)));
    },
    async decideRows(runId, decisions) {
      step(() => {
        for (const { row } of decisions) {
          const { state } = readRecord(room, { runId, row });
          if (state !== "parsed") throw new Error(`row ${row} of ${runId} is not parsed`);
        }
        for (const decision of decisions) decide(room, runId, decision);
      });
    },
  };
}

function append(room: MemoryRoom, runId: string, row: ParsedRow): void {
  if (room.memory.rows.get(runId)?.has(row.row) === true) {
    throw new Error(`run ${runId} has row ${row.row} already`);
  }
  writeRecord(room, runId, {
    ...row,
    state: "parsed",
    action: null,
    productId: null,
    payload: null,
    changes: [],
    issues: [],
    attempts: 0,
    note: null,
  });
}

function decide(room: MemoryRoom, runId: string, { state, ...decision }: RowDecision): void {
  const key = { runId, row: decision.row };
  writeRecord(room, runId, { ...readRecord(room, key), ...decision });
  moveRow(room, { ...key, from: "parsed" }, { to: state, cause: "plan" });
}

function findDuplicates(rows: readonly RowRecord[]): readonly DuplicateCode[] {
  const byCode = Map.groupBy(
    rows.filter(({ codeKey }) => codeKey !== null),
    ({ codeKey }) => codeKey,
  );
  return [...byCode.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      rows: same.map(({ row }) => row),
      identical: new Set(same.map(sayCells)).size === 1,
    }));
}

const sayCells = ({ cells, formats }: RowRecord): string => JSON.stringify([cells, formats]);

function pick(rows: readonly RowRecord[], filter: RowFilter): readonly RowRecord[] {
  const { states, action, after = 0, limit } = filter;
  return rows
    .filter(({ row, state }) => row > after && (states === undefined || states.includes(state)))
    .filter((row) => action === undefined || row.action === action)
    .slice(0, limit);
}

function count(rows: readonly RowRecord[]): readonly StateCount[] {
  const groups = Map.groupBy(rows, ({ state, action }) => `${state} ${action}`);
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ state, action }) => ({ state, action, rows: same.length })),
  );
}
