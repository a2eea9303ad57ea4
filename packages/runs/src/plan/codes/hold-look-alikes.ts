/** Holds ready adds while a code that looks like theirs has come into use. */

import { isManualRelease } from "../../guards/manual-release.ts";
import type { Ledger } from "../../ports/ledger.ts";
import { readAllRows } from "../../ports/read-all-rows.ts";
import type { RowRepository } from "../../ports/row-repository.ts";
import type { IssueLocation } from "../../row/issue-texts.ts";
import type { RowRecord } from "../../row/row-record.ts";
import { type LookAlikeOptions, readLookAlikes } from "./look-alike-codes.ts";
import { toLookAlikeIssue } from "./look-alike-issues.ts";

/** Ports and keys of {@link holdLookAlikes}. */
export interface HoldLookAlikesOptions {
  readonly runId: string;
  readonly journal: RowRepository & Ledger;
  readonly lookAlikes: LookAlikeOptions;
  /** The sheet's name, for issues. */
  readonly sheet: string;
}

const BATCH_ROWS = 200;

/**
 * Compares the ready adds of a run with the codes in use now: in the store's last listing, sent by
 * any run, or waiting in a run under way. A row that a person has released is not held again. Makes
 * no call. Returns how many rows are held.
 */
export async function holdLookAlikes(options: HoldLookAlikesOptions): Promise<number> {
  const { runId, journal, lookAlikes, sheet } = options;
  const waiting = { states: ["ready"], action: "add" } as const;
  let held = 0;
  for await (const rows of readAllRows(journal, runId, waiting, BATCH_ROWS)) {
    const taken = await readLookAlikes(lookAlikes, runId, rows);
    for (const record of rows) {
      const others = taken.get(record.row) ?? [];
      if (others.length === 0 || (await wasReleased(options, record))) continue;
      const { row, code } = record;
      const codeLocation: IssueLocation = { sheet, row, column: "", cell: "", value: code ?? "" };
      const alike = { code, codeLocation, title: record.payload?.title };
      const issues = [...record.issues, toLookAlikeIssue(alike, others)];
      await journal.recordOutcome(
        { runId, row, from: "ready" },
        { to: "held", cause: "alike", issues },
      );
      held += 1;
    }
  }
  return held;
}

const wasReleased = async (
  { journal, runId }: HoldLookAlikesOptions,
  { row }: RowRecord,
): Promise<boolean> => (await journal.readEvents({ runId, row })).some(isManualRelease);
