/**
 * What has changed of one product, by our runs and by others, and how our changes are taken back.
 * Makes no call.
 */

import { type Connection, fieldLabel, priceUnitOf } from "@catalog/connection";
import { idSchemas, type ProductId } from "@catalog/contract";
import { formatMinor, formatNumber, type Lang } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";
import {
  createReadFieldTexts,
  formatFieldValue,
  readRowViews,
  type ViewedChange,
} from "@catalog/report";
import { hasSent, readPriceTag, type RowRecord, type RunRecord } from "@catalog/runs";
import { z } from "zod";

import type { PlanUndoOptions } from "../plan/plan-undo.ts";

/** The changes of single products of a store. */
interface ProductHistory {
  /**
   * Finds products by their id or code, among those that the store has shown and those that our runs
   * have sent; several may share a code.
   */
  find(text: string): Promise<readonly ProductId[]>;
  /**
   * Reads all changes of a product in the words of a language, the latest first: those of our runs, and
   * those of others that readings of the store have shown.
   */
  read(productId: ProductId, lang: Lang): Promise<readonly ProductChange[]>;
  /**
   * Finds what an undo takes back of a product: all updates of ours as one row, which brings each field
   * back to what it was before the first of them. Of a product that we have only added, the add.
   * `undefined` where no run of ours has changed it.
   */
  findUndo(productId: ProductId, fields?: readonly string[]): Promise<ProductUndo | undefined>;
}

/** The run whose undo takes back our changes of a product, and what is undone of it. */
interface ProductUndo extends Pick<PlanUndoOptions, "run"> {
  readonly part: NonNullable<PlanUndoOptions["part"]>;
  /** The product as people name it. */
  readonly product: string;
}

/** Creates the history of the products of a store. */
export const createProductHistory = (connection: Connection): ProductHistory => ({
  find: (text) => findProducts(connection, text),
  read: (productId, lang) => readProductHistory(connection, productId, lang),
  findUndo: (productId, fields) => findProductUndo(connection, productId, fields),
});

/** A row that has sent something about a product, and its run. */
interface ProductRow {
  readonly run: RunRecord;
  readonly record: RowRecord;
}

type Rows = Pick<Connection, "journal" | "runs">;

/**
 * Reads the rows that have sent something about the product, over all runs, the latest first. Of runs
 * whose rows were deleted only those are left whose values no later run has sent again.
 */
async function readProductRows(
  { journal, runs }: Rows,
  productId: ProductId,
): Promise<readonly ProductRow[]> {
  const read = new Map<string, ProductRow | undefined>();
  const readAll = async (codeKeys: readonly string[]): Promise<readonly ProductRow[]> => {
    const rows: ProductRow[] = [];
    for (const { runId, row } of await journal.findProductRows({ productId, codeKeys })) {
      const key = `${runId} ${row}`;
      if (!read.has(key)) read.set(key, await readSent({ journal, runs }, runId, row));
      const found = read.get(key);
      if (found !== undefined) rows.push(found);
    }
    return rows;
  };
  const kept = await readAll([]);
  const listed = await journal.readSeenById([productId]);
  const keys = [
    ...kept.map(({ record }) => record.codeKey ?? ""),
    ...listed.map((one) => one.codeKey),
  ].filter((key) => key !== "");
  return keys.length === 0 ? kept : await readAll([...new Set(keys)]);
}

async function readSent(
  { journal, runs }: Rows,
  runId: string,
  row: number,
): Promise<ProductRow | undefined> {
  const run = await runs.read(runId);
  const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  if (run === undefined || record?.row !== row || !hasSent(record)) return undefined;
  return { run, record };
}

/** A change of one field of a product. */
interface ProductChange extends Pick<ViewedChange, "field" | "label" | "before"> {
  /** `null` where the store shows none, and of the line that says that the product was added. */
  readonly after: string | null;
  /** When our request was answered, or the change of others was seen; in milliseconds since 1970. */
  readonly atMs: number;
  /** The run and row of ours; `undefined` of a change of others. */
  readonly ours?: { readonly run: RunRecord; readonly row: number } | undefined;
  /** When others had not changed it yet, in milliseconds since 1970. @default not known */
  readonly sinceMs?: number | undefined;
  /**
   * The field to name where the change is taken back; `null` where it is not the latest one of its
   * field, was made by others or by an add.
   */
  readonly undoField: string | null;
}

