/**
 * The rows of a pass in the order of the sheet, each rechecked before it is handed out. The next
 * rows are rechecked while rows are sent; a row whose product has changed is held.
 */

import type { Localized } from "@catalog/i18n";

import { toHeldAsOne } from "../guards/stock-first.ts";
import type { Ledger } from "../ports/journal.ts";
import { PAGE_SIZE, type StoreProduct } from "../ports/product.ts";
import { GONE, toIssue, toRowLocation } from "../row/issues.ts";
import type { ChangedField, FieldChange, RowOutcome, RowRecord } from "../row/row-record.ts";
import type { AddRechecks } from "./add-rechecks.ts";
import { changesFrom } from "./judge-recheck.ts";
import type {
  RecheckedRow,
  RecheckOptions,
  Rechecks,
  RecheckTexts,
  RecheckVerdict,
} from "./update-rechecks.ts";

interface RecheckQueueOptions {
  readonly rows: AsyncIterable<RowRecord>;
  readonly rechecks: Rechecks;
  /** Rows that the caller takes at a time. */
  readonly batchRows: number;
  /** Updates that are rechecked together. @default 50, which take one call */
  readonly updatesAtOnce?: number | undefined;
  /** Number of rows to hand out; rows held by their recheck do not count. @default all */
  readonly max?: number | undefined;
  /** Resolves once reading is allowed. */
  readonly mayRead: () => Promise<void>;
  /** Holds a row that must not be sent; it is not handed out. */
  readonly hold: (row: RecheckedRow) => Promise<void>;
  readonly stop?: AbortSignal | undefined;
}

export interface RecheckQueue {
  /** Returns the next row that may be sent; `undefined` after the last one. */
  next(): Promise<RecheckedRow | undefined>;
  /** Ends the rechecks under way. */
  close(): Promise<void>;
}

/**
 * One recheck serves any number of adds, so rows are not gathered further for the sake of updates.
 */
const MAX_GATHERED = 100;

export function createRecheckQueue(options: RecheckQueueOptions): RecheckQueue {
  const { rechecks, mayRead, stop, max = Infinity } = options;
  const { batchRows, updatesAtOnce = PAGE_SIZE } = options;
  const closing = new AbortController();
  const signal = stop === undefined ? closing.signal : AbortSignal.any([stop, closing.signal]);
  const parts = gather(options.rows, options);
  // A small number of rows must not cost the recheck of many.
  const depth = max === Infinity ? Math.ceil(batchRows / updatesAtOnce) : 0;
  const pending: Promise<readonly RecheckedRow[] | undefined>[] = [];

  const load = async (): Promise<readonly RecheckedRow[] | undefined> => {
    const part = await parts.next();
    if (part.done === true) return undefined;
    await mayRead();
    signal.throwIfAborted();
    return await rechecks.open(part.value, signal);
  };
  const fill = (count: number): void => {
    while (pending.length < count) {
      const loading = load();
      // The caller of `next` gets the rejection; without a caller it must not count as unhandled.
      loading.catch(() => undefined);
      pending.push(loading);
    }
  };
  async function* rows(): AsyncGenerator<RecheckedRow> {
    for (;;) {
      fill(Math.max(depth, 1));
      // It stays in `pending` until it is done, so that `close` waits for it.
      const part = await pending[0];
      void pending.shift();
      if (part === undefined) return;
      fill(depth);
      for (const row of part) {
        if (row.verdict.kind === "go") yield row;
        else await options.hold(row);
      }
    }
  }
  const handedOut = rows();
  let given = 0;

  return {
    async next() {
      if (given >= max) return undefined;
      given += 1;
      const next = await handedOut.next();
      return next.done === true ? undefined : next.value;
    },
    async close() {
      closing.abort(new Error("no more rows are sent"));
      await Promise.allSettled(pending);
    },
  };
}

/**
 * Rows for one recheck: a number of updates and the adds between them, or fewer at the end. The
 * first has the updates of one call, so that sending begins soon.
 */
async function* gather(
  rows: AsyncIterable<RowRecord>,
  { updatesAtOnce = PAGE_SIZE, max = Infinity }: RecheckQueueOptions,
): AsyncGenerator<readonly RowRecord[]> {
  let part: RowRecord[] = [];
  let updates = 0;
  let wanted = Math.min(updatesAtOnce, PAGE_SIZE);
  for await (const row of rows) {
    part.push(row);
    if (row.action === "update") updates += 1;
    const most = Math.min(Math.max(MAX_GATHERED, wanted), max);
    if (updates < wanted && part.length < most) continue;
    yield part;
    part = [];
    updates = 0;
    wanted = updatesAtOnce;
  }
  if (part.length > 0) yield part;
}

