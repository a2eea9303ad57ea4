/** Decisions of a person on rows of a run, recorded before a command sends them. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  type DecidedRow,
  findUncompared,
  lockForRelease,
  type ReleasedRows,
  releaseRows,
  setAside,
  toSending,
} from "@catalog/importer";
import type { RowRecord, RunRecord } from "@catalog/runs";

import type { RefusedRow } from "../../api/runs.ts";
import { plainText } from "../plain-advice.ts";
import { nameRunsIn } from "./name-runs.ts";

/** Rows held at a time. */
const BATCH_ROWS = 500;

export interface Decisions {
  readonly run: RunRecord;
  /** Held rows that are sent. */
  readonly release: readonly number[];
  /** Held rows that are given up. */
  readonly cancel: readonly number[];
  /** Planned rows that are not sent. */
  readonly hold: readonly number[];
  /** Name of the person. */
  readonly by: string;
  readonly lang: Lang;
}

export interface Decided {
  readonly refused: readonly RefusedRow[];
  /** What sends the released rows. */
  readonly sentBy: ReleasedRows["sentBy"];
}

/**
 * Records the decisions under the lock of the store. Rows that are not held any more are left out.
 * Throws `DatabaseError` `E_STORE_BUSY`.
 */
export async function recordDecisions(
  connection: Connection,
  { run, release, cancel, hold, by, lang }: Decisions,
): Promise<Decided> {
  await using _lock = await lockForRelease(connection, run, "catalog web");
  await setAside(connection, { run, rows: hold, by });
  const decided: DecidedRow[] = [];
  for await (const record of readHeld(connection, run, new Set([...release, ...cancel]))) {
    const isCancelled = cancel.includes(record.row);
    const isUncompared = (await findUncompared(connection, run, [record])).length > 0;
    // A price that was never compared may be 100 times off; it waits until the unit is known.
    const sending = isUncompared ? ({ kind: "resend" } as const) : toSending(record);
    decided.push({ record, release: isCancelled ? { kind: "cancel" } : sending });
  }
  const { released, sentBy } = await releaseRows(connection, { run, decided, by });
  const refused = released.flatMap((row) =>
    row.to === "held" ? [{ row: row.row, message: plainText(row.why[lang]) }] : [],
  );
  return { refused: await nameRunsIn(connection, refused, lang), sentBy };
}

async function* readHeld(
  { journal }: Connection,
  { id }: RunRecord,
  wanted: ReadonlySet<number>,
): AsyncGenerator<RowRecord> {
  let after = 0;
  while (wanted.size > 0) {
    const rows = await journal.readRows(id, { states: ["held"], after, limit: BATCH_ROWS });
    yield* rows.filter(({ row }) => wanted.has(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.row;
  }
}
