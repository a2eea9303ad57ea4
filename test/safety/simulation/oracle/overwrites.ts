/**
 * Judges what updates overwrite, by the history of every field: an update from a stale plan must
 * not replace another writer's value, and an undo must restore what was replaced. A value written
 * after the last read on which a request may be based is excused.
 */

import type { ProductId, StoreProduct } from "@catalog/contract";
import { hasSent, sentBody, type RowDecision, type RowKey, type RowRecord } from "@catalog/runs";
import { planUndoRow, checkFakeUpdate } from "@catalog/runs/testing";

import type { Timeline } from "../timeline.ts";
import type { FullJournal } from "../world/journal-port.ts";
import type { Market, Standing } from "../world/market.ts";
import type { SentWrite } from "../world/marketplace-port.ts";
import { toTag } from "../world/program.ts";
import { EDITED_FIELDS, type EditedField, type Scenario } from "../world/scenario.ts";

type Update = Extract<SentWrite, { readonly kind: "update" }>;

export interface OverwriteJudge {
  /** Rows are decided from what the store has shown since then. */
  decided(sinceMs: number, runId: string, decisions: readonly RowDecision[]): void;
  /** A row is held, and a person sees what has changed. */
  held(key: RowKey, evidence: Readonly<Record<string, unknown>> | undefined): void;
  left(write: Update): void;
  arrived(write: Update): void;
  /** Judges what undoing the rows of a run would restore. */
  judgeUndo(runId: string, records: readonly RowRecord[], journal: FullJournal): Promise<void>;
}

export interface OverwriteJudgeOptions {
  readonly scenario: Scenario;
  readonly market: Market;
  readonly timeline: Timeline;
  readonly break: (rule: string, what: string) => void;
}

/** A value of another writer that an update has replaced. */
interface Replaced extends Standing {
  /** When the request was sent. */
  readonly leftMs: number;
}

interface OverwriteContext extends OverwriteJudgeOptions {
  /** Values that a plan or a person may have seen, by run, product and field. */
  readonly known: Map<string, ReadonlySet<unknown>>;
  readonly productOf: Map<string, ProductId>;
  /** Rows whose values a person has seen, or whose product the plan has not seen. */
  readonly shown: Set<string>;
  /** When the earliest plan that changes the product began to read. */
  readonly plannedMs: Map<ProductId, number>;
  readonly leftMs: Map<Update, number>;
  readonly replaced: Map<string, Replaced>;
}

/** Names of the fields in a request, by those in the listing. */
export const SENT_AS = { title: "title", stock: "stock_count", price: "price" } as const;

const toKey = (runId: string, id: ProductId, field: EditedField): string =>
  `${runId} ${id} ${field}`;

export function createOverwriteJudge(options: OverwriteJudgeOptions): OverwriteJudge {
  const context: OverwriteContext = {
    ...options,
    known: new Map(),
    productOf: new Map(),
    shown: new Set(),
    plannedMs: new Map(),
    leftMs: new Map(),
    replaced: new Map(),
  };
  return {
    decided(sinceMs, runId, decisions) {
      for (const { row, productId } of decisions) {
        if (productId === null) continue;
        const tag = toTag({ runId }, row);
        context.productOf.set(tag, productId);
        const earliestMs = Math.min(sinceMs, context.plannedMs.get(productId) ?? sinceMs);
        context.plannedMs.set(productId, earliestMs);
        // A plan that has not seen the product is decided from what was sent for it.
        const { visibleAtMs = 0 } = options.market.products.get(productId) ?? {};
        if (visibleAtMs > sinceMs) context.shown.add(tag);
        for (const field of EDITED_FIELDS) {
          const seen = standingSince(options.market.historyOf(productId, field), sinceMs);
          context.known.set(toKey(runId, productId, field), new Set(seen));
        }
      }
    },
    held: (key, evidence) => noteShown(context, key, evidence),
    left: (write) => void context.leftMs.set(write, options.timeline.nowMs),
    arrived: (write) => judgeArrival(context, write),
    async judgeUndo(runId, records, journal) {
      const done = records.filter((record) => hasSent(record) && record.action === "update");
      const before = await journal.readBefore(
        runId,
        done.map(({ row }) => row),
      );
      for (const record of done) {
        const { productId, row } = record;
        const now = productId === null ? undefined : options.market.products.get(productId)?.body;
        const kept = before.get(row);
        // An undo reports a value that was not stored as unknown.
        if (now !== undefined && kept !== undefined) {
          judgeUndo(context, { runId, record, before: kept, now });
        }
      }
    },
  };
}

/** Every value of the field since a moment. */
function standingSince(history: readonly Standing[], sinceMs: number): readonly unknown[] {
  const first = history.findLastIndex((standing) => standing.sinceMs <= sinceMs);
  return history.slice(Math.max(0, first)).map(({ value }) => value);
}

