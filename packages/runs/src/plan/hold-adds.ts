/**
 * Rechecks the adds of an older plan before any of them is sent: whether the store shows their
 * codes by now, and whether codes that look like theirs have come into use.
 */

import {
  type Ledger,
  type ListedProductRow,
  readAllRows,
  type RowRepository,
} from "../ports/journal.ts";
import { type IssueLocation, toIssue } from "../row/issues.ts";
import { isManualRelease, type RowRecord } from "../row/row-record.ts";
import type { CodeNormalization } from "./code-normalization.ts";
import {
  type LookAlikeOptions,
  readLookAlikes,
  toLookAlikeIssue,
  toStoredKey,
} from "./look-alikes.ts";
import { readListing, type ReadListingOptions } from "./read-listing.ts";

/** Ports and keys of {@link holdAppeared}. */
interface HoldAppearedOptions extends ReadListingOptions {
  /** The sheet's name, for issues. */
  readonly sheet: string;
  /** How the store rewrites codes. @default codes are kept as sent */
  readonly normalization?: CodeNormalization | undefined;
}

/** Rows checked at a time, with one query of the listing cache. */
const BATCH_ROWS = 200;

/**
 * Holds the adds of a run whose code the store shows now, because another program has added the
 * product since the plan was made. Returns how many it held.
 */
export async function holdAppeared(options: HoldAppearedOptions): Promise<number> {
  const { journal, runId, sheet } = options;
  // A row that an earlier process recorded and never sent will be sent again, so it is checked too.
  await journal.recover();
  const states = await journal.countRows(runId);
  const waiting = states.find(({ state, action }) => state === "ready" && action === "add");
  if (waiting === undefined) return 0;
  const filter = { states: ["ready"], action: "add" } as const;
  const { normalization } = options;
  await readListing(options, { rows: waiting.rows, filter, normalization });

  let held = 0;
  for await (const adds of readAllRows(journal, runId, filter, BATCH_ROWS)) {
    const seenOf = await readByCode(options, adds);
    for (const record of adds) {
      const { row, code } = record;
      const found = seenOf(record);
      if (found === undefined) continue;
      const ids = found.map(({ product }) => product.id).join(", ");
      const location = { sheet, row, column: "", cell: "", value: code ?? "" };
      const issues = [toIssue("E_APPEARED", location, ids)];
      await journal.recordOutcome(
        { runId, row, from: "ready" },
        { to: "held", cause: "appeared", issues },
      );
      held += 1;
    }
  }
  return held;
}

/**
 * Returns the products that the listing shows under the codes of rows, or under the rewritten
 * codes.
 */
async function readByCode(
  { journal, codeKey, normalization = [] }: HoldAppearedOptions,
  rows: readonly RowRecord[],
): Promise<(row: RowRecord) => readonly ListedProductRow[] | undefined> {
  const storedKey = (row: RowRecord): string | null => toStoredKey(normalization, row, codeKey);
  const keys = rows.flatMap((row) => [row.codeKey, storedKey(row)]).filter((key) => key !== null);
  const seen = Map.groupBy(await journal.readSeenByCode(keys), (product) => product.codeKey);
  return (row) => seen.get(row.codeKey ?? "") ?? seen.get(storedKey(row) ?? "");
}

/** Ports and keys of {@link holdLookAlikes}. */
interface HoldLookAlikesOptions {
  readonly runId: string;
  readonly journal: RowRepository & Ledger;
  readonly lookAlikes: LookAlikeOptions;
  /** The sheet's name, for issues. */
  readonly sheet: string;
}

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
