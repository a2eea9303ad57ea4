/**
 * Changes of price that a guard has held in a sync and a person has let go. The next sync whose feed
 * still asks for the very same change sends it, once; any other change is the guards' to judge. What
 * was let go stays in the run that held it until then, and ends there as cancelled.
 */

import { type StoreMemory, type Connection } from "@catalog/connection";
import { type FeedState } from "@catalog/database";
import {
  type CandidateRow,
  DISCOUNT_FIELDS,
  type FieldChange,
  guardOf,
  type RowDecision,
  type RowKey,
  type RowRecord,
} from "@catalog/runs";
import { z } from "zod";

/** What people have let go, against what a feed asks for. */
export interface ReleasedChanges {
  /** The decision, sent instead of held where a person has let this change go. */
  decide(row: Pick<CandidateRow, "changes">, decision: RowDecision): RowDecision;
  /** Rows of this sync that are sent because of it. */
  readonly rows: readonly number[];
  /** What the feed has answered so far. */
  readonly answered: readonly AnsweredChange[];
}

interface AnsweredChange {
  readonly held: RowKey;
  /** Row of this sync that sends the change; none where the feed asks for another one by now. */
  readonly row: number | undefined;
}

const NOTE = "released";

/** After so long nobody remembers what it was that was let go. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Writes down that a row is about to be let go; where it then stays held, that means nothing. */
export function recordRelease({ feedState }: Pick<StoreMemory, "feedState">, held: RowKey): void {
  const others = readKeys(feedState).filter((key) => !isSame(key, held));
  feedState.saveNotes({ [NOTE]: [...others, { runId: held.runId, row: held.row }] });
}

/** Whether a person has let the row go. */
export const isReleased = (feeds: Pick<FeedState, "readNote">, key: RowKey): boolean =>
  readKeys(feeds).some((each) => isSame(each, key));

/** What waits to be sent. Ends what no feed can ask for any more. */
export async function readReleasedChanges(tools: Connection): Promise<ReleasedChanges> {
  const open: OpenChange[] = [];
  const kept: RowKey[] = [];
  for (const held of readKeys(tools.memory.feedState)) {
    const record = await readReady(tools, held);
    if (record === undefined) continue;
    const tag = toTag(record.changes);
    const isOver = tag === NO_TAG || tools.clock.now() - record.updatedAtMs > KEPT_MS;
    if (isOver) {
      await end(tools, held, { cause: "superseded" });
      continue;
    }
    kept.push(held);
    open.push({ held, tag, productId: record.productId });
  }
  tools.memory.feedState.saveNotes({ [NOTE]: kept });
  return createReleasedChanges(open);
}

/** Ends what was sent, and what the feed has another value for; what was not sent yet stays. */
export async function closeReleasedChanges(
  tools: Connection,
  { answered }: Pick<ReleasedChanges, "answered">,
  runId: string,
): Promise<void> {
  const ended: RowKey[] = [];
  for (const { held, row } of answered) {
    if (row !== undefined && (await isUnsent(tools, { runId, row }))) continue;
    const cause = row === undefined ? "superseded" : "sent-by-sync";
    await end(tools, held, { cause, evidence: row === undefined ? {} : { run: runId, row } });
    ended.push(held);
  }
  if (ended.length === 0) return;
  const kept = readKeys(tools.memory.feedState).filter(
    (key) => !ended.some((each) => isSame(each, key)),
  );
  tools.memory.feedState.saveNotes({ [NOTE]: kept });
}

interface OpenChange {
  readonly held: RowKey;
  readonly tag: string;
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
      const mine = ofProduct.get(productId);
      if (mine === undefined || !JUDGED.has(state) || !givesPrice(changes)) return decision;
      // One row of a feed answers for its product; another one of it is not sent anyway.
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

/** What guards look at. */
const GUARDED: ReadonlySet<string> = new Set(["price", "currency", ...DISCOUNT_FIELDS]);

const givesPrice = (changes: CandidateRow["changes"]): boolean =>
  Object.entries(changes).some(([field, value]) => GUARDED.has(field) && value !== undefined);

/** A change of price as a text: what it was and what it is to be. The stock may go on changing. */
const toTag = (changes: readonly FieldChange[]): string =>
  JSON.stringify(
    changes
      .filter(({ field }) => GUARDED.has(field))
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

function readKeys({ readNote }: Pick<FeedState, "readNote">): readonly RowKey[] {
  return readNote(NOTE, keysSchema) ?? [];
}

const keySchema = z.object({ runId: z.string(), row: z.number() });

/** What is no key is passed over, and the others hold. */
const keysSchema = z
  .array(keySchema.nullable().catch(null))
  .transform((keys) => keys.filter((key) => key !== null));