interface WithAddRechecksOptions {
  /** Rechecks of the updates. */
  readonly rechecks: Rechecks;
  /** Rechecks of the codes of adds. @default adds are not rechecked */
  readonly adds: AddRechecks | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** Returns the rechecks for every row of a run. */
export function withAddRechecks({ rechecks, adds, stop }: WithAddRechecksOptions): Rechecks {
  if (adds === undefined) return rechecks;
  const toAdd = (row: RecheckedRow): RecheckedRow => {
    const { record } = row;
    let isOpen = true;
    return {
      record,
      get verdict() {
        return judgeAdd(adds, record);
      },
      isFresh: () => adds.isFresh(record),
      renew: () => adds.recheck([record], stop),
      close() {
        if (isOpen) adds.noteLeft();
        isOpen = false;
        row.close();
      },
    };
  };

  return {
    async open(records, signal) {
      const rows = await rechecks.open(records, signal);
      const stale = records.filter((record) => isAdd(record) && !adds.isFresh(record));
      if (stale.length > 0) await adds.recheck(stale, signal);
      else adds.renewInBackground(signal);
      return rows.map((row) => (isAdd(row.record) ? toAdd(row) : row));
    },
  };
}

const isAdd = ({ action }: RowRecord): boolean => action === "add";

/** Holds an add whose product the store shows, whichever program has added it. */
function judgeAdd(adds: AddRechecks, record: RowRecord): RecheckVerdict {
  const ids = adds.readShown(record);
  return ids.length === 0 ? { kind: "go" } : { kind: "appeared", ids };
}

interface HoldChangedRowOptions {
  readonly runId: string;
  readonly journal: Pick<Ledger, "recordOutcome">;
  readonly recheck: RecheckOptions;
  /** The sheet's name, for issues. */
  readonly sheet: string;
}

type HeldVerdict = Exclude<RecheckVerdict, { readonly kind: "go" }>;

/** Holds a ready row, with an issue that says why. */
export async function holdChangedRow(
  options: HoldChangedRowOptions,
  { record, verdict }: Pick<RecheckedRow, "record"> & { readonly verdict: HeldVerdict },
): Promise<Localized> {
  const { runId, journal, recheck } = options;
  const { row } = record;
  const outcome = await toOutcome(options, record, verdict);
  await journal.recordOutcome({ runId, row, from: "ready" }, { to: "held", ...outcome });
  // Stored after the hold: a released row is compared with this listing, and a row that is not held
  // yet must still be compared with its plan.
  if (verdict.kind === "overtaken" && verdict.before !== undefined) {
    await recheck.before.saveBefore(runId, [{ row, product: verdict.before }]);
  }
  return outcome.issues?.at(-1)?.message ?? { tr: "", en: "" };
}

async function toOutcome(
  { recheck, sheet }: HoldChangedRowOptions,
  record: RowRecord,
  verdict: HeldVerdict,
): Promise<Omit<RowOutcome, "to">> {
  if (verdict.kind === "guarded") {
    const evidence = { rule: "the price guards, asked again by a look before sending" };
    return { cause: "guard", issues: [...record.issues, ...verdict.issues], evidence };
  }
  const location = toRowLocation(sheet, record);
  if (verdict.kind === "appeared") {
    const issues = [toIssue("E_APPEARED", location, verdict.ids.join(", "))];
    const evidence = { rule: "looked for by code before sending", found: verdict.ids };
    return { cause: "appeared", issues, evidence };
  }
  if (verdict.kind === "subject") {
    const issues = [toIssue(verdict.code, location, verdict.words)];
    const isGone = verdict.code === "E_ACTION_GONE";
    const evidence = { rule: "looked at the subject before sending", isGone };
    return { cause: "changed", issues, evidence, changes: verdict.changes };
  }
  const rule = "looked at again by id before sending";
  if (verdict.kind === "gone") {
    const issues = [toIssue("E_CHANGED", location, GONE)];
    return { cause: "changed", ...toHeldAsOne(record, issues), evidence: { rule, isGone: true } };
  }
  const { fields, before } = verdict;
  const described = await describeFields(record, verdict, recheck.texts);
  const issues = [toIssue("E_CHANGED", location, described)];
  const held = toHeldAsOne(record, issues);
  const { changes = record.changes } = "changes" in held ? held : {};
  return {
    cause: "changed",
    issues: held.issues,
    changes:
      before === undefined
        ? withShown(changes, fields)
        : changesFrom({ ...record, changes }, before, recheck.priceUnit),
    evidence: { rule, fields },
  };
}

/**
 * Of a row that may have been sent and has no listing of its plan, none can be stored: the store may
 * show our own values. The values that differ are not ours, and a released row is compared with
 * them; otherwise it would be held for them again after every release.
 */
const withShown = (
  changes: readonly FieldChange[],
  fields: readonly ChangedField[],
): readonly FieldChange[] =>
  changes.map((change) => {
    const shown = fields.find(({ field }) => field === change.field);
    return shown === undefined ? change : { ...change, old: shown.now };
  });

interface ChangedFields {
  readonly fields: readonly ChangedField[];
  /** The listing that shows the values of now. */
  readonly before: StoreProduct | undefined;
  /** Since when they have changed. @default since the plan */
  readonly since?: keyof typeof SINCE;
}

const SINCE = {
  plan: { tr: "planda", en: "in the plan" },
  basis: { tr: "açıldığında", en: "when opened" },
} as const;

/** Describes fields that somebody else has changed, each with its three values. */
export async function describeFields(
  record: RowRecord,
  { fields, before: listing, since = "plan" }: ChangedFields,
  words: RecheckTexts = PLAIN_TEXTS,
): Promise<Localized> {
  const told: Localized[] = [];
  const when = SINCE[since];
  for (const { field, old: was, now, new: ours } of fields) {
    const name = words.field(field);
    const old = await words.value(record, { field, value: was, from: "store" });
    const is = await words.value(record, { field, value: now, from: "store", listing });
    const next = await words.value(record, { field, value: ours, from: "row" });
    told.push({
      tr: `${name.tr}: ${when.tr} ${old.tr}, şimdi ${is.tr}, gönderilecek ${next.tr}`,
      en: `${name.en}: ${old.en} ${when.en}, ${is.en} now, ${next.en} to be sent`,
    });
  }
  return {
    tr: told.map(({ tr }) => tr).join("; "),
    en: told.map(({ en }) => en).join("; "),
  };
}

const same = (text: string): Localized => ({ tr: text, en: text });

const PLAIN_TEXTS: RecheckTexts = {
  field: same,
  value: (_row, { value }) => same(value === undefined ? "?" : JSON.stringify(value)),
};
