/** The rows of a memory journal. */

import type { RowFilter, RowRepository } from "../ports/journal.ts";
import type { DuplicateCode, ParsedRow, RowDecision, RowRecord } from "../row/row-record.ts";
import type { StateCount } from "../row/row-state.ts";
import { type MemoryContext, moveRow, readRecord, rowsOf, writeRecord } from "./memory.ts";

export function createMemoryRows(context: MemoryContext): RowRepository {
  const { step } = context;
  return {
    async appendRows(runId, rows) {
      step(() => {
        assertNew(context, runId, rows);
        for (const row of rows) append(context, runId, row);
      });
    },
    async readDuplicates(runId) {
      return step(() => findDuplicates(rowsOf(context, runId)));
    },
    async readRows(runId, filter) {
      return step(() => pick(rowsOf(context, runId), filter));
    },
    async readCodes(runId, filter) {
      return step(() =>
        pick(rowsOf(context, runId), filter).map(({ row, code, codeKey }) => ({
          row,
          code,
          codeKey,
        })),
      );
    },
    async countRows(runId) {
      return step(() => count(rowsOf(context, runId)));
    },
    async saveDecisions(runId, decisions) {
      step(() => {
        assertWaiting(context, runId, decisions);
        for (const decision of decisions) decide(context, runId, decision);
      });
    },
  };
}

function assertNew(context: MemoryContext, runId: string, rows: readonly ParsedRow[]): void {
  const taken = new Set(rowsOf(context, runId).map(({ row }) => row));
  for (const { row } of rows) {
    if (taken.has(row)) throw new Error(`run ${runId} has row ${row} already`);
    taken.add(row);
  }
}

/** A row that is decided twice is not `parsed` the second time. */
function assertWaiting(
  context: MemoryContext,
  runId: string,
  decisions: readonly RowDecision[],
): void {
  const parsed = rowsOf(context, runId).filter(({ state }) => state === "parsed");
  const waiting = new Set(parsed.map(({ row }) => row));
  const wrong = decisions.find(({ row }) => !waiting.delete(row));
  if (wrong === undefined) return;
  throw new Error(`row ${wrong.row} of ${runId} is not waiting for a decision`);
}

function append(context: MemoryContext, runId: string, row: ParsedRow): void {
  writeRecord(context, runId, {
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

function decide(context: MemoryContext, runId: string, decision: RowDecision): void {
  const { row, state, action, productId, payload, changes, issues } = decision;
  const decided = { action, productId, payload, changes, issues };
  writeRecord(context, runId, { ...readRecord(context, { runId, row }), ...decided });
  moveRow(context, { runId, row, from: "parsed" }, { to: state, cause: "plan" });
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
      identical: new Set(same.map(recordCells)).size === 1,
    }));
}

const recordCells = ({ cells, formats, joined }: RowRecord): string =>
  JSON.stringify([cells, formats, joined]);

function pick(rows: readonly RowRecord[], filter: RowFilter): readonly RowRecord[] {
  const { states, action, mayHaveIssues = false, after = 0, limit } = filter;
  return rows
    .filter(({ row, state }) => row > after && (states === undefined || states.includes(state)))
    .filter((row) => action === undefined || row.action === action)
    .filter(({ issues, state }) => !mayHaveIssues || issues.length > 0 || state === "done")
    .slice(0, limit);
}

function count(rows: readonly RowRecord[]): readonly StateCount[] {
  const groups = Map.groupBy(rows, ({ state, action }) => `${state} ${action}`);
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ state, action }) => ({ state, action, rows: same.length })),
  );
}
