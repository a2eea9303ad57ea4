/**
 * Plans the undo of an earlier run, or of chosen rows and fields of it: each field that still has the
 * value that we sent gets the value that was listed when the run was planned. A field that was changed
 * since keeps its value. A row can be undone with the rows of earlier runs that changed its product:
 * each field then gets the value from before the earliest of them.
 */

import { ALL_GUARDS, type GuardSettings } from "../guards/guard-settings.ts";
import { guardCost } from "../guards/price-guards.ts";
import { hasSent, sentBody } from "../guards/stock-first.ts";
import { type Journal, readAllRows } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import type { ProductChanges, StoreProduct } from "../ports/product.ts";
import type { RunRecord } from "../ports/run-repository.ts";
import { countSentAttempts } from "../reconcile/decide-absent.ts";
import { idsOf, readProducts } from "../reconcile/find-products.ts";
import { type IssueLocation, type RowIssue, toIssue, toRowLocation } from "../row/issues.ts";
import type {
  FieldChange,
  ParsedRow,
  RowCost,
  RowDecision,
  RowKey,
  RowRecord,
} from "../row/row-record.ts";
import { refusedInUpdates } from "../verify/capability.ts";
import type { BeforeValue, VerificationLog } from "../verify/verification.ts";
import { DISCOUNT_FIELDS, isSameValue, readShown } from "./compare.ts";
import { type PriceUnit, readSentUnit } from "./price-unit.ts";

/** A row to undo, and its product before the run and now. */
export interface UndoInput {
  /** A row that is done, or that has sent its stock. */
  readonly record: RowRecord;
  /** The product when the row was planned; absent where the listing did not show it. */
  readonly before: StoreProduct | undefined;
  readonly now: StoreProduct | undefined;
  /** Rows of earlier runs that are undone with this one, the newest first. @default none */
  readonly earlier?: readonly ChangedProduct[] | undefined;
  /**
   * The fields that are undone; a price stands for its currency and its discount as well.
   *
   * @default all that the row has sent
   */
  readonly fields?: readonly string[] | undefined;
  readonly priceUnit: PriceUnit;
  /** Fields that the store was seen to ignore in updates. */
  readonly refused: ReadonlySet<string>;
  /** Added products get a stock of 0, because an add cannot be undone. */
  readonly zeroStock: boolean;
  readonly checkUpdate: Marketplace["checkUpdate"];
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
  /** What the product costs. @default not known */
  readonly cost?: RowCost | undefined;
  readonly location: IssueLocation;
  /** Formats a value for people. */
  readonly formatValue: (field: string, value: unknown) => string;
  /** Names a field for people. */
  readonly nameField: (field: string) => string;
}

/** A row that has changed a product, and the product before it. */
type ChangedProduct = Pick<UndoInput, "record" | "before">;

/** What is undone of a run. */
export interface UndoPart {
  /** Says whether a row is chosen. @default all that have sent something are */
  readonly isChosen?: ((row: number) => boolean) | undefined;
  /** Fields of the rows; a price stands for its currency and its discount as well. @default all */
  readonly fields?: readonly string[] | undefined;
  /**
   * Rows of earlier runs that have changed the product of the one chosen row, and are undone with it;
   * the newest first. @default none
   */
  readonly earlier?: readonly RowKey[] | undefined;
}

/**
 * The result of undoing a row. `partly` restores only some of its fields. Of a row that added a product: `empty` sets its stock to 0,
 * `already-empty` finds it at 0, and `added` leaves the product as it is.
 */
type UndoOutcome =
  | "restore"
  | "partly"
  | "empty"
  | "already"
  | "already-empty"
  | "added"
  | "kept"
  | "not-undoable";

/** The fields of a row that an undo leaves as they are. */
interface LeftFields {
  /** Their earlier values are not known. */
  readonly hidden: readonly string[];
  /** They have been changed since. */
  readonly kept: readonly string[];
}

/** The result for a row, and the decision that undoes it. */
export interface UndoDecision {
  readonly outcome: UndoOutcome;
  readonly decision: RowDecision;
  /** Only of a row that is restored in part. */
  readonly left?: LeftFields;
}

/** Texts about one row and its undo. */
interface UndoTexts {
  /** Formats a value of the row for people. */
  readonly formatValue: (field: string, value: unknown) => string;
  /** Returns the cells that the new run stores for the row. */
  readonly toCells: (decision: RowDecision) => ParsedRow["cells"];
}

