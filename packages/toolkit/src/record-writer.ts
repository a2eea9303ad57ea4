/** Writes beside each refused row what it will be known by when it comes back. */

import { type RowIssue, type RowRecord, type RunRecord } from "@catalog/runs";
import { type OutCell } from "@catalog/sheets";

import { columnIndexOf } from "./input-cells.ts";
import { type Toolkit } from "./open-toolkit.ts";
import { findRecordColumn, formatRecord, parseRecord, type Table } from "./refusal-record.ts";

/** The cell of the record column; `null` for a row that was not refused. */
export type RecordWriter = (
  record: RowRecord,
  written: Pick<Table, "cells" | "traits">,
) => Promise<OutCell>;

/** How the rows stand in the file. */
export interface WrittenFile extends Pick<Table, "header" | "decimal"> {
  /** The columns of the input, which come first. */
  readonly columns: readonly number[];
}

/** Asks the journal at most once, and only where a code stands on several rows. */
export function createRecordWriter(
  { journal }: Pick<Toolkit, "journal">,
  run: RunRecord,
  { columns, ...file }: WrittenFile,
): RecordWriter {
  const at = findRecordColumn(run.file.header);
  const readContradicting = once(async () => {
    const groups = await journal.readDuplicates(run.id);
    return new Set(groups.flatMap(({ rows, identical }) => (identical ? [] : rows)));
  });
  const columnOf = ({ cell }: RowIssue): number | undefined => {
    const column = columns.indexOf(columnIndexOf(cell) ?? -1);
    return column < 0 ? undefined : column;
  };
  return async (record, written) => {
    const isDuplicate = record.issues.some(({ code }) => code === "E_CODE_DUPLICATE");
    return formatRecord({
      runId: run.id,
      record,
      table: { ...file, ...written },
      columnOf,
      // Of rows that contradict each other all are refused, and tell it again to each other.
      isDoubled: isDuplicate && !(await readContradicting()).has(record.row),
      earlier: at < 0 ? undefined : parseRecord(String(record.cells[at] ?? "")),
    });
  };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}