/** The field of the line that says that a product was added. */
const ADDED_FIELD = "product";

const ADDED: Readonly<Record<Lang, string>> = { tr: "Ürün eklendi", en: "Product added" };

/** Fields of an add that are lines of their own. */
const ADDED_FIELDS: ReadonlySet<string> = new Set(["price", "paid_price", "stock_count"]);

/** Fields that say nothing beside what the buyer pays. */
const DISCOUNT_PARTS: ReadonlySet<string> = new Set(["has_discount", "discount_type"]);

/** What one says of the others: a price is changed and taken back with its discount and currency. */
const PRICE_PARTS: ReadonlySet<string> = new Set([
  "price",
  "paid_price",
  "currency",
  "discount_value",
  ...DISCOUNT_PARTS,
]);

const toUndoField = (field: string): string => (PRICE_PARTS.has(field) ? "price" : field);

/** Changes of others that are read. */
const MAX_OTHERS = 500;

async function readProductHistory(
  connection: Connection,
  productId: ProductId,
  lang: Lang,
): Promise<readonly ProductChange[]> {
  const lines: Line[] = [];
  for (const row of await readProductRows(connection, productId)) {
    lines.push(...(await readLines(connection, row, lang)));
  }
  lines.push(...(await readOthers(connection, productId, lang)));
  // The fields of a price are changed by one row, and taken back together.
  const latest = new Map<string, Line>();
  const history: ProductChange[] = [];
  for (const { isAdd = false, ...line } of lines.toSorted((a, b) => b.atMs - a.atMs)) {
    const field = toUndoField(line.field);
    const last = latest.get(field) ?? line;
    latest.set(field, last);
    const isLatest = line.ours !== undefined && line.ours === last.ours;
    history.push({ ...line, undoField: isLatest && !isAdd ? field : null });
  }
  return history;
}

interface Line extends Omit<ProductChange, "undoField"> {
  readonly isAdd?: boolean;
}

async function readLines(
  connection: Connection,
  { run, record }: ProductRow,
  lang: Lang,
): Promise<readonly Line[]> {
  const { row, action, updatedAtMs: atMs } = record;
  const isAdd = action === "add";
  const base = { atMs, ours: { run, row }, isAdd };
  const changes = await viewChanges(connection, { run, record }, lang);
  const isPaid = changes.some(({ field }) => field === "paid_price");
  const isSent = sentFields(record);
  const lines = changes
    .filter(({ field }) => (isAdd ? ADDED_FIELDS.has(field) : isSent(field)))
    .filter(({ field }) => !(isPaid && DISCOUNT_PARTS.has(field)))
    .map(({ field, label, before, after }) => Object.assign({ field, label, before, after }, base));
  if (!isAdd) return lines;
  const added = { ...base, field: ADDED_FIELD, label: ADDED[lang], before: null, after: null };
  return [added, ...lines];
}

/** Of a run whose rows were deleted, the request and the product before it are left. */
async function viewChanges(
  connection: Connection,
  { run, record }: ProductRow,
  lang: Lang,
): Promise<readonly Pick<ViewedChange, "field" | "label" | "before" | "after">[]> {
  const { row, changes, payload } = record;
  if (changes.length > 0 || record.action === "add" || payload === null) {
    return (await readRowViews(connection, run, { rows: [row], lang }))[0]?.changes ?? [];
  }
  const seen = (await connection.verificationLog.readBefore(run.id, [row])).get(row);
  const priceUnit = run.facts?.priceUnit ?? "unknown";
  const olds = new Map<string, unknown>(
    seen === undefined
      ? []
      : Object.entries({
          ...seen,
          ...readPriceTag({ seen, priceUnit }),
          sub_title: seen.subtitle,
          stock_count: seen.stock,
        }),
  );
  const kept = Object.entries(payload)
    .filter(([field]) => field !== "product_id")
    .map(([field, value]) => ({ field, old: olds.get(field) ?? undefined, new: value }));
  const whole = { ...record, changes: kept };
  const texts = await createReadFieldTexts(connection, run)(whole);
  return kept.map(({ field, old, new: value }) => ({
    field,
    label: fieldLabel(field, lang),
    before: texts.replaced(whole, field, old, lang),
    after: texts.sent(record, field, value, lang),
  }));
}

