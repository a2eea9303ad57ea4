/** Converts and selects orders for the listing. */

import type { Order, OrderItem, OrderPackage, OrderQuery } from "@catalog/contract";

import { createHashedId, pickNumber } from "../catalog/hashed-id.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import { DAY_MS, sortByTime, isWithinPeriod, toIso } from "../history/time-filters.ts";
import { paidAmount } from "../products/listing.ts";
import type { SoldItem, SoldOrder, SoldPackage } from "./seed-orders.ts";
import { AWAITING_APPROVAL, explainStatus, NOT_YET_APPROVED } from "./statuses.ts";

/** Time after which a package that was not shipped is late, in milliseconds. */
const SHIPPING_TIME_MS: number = 3 * DAY_MS;
const FIRST_SHIPPED_STATUS = 6;

/**
 * The orders that match the query, newest first. `days` replaces the dates; with `updates_only` it
 * counts back to the last change of a status. A status selects orders that have a package in it.
 */
export function selectOrders(
  orders: readonly SoldOrder[],
  query: OrderQuery,
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
export interface ItemAmounts {
  readonly paidMinor: number;
  readonly commissionMinor: number;
  readonly payoutMinor: number;
}

/** Splits what the buyer paid for an item between platform and store. */
export function splitAmount(catalog: SandboxCatalog, item: SoldItem): ItemAmounts {
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
