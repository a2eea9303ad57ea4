/** Orders, a row for each item or package; questions and payment records. */

import { createHash } from "node:crypto";

import { listOrders } from "@catalog/connection";
import {
  endpoints,
  MAX_PAGE_SIZE,
  type Payment,
  type Question,
  type toOrders,
  type InputOf,
} from "@catalog/contract";
import type { PriceUnit } from "@catalog/runs";

import { withUnit } from "../columns/amount-columns.ts";
import {
  type ListedOrderItem,
  ORDER_COLUMNS,
  ORDER_PACKAGE_COLUMNS,
  toChangeColumn,
} from "../columns/order-columns.ts";
import { maskName, maskWords, type OutColumn } from "../columns/out-column.ts";
import { PAYMENT_COLUMNS, QUESTION_COLUMNS } from "../columns/record-columns.ts";
import {
  type ExportCheckpoint,
  type ListingsEnd,
  readListings,
  type StagedItem,
} from "../read-listings.ts";
import { readTimestamp } from "../timestamps.ts";
import {
  createListing,
  type ExportPeriod,
  parseFilters,
  readIfGranted,
  type Source,
  type SourceContext,
  startDate,
} from "./source.ts";

const DAY_SECONDS = 24 * 60 * 60;
const DEFAULT_DAYS = 30;

/** Days of one call; the listing of orders has no pages, so a long period is split. */
const WINDOW_DAYS = 30;

interface OrderRows {
  readonly unit: PriceUnit;
  readonly per: "item" | "package";
  /** Whether cells offer the contracted shipping companies. */
  readonly isOffered: boolean;
}

/** A row for each item, or each package, of each order. */
export function createOrderSource(
  context: SourceContext,
  { unit, per, isOffered }: OrderRows,
): Source<ListedOrderItem> {
  const { job, since } = context;
  const items = (): AsyncIterable<ListedOrderItem> => job.items({ isNotYetWritten: false });
  let written: ReadonlySet<string> = new Set();
  const isWritten = ({ id }: ListedOrderItem): boolean => written.has(id);
  const rows = withUnit(per === "package" ? ORDER_PACKAGE_COLUMNS : ORDER_COLUMNS, unit);
  let columns: Promise<typeof rows> | undefined;
  // Filters that the marketplace refuses are refused before the period is told.
  toWindows(context).next([]);
  return {
    period: toPeriod(context),
    async read() {
      const end = await readOrders(context, toWindows(context), per);
      if (since === undefined || end.isStopped) return end;
      written = await job.readSeen(await Array.fromAsync(items(), ({ id }) => id));
      return end;
    },
    async columns() {
      columns ??= isOffered ? offerCompanies(context, rows) : Promise.resolve(rows);
      const all = await columns;
      return since === undefined ? all : [toChangeColumn(isWritten), ...all];
    },
    prepare: createRowCompletion(context),
    timestampOf: ({ order }) => readTimestamp(order.order_date),
    isNew: (item) => !isWritten(item) || since?.counts[item.id] !== fingerprint(item),
    counts: async () =>
      Object.fromEntries(
        await Array.fromAsync(items(), (item) => [item.id, fingerprint(item)] as const),
      ),
  };
}

/** Distinguishes an item from its earlier states; hidden and plain addresses make no difference. */
function fingerprint({ order, package: box, item, items }: ListedOrderItem): number {
  const text = JSON.stringify([withoutContact(order), box, items ?? item]);
  return createHash("sha256").update(text).digest().readUIntBE(0, FINGERPRINT_BYTES);
}

/** More names than these are no list to choose from. */
const MAX_COMPANIES = 500;
const MAX_COMPANY_CHARS = 100;

/** Lets cells offer the contracted companies, where the marketplace gives their list. */
async function offerCompanies<Row>(
  { client, signal }: SourceContext,
  columns: readonly OutColumn<Row>[],
): Promise<readonly OutColumn<Row>[]> {
  const companies = await readIfGranted(() =>
    client.shipping.contractedCompanies({}, signal === undefined ? {} : { signal }),
  );
  const names = companies?.map(({ name }) => name.trim()) ?? [];
  const suggestions = [...new Set(names)]
    .filter((name) => name !== "" && name.length <= MAX_COMPANY_CHARS)
    .slice(0, MAX_COMPANIES);
  return columns.map((column) =>
    column.key === "shipping_company" ? { ...column, suggestions } : column,
  );
}

/**
 * Marks the rows that follow another one of the same order or package, and gives a status without
 * words those of the marketplace's list.
 */
