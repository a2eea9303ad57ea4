/** A row of a run as a page shows it: values in words, with the product that the store shows. */

import { type Connection, fieldLabel } from "@catalog/connection";
import { formatMinor, formatNumber, type Lang } from "@catalog/i18n";
import {
  comparePaidPrices,
  type FieldChange,
  type PaidPrices,
  rowAddress,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

import { PRICE_LABELS } from "../buyer-price.ts";
import { payloadBefore } from "../field-value.ts";
import { firstImage } from "../first-image.ts";
import { withOldPrice } from "../html/old-prices.ts";
import { isIdField, UNKNOWN_VALUE } from "../id-names.ts";
import { createShowValue, type ShownValue, type ShowValue } from "../plan/shown-values.ts";
import type { ReportedRow } from "../reported-rows.ts";
import { type ResultClass, resultText, toResultClass } from "../result-texts.ts";

/** A value that a row sends. */
export interface ViewedChange {
  /** Name in the API; `paid_price` is what the buyer pays. */
  readonly field: string;
  readonly label: string;
  /**
   * `null` where the store has none, or does not show it; a name that the store has, and does not
   * show, is told to be unknown.
   */
  readonly before: string | null;
  readonly after: string;
  /** Signed change of a price in percent; `null` where it has none. */
  readonly percent: number | null;
}

/** A row in the words of a language. */
export interface ViewedRow {
  readonly row: number;
  /** As people name the row. */
  readonly name: string;
  readonly code: string | null;
  readonly title: string | null;
  readonly resultClass: ResultClass;
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
  const titleAt = run.facts?.reading?.columns.used?.indexOf("title") ?? -1;
  const viewRow = async (record: ReportedRow, product: StoreView): Promise<ViewedRow> => ({
    row: record.row,
    name: rowAddress(run.file, record.row),
    code: record.code,
    title: record.payload?.title ?? toText(record.cells[titleAt]) ?? product.title,
    resultClass: toResultClass(record),
    resultText: resultText(lang, record),
    action: record.action,
    changes: await viewChanges(await withOldPrice(connection, run, record), { show, lang }),
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

/**
 * Reads the titles that the store shows for the products of these rows, by code key. A row whose
 * file gives no title is shown with this one.
 */
export async function readStoreTitles(
  connection: Pick<Connection, "journal">,
  rows: readonly RowRecord[],
): Promise<ReadonlyMap<string, string>> {
  const products = await readProducts(connection, rows);
  return new Map(
    [...products].flatMap(([key, { title }]) => (title === null ? [] : [[key, title] as const])),
  );
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
  readonly changes: readonly FieldChange[];
  readonly paid: PaidPrices | undefined;
}

/** The fields of an add have no old values; those of an update are its changes. */
function toValues({ action, payload, changes, paid }: ReportedRow): RowValues {
  if (action !== "add" || payload === null) return { isAdd: false, changes, paid };
  const fields = Object.entries(payload).map(([field, value]) => ({ field, new: value }));
  return { isAdd: true, changes: fields, paid: comparePaidPrices(payload, payload) };
}

async function viewChanges(
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

/** A name that the listing does not show is told to be unknown. */
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
