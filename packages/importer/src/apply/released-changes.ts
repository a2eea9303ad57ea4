/**
 * Changes of price, or of a stock alone, that a guard has held in a sync and a person has released.
 * The next sync whose feed asks for the same change sends it, once; guards judge any other change.
 * Until then the row stays ready in the run that held it; it ends there as cancelled.
 */

import type { Connection } from "@catalog/connection";
import {
  type CandidateRow,
  DISCOUNT_FIELDS,
  guardOf,
  type RowDecision,
  type RowKey,
  type RowRecord,
} from "@catalog/runs";
import { z } from "zod";

/** The released changes, compared with the changes that a feed asks for. */
export interface ReleasedChanges {
  /** Returns the decision on a row, `ready` instead of `held` where its change is released. */
  decide(row: Pick<CandidateRow, "changes">, decision: RowDecision): RowDecision;
  /** Rows of this sync that are sent because their change is released. */
  readonly rows: readonly number[];
  /** Released rows for whose product the feed has given such a value so far. */
  readonly answered: readonly AnsweredChange[];
}

interface AnsweredChange {
  readonly held: RowKey;
  /** Row of this sync that sends the change; `undefined` where the feed asks for another change. */
  readonly row: number | undefined;
}

const NOTE = "released";

/** A release expires after 7 days. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Notes that a row is about to be released; the note of a row that stays held has no effect. */
export async function recordRelease(
  { feedState }: Pick<Connection["memory"], "feedState">,
  held: RowKey,
): Promise<void> {
  const others = (await readKeys(feedState)).filter((key) => !isSame(key, held));
  await feedState.saveNotes({ [NOTE]: [...others, { runId: held.runId, row: held.row }] });
}

/** Whether a person has released the row. */
export const isReleased = async (
  feeds: Pick<Connection["memory"]["feedState"], "readNote">,
  key: RowKey,
): Promise<boolean> => (await readKeys(feeds)).some((each) => isSame(each, key));

/** Reads the released changes that wait for a sync; ends those that have expired, unless it may not. */
export async function readReleasedChanges(
  connection: Connection,
  { isReadOnly = false }: { readonly isReadOnly?: boolean | undefined } = {},
): Promise<ReleasedChanges> {
  const open: OpenChange[] = [];
  const kept: RowKey[] = [];
  for (const held of await readKeys(connection.memory.feedState)) {
    const record = await readReady(connection, held);
    if (record === undefined) continue;
    const tag = toTag(record.changes);
    const isOver = tag === NO_TAG || connection.clock.now() - record.updatedAtMs > KEPT_MS;
    if (isOver) {
      if (!isReadOnly) await end(connection, held, { cause: "superseded" });
      continue;
    }
    kept.push(held);
    const isOfStock = !changesPrice(record.changes);
    open.push({ held, tag, isOfStock, productId: record.productId });
  }
  if (!isReadOnly) await connection.memory.feedState.saveNotes({ [NOTE]: kept });
  return createReleasedChanges(open);
}

/** Ends releases that were sent or that the feed has replaced; an unsent row keeps its release. */
export async function closeReleasedChanges(
  connection: Connection,
  { answered }: Pick<ReleasedChanges, "answered">,
  runId: string,
): Promise<void> {
  const ended: RowKey[] = [];
  for (const { held, row } of answered) {
    if (row !== undefined && (await isUnsent(connection, { runId, row }))) continue;
    const cause = row === undefined ? "superseded" : "sent-by-sync";
    await end(connection, held, { cause, evidence: row === undefined ? {} : { run: runId, row } });
    ended.push(held);
  }
  if (ended.length === 0) return;
  const kept = (await readKeys(connection.memory.feedState)).filter(
    (key) => !ended.some((each) => isSame(each, key)),
  );
  await connection.memory.feedState.saveNotes({ [NOTE]: kept });
}

interface OpenChange {
  readonly held: RowKey;
  readonly tag: string;
  /** Whether the change is of the stock alone. */
  readonly isOfStock: boolean;
  readonly productId: string | null;
}

