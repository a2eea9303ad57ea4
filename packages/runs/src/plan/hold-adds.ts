/**
 * Rechecks the adds of an older plan before any of them is sent: whether the store shows their
 * codes by now, and whether codes that look like theirs have come into use.
 */

import {
  judgeRows,
  type Ledger,
  type ListedProductRow,
  type RowRepository,
} from "../ports/journal.ts";
import { toIssue, toRowLocation } from "../row/issues.ts";
import { isManualRelease, type RowRecord } from "../row/row-record.ts";
import {
  type CodeNormalization,
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

  const { held = 0 } = await judgeRows({ runId, journal }, filter, async (adds) => {
    const seenOf = await readByCode(options, adds);
    return (record) => {
      const found = seenOf(record);
      if (found === undefined) return undefined;
      const ids = found.map(({ product }) => product.id).join(", ");
      const issues = [toIssue("E_APPEARED", toRowLocation(sheet, record), ids)];
      return { to: "held", cause: "appeared", issues };
    };
  });
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
  const { held = 0 } = await judgeRows({ runId, journal }, waiting, async (rows) => {
    const taken = await readLookAlikes(lookAlikes, runId, rows);
    return async (record) => {
      const others = taken.get(record.row) ?? [];
      if (others.length === 0 || (await wasReleased(options, record))) return undefined;
      const { code, payload } = record;
      const alike = { code, codeLocation: toRowLocation(sheet, record), title: payload?.title };
      const issues = [...record.issues, toLookAlikeIssue(alike, others)];
      return { to: "held", cause: "alike", issues };
    };
  });
  return held;
}

const wasReleased = async (
  { journal, runId }: HoldLookAlikesOptions,
  { row }: RowRecord,
): Promise<boolean> => (await journal.readEvents({ runId, row })).some(isManualRelease);