function createRowCompletion({
  client,
  signal,
}: SourceContext): (row: ListedOrderItem) => Promise<ListedOrderItem> {
  const orders = new Set<string>();
  const packages = new Set<string>();
  let words: Promise<ReadonlyMap<number, string>> | undefined;
  const readWords = async (): Promise<ReadonlyMap<number, string>> => {
    const list = await readIfGranted(() =>
      client.order.statusCodes({}, signal === undefined ? {} : { signal }),
    );
    return new Map(list?.map(({ code, description }) => [code, description ?? ""]));
  };
  return async (row) => {
    const { order, package: box } = row;
    const key = box === undefined ? undefined : `${order.code} ${box.package_id}`;
    const followsInOrder = orders.has(order.code);
    const followsInPackage = key !== undefined && packages.has(key);
    orders.add(order.code);
    if (key !== undefined) packages.add(key);
    const { status, status_explained: known } = box ?? {};
    if (box === undefined || status === undefined || status === null || known) {
      return { ...row, followsInOrder, followsInPackage };
    }
    words ??= readWords();
    const status_explained = (await words).get(status) ?? known;
    return { ...row, followsInOrder, followsInPackage, package: { ...box, status_explained } };
  };
}

/** As many as a number holds exactly. */
const FINGERPRINT_BYTES = 6;

/** Chooses the next call by how many items each earlier one found; `undefined` after the last. */
interface OrderWindows {
  next(found: readonly number[]): InputOf<"order.list"> | undefined;
  /** Number of calls; `undefined` where it depends on what they find. */
  readonly count?: number;
}

async function readOrders(
  context: SourceContext,
  windows: OrderWindows,
  per: OrderRows["per"],
): Promise<ListingsEnd> {
  const { client, clock, job, stop, signal } = context;
  const options = signal === undefined ? {} : { signal };
  const { lanes = {} } = (await job.readCheckpoint()) ?? {};
  const counts = Object.values(lanes).map(({ found }) => found);
  const isStopped = (): boolean => stop?.aborted === true;
  const callsLeft = (): number | undefined => windows.count && windows.count - counts.length;
  context.onPlan(callsLeft() ?? 0);
  let items = 0;
  for (;;) {
    const query = windows.next(counts);
    if (query === undefined) break;
    if (isStopped()) return { ...ALL_READ, isStopped: true };
    let found = 0;
    for await (const orders of listOrders(client.order, { query, options, clock })) {
      if (isStopped()) return { ...ALL_READ, isStopped: true };
      const part = orders.flatMap((order) => toItems(order, context.withContact, per));
      found += part.length;
      // A window that was read in part is read anew by an export that goes on.
      items += await job.save(part, () => ({ lanes: toLanes(counts), parts: counts.length }));
      context.onPage({ items, expected: items, callsLeft: callsLeft() });
    }
    counts.push(found);
    await job.save([], () => ({ lanes: toLanes(counts), parts: counts.length }));
    context.onPage({ items, expected: items, callsLeft: callsLeft() });
  }
  return ALL_READ;
}

const ALL_READ: ListingsEnd = { isStopped: false, missing: 0, isChecked: true, isConsistent: true };

/** The number of items of each call, in their order. */
const toLanes = (counts: readonly number[]): ExportCheckpoint["lanes"] =>
  Object.fromEntries(counts.map((found, part) => [String(part), { found }]));

/** No order is older. */
const FIRST_ORDERS_S = Date.UTC(2000, 0, 1) / 1000;

/**
 * All orders, from the newest back to the year 2000. Each empty window doubles the next one, so that
 * the years before the store's first order cost a few calls, and a long pause hides nothing.
 */
function allWindows({ filters, job }: SourceContext): OrderWindows {
  const others = withoutAll(filters);
  const now = Math.ceil(job.begunAtMs / 1000);
  return {
    next(counts) {
      let [end, days] = [now, WINDOW_DAYS];
      for (const found of counts) {
        end -= days * DAY_SECONDS;
        days = found === 0 ? days * 2 : WINDOW_DAYS;
      }
      if (end <= FIRST_ORDERS_S) return undefined;
      return parseFilters(endpoints.order.list, {
        ...others,
        start_date: Math.max(FIRST_ORDERS_S, end - days * DAY_SECONDS),
        // Ends may be exclusive, so windows overlap by a second.
        end_date: end + 1,
      });
    },
  };
}

const toFixedWindows = (queries: readonly InputOf<"order.list">[]): OrderWindows => ({
  count: queries.length,
  next: (counts) => queries[counts.length],
});

/**
 * Windows of at most {@link WINDOW_DAYS} days; they overlap by a second, as their ends may be
 * exclusive.
 */
function toWindows(context: SourceContext): OrderWindows {
  const { filters, since, job } = context;
  if (since !== undefined) {
    const passed = Math.ceil((job.begunAtMs - since.begunAtMs) / 1000 / DAY_SECONDS) + 1;
    return toFixedWindows([
      parseFilters(endpoints.order.list, { ...withoutAll(filters), days: passed, updates_only: 1 }),
    ]);
  }
  if (isAll(filters)) return allWindows(context);
  if (!isDated(filters)) {
    return toFixedWindows([parseFilters(endpoints.order.list, { days: DEFAULT_DAYS, ...filters })]);
  }
  const { from, to, whole } = parsePeriod(context);
  const step = WINDOW_DAYS * DAY_SECONDS;
  const count = Math.max(1, Math.ceil((to - from) / step));
  return toFixedWindows(
    Array.from({ length: count }, (_, index) => ({
      ...whole,
      start_date: from + index * step - (index === 0 ? 0 : 1),
      end_date: Math.min(to, from + (index + 1) * step),
    })),
  );
}

