/**
 * The parent rows of failed variants. A failed file holds them, so that it can be imported by itself:
 * a variant that names its parent row finds it, and one of rows that stand together takes nothing
 * from another variant that would be the first row there.
 */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { findField, findPlatform, NO_PLATFORM, VALUE_KEYWORDS } from "@catalog/mapping";
import { readAllRows, type RowRecord, type RowState, type RunRecord } from "@catalog/runs";

export interface FailedParents {
  /** Rows of the run, by number. */
  readonly rows: ReadonlySet<number>;
  /** Rows that only an earlier run has, of which this one retries rows; in their order. */
  readonly earlier: readonly RowRecord[];
  /** Whether the parents are products, which the file must not send again. */
  readonly areProducts: boolean;
}

const NONE: FailedParents = { rows: new Set(), earlier: [], areProducts: false };

/** Finds the parents of the rows in these states. */
export async function findFailedParents(
  connection: Pick<Connection, "journal" | "runs">,
  run: RunRecord,
  states: readonly RowState[],
): Promise<FailedParents> {
  const { platform = NO_PLATFORM } = run.progress.reading ?? {};
  const kind = findPlatform(platform)?.variants?.rows.kind;
  if (kind === undefined) return NONE;
  // A row that stood apart from its product would join it in the file unseen.
  const takesLost = kind === "referring";
  const rows = await readParentNumbers(connection, run, { states, takesLost });
  const [first] = rows;
  if (first === undefined) return NONE;
  const sample = await readRow(connection, run, first);
  const areProducts = sample !== undefined && isProduct(sample.record);
  const isRetry = run.progress.retryOf !== undefined;
  const earlier = isRetry ? await readEarlier(connection, run, rows) : [];
  return { rows, earlier, areProducts };
}

interface FailedVariants {
  readonly states: readonly RowState[];
  /** Whether a variant whose product is not certain has a parent. */
  readonly takesLost: boolean;
}

async function readParentNumbers(
  { journal }: Pick<Connection, "journal">,
  { id }: RunRecord,
  { states, takesLost }: FailedVariants,
): Promise<ReadonlySet<number>> {
  const rows = new Set<number>();
  for await (const records of readAllRows(journal, id, { states })) {
    for (const { row, joined } of records) {
      const { role, parentRow } = joined ?? {};
      const hasParent = parentRow !== undefined && parentRow !== row;
      if (hasParent && (takesLost || role !== "lost")) rows.add(parentRow);
    }
  }
  return rows;
}

/** Whether a parent is a product itself, as in files that do not tell parents from products. */
export const isProduct = ({ joined }: Pick<RowRecord, "joined">): boolean =>
  joined?.role !== "parent";

async function readEarlier(
  connection: Pick<Connection, "journal" | "runs">,
  run: RunRecord,
  rows: ReadonlySet<number>,
): Promise<readonly RowRecord[]> {
  const found: RowRecord[] = [];
  for (const row of rows) {
    const read = await readRow(connection, run, row);
    if (read !== undefined && read.runId !== run.id) found.push(read.record);
  }
  return found.toSorted((a, b) => a.row - b.row);
}

interface FoundRow {
  readonly runId: string;
  readonly record: RowRecord;
}

/** Reads a row of the run, or of the run whose rows it retries. */
async function readRow(
  { journal, runs }: Pick<Connection, "journal" | "runs">,
  run: RunRecord,
  row: number,
): Promise<FoundRow | undefined> {
  for (let at: RunRecord | undefined = run; at !== undefined;) {
    const [record] = await journal.readRows(at.id, { after: row - 1, limit: 1 });
    if (record?.row === row) return { runId: at.id, record };
    const { retryOf }: RunRecord["progress"] = at.progress;
    at = retryOf === undefined ? undefined : await runs.read(retryOf);
  }
  return undefined;
}

/** The column that says what is done with a row, in a file that holds parents which are products. */
export interface ActionColumn {
  readonly header: string;
  /** Index among these headers; `undefined` where the column is to be added. */
  readonly at: number | undefined;
  /** Text for a row that is not sent. */
  readonly skip: string;
}

export function findActionColumn(headers: readonly string[], lang: Lang): ActionColumn {
  const { tr = "", en = "" } = findField("action")?.header ?? {};
  const at = headers.findIndex((header) => header === tr || header === en);
  const skip = VALUE_KEYWORDS.action.find(({ value }) => value === "skip");
  if (skip === undefined) throw new Error("no word says that a row is not sent");
  return { header: lang === "tr" ? tr : en, at: at < 0 ? undefined : at, skip: skip[lang] };
}
