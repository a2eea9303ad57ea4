/** The listings of orders and of payment records. */

import {
  type Order,
  type OrderItem,
  type OrderPackage,
  type Payment,
  type Id,
  idSchemas,
  type InputOf,
} from "@catalog/contract";

import { containsName, createHashedId, pickNumber } from "../catalog/names.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { DAY_MS, isWithinPeriod, sortByTime, toIso } from "../history.ts";
import { paidAmount } from "../products/product-search.ts";
import {
  AWAITING_APPROVAL,
  explainStatus,
  NOT_YET_APPROVED,
  type SoldItem,
  type SoldOrder,
  type SoldPackage,
} from "./orders.ts";

/** Time after which a package that was not shipped is late, in milliseconds. */
const SHIPPING_TIME_MS: number = 3 * DAY_MS;
const FIRST_SHIPPED_STATUS = 6;

/**
 * The orders that match the query, newest first. `days` replaces the dates; with `updates_only` it
 * counts back to the last change of a status. A status selects orders that have a package in it.
 */
export function selectOrders(
  orders: readonly SoldOrder[],
  query: InputOf<"order.list">,
  nowMs: number,
): readonly SoldOrder[] {
  const { days, status, updates_only = 0 } = query;
  const since = days === undefined ? undefined : nowMs - days * DAY_MS;
  const wanted = status === NOT_YET_APPROVED ? AWAITING_APPROVAL : status;
  const found = orders.filter((order) => {
    const movedAtMs = Math.max(...order.packages.map(({ changedAtMs }) => changedAtMs));
    const timeMs = updates_only === 1 ? movedAtMs : order.orderedAtMs;
    const isInPeriod = since === undefined ? isWithinPeriod(timeMs, query) : timeMs >= since;
    return isInPeriod && order.packages.some((one) => (wanted ?? one.status) === one.status);
  });
  return sortByTime(found);
}

/** The amounts of an item, in minor units. */
interface ItemAmounts {
  readonly paidMinor: number;
  readonly commissionMinor: number;
  readonly payoutMinor: number;
}

/** Splits what the buyer paid for an item between platform and store. */
function splitAmount(catalog: SandboxCatalog, item: SoldItem): ItemAmounts {
  const { product, count, discountMinor } = item;
  const paidMinor = paidAmount(product) * count - discountMinor;
  const percent = catalog.category(product.category_id)?.commission ?? 0;
  const commissionMinor = Math.round((paidMinor * percent) / 100);
  return { paidMinor, commissionMinor, payoutMinor: paidMinor - commissionMinor };
}

/** Makes an order of the listing. Amounts are minor units, as prices of products are. */
export function toOrder(catalog: SandboxCatalog, order: SoldOrder, nowMs: number): Order {
  const { code, buyer, orderedAtMs } = order;
  const packages = order.packages.map((one) => toPackage(catalog, { order, one, nowMs }));
  const shipping = sum(order.packages.map(({ shippingMinor }) => shippingMinor));
  const isCard = pickNumber(4, "payment type", code) > 0;
  return {
    code,
    packages,
    total_price: sum(packages.map(({ total_price }) => total_price ?? 0)) + shipping,
    total_shipping_price: shipping,
    order_date: toIso(orderedAtMs),
    payment_type: isCard ? "credit_card" : "bank_transfer",
    payment_type_explained: isCard ? "Kredi kartı" : "Havale / EFT",
    email: buyer.email,
    shipping_address: `${buyer.name}, ${buyer.address}`,
  };
}

interface PackageContext {
  readonly order: SoldOrder;
  readonly one: SoldPackage;
  readonly nowMs: number;
}

function toPackage(catalog: SandboxCatalog, context: PackageContext): OrderPackage {
  const { id, items, status, company, shippingMinor } = context.one;
  const seen = items.map((item) => toItem(catalog, item, context));
  return {
    package_id: id,
    status,
    status_explained: explainStatus(status),
    items: seen,
    total_price: sum(seen.map(({ paid_amount }) => paid_amount ?? 0)),
    invoice_draft: `https://sandbox.example/invoices/${id}.pdf`,
    shipping: {
      shipping_discount_code: discountCode(id) ?? "",
      shipping_company: company,
      total_shipping_price: shippingMinor,
      shipping_address: 1 + pickNumber(9_000_000, "address", id),
    },
  };
}

/** The discount code of every third package; `undefined` for the others. */
export function discountCode(id: string): string | undefined {
  return pickNumber(3, "discount code", id) === 0
    ? `KRG-${createHashedId("code", id).slice(0, 8).toUpperCase()}`
    : undefined;
}

function toItem(
  catalog: SandboxCatalog,
  item: SoldItem,
  { order, one, nowMs }: PackageContext,
): OrderItem {
  const { product, count, number } = item;
  const { paidMinor, commissionMinor, payoutMinor } = splitAmount(catalog, item);
  return {
    product_name: product.title,
    product_code: product.product_code,
    product_uid: String(product.sid),
    product_id: product.id,
    count,
    order_number: number,
    product_price: product.price,
    paid_amount: paidMinor,
    store_payout_amount: payoutMinor,
    platform_commission_amount: commissionMinor,
    payment_id: item.paymentId,
    shipping_amount: one.shippingMinor,
    shipping_time_exceeded:
      one.status < FIRST_SHIPPED_STATUS && nowMs - order.orderedAtMs > SHIPPING_TIME_MS,
    installment_count: 1 + pickNumber(6, "installments", order.code),
    installment_commission: 0,
    currency: "TL",
    currency_rate: 1,
    order_platform: pickNumber(3, "platform", order.code) === 0 ? "web" : "mobile",
    status: one.status,
    status_explained: explainStatus(one.status),
    discount_amount: item.discountMinor,
    product_url: `https://sandbox.example/urun/${product.sid}`,
    product_images: product.images,
    variant: null,
  };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

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
    fits(record.payoutMinor, [
      query.store_payout,
      query.min_store_payout,
      query.max_store_payout,
    ]) &&
    fits(record.shippingMinor, [
      query.shipping_price,
      query.min_shipping_price,
      query.max_shipping_price,
    ]) &&
    fits(record.paidMinor, [
      query.total_paid_price,
      query.min_total_paid_price,
      query.max_total_paid_price,
    ])
  );
}

type Bounds = readonly [
  exact: number | undefined,
  min: number | undefined,
  max: number | undefined,
];

const fits = (amount: number, [exact = amount, min = amount, max = amount]: Bounds): boolean =>
  amount === exact && amount >= min && amount <= max;

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
