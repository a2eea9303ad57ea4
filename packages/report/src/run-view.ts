/**
 * A run as a page shows it: its rows with values in words, and counts by reason to wait, by changed
 * field and by mistake.
 */

import { type Connection, fieldLabel } from "@catalog/connection";
import { formatMinor, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import {
  type ActionName,
  comparePaidPrices,
  type GuardName,
  guardOf,
  hasSent,
  isAction,
  rowAddress,
  type RowIssue,
  type RowRecord,
  type RowState,
  type RunRecord,
  sendsStock,
  type PaidPrices,
} from "@catalog/runs";

import { findColumn, listWordsOf, rowWordsOf, wordsOfList } from "./action-words.ts";
import {
  firstImage,
  isIdField,
  payloadBefore,
  PRICE_LABELS,
  UNKNOWN_VALUE,
} from "./field-values.ts";
import { createReasonCount, type Reason } from "./html/page-parts.ts";
import { withOldPrice } from "./html/report-page.ts";
import { createFieldCount, type SentField } from "./plan/biggest-changes.ts";
import { createShowValue, type ShownValue, type ShowValue } from "./plan/new-products.ts";
import { readReported, type ReportedRow, readReportedRows } from "./reported-rows.ts";
import { describeGuard, type ResultClass, resultText, toResultClass } from "./result-texts.ts";

/** A guard, a suspect code, or any other reason. */
type HeldGroup = GuardName | "alike" | "other";

const OTHER_TEXTS: Readonly<Record<Exclude<HeldGroup, GuardName>, Localized>> = {
  alike: { tr: "Ürün kodu kuşkulu", en: "Suspect product code" },
  other: { tr: "Başka bir nedenle bekleyenler", en: "Held for another reason" },
};

const groupOf = (issue: RowIssue): Exclude<HeldGroup, "other"> | undefined =>
  issue.code === "E_CODE_SUSPECT" ? "alike" : guardOf(issue);

/** The groups of a row, each with its name; none where the row is not held. */
export function readHeldGroups({
  state,
  issues,
}: Pick<RowRecord, "state" | "issues">): ReadonlyMap<HeldGroup, Localized> {
  const groups = new Map<HeldGroup, Localized>();
  if (state !== "held") return groups;
  for (const issue of issues) {
    const group = groupOf(issue);
    if (group === undefined || groups.has(group)) continue;
    groups.set(group, describeGuard(issue) ?? OTHER_TEXTS.alike);
  }
  if (groups.size === 0) groups.set("other", OTHER_TEXTS.other);
  return groups;
}

/** Rows that are held for the same reason; a row with two reasons counts for both. */
interface HeldTally {
  readonly group: HeldGroup;
  readonly label: Localized;
  readonly rows: number;
}

/** Updates that change a field; held ones are not among them. */
interface FieldTally {
  readonly field: string;
  readonly rows: number;
}

/** Rows whose issues have the same code. */
interface ReasonTally {
  readonly code: string;
  /** Their text, or what their texts have in common. */
  readonly label: string;
  readonly rows: number;
}

export interface RunTally {
  readonly held: readonly HeldTally[];
  readonly fields: readonly FieldTally[];
  /** Reasons of rows, in the language that was asked for, each code once. */
  readonly reasons: readonly ReasonTally[];
  /** Every field that is sent, with what is known of it in this store. */
  readonly sent: readonly SentField[];
  /** Held rows whose stock is sent all the same. */
  readonly stock: number;
  /** Held rows whose stock was sent. */
  readonly stockSent: number;
  /** Whether a row has sent something, whatever became of its rest. */
  readonly hasSent: boolean;
  /** What a list of actions does and has done, as parts of a sentence; none for products. */
  readonly deeds: { readonly will: readonly string[]; readonly done: readonly string[] };
}

/** Rows whose update is sent, or was. */
const UPDATES = new Set<RowRecord["state"]>(["ready", "sending", "ambiguous", "done"]);

const TO_SEND = new Set<RowRecord["state"]>(["ready", "held"]);

/** Reads every row of the run once. */
export async function readTally(
  connection: Connection,
  run: RunRecord,
  lang: Lang,
): Promise<RunTally> {
  const held = new Map<HeldGroup, { label: Localized; rows: number }>();
  const fields = new Map<string, number>();
  const reasons = createReasonCount({ lang });
  const sent = createFieldCount();
  let stock = 0;
  let stockSent = 0;
  let isSent = false;
  const deeds = createDeedCount();
  for await (const rows of readReported(connection, run)) {
    for (const row of rows) {
      reasons.observe(row);
      if (sendsStock(row)) stock += 1;
      if (row.state === "held" && hasSent(row)) stockSent += 1;
      isSent ||= hasSent(row);
      if (TO_SEND.has(row.state)) sent.observe(row);
      countFields(fields, row);
      countGroups(held, row);
      deeds.observe(row);
    }
  }
  const learned = run.facts?.capabilities ?? (await connection.verificationLog.readCapabilities());
  return {
    held: [...held]
      .map(([group, { label, rows }]) => ({ group, label, rows }))
      .toSorted((a, b) => rankOf(a.group) - rankOf(b.group)),
    fields: [...fields]
      .map(([field, rows]) => ({ field, rows }))
      .toSorted((a, b) => b.rows - a.rows),
    reasons: joinReasons(reasons.list(), lang),
    sent: sent.list(learned),
    stock,
    stockSent,
    hasSent: isSent,
    deeds: deeds.list(lang),
  };
}

const countOne = (counts: Map<ActionName, number>, action: ActionName): unknown =>
  counts.set(action, (counts.get(action) ?? 0) + 1);

/** Counts the rows of each action. */
function createDeedCount() {
  const will = new Map<ActionName, number>();
  const done = new Map<ActionName, number>();
  return {
    observe({ action, state }: RowRecord): void {
      if (!isAction(action) || !UPDATES.has(state)) return;
      countOne(will, action);
      if (state === "done") countOne(done, action);
    },
    list: (lang: Lang): RunTally["deeds"] => ({
      will: [...will].map(([action, rows]) => wordsOfList(action).asked(rows, lang)),
      done: [...done].map(([action, rows]) => wordsOfList(action).done(rows, lang)),
    }),
  };
}

/** Rows are chosen by code, so that texts which only differ in their values are one reason. */
function joinReasons(reasons: readonly Reason[], lang: Lang): readonly ReasonTally[] {
  const byCode = Map.groupBy(reasons, ({ code }) => code);
  return [...byCode].map(([code, texts]) => ({
    code,
    label: describeReasons(texts, lang),
    rows: texts.reduce((sum, { count }) => sum + count, 0),
  }));
}

function describeReasons([first, ...others]: readonly Reason[], lang: Lang): string {
  if (first === undefined) return "";
  if (others.length === 0) return first.message;
  return describeGuard(first)?.[lang] ?? `${first.message} ${AND_SIMILAR[lang]}`;
}

const AND_SIMILAR: Localized = { tr: "(ve benzerleri)", en: "(and similar ones)" };

/**
 * Last come the rows whose discount stays above the new price, which are many and mostly harmless:
 * they would bury the others.
 */
const rankOf = (group: HeldGroup): number => LAST_GROUPS.indexOf(group);

const LAST_GROUPS: readonly HeldGroup[] = ["discount-price", "other"];

function countFields(fields: Map<string, number>, { action, state, changes }: RowRecord): void {
  if (action !== "update" || !UPDATES.has(state)) return;
  for (const { field } of changes) fields.set(field, (fields.get(field) ?? 0) + 1);
}

function countGroups(
  counted: Map<HeldGroup, { label: Localized; rows: number }>,
  row: Pick<RowRecord, "state" | "issues">,
): void {
  for (const [group, label] of readHeldGroups(row)) {
    counted.set(group, { label, rows: (counted.get(group)?.rows ?? 0) + 1 });
  }
}

/** A value that a row sends. */
export interface ViewedChange {
  /** Name in the API; `paid_price` is what the buyer pays. */
  readonly field: string;
  readonly label: string;
  /**
   * `null` where the store has none, or does not show it; a name that the store has, and does not
   * show, is shown as unknown.
   */
  readonly before: string | null;
  readonly after: string;
  /** Signed change of a price in percent; `null` where it has none. */
  readonly percent: number | null;
}

/** A row in the words of a language. */
export interface ViewedRow {
  readonly row: number;
  readonly state: RowState;
  /** As people name the row. */
  readonly name: string;
  readonly code: string | null;
  readonly title: string | null;
  readonly resultClass: ResultClass;
  /** For an action that is still to be carried out, what it will do. */
  readonly resultText: string;
  readonly action: RowRecord["action"];
  readonly changes: readonly ViewedChange[];
  readonly issues: readonly RowIssue[];
  readonly productId: string | null;
  /** Address of the product's page; `null` where the store does not show one. */
  readonly link: string | null;
  /** Address of the product's first image. */
  readonly image: string | null;
}

/** Makes views of rows of one run, in the same order. */
export type ViewRows = (rows: readonly ReportedRow[]) => Promise<readonly ViewedRow[]>;

/** Creates the function for a run and a language. Makes no call. */
export function createRowViews(connection: Connection, stored: RunRecord, lang: Lang): ViewRows {
  const run = { ...stored, lang };
  const show = createShowValue(connection, run);
  const titleOf = createTitleOf(run);
  const viewRow = async (record: ReportedRow, product: StoreView): Promise<ViewedRow> => ({
    row: record.row,
    state: record.state,
    name: rowAddress(run.file, record.row),
    code: record.code,
    title: titleOf(record) ?? product.title,
    resultClass: toResultClass(record),
    resultText: planText(record, lang) ?? resultText(run, record),
    action: record.action,
    changes: [
      ...(await viewChanges(await withOldPrice(connection, run, record), { show, lang })),
      ...viewReason(record, lang),
    ],
    issues: record.issues,
    productId: record.productId,
    link: product.link,
    image: firstImage(record.payload?.images) ?? product.image,
  });
  return async (rows) => {
    const products = await readProducts(connection, rows);
    const views: ViewedRow[] = [];
    for (const record of rows) {
      const product = products.get(record.codeKey ?? "") ?? NOT_SHOWN;
      views.push(await viewRow(record, product));
    }
    return views;
  };
}

const planText = ({ state, action }: RowRecord, lang: Lang): string | undefined =>
  state === "ready" ? rowWordsOf(action)?.plan[lang] : undefined;

const REASON: Localized = { tr: "Gerekçe", en: "Reason" };

/** What is written to the buyer or the marketplace with a decision; an answer is a change itself. */
function viewReason({ action, call }: RowRecord, lang: Lang): readonly ViewedChange[] {
  if (action === "reply") return [];
  const { reason, message } = { reason: undefined, message: undefined, ...call };
  const text = reason ?? message;
  if (typeof text !== "string" || text === "") return [];
  return [{ field: "reason", label: REASON[lang], before: null, after: text, percent: null }];
}

/** The title that a row itself gives to its product, or what it says of its subject. */
function createTitleOf(run: RunRecord): (row: RowRecord) => string | undefined {
  const about = listWordsOf(run)?.about;
  const titleAt =
    about === undefined
      ? (run.facts?.reading?.columns.used?.indexOf("title") ?? -1)
      : (findColumn(run, about) ?? -1);
  return ({ payload, cells }) => payload?.title ?? toText(cells[titleAt]);
}

/** Reads the titles of rows of one run as the page shows them, in the same order. */
export function createReadTitles(
  connection: Pick<Connection, "journal">,
  run: RunRecord,
): (rows: readonly RowRecord[]) => Promise<readonly (string | null)[]> {
  const titleOf = createTitleOf(run);
  return async (rows) => {
    const own = rows.map((row) => titleOf(row));
    const products = await readProducts(
      connection,
      rows.filter((_, at) => own[at] === undefined),
    );
    return rows.map((row, at) => own[at] ?? products.get(row.codeKey ?? "")?.title ?? null);
  };
}

interface StoreView {
  readonly title: string | null;
  readonly link: string | null;
  readonly image: string | null;
}

const NOT_SHOWN: StoreView = { title: null, link: null, image: null };

async function readProducts(
  { journal }: Pick<Connection, "journal">,
  rows: readonly RowRecord[],
): Promise<ReadonlyMap<string, StoreView>> {
  const keys = rows.map(({ codeKey }) => codeKey).filter((key) => key !== null);
  if (keys.length === 0) return new Map();
  const products = new Map<string, StoreView>();
  for (const { codeKey, product } of await journal.readSeenByCode([...new Set(keys)])) {
    const { title, url, images } = product;
    products.set(codeKey, {
      title: title ?? null,
      link: url ?? null,
      image: firstImage(images),
    });
  }
  return products;
}

const toText = (cell: RowRecord["cells"][number] | undefined): string | undefined =>
  String(cell ?? "").trim() || undefined;

interface Showing {
  readonly show: ShowValue;
  readonly lang: Lang;
}

interface RowValues {
  readonly isAdd: boolean;
  readonly changes: readonly RowRecord["changes"][number][];
  readonly paid: PaidPrices | undefined;
}

/** The fields of an add have no old values; those of an update are its changes. */
function toValues({ action, payload, changes, paid }: ReportedRow): RowValues {
  if (action !== "add" || payload === null) return { isAdd: false, changes, paid };
  const fields = Object.entries(payload).map(([field, value]) => ({ field, new: value }));
  return { isAdd: true, changes: fields, paid: comparePaidPrices(payload, payload) };
}

export async function viewChanges(
  record: ReportedRow,
  { show, lang }: Showing,
): Promise<readonly ViewedChange[]> {
  const { isAdd, changes, paid } = toValues(record);
  const before = { ...record, payload: payloadBefore(record) };
  const views: ViewedChange[] = paid === undefined ? [] : [viewPaid(paid, { isAdd, lang })];
  for (const { field, old, new: next } of changes) {
    const isListPrice = field === "price" && paid !== undefined;
    const was = old === undefined || old === null ? null : await show(before, field, old);
    views.push({
      field,
      label: isListPrice ? PRICE_LABELS.list[lang] : fieldLabel(field, lang),
      before: isAdd ? null : formatOld(field, was, lang),
      after: format(await show(record, field, next), lang),
      percent: field === "price" && !isListPrice ? percentOf(old, next) : null,
    });
  }
  return views;
}

/** The price before the discount shows no percentage beside this one. */
function viewPaid(
  { old, new: next }: PaidPrices,
  { isAdd, lang }: Pick<Showing, "lang"> & { readonly isAdd: boolean },
): ViewedChange {
  return {
    field: "paid_price",
    label: PRICE_LABELS.paid[lang],
    before: isAdd ? null : formatMinor(old, lang),
    after: next === undefined ? PRICE_LABELS.unsure[lang] : formatMinor(next, lang),
    percent: isAdd || next === old ? null : percentOf(old, next),
  };
}

/** A name that the listing does not show is shown as unknown. */
function formatOld(field: string, was: ShownValue | null, lang: Lang): string | null {
  if (was !== null) return format(was, lang);
  return isIdField(field) ? UNKNOWN_VALUE[lang] : null;
}

function format({ cell, isAmount }: ShownValue, lang: Lang): string {
  if (typeof cell !== "number") return String(cell ?? "");
  return isAmount === true ? formatMinor(cell * 100, lang) : formatNumber(cell, lang);
}

/** With one decimal; `null` where there is no old value to compare with. */
function percentOf(old: unknown, next: unknown): number | null {
  if (typeof old !== "number" || typeof next !== "number" || old === 0) return null;
  return ((next - old) / old) * 100;
}

/** Reads views of the rows with these numbers, in their order; unknown numbers are left out. */
export async function readRowViews(
  connection: Connection,
  run: RunRecord,
  { rows, lang }: { readonly rows: readonly number[]; readonly lang: Lang },
): Promise<readonly ViewedRow[]> {
  const records = await readReportedRows(connection, run, rows);
  return await createRowViews(connection, run, lang)(records);
}
