/** Holds ready adds while a code that looks like theirs has come into use. */

import { isPersonRelease } from "../../guards/manual-release.ts";
import { type Ledger } from "../../ports/ledger.ts";
import { readAllRows } from "../../ports/read-all-rows.ts";
import { type RowRepository } from "../../ports/row-repository.ts";
import { type IssuePlace } from "../../row/issue-texts.ts";
import { type RowRecord } from "../../row/row-record.ts";
import { type AlikeOptions, readAlike, toAlikeIssue } from "./look-alike-codes.ts";

/** Ports and keys of {@link holdAlike}. */
export interface HoldAlikeOptions {
  readonly runId: string;
  readonly journal: RowRepository & Ledger;
  readonly alike: AlikeOptions;
  /** The sheet's name, for issues. */
  readonly sheet: string;
}

const BATCH_ROWS = 200;

/**
 * Compares the ready adds of a run with the codes in use now: in the store's last listing, sent by
 * any run, or waiting in a run under way. A row that a person has released is not held again. Makes
 * no call. Returns how many rows are held.
 */
export async function holdAlike(options: HoldAlikeOptions): Promise<number> {
  const { runId, journal, alike, sheet } = options;
  const waiting = { states: ["ready"], action: "add" } as const;
  let held = 0;
  for await (const rows of readAllRows(journal, runId, waiting, BATCH_ROWS)) {
    const taken = await readAlike(alike, runId, rows);
    for (const record of rows) {
      const others = taken.get(record.row) ?? [];
      if (others.length === 0 || (await isLetGo(options, record))) continue;
      const { row, code } = record;
      const codePlace: IssuePlace = { sheet, row, column: "", cell: "", value: code ?? "" };
      const issues = [...record.issues, toAlikeIssue({ code, codePlace }, others)];
      await journal.settle({ runId, row, from: "ready" }, { to: "held", cause: "alike", issues });
      held += 1;
    }
  }
  return held;
}

const isLetGo = async (
  { journal, runId }: HoldAlikeOptions,
  { row }: RowRecord,
): Promise<boolean> => (await journal.readEvents({ runId, row })).some(isPersonRelease);