/** A row whose price waits has only sent its stock. */
function sentFields({ state, changes }: RowRecord): (field: string) => boolean {
  if (state === "done") return () => true;
  const sent = new Set(changes.filter(({ part }) => part === "sent").map(({ field }) => field));
  return (field) => sent.has(field);
}

async function readOthers(
  connection: Connection,
  productId: ProductId,
  lang: Lang,
): Promise<readonly Line[]> {
  const { storeProducts } = connection.memory;
  const stored = (await priceUnitOf(connection).stored())?.unit;
  const words = { lang, priceUnit: connection.priceUnit ?? stored ?? "unknown" } as const;
  const changes = await storeProducts.readChanges(productId, MAX_OTHERS);
  return changes.map(({ field, before, after, sinceMs, atMs }) => ({
    field,
    label: field === "status" ? (STATUS[lang]["label"] ?? field) : fieldLabel(field, lang),
    before: formatShown(field, before, words),
    after: formatShown(field, after, words),
    sinceMs,
    atMs,
  }));
}

const STATUS: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  tr: { label: "Durum", approved: "Yayında", passive: "Pasif", veto: "Reddedildi" },
  en: { label: "Status", approved: "On sale", passive: "Passive", veto: "Refused" },
};

interface ShownWords {
  readonly lang: Lang;
  readonly priceUnit: "minor" | "major" | "unknown";
}

const discountValue = z.object({
  type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  value: z.number(),
});

/** Formats a value as the listing shows it; amounts are in the unit of the listing. */
function formatShown(
  field: string,
  value: unknown,
  { lang, priceUnit }: ShownWords,
): string | null {
  if (value === undefined || value === null) return null;
  if (field === "status" && typeof value === "string") return STATUS[lang][value] ?? value;
  const money = (amount: number): string => {
    if (priceUnit === "unknown") return formatNumber(amount, lang);
    return formatMinor(priceUnit === "minor" ? amount : Math.round(amount * 100), lang);
  };
  if (field === "price" && typeof value === "number") return money(value);
  const discount = field === "discount_value" ? discountValue.safeParse(value).data : undefined;
  return discount === undefined
    ? formatFieldValue(field, value, { payload: null, lang })
    : formatDiscount(discount, money, lang);
}

function formatDiscount(
  { type, value }: z.infer<typeof discountValue>,
  money: (amount: number) => string,
  lang: Lang,
): string {
  if (type !== 2) return type === 1 ? `−${money(value)}` : money(value);
  const percent = formatNumber(value, lang);
  return lang === "tr" ? `%${percent}` : `${percent}%`;
}

async function findProductUndo(
  connection: Rows,
  productId: ProductId,
  fields: readonly string[] | undefined,
): Promise<ProductUndo | undefined> {
  const rows = await readProductRows(connection, productId);
  const updates = rows.filter(({ record }) => record.action === "update");
  const [latest, ...earlier] = updates.length === 0 ? rows.slice(0, 1) : updates;
  if (latest === undefined) return undefined;
  const { run, record } = latest;
  return {
    run,
    part: {
      isChosen: (row) => row === record.row,
      fields,
      earlier: earlier.map((one) => ({ runId: one.run.id, row: one.record.row })),
    },
    product: record.code ?? productId,
  };
}

async function findProducts(
  { journal }: Pick<Connection, "journal">,
  text: string,
): Promise<readonly ProductId[]> {
  const id = idSchemas.product.parse(text);
  const known = await journal.readSeenById([id]);
  const rows = await journal.findProductRows({ productId: id, codeKeys: [] });
  if (known.length + rows.length > 0) return [id];
  const key = codeKey(text);
  const listed = await journal.readSeenByCode([key]);
  const sent = await journal.findSentProducts(key);
  return [...new Set([...listed.map(({ product }) => product.id), ...sent])];
}