/** The product of a row before the run, and as the store shows it now. */
type UndoneProduct = Pick<UndoInput, "before" | "now">;

interface PlanUndoRowsOptions extends Pick<UndoInput, "zeroStock" | "nameField" | "guards"> {
  /** The run that is undone. */
  readonly run: Pick<RunRecord, "id" | "file" | "facts">;
  /** @default the whole run */
  readonly part?: UndoPart | undefined;
  /** The new run, which has no rows yet. */
  readonly runId: string;
  readonly journal: Journal;
  readonly marketplace: Pick<Marketplace, "listProducts" | "checkUpdate">;
  readonly verificationLog: VerificationLog;
  readonly codeKey: (code: string) => string;
  /** What the product of a row costs. @default not known */
  readonly costOf?: ((record: RowRecord) => RowCost | undefined) | undefined;
  readonly readTexts: (record: RowRecord, product: UndoneProduct) => Promise<UndoTexts>;
  readonly signal?: AbortSignal | undefined;
}

interface PlannedUndo {
  /** Number of the earlier run's rows by outcome. */
  readonly undo: Readonly<Record<UndoOutcome, number>>;
  /** The fields that rows restored in part leave as they are, each once. */
  readonly left: LeftFields;
  readonly priceUnit: PriceUnit;
}

/** Products read back in one call. */
const BATCH_ROWS = 50;

/** States of rows that are done, or that may have sent their stock while their price waits. */
const UNDONE_STATES = ["done", "held", "ready", "rejected", "cancelled"] as const;

/** Whether the run has sent something that an undo would look at. */
export async function hasSentRows(
  journal: Pick<Journal, "readEvents" | "readRows">,
  runId: string,
): Promise<boolean> {
  for await (const rows of readAllRows(journal, runId, { states: UNDONE_STATES })) {
    if ((await readSent(journal, runId, rows)).length > 0) return true;
  }
  return false;
}

/** States in which an update may be whose answer was lost, and that is not sent again. */
const PERHAPS_SENT: ReadonlySet<RowRecord["state"]> = new Set(["ready", "held", "cancelled"]);

/**
 * The rows that have sent something, or may have: an update whose answer was lost is to be sent again,
 * whatever the store shows of it, so one that was given up instead counts as sent here. What it has not
 * changed is as before already.
 */
async function readSent(
  journal: Pick<Journal, "readEvents">,
  runId: string,
  rows: readonly RowRecord[],
): Promise<readonly RowRecord[]> {
  const sent: RowRecord[] = [];
  for (const record of rows) {
    const { row, state, action, attempts } = record;
    const isLost = action === "update" && attempts > 0 && PERHAPS_SENT.has(state);
    if (hasSent(record)) sent.push(record);
    else if (isLost && countSentAttempts(await journal.readEvents({ runId, row })) > 0)
      sent.push({ ...record, state: "done" });
  }
  return sent;
}

/**
 * Plans the rows of a run that have sent something, in its order and under its row numbers. From
 * the marketplace it reads their products as they are now.
 */
