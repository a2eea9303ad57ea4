/** Questions, payment records and orders. */

import {
  endpoints,
  MAX_PAGE_SIZE,
  type OrderQuery,
  type Payment,
  type Question,
  toOrders,
} from "@catalog/contract";
import type { StagedItem } from "@catalog/database";

import { maskName, maskWords } from "../columns/mask-name.ts";
import { type ListedOrderItem, ORDER_COLUMNS } from "../columns/order-columns.ts";
import { PAYMENT_COLUMNS, QUESTION_COLUMNS } from "../columns/record-columns.ts";
import { type ListingsEnd, readListings } from "../read-listings.ts";
import { readTimestamp } from "../timestamps.ts";
import {
  createListing,
  parseFilters,
  type Source,
  type SourceContext,
  startDate,
} from "./source.ts";

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
export function createPaymentSource(context: SourceContext): Source<Payment> {
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
    columns: async () => PAYMENT_COLUMNS,
    timestampOf: ({ created_at }) => readTimestamp(created_at),
  };
}

const DAY_SECONDS = 24 * 60 * 60;
const DEFAULT_DAYS = 30;

/** Days of one call; the listing of orders has no pages, so a long period is split. */
const WINDOW_DAYS = 30;

/** A row for each item of each order. */
export function createOrderSource(context: SourceContext): Source<ListedOrderItem> {
  return {
    read: () => readOrders(context, toWindows(context)),
    columns: async () => ORDER_COLUMNS,
    timestampOf: ({ order }) => readTimestamp(order.order_date),
  };
}

async function readOrders(
  context: SourceContext,
  windows: readonly OrderQuery[],
): Promise<ListingsEnd> {
  const { client, job, stop, signal } = context;
  const done = job.readCheckpoint()?.parts ?? 0;
  context.onPlan(windows.length - done);
  let items = 0;
  for (const [part, query] of windows.entries()) {
    if (part < done) continue;
    if (stop?.aborted === true)
      return { isStopped: true, missing: 0, isChecked: true, isConsistent: true };
    const listing = await client.order.list(query, signal === undefined ? {} : { signal });
    const found = toOrders(listing).flatMap((order) => toItems(order, context.withNames));
    items += job.save(found, () => ({ lanes: {}, parts: part + 1 }));
    context.onPage({ items, expected: items, callsLeft: windows.length - part - 1 });
  }
  return { isStopped: false, missing: 0, isChecked: true, isConsistent: true };
}

/**
 * Windows of at most {@link WINDOW_DAYS} days; they overlap by a second, as their ends may be
 * exclusive.
 */
function toWindows({ filters, since, job }: SourceContext): readonly OrderQuery[] {
  const now = Math.floor(job.begunAtMs / 1000);
  if (since !== undefined) {
    const passed = Math.ceil((job.begunAtMs - since.begunAtMs) / 1000 / DAY_SECONDS) + 1;
    return [parseFilters(endpoints.order.list, { ...filters, days: passed, updates_only: 1 })];
  }
  const isDated = "start_date" in filters || "end_date" in filters;
  if (!isDated) {
    return [parseFilters(endpoints.order.list, { days: DEFAULT_DAYS, ...filters })];
  }
  const { end_date: end = now, ...rest } = filters;
  const whole = parseFilters(endpoints.order.list, {
    start_date: Number(end) - DEFAULT_DAYS * DAY_SECONDS,
    ...rest,
    end_date: end,
  });
  const { start_date: from = 0, end_date: to = now } = whole;
  const step = WINDOW_DAYS * DAY_SECONDS;
  const count = Math.max(1, Math.ceil((to - from) / step));
  return Array.from({ length: count }, (_, index) => ({
    ...whole,
    start_date: from + index * step - (index === 0 ? 0 : 1),
    end_date: Math.min(to, from + (index + 1) * step),
  }));
}

type Orders = ReturnType<typeof toOrders>;

function toItems(full: Orders[number], withNames: boolean): readonly StagedItem[] {
  const { packages, ...rest } = full;
  const order = withNames ? rest : withoutPeople(rest);
  const rank = readTimestamp(order.order_date) ?? 0;
  const toItem = (key: string, item: ListedOrderItem): StagedItem => ({
    id: `${order.code} ${key}`,
    rank,
    item,
  });
  if (packages.length === 0) return [toItem("", { order })];
  return packages.flatMap(({ items, ...box }) => {
    const key = box.package_id;
    if (!items || items.length === 0) return [toItem(key, { order, package: box })];
    return items.map((item, index) => toItem(`${key} ${index}`, { order, package: box, item }));
  });
}

function withoutPeople(order: ListedOrderItem["order"]): ListedOrderItem["order"] {
  return {
    ...order,
    email: maskWords(order.email ?? ""),
    shipping_address: maskWords(order.shipping_address ?? ""),
  };
}
