/** Payment records of the store; they follow the status of the packages. */

import { type Id, idSchemas, type InputOf, type Payment } from "@catalog/contract";

import { containsName, createHashedId } from "../catalog/names.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { isBetween, isWithinPeriod, toIso } from "../history.ts";
import type { SoldItem, SoldOrder, SoldPackage } from "./order-history.ts";
import { splitAmount } from "./orders.ts";

type PaymentStatus = 1 | 2 | 3;

/** A payment record with numbers; the answer has texts. */
interface PaymentRecord {
  readonly id: Id<"payment">;
  readonly itemId: Id<"orderItem">;
  readonly customer: string;
  readonly orderCode: number;
  readonly shippingMinor: number;
  readonly commissionMinor: number;
  readonly payoutMinor: number;
  readonly paidMinor: number;
  readonly status: PaymentStatus;
  readonly createdAtMs: number;
  /** Time of the transfer, in milliseconds since 1970; only of transferred records. */
  readonly paidAtMs: number | undefined;
}

const STATUS_NAMES: Readonly<Record<PaymentStatus, string>> = {
  1: "Hesaba aktarılacak",
  2: "Hesaba aktarıldı",
  3: "İptal edildi",
};

const COMPLETED = 9;
const FIRST_ACCEPTED = 3;
/** Order statuses of items that were cancelled before or after the delivery. */
const CANCELLED: ReadonlySet<number> = new Set([11, 12, 14, 16]);

/** The status of a package's payments; `undefined` before it is accepted. */
export function paymentStatusOf(status: number): PaymentStatus | undefined {
  if (status < FIRST_ACCEPTED) return undefined;
  if (CANCELLED.has(status)) return 3;
  return status === COMPLETED ? 2 : 1;
}

/** The records of all orders, newest order first; they follow the status of the packages. */
export function listPayments(
  catalog: SandboxCatalog,
  orders: readonly SoldOrder[],
): readonly PaymentRecord[] {
  return orders.toReversed().flatMap((order) =>
    order.packages.flatMap((one) => {
      const status = paymentStatusOf(one.status);
      if (status === undefined) return [];
      return one.items.map((item) => toRecord(catalog, { order, one, item, status }));
    }),
  );
}

interface PaymentContext {
  readonly order: SoldOrder;
  readonly one: SoldPackage;
  readonly item: SoldItem;
  readonly status: PaymentStatus;
}

function toRecord(catalog: SandboxCatalog, context: PaymentContext): PaymentRecord {
  const { order, one, item, status } = context;
  return {
    ...splitAmount(catalog, item),
    id: idSchemas.payment.parse(createHashedId("payment", item.number)),
    itemId: idSchemas.orderItem.parse(createHashedId("order item", item.number)),
    customer: order.buyer.name,
    orderCode: Number(order.code),
    shippingMinor: one.shippingMinor,
    status,
    createdAtMs: order.orderedAtMs,
    paidAtMs: status === 2 ? one.changedAtMs : undefined,
  };
}

/** The records that match the query; paging is not applied. */
export function selectPayments(
  records: readonly PaymentRecord[],
  query: InputOf<"payment.list">,
): readonly PaymentRecord[] {
  const { status, order_code: code, customer_name: customer = "" } = query;
  const wanted = query.ids === undefined ? undefined : new Set<string>(query.ids);
  return records.filter(
    (record) =>
      isWithinPeriod(record.createdAtMs, query) &&
      (status ?? record.status) === record.status &&
      (code ?? record.orderCode) === record.orderCode &&
      (wanted?.has(record.id) ?? true) &&
      containsName(record.customer, customer) &&
      hasAmounts(record, query),
  );
}

function hasAmounts(record: PaymentRecord, query: InputOf<"payment.list">): boolean {
  return (
    isBetween(record.payoutMinor, [
      query.store_payout,
      query.min_store_payout,
      query.max_store_payout,
    ]) &&
    isBetween(record.shippingMinor, [
      query.shipping_price,
      query.min_shipping_price,
      query.max_shipping_price,
    ]) &&
    isBetween(record.paidMinor, [
      query.total_paid_price,
      query.min_total_paid_price,
      query.max_total_paid_price,
    ])
  );
}

/** Makes an element of the payment listing: amounts are minor units, as text. */
export function toPayment(record: PaymentRecord): Payment {
  return {
    id: record.id,
    customer_name: record.customer,
    item_id: record.itemId,
    order_code: record.orderCode,
    shipping_price: String(record.shippingMinor),
    total_commission: String(record.commissionMinor),
    store_payout: String(record.payoutMinor),
    total_paid_price: String(record.paidMinor),
    status: STATUS_NAMES[record.status],
    payment_date: record.paidAtMs === undefined ? null : toIso(record.paidAtMs),
    created_at: toIso(record.createdAtMs),
  };
}