export async function planUndoRows(options: PlanUndoRowsOptions): Promise<PlannedUndo> {
  const { run, journal, verificationLog, signal } = options;
  const undo = { ...NO_UNDO };
  const [hidden, kept] = [new Set<string>(), new Set<string>()];
  const count = ({ outcome, left }: UndoDecision): void => {
    undo[outcome] += 1;
    for (const field of left?.hidden ?? []) hidden.add(field);
    for (const field of left?.kept ?? []) kept.add(field);
  };
  const refused = refusedInUpdates(await verificationLog.readCapabilities());
  let priceUnit = run.facts?.priceUnit ?? "unknown";
  let isFirst = true;
  const isChosen = createChoice(options.part);
  for await (const rows of readAllRows(journal, run.id, { states: UNDONE_STATES }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    const records = (await readSent(journal, run.id, rows)).filter(isChosen);
    if (records.length === 0) continue;
    const now = await readNow(options, records);
    if (isFirst) {
      // Prices that we sent are listed now and may tell the unit that the run's plan did not know.
      const sent = await readSentUnit(journal);
      if (sent !== "unknown") priceUnit = sent;
    }
    isFirst = false;
    for (const one of await storeBatch(options, { records, now, priceUnit, refused })) count(one);
  }
  return { undo, left: { hidden: [...hidden], kept: [...kept] }, priceUnit };
}

/** An added product is chosen whatever fields are, as it can only be reported. */
function createChoice({ isChosen, fields }: UndoPart = {}): (record: RowRecord) => boolean {
  const chosen = toUndone(fields);
  return (record) =>
    isChosen?.(record.row) !== false &&
    (record.action === "add" || Object.keys(sentBody(record)).some(chosen));
}

/** Fields that make up what a buyer pays: one means nothing without the others. */
const PRICE_FIELDS: readonly string[] = ["price", "currency", ...DISCOUNT_FIELDS];

/** Returns the function that says whether a field is undone where these are chosen. */
function toUndone(fields: readonly string[] | undefined): (field: string) => boolean {
  if (fields === undefined) return () => true;
  const isPrice = fields.some((field) => PRICE_FIELDS.includes(field));
  const chosen = new Set(isPrice ? [...fields, ...PRICE_FIELDS] : fields);
  return (field) => chosen.has(field);
}

const NO_UNDO: PlannedUndo["undo"] = {
  restore: 0,
  partly: 0,
  empty: 0,
  already: 0,
  "already-empty": 0,
  added: 0,
  kept: 0,
  "not-undoable": 0,
};

type Products = ReadonlyMap<string, StoreProduct>;

async function readNow(
  { journal, marketplace, codeKey, signal }: PlanUndoRowsOptions,
  records: readonly RowRecord[],
): Promise<Products> {
  const found = [...(await readProducts(idsOf(records), { marketplace, signal })).values()];
  await journal.saveSeen(
    found.map(({ status, product }) => ({
      codeKey: codeKey(product.product_code ?? ""),
      status,
      product,
    })),
  );
  return new Map(found.map(({ product }) => [product.id, product]));
}

interface UndoBatch extends Pick<UndoInput, "priceUnit" | "refused"> {
  readonly records: readonly RowRecord[];
  readonly now: Products;
}

async function storeBatch(
  options: PlanUndoRowsOptions,
  { records, now: products, ...known }: UndoBatch,
): Promise<readonly UndoDecision[]> {
  const { run, runId, journal, verificationLog, zeroStock, nameField, guards } = options;
  const { checkUpdate } = options.marketplace;
  const before = await verificationLog.readBefore(
    run.id,
    records.map(({ row }) => row),
  );
  const earlier = await readEarlier(options);
  const planned: UndoDecision[] = [];
  const parsed: ParsedRow[] = [];
  const overwritten: BeforeValue[] = [];
  for (const record of records) {
    const { row, code, codeKey } = record;
    const now = products.get(record.productId ?? "");
    const product = { before: before.get(row), now };
    const { formatValue, toCells } = await options.readTexts(record, product);
    const location = toRowLocation(run.file.sheet, record);
    const input = {
      ...known,
      ...product,
      record,
      earlier: earlier.filter((one) => one.record.productId === record.productId),
      fields: options.part?.fields,
      zeroStock,
      checkUpdate,
      guards,
      cost: options.costOf?.(record),
      nameField,
      formatValue,
      location,
    };
    const undo = planUndoRow(input);
    planned.push(undo);
    parsed.push({ row, cells: toCells(undo.decision), code, codeKey });
    if (SENT_OUTCOMES.has(undo.outcome) && now !== undefined) {
      overwritten.push({ row, product: now });
    }
  }
  await journal.appendRows(runId, parsed);
  await verificationLog.saveBefore(runId, overwritten);
  await journal.saveDecisions(
    runId,
    planned.map(({ decision }) => decision),
  );
  return planned;
}

async function readEarlier({
  part,
  journal,
  verificationLog,
}: PlanUndoRowsOptions): Promise<readonly ChangedProduct[]> {
  const found: ChangedProduct[] = [];
  for (const { runId, row } of part?.earlier ?? []) {
    const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
    if (record?.row !== row || record.action !== "update" || !hasSent(record)) continue;
    const before = (await verificationLog.readBefore(runId, [row])).get(row);
    found.push({ record, before });
  }
  return found;
}

/** The results that change a product. */
const SENT_OUTCOMES: ReadonlySet<UndoOutcome> = new Set(["restore", "partly", "empty"]);

/** Plans one row. Where only some fields can be restored, those are. */
export function planUndoRow(input: UndoInput): UndoDecision {
  const { record, now, location } = input;
  if (now === undefined) {
    return leave(input, "not-undoable", [toIssue("W_UNDO_MISSING", location)]);
  }
  return record.action === "add" ? undoAdd(input, now) : undoUpdate(input, now);
}

function undoAdd(input: UndoInput, now: StoreProduct): UndoDecision {
  const { location, zeroStock, refused } = input;
  const issue = toIssue(zeroStock ? "W_UNDO_ADD_EMPTIED" : "W_UNDO_ADD", location);
  if (!zeroStock) return leave(input, "added", [issue]);
  if (refused.has("stock_count")) {
    return leave(input, "not-undoable", [
      toIssue("W_FIELD_REFUSED", location, input.nameField("stock_count")),
    ]);
  }
  const { stock } = now;
  if (stock === 0) return leave(input, "already-empty", [toIssue("W_UNDO_ADD_EMPTY", location)]);
  const change = { field: "stock_count", new: 0, ...(stock == null ? {} : { old: stock }) };
  const { outcome, decision } = restore(input, [change], [issue]);
  return { outcome: outcome === "restore" ? "empty" : outcome, decision };
}

function undoUpdate(input: UndoInput, now: StoreProduct): UndoDecision {
  const { location, formatValue, nameField } = input;
  const steps = readSteps(input);
  const findings = [...readFindings(input, now, steps), ...readDiscount(input, now, steps)];
  const of = (kind: Finding["kind"]): readonly Finding[] =>
    findings.filter((finding) => finding.kind === kind);
  const kept = of("kept");
  const left = { hidden: fieldsOf(of("hidden")), kept: fieldsOf(kept) };
  const hidden = left.hidden.map((field) => nameField(field));
  const keptText = kept
    .map(
      ({ field, ours, shown }) =>
        `${nameField(field)}: ${formatValue(field, ours)} → ${formatValue(field, shown)}`,
    )
    .join("; ");
  const issues = [
    ...(kept.length === 0 ? [] : [toIssue("W_UNDO_KEPT", location, keptText)]),
    ...(hidden.length === 0 ? [] : [toIssue("W_UNDO_HIDDEN", location, hidden.join(", "))]),
  ];
  const changes = of("ours").map(({ field, shown, before }): FieldChange =>
    shown === undefined ? { field, new: before } : { field, old: shown, new: before },
  );
  if (changes.length > 0) {
    const restored = restore(input, changes, issues);
    const isWhole = hidden.length + kept.length === 0 || restored.outcome !== "restore";
    return isWhole ? restored : { ...restored, outcome: "partly", left };
  }
  if (kept.length > 0) return leave(input, "kept", issues);
  return leave(input, hidden.length > 0 ? "not-undoable" : "already", issues);
}

const fieldsOf = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ field }) => field);

