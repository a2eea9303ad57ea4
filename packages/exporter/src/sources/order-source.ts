/** Orders: a row for each item. */

import { createHash } from "node:crypto";

import { endpoints, type OrderQuery, toOrders } from "@catalog/contract";
import type { StagedItem } from "@catalog/database";
import type { PriceUnit } from "@catalog/runs";

import { withUnit } from "../columns/amount-columns.ts";
import { maskWords } from "../columns/mask-name.ts";
import { ORDER_COLUMNS, type ListedOrderItem, toChangeColumn } from "../columns/order-columns.ts";
import type { ListingsEnd } from "../read-listings.ts";
import { readTimestamp } from "../timestamps.ts";
import { parseFilters, type Source, type SourceContext } from "./source.ts";

const DAY_SECONDS = 24 * 60 * 60;
const DEFAULT_DAYS = 30;

/** Days of one call; the listing of orders has no pages, so a long period is split. */
const WINDOW_DAYS = 30;

/** A row for each item of each order. */
export function createOrderSource(
  context: SourceContext,
  priceUnit: PriceUnit,
): Source<ListedOrderItem> {
  const { job, since } = context;
  const items = (): AsyncIterable<ListedOrderItem> => job.items({ isNotYetWritten: false });
  let written: ReadonlySet<string> = new Set();
  const isWritten = ({ id }: ListedOrderItem): boolean => written.has(id);
  const columns = withUnit(ORDER_COLUMNS, priceUnit);
  return {
    async read() {
      const end = await readOrders(context, toWindows(context));
      if (since === undefined || end.isStopped) return end;
      written = await job.readSeen(await Array.fromAsync(items(), ({ id }) => id));
      return end;
    },
    columns: async () => (since === undefined ? columns : [toChangeColumn(isWritten), ...columns]),
    timestampOf: ({ order }) => readTimestamp(order.order_date),
    isNew: (item) => !isWritten(item) || since?.counts[item.id] !== fingerprint(item),
    counts: async () =>
      Object.fromEntries(
        await Array.fromAsync(items(), (item) => [item.id, fingerprint(item)] as const),
      ),
  };
}

/** Distinguishes an item from its earlier states; hidden and plain names make no difference. */
function fingerprint({ order, package: box, item }: ListedOrderItem): number {
  const text = JSON.stringify([withoutPeople(order), box, item]);
  return createHash("sha256").update(text).digest().readUIntBE(0, FINGERPRINT_BYTES);
}

/** As many as a number holds exactly. */
const FINGERPRINT_BYTES = 6;

async function readOrders(
  context: SourceContext,
  windows: readonly OrderQuery[],
): Promise<ListingsEnd> {
  const { client, job, stop, signal } = context;
  const done = (await job.readCheckpoint())?.parts ?? 0;
  context.onPlan(windows.length - done);
  let items = 0;
  for (const [part, query] of windows.entries()) {
    if (part < done) continue;
    if (stop?.aborted === true)
      return { isStopped: true, missing: 0, isChecked: true, isConsistent: true };
    const listing = await client.order.list(query, signal === undefined ? {} : { signal });
    const found = toOrders(listing).flatMap((order) => toItems(order, context.withNames));
    const fresh = await job.save(found, () => ({ lanes: {}, parts: part + 1 }));
    items += fresh;
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
  const toItem = (key: string, listed: Omit<ListedOrderItem, "id">): StagedItem => {
    const id = `${order.code} ${key}`;
    return { id, rank, item: { id, ...listed } satisfies ListedOrderItem };
  };
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
