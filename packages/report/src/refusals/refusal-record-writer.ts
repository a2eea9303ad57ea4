/** Writes the record of each refused row, by which a later import recognizes it. */

import type { Connection } from "@catalog/connection";
import type { RowRecord, RunRecord } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { columnIndexOf, columnOf } from "../input-cells.ts";
import {
  findRecordColumn,
  formatRecord,
  parseRecord,
  readOwnColumns,
  type Table,
} from "./refusal-record.ts";

/** The cell of the record column; `null` for a row that was not refused. */
export type RefusalRecordWriter = (
  record: RowRecord,
  written: Pick<Table, "cells" | "traits">,
) => Promise<OutCell>;

/** Format of the written file. */
export interface WrittenFile extends Pick<Table, "header" | "decimal"> {
  /** Index in the input of each column; none has that of a column which was added. */
  readonly columns: readonly number[];
}

/** Reads the journal at most once, and only where several rows have the same code. */
export function createRefusalRecordWriter(
  { journal }: Pick<Connection, "journal">,
  run: RunRecord,
  { columns, ...file }: WrittenFile,
): RefusalRecordWriter {
  const at = findRecordColumn(run.file.header);
  const own = readOwnColumns(file.header);
  const readTwins = once(() => findTwins(journal, run.id));
  return async (record, written) => {
    const twins = record.issues.filter(({ code }) => TWIN_CODES.has(code));
    // A code stored as a number may have lost its leading zeros, and the codes that keep theirs
    // were sent.
    const isNumber = twins.some(
      ({ cell }) => typeof record.cells[columnIndexOf(cell) ?? -1] === "number",
    );
    const mayBeThere = twins.length > 0 && !isNumber;
    return formatRecord({
      runId: run.id,
      record,
      table: { ...file, ...written, own },
      columnOf: (issue) => columnOf(columns, issue),
      areTwinsThere: mayBeThere && (await readTwins()).areThere(record.row),
      earlier: at < 0 ? undefined : parseRecord(String(record.cells[at] ?? "")),
    });
  };
}

const TWIN_CODES: ReadonlySet<string> = new Set(["E_CODE_DUPLICATE", "E_CODE_SUSPECT"]);

interface SameRefusals {
  readonly areThere: (row: number) => boolean;
}

/**
 * Finds rows with the same code: contradicting rows are refused unless one is skipped or held; of
 * equal rows the first one is sent.
 */
async function findTwins(journal: Connection["journal"], runId: string): Promise<SameRefusals> {
  const states = await journal.countRows(runId);
  const mayBeAway = states.some(({ state }) => state === "skipped" || state === "held");
  const same = await journal.readDuplicates(runId);
  const doubled = new Set(same.flatMap(({ rows, identical }) => (identical ? rows : [])));
  return { areThere: (row) => !mayBeAway && !doubled.has(row) };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}