interface Finding {
  readonly field: string;
  /** `ours` still has our value, `back` has the old value, `hidden` is not listed. */
  readonly kind: "ours" | "back" | "kept" | "hidden";
  readonly ours: unknown;
  readonly shown: unknown;
  readonly before: unknown;
}

const DISCOUNT: ReadonlySet<string> = new Set(DISCOUNT_FIELDS);

/** What one row has sent of the fields that are undone, and the product before it. */
interface UndoStep {
  readonly body: ProductChanges;
  readonly before: StoreProduct | undefined;
}

/** The requests that are undone, the newest first. */
function readSteps({ record, before, earlier = [], fields }: UndoInput): readonly UndoStep[] {
  const isUndone = toUndone(fields);
  return [{ record, before }, ...earlier].map((one) => ({
    body: Object.fromEntries(
      Object.entries(sentBody(one.record)).filter(([name]) => isUndone(name)),
    ),
    before: one.before,
  }));
}

function readFindings(
  input: UndoInput,
  now: StoreProduct,
  steps: readonly UndoStep[],
): readonly Finding[] {
  // Of each field, what was sent last counts, and what was listed before it was sent first.
  const body: ProductChanges = Object.assign({}, ...steps.map((step) => step.body).toReversed());
  const olds = new Map<string, unknown>();
  for (const step of steps) {
    const shown = shownOf(input, step.body, step.before);
    for (const field of Object.keys(step.body)) olds.set(field, shown.get(field)?.shown);
  }
  return [...shownOf(input, body, now)]
    .filter(([field]) => !DISCOUNT.has(field))
    .map(([field, { sent: ours, shown }]) => {
      const old = olds.get(field);
      return { field, ours, shown, before: old, kind: decideField(field, { ours, shown, old }) };
    });
}

type Values = Readonly<Record<"ours" | "shown" | "old", unknown>>;

function decideField(field: string, { ours, shown, old }: Values): Finding["kind"] {
  if (old === undefined || shown === undefined) return "hidden";
  if (isSameValue(shown, old)) return "back";
  if (isSameValue(shown, ours)) return "ours";
  // The store may keep images under its own addresses, so a difference does not prove a change.
  return field === "images" ? "hidden" : "kept";
}

