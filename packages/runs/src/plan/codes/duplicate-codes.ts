/** Rows of one file that have the same product code: which of them may be sent. */

import { isDeepStrictEqual } from "node:util";

import { type RowRepository } from "../../ports/row-repository.ts";
import { isBlocking } from "../../row/issue-texts.ts";
import { type SourceRow } from "../../row/source-row.ts";
import { type CandidateRow } from "../decide-row.ts";

interface SameCodeOptions {
  readonly runId: string;
  readonly journal: RowRepository;
  readonly toDraft: (row: SourceRow) => Promise<CandidateRow>;
}

/**
 * The rows that may not be sent, each with all rows of its code. Of rows that ask for the same the
 * first is planned as if it were alone; of different ones none may be sent.
 */
export async function readSameCode(
  options: SameCodeOptions,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const sameCode = new Map<number, readonly number[]>();
  for (const { rows, identical } of await options.journal.readDuplicates(options.runId)) {
    const isOne = identical || (await askForTheSame(options, rows));
    for (const row of isOne ? rows.slice(1) : rows) sameCode.set(row, rows);
  }
  return sameCode;
}

/** Whether rows differ only in cells that are not sent, such as those of a result file. */
async function askForTheSame(
  { runId, journal, toDraft }: SameCodeOptions,
  rows: readonly number[],
): Promise<boolean> {
  let first: unknown;
  for (const row of rows) {
    const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
    if (record?.row !== row) return false;
    const draft = await toDraft(record);
    // What could not be read may be different.
    if (draft.issues.some(isBlocking)) return false;
    const asked = toAsked(draft);
    first ??= asked;
    if (!isDeepStrictEqual(first, asked)) return false;
  }
  return true;
}

/** All that either call may send for the row: whether it adds or updates is not known yet. */
function toAsked(candidate: CandidateRow): Readonly<Record<string, unknown>> {
  const { code, productId, action, changes } = candidate;
  const add = candidate.completeAdd();
  return { code, productId, action, changes, body: add.ok ? add.body : undefined };
}