/** A person may release what was shown, which must differ from what was planned. */
function noteShown(
  context: OverwriteContext,
  { runId, row }: RowKey,
  { fields, isGone }: Readonly<Record<string, unknown>> = {},
): void {
  const tag = toTag({ runId }, row);
  const id = context.productOf.get(tag);
  if (isGone === true) context.break("I5", `${tag} is held as gone, and nothing ever goes`);
  if (id === undefined || !Array.isArray(fields)) return;
  // A process may die between holding a row and storing what it shows; the row is then held again.
  const isFirst = !context.shown.has(tag);
  for (const shown of fields) {
    const field = EDITED_FIELDS.find((each) => SENT_AS[each] === shown.field);
    if (field === undefined) continue;
    const key = toKey(runId, id, field);
    const isAsPlanned = !hasMoved(context, id, field);
    if (isFirst && isAsPlanned) context.break("I5", `${tag} is held, and ${field} is as planned`);
    // What its plan has seen stays known: without the stored listing, a released row is compared
    // with its plan again, and another writer may have restored that value.
    context.known.set(key, new Set([...(context.known.get(key) ?? []), shown.now]));
  }
  context.shown.add(tag);
}

/** Whether the field was written since the plan began to read. */
function hasMoved(
  { market, plannedMs }: OverwriteContext,
  id: ProductId,
  field: EditedField,
): boolean {
  const last = market.historyOf(id, field).at(-1);
  return last !== undefined && last.sinceMs > (plannedMs.get(id) ?? Infinity);
}

function judgeArrival(context: OverwriteContext, write: Update): void {
  for (const field of EDITED_FIELDS) {
    const standing = context.market.historyOf(write.body.product_id, field).at(-1);
    const isSent = write.body[SENT_AS[field]] !== undefined;
    if (!isSent || standing === undefined || standing.by === write.runId) continue;
    judgeOverwritten(context, write, { field, standing });
  }
}

interface Overwritten {
  readonly field: EditedField;
  readonly standing: Standing;
}

function judgeOverwritten(
  context: OverwriteContext,
  write: Update,
  { field, standing }: Overwritten,
): void {
  const { body, runId } = write;
  const isSame = standing.value === body[SENT_AS[field]];
  const key = toKey(runId, body.product_id, field);
  // A product that is not listed cannot be read.
  const { visibleAtMs = 0 } = context.market.products.get(body.product_id) ?? {};
  const sinceMs = Math.max(standing.sinceMs, visibleAtMs);
  const replaced = { ...standing, sinceMs, leftMs: context.leftMs.get(write) ?? Infinity };
  context.replaced.set(key, replaced);
  const isKnown = context.known.get(key)?.has(standing.value) === true;
  if (isSame || isKnown || isExcused(context, replaced)) return;
  const what = `${field} of ${body.product_id}: ${JSON.stringify(standing.value)}`;
  context.break("I15", `${runId} has overwritten ${what} of ${standing.by}`);
}

interface Undoing {
  readonly runId: string;
  readonly record: RowRecord;
  /** The stored values of the product. */
  readonly before: StoreProduct;
  readonly now: StoreProduct;
}

/** What is excused in a request is excused here, as no read has seen the value. */
function judgeUndo(context: OverwriteContext, undoing: Undoing): void {
  const { runId, record, now } = undoing;
  const { changes } = planUndo(undoing);
  for (const field of EDITED_FIELDS) {
    const replaced = context.replaced.get(toKey(runId, now.id, field));
    // A refused part of a row may still have been carried out, as any refused update.
    const ours = sentBody(record)[SENT_AS[field]];
    if (replaced === undefined || now[field] !== ours || isExcused(context, replaced)) continue;
    // A refused request that was carried out all the same is not undone, as its row is not done.
    if (record.state !== "done" && !wasSentApart(record, field)) continue;
    // After a lost request it is unknown which of two writers set a value that both would set.
    if (record.attempts > 1 && replaced.value === ours) continue;
    const change = changes.find((each) => each.field === SENT_AS[field]);
    judgeRestored(context, undoing, {
      field,
      replaced,
      back: change === undefined ? ours : change.new,
    });
  }
}

/** Whether the field left before the rest of its row, which may have come to nothing. */
const wasSentApart = ({ changes }: RowRecord, field: EditedField): boolean =>
  changes.some((change) => change.field === SENT_AS[field] && change.part === "sent");

interface Restored {
  readonly field: EditedField;
  readonly replaced: Replaced;
  /** The value after the undo. */
  readonly back: unknown;
}

function judgeRestored(
  context: OverwriteContext,
  { runId, record }: Undoing,
  restored: Restored,
): void {
  const { field, replaced, back } = restored;
  if (back === replaced.value) return;
  const what = `${JSON.stringify(back)} in place of ${JSON.stringify(replaced.value)}`;
  context.break("I16", `undoing ${toTag({ runId }, record.row)} brings back ${field} ${what}`);
}

const isExcused = ({ scenario }: OverwriteContext, { sinceMs, leftMs }: Replaced): boolean =>
  sinceMs >= leftMs - scenario.recheckMaxAgeMs;

function planUndo({ record, before, now }: Undoing): RowDecision {
  const { row, code } = record;
  const { decision } = planUndoRow({
    record,
    before,
    now,
    priceUnit: "minor",
    refused: new Set(),
    zeroStock: false,
    checkUpdate: checkFakeUpdate,
    location: { sheet: "", row, column: "", cell: "", value: code ?? "" },
    formatValue: (_field, value) => String(value),
    nameField: (field) => field,
  });
  return decision;
}