type Filters = SourceContext["filters"];

const isAll = ({ all }: Filters): boolean => all !== undefined;
const withoutAll = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => name !== "all"));
const isDated = (filters: Filters): boolean => "start_date" in filters || "end_date" in filters;

interface TypedPeriod {
  readonly from: number;
  readonly to: number;
  readonly whole: InputOf<"order.list">;
}

/** The period of the given dates, in seconds; without a start it has the default length. */
function parsePeriod({ filters, job }: SourceContext): TypedPeriod {
  const { end_date: end = Math.floor(job.begunAtMs / 1000), ...rest } = filters;
  const whole = parseFilters(endpoints.order.list, {
    start_date: Number(end) - DEFAULT_DAYS * DAY_SECONDS,
    ...rest,
    end_date: end,
  });
  return { from: whole.start_date ?? 0, to: whole.end_date ?? Number(end), whole };
}

/** The days of the file; those of an export of what is new begin with the last export. */
function toPeriod(context: SourceContext): ExportPeriod | undefined {
  const { filters, since, job } = context;
  if (since !== undefined) return undefined;
  const toMs = job.begunAtMs;
  if (isAll(filters)) return { fromMs: undefined, toMs, isDefault: false };
  if (isDated(filters) && filters["days"] === undefined) {
    const { from, to } = parsePeriod(context);
    return { fromMs: from * 1000, toMs: to * 1000, isDefault: false };
  }
  const days = Number(filters["days"] ?? DEFAULT_DAYS);
  const isDefault = filters["days"] === undefined;
  return { fromMs: toMs - days * DAY_SECONDS * 1000, toMs, isDefault };
}

type Orders = ReturnType<typeof toOrders>;

function toItems(
  full: Orders[number],
  withContact: boolean,
  per: OrderRows["per"],
): readonly StagedItem[] {
  const { packages, ...rest } = full;
  const order = withContact ? rest : withoutContact(rest);
  const rank = readTimestamp(order.order_date) ?? 0;
  const toItem = (key: string, listed: Omit<ListedOrderItem, "id">): StagedItem => {
    const id = `${order.code} ${key}`;
    return { id, rank, item: { id, ...listed } satisfies ListedOrderItem };
  };
  if (packages.length === 0) return [toItem("", { order })];
  return packages.flatMap(({ items, ...box }) => {
    const key = box.package_id;
    if (per === "package") return [toItem(key, { order, package: box, items: items ?? [] })];
    if (!items || items.length === 0) return [toItem(key, { order, package: box })];
    const total = box.shipping?.total_shipping_price;
    const repeatsShipping =
      items.length > 1 && items.every(({ shipping_amount: one }) => one === total);
    return items.map((item, index) =>
      toItem(`${key} ${index}`, { order, package: box, item, repeatsShipping }),
    );
  });
}

function withoutContact(order: ListedOrderItem["order"]): ListedOrderItem["order"] {
  return {
    ...order,
    email: maskWords(order.email ?? ""),
    shipping_address: maskWords(order.shipping_address ?? ""),
  };
}

/** A row for each question. */
export function createQuestionSource(context: SourceContext): Source<Question> {
  const { client, filters, since, signal, withNames } = context;
  const query = parseFilters(endpoints.question.list, filters);
  const listing = createListing({
    name: "questions",
    pageSize: MAX_PAGE_SIZE,
    query: {
      ...query,
      start_date: startDate(since, query.start_date),
      sort_by_date: "ascending" as const,
    },
    list: client.question.list,
    toItem(question: Question): StagedItem {
      const { id, full_name: name } = question;
      const shown = withNames || !name ? name : maskName(name);
      return { id, rank: 0, item: { ...question, full_name: shown } };
    },
    signal,
  });
  return {
    read: () => readListings({ listings: [listing], ...context }),
    columns: async () => QUESTION_COLUMNS,
    timestampOf: ({ created_at }) => readTimestamp(created_at),
  };
}

/** A row for each payment record; the specification does not state their order. */
export function createPaymentSource(context: SourceContext, priceUnit: PriceUnit): Source<Payment> {
  const { client, filters, since, signal, withNames } = context;
  const query = parseFilters(endpoints.payment.list, filters);
  const listing = createListing({
    name: "payments",
    pageSize: MAX_PAGE_SIZE,
    query: { ...query, start_date: startDate(since, query.start_date) },
    list: client.payment.list,
    toItem(payment: Payment): StagedItem {
      const { id, customer_name: name } = payment;
      const shown = withNames || !name ? name : maskName(name);
      const rank = readTimestamp(payment.created_at) ?? 0;
      return { id, rank, item: { ...payment, customer_name: shown } };
    },
    signal,
  });
  return {
    read: () => readListings({ listings: [listing], ...context }),
    columns: async () => withUnit(PAYMENT_COLUMNS, priceUnit),
    timestampOf: ({ created_at }) => readTimestamp(created_at),
  };
}