type ShownValue = ReturnType<typeof readShown>[number];

function shownOf(
  { priceUnit }: UndoInput,
  body: ProductChanges,
  seen: StoreProduct | undefined,
): ReadonlyMap<string, ShownValue> {
  if (seen === undefined) return new Map();
  return new Map(readShown(body, { seen, priceUnit }).map((one) => [one.field, one]));
}

/** The three fields of a discount are restored together. */
function readDiscount(
  input: UndoInput,
  now: StoreProduct,
  steps: readonly UndoStep[],
): readonly Finding[] {
  const sent = steps.filter(({ body }) => body.has_discount !== undefined);
  const body = sent[0]?.body;
  if (body === undefined) return [];
  const before = discountOf(input, sent.at(-1)?.before);
  const shown = discountOf(input, now);
  const ours = { ...NO_DISCOUNT, ...(body.has_discount ? pickDiscount(body) : {}) };
  const base = { field: "has_discount", ours: ours.has_discount, shown: shown?.has_discount };
  if (before === undefined || shown === undefined) {
    return [{ ...base, before: undefined, kind: "hidden" }];
  }
  if (isSameValue(shown, before)) return [{ ...base, before: before.has_discount, kind: "back" }];
  if (!isSameValue(shown, ours)) return [{ ...base, before: before.has_discount, kind: "kept" }];
  const entries = Object.entries(before).filter(([, value]) => value !== undefined);
  const olds = new Map<string, unknown>(Object.entries(shown));
  return entries.map(([field, value]) => ({
    field,
    ours: olds.get(field),
    shown: olds.get(field),
    before: value,
    kind: "ours" as const,
  }));
}

type Discount = Required<{
  [Field in "has_discount" | "discount_type" | "discount_value"]: unknown;
}>;

const NO_DISCOUNT: Discount = {
  has_discount: false,
  discount_type: undefined,
  discount_value: undefined,
};

const pickDiscount = (body: ProductChanges): Discount => ({
  has_discount: body.has_discount,
  discount_type: body.discount_type,
  discount_value: body.discount_value,
});

/** Returns `undefined` where the listing does not show the whole discount. */
function discountOf(input: UndoInput, seen: StoreProduct | undefined): Discount | undefined {
  if (seen?.has_discount == null) return undefined;
  if (!seen.has_discount) return NO_DISCOUNT;
  // The values are not used; the body only names the three fields.
  const asked = { has_discount: true, discount_type: 1, discount_value: 1 } as const;
  const shown = shownOf(input, asked, seen);
  const type = shown.get("discount_type")?.shown;
  const value = shown.get("discount_value")?.shown;
  if (type === undefined || value === undefined) return undefined;
  return { has_discount: true, discount_type: type, discount_value: value };
}

function restore(
  input: UndoInput,
  changes: readonly FieldChange[],
  issues: readonly RowIssue[],
): UndoDecision {
  const { record, location } = input;
  const fields = Object.fromEntries(changes.map((change) => [change.field, change.new]));
  const checked = input.checkUpdate({ ...fields, product_id: record.productId });
  if (!checked.ok) {
    const names = changes.map(({ field }) => input.nameField(field)).join(", ");
    return leave(input, "not-undoable", [...issues, toIssue("W_UNDO_HIDDEN", location, names)]);
  }
  const payload = checked.body;
  const { guards = ALL_GUARDS, cost, now: seen, priceUnit } = input;
  const sale = { sent: payload, cost, seen, lastSent: undefined, priceUnit };
  const held = guardCost(sale, { guards, locationOf: () => location });
  const update = { action: "update", payload, changes, issues: [...issues, ...held] } as const;
  const state = held.length === 0 ? "ready" : "held";
  return { outcome: "restore", decision: { ...baseOf(record), ...update, state } };
}

function leave(
  { record }: UndoInput,
  outcome: Exclude<UndoOutcome, "restore" | "partly" | "empty">,
  issues: readonly RowIssue[],
): UndoDecision {
  const state = outcome.startsWith("already") ? "unchanged" : "skipped";
  const nothing = { action: null, payload: null, changes: [] };
  return { outcome, decision: { ...baseOf(record), ...nothing, state, issues } };
}

const baseOf = ({ row, productId }: RowRecord): Pick<RowDecision, "row" | "productId"> => ({
  row,
  productId,
});