const JUDGED: ReadonlySet<string> = new Set(["ready", "held", "unchanged"]);

function createReleasedChanges(open: readonly OpenChange[]): ReleasedChanges {
  const ofProduct = Map.groupBy(open, ({ productId }) => productId);
  const rows: number[] = [];
  const answered: AnsweredChange[] = [];
  return {
    rows,
    answered,
    decide({ changes }, decision) {
      const { productId, state } = decision;
      // A rule may make a price where the file gives none.
      const mine = ofProduct
        .get(productId)
        ?.filter(
          ({ isOfStock }) =>
            gives(changes, isOfStock) || (!isOfStock && changesPrice(decision.changes)),
        );
      if (mine === undefined || mine.length === 0 || !JUDGED.has(state)) return decision;
      // The first row of a product decides; the feed's other rows of it are not sent anyway.
      ofProduct.delete(productId);
      const asked = state === "held" ? toTag(decision.changes) : NO_TAG;
      const match = mine.find(({ tag }) => tag === asked);
      for (const one of mine) {
        answered.push({ held: one.held, row: one === match ? decision.row : undefined });
      }
      if (match === undefined) return decision;
      rows.push(decision.row);
      const issues = decision.issues.filter((issue) => guardOf(issue) === undefined);
      return { ...decision, state: "ready", issues };
    },
  };
}

/** Fields that the price guards check. */
const GUARDED: ReadonlySet<string> = new Set(["price", "currency", ...DISCOUNT_FIELDS]);

/** Whether a row of the feed gives a price, or a stock. */
const gives = (changes: CandidateRow["changes"], isStock: boolean): boolean =>
  isStock
    ? changes.stock_count !== undefined
    : Object.entries(changes).some(([field, value]) => GUARDED.has(field) && value !== undefined);

const changesPrice = (changes: RowRecord["changes"]): boolean =>
  changes.some(({ field }) => GUARDED.has(field));

/**
 * Formats a change of price, old and new, as a comparison key. The stock is no part of it, unless
 * nothing else changes.
 */
const toTag = (changes: RowRecord["changes"]): string =>
  JSON.stringify(
    changes
      .filter(({ field }) => (changesPrice(changes) ? GUARDED.has(field) : field === "stock_count"))
      .map(({ field, old = null, new: wanted }) => [field, old, wanted] as const)
      .toSorted(([a], [b]) => a.localeCompare(b, "en")),
  );

const NO_TAG = "[]";

async function readReady({ journal }: Connection, key: RowKey): Promise<RowRecord | undefined> {
  const record = await readRow({ journal }, key);
  return record?.state === "ready" ? record : undefined;
}

async function isUnsent({ journal }: Connection, key: RowKey): Promise<boolean> {
  const record = await readRow({ journal }, key);
  return record?.state === "ready" || record?.state === "held";
}

async function readRow(
  { journal }: Pick<Connection, "journal">,
  { runId, row }: RowKey,
): Promise<RowRecord | undefined> {
  const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  return record?.row === row ? record : undefined;
}

interface Ending {
  readonly cause: "superseded" | "sent-by-sync";
  readonly evidence?: Readonly<Record<string, unknown>>;
}

async function end({ journal }: Connection, held: RowKey, ending: Ending): Promise<void> {
  await journal.recordOutcome({ ...held, from: "ready" }, { to: "held", ...ending });
  await journal.recordOutcome({ ...held, from: "held" }, { to: "cancelled", ...ending });
}

const isSame = (one: RowKey, other: RowKey): boolean =>
  one.runId === other.runId && one.row === other.row;

async function readKeys({
  readNote,
}: Pick<Connection["memory"]["feedState"], "readNote">): Promise<readonly RowKey[]> {
  return (await readNote(NOTE, keysSchema)) ?? [];
}

const keySchema = z.object({ runId: z.string(), row: z.number() });

/** An invalid key is dropped; the others stay valid. */
const keysSchema = z
  .array(keySchema.nullable().catch(null))
  .transform((keys) => keys.filter((key) => key !== null));
