/**
 * Orders of the store: those that it has at first, the moves of their packages from status to
 * status, and the listings of orders and of payment records.
 */

import type { Clock } from "@catalog/clock";
import {
  type Id,
  idSchemas,
  type InputOf,
  type Order,
  type OrderItem,
  type OrderPackage,
  type Payment,
} from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { SandboxCity } from "./catalog/cities.ts";
import { containsName, createHashedId, pickFrom, pickNumber } from "./catalog/names.ts";
import type { SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import {
  createCustomer,
  type Customer,
  DAY_MS,
  isBetween,
  isWithinPeriod,
  lazy,
  sortByTime,
  toIso,
} from "./history.ts";
import { createMissingRefusal, Refusal } from "./http/answers.ts";
import { paidAmount } from "./products/product-search.ts";
import type { SandboxProduct } from "./products/product-state.ts";
import { COMPANIES } from "./shipping.ts";

/**
 * By code. The meanings are the sandbox's own, since the specification shows none (section Order
 * and package status).
 */
export const STATUSES: ReadonlyMap<number, Localized> = new Map<number, Localized>([
  [1, { en: "Awaiting approval", tr: "Onay bekliyor" }],
  [2, { en: "Postponed", tr: "Ertelendi" }],
  [3, { en: "Accepted", tr: "Onaylandı" }],
  [4, { en: "Being prepared", tr: "Hazırlanıyor" }],
  [5, { en: "Shipping code generated", tr: "Kargo kodu oluşturuldu" }],
  [6, { en: "Shipped", tr: "Kargoya verildi" }],
  [7, { en: "Out for delivery", tr: "Dağıtımda" }],
  [8, { en: "Delivered", tr: "Teslim edildi" }],
  [9, { en: "Completed", tr: "Tamamlandı" }],
  [10, { en: "Not delivered", tr: "Teslim edilemedi" }],
  [11, { en: "Cancelled by the buyer", tr: "Alıcı iptal etti" }],
  [12, { en: "Cancelled by the platform", tr: "Platform iptal etti" }],
  [13, { en: "Return requested", tr: "İade istendi" }],
  [14, { en: "Return accepted", tr: "İade onaylandı" }],
  [15, { en: "Return rejected", tr: "İade reddedildi" }],
  [16, { en: "Refunded", tr: "İade tamamlandı" }],
]);

/**
 * The filter value of the specification's example for orders not yet approved (section Order and
 * package status).
 */
const NOT_YET_APPROVED = 0;
const AWAITING_APPROVAL = 1;

/** The Turkish text of a status; orders, comments and payments are in Turkish. */
const explainStatus = (code: number): string => STATUSES.get(code)?.tr ?? String(code);

type Move = "postpone" | "accept" | "acceptReturn" | "rejectReturn" | "generateCode";

interface MoveRule {
  readonly from: readonly number[];
  readonly to: number;
}

export const MOVES: Readonly<Record<Move, MoveRule>> = {
  postpone: { from: [1], to: 2 },
  accept: { from: [1, 2], to: 3 },
  acceptReturn: { from: [13], to: 14 },
  rejectReturn: { from: [13], to: 15 },
  generateCode: { from: [3, 4, 5], to: 5 },
};

/** The status after the move; throws a refusal that names the statuses from which it is possible. */
export function statusAfter(move: Move, status: number): number {
  const { from, to } = MOVES[move];
  if (from.includes(status)) return to;
  const list = (language: keyof Localized): string =>
    from.map((code) => `${code} (${STATUSES.get(code)?.[language]})`).join(", ");
  throw new Refusal({
    httpStatus: 409,
    message: {
      en: `The package has status ${status} (${STATUSES.get(status)?.en}); it must have ${list("en")}`,
      tr: `Paketin durumu ${status} (${explainStatus(status)}); beklenen durum: ${list("tr")}`,
    },
  });
}

/** One product of a package. Amounts are minor units. */
interface SoldItem {
  readonly number: string;
  readonly paymentId: number;
  readonly product: SandboxProduct;
  readonly count: number;
  readonly discountMinor: number;
}

export interface SoldPackage {
  readonly id: Id<"package">;
  readonly items: readonly SoldItem[];
  readonly company: string;
  readonly shippingMinor: number;
  readonly status: number;
  readonly changedAtMs: number;
}

interface SoldOrder {
  /** Digits only, because payments give it as a number. */
  readonly code: string;
  readonly orderedAtMs: number;
  readonly buyer: Customer;
  readonly packages: readonly SoldPackage[];
}

interface SeedOrdersOptions {
  readonly products: readonly SandboxProduct[];
  readonly cities: readonly SandboxCity[];
  readonly nowMs: number;
}

const ORDER_COUNT = 400;
const STEP_MS = 6 * 60 * 60 * 1000;
const FIRST_CODE = 100_200_300;
const SHIPPING_MINOR = 7990;

/** Statuses of packages by age; a repeated one is more frequent. */
const STATUSES_BY_AGE: readonly { readonly days: number; readonly statuses: readonly number[] }[] =
  [
    { days: 2, statuses: [1, 1, 1, 2, 3] },
    { days: 5, statuses: [1, 2, 3, 4, 4, 5, 6, 11] },
    { days: 12, statuses: [4, 5, 6, 6, 7, 7, 8, 8, 10, 11, 12, 13] },
    { days: 40, statuses: [8, 8, 9, 9, 9, 9, 10, 11, 13, 13, 14, 15, 16] },
    { days: Infinity, statuses: [9, 9, 9, 9, 9, 9, 9, 9, 11, 12, 14, 15, 16, 16] },
  ];

/** Creates the orders, oldest first. */
export function createSeedOrders(options: SeedOrdersOptions): readonly SoldOrder[] {
  return Array.from({ length: ORDER_COUNT }, (_, index) =>
    createOrder(options, { code: String(FIRST_CODE + index * 7), age: ORDER_COUNT - index }),
  );
}

interface OrderPosition {
  readonly code: string;
  /** Age of the order, in steps back from the start. */
  readonly age: number;
}

function createOrder(
  { products, cities, nowMs }: SeedOrdersOptions,
  { code, age }: OrderPosition,
): SoldOrder {
  const orderedAtMs = nowMs - age * STEP_MS + pickNumber(STEP_MS, "order time", code);
  const size = pickNumber(4, "packages", code) === 0 ? 2 : 1;
  return {
    code,
    orderedAtMs,
    buyer: createCustomer(cities, "buyer", code),
    packages: Array.from({ length: size }, (_, index) =>
      createPackage(products, `${code}-${index + 1}`, { orderedAtMs, nowMs }),
    ),
  };
}

function createPackage(
  products: readonly SandboxProduct[],
  name: string,
  { orderedAtMs, nowMs }: { readonly orderedAtMs: number; readonly nowMs: number },
): SoldPackage {
  const ageMs = nowMs - orderedAtMs;
  const kinds = STATUSES_BY_AGE.find(({ days }) => ageMs < days * DAY_MS)?.statuses ?? [];
  const status = pickFrom(kinds, "status", name);
  const changedMs = Math.min(ageMs, pickNumber(6 * DAY_MS, "changed", name));
  return {
    id: idSchemas.package.parse(createHashedId("package", name)),
    items: Array.from({ length: 1 + pickNumber(3, "items", name) }, (_, index) =>
      createItem(products, `${name}-${index + 1}`),
    ),
    company: pickFrom(COMPANIES, "company", name).name,
    shippingMinor: pickNumber(3, "free", name) === 0 ? 0 : SHIPPING_MINOR,
    status,
    changedAtMs: status === 1 ? orderedAtMs : orderedAtMs + changedMs,
  };
}

function createItem(products: readonly SandboxProduct[], number: string): SoldItem {
  const product = pickFrom(products, "product", number);
  const percent = pickFrom([0, 0, 0, 10, 25], "discount", number);
  const count = pickFrom([1, 1, 1, 2, 3], "count", number);
  return {
    number,
    paymentId: 5_000_000 + pickNumber(4_000_000, "payment", number),
    product,
    count,
    discountMinor: Math.round((product.price * count * percent) / 100),
  };
}

export interface Orders {
  /** Oldest first, with the current status of each package. */
  orders(): readonly SoldOrder[];
  /** Throws a refusal for an unknown package. */
  package(id: string): SoldPackage;
  /** Throws a refusal for an unknown package, or one whose status does not allow the move. */
  move(id: string, move: Move): SoldPackage;
  /** Packages that were moved, with their current status. */
  save(): readonly MovedPackage[];
}

/** A package that was moved since the start. */
export interface MovedPackage extends Pick<SoldPackage, "status" | "changedAtMs"> {
  readonly id: string;
}

interface OrdersOptions {
  readonly clock: Clock;
  /** Called once, on first use. */
  readonly fill: () => readonly SoldOrder[];
  /** Throws a `RangeError` for an unknown package. @default none */
  readonly moved?: readonly MovedPackage[];
}

export function createOrders({ clock, fill, moved = [] }: OrdersOptions): Orders {
  const filled = lazy(fill);
  const moves = new Map(moved.map((one) => [one.id, one]));
  let current: readonly SoldOrder[] | undefined;
  if (moved.length > 0) current = replay(filled(), moves);

  const orders = (): readonly SoldOrder[] => current ?? filled();
  const find = (id: string): SoldPackage => {
    const found = orders()
      .flatMap(({ packages }) => packages)
      .find((one) => one.id === id);
    if (found === undefined) throw createMissingRefusal({ en: "Package", tr: "Paket" });
    return found;
  };

  return {
    orders,
    package: find,
    move(id, move) {
      const before = find(id);
      const status = statusAfter(move, before.status);
      if (status === before.status) return before;
      const after = { ...before, status, changedAtMs: clock.now() };
      current = orders().map((order) => replacePackage(order, before, after));
      moves.set(id, { id, status, changedAtMs: after.changedAtMs });
      return after;
    },
    save: () => [...moves.values()],
  };
}

function replay(
  orders: readonly SoldOrder[],
  moves: ReadonlyMap<string, MovedPackage>,
): readonly SoldOrder[] {
  const known = new Set<string>(orders.flatMap(({ packages }) => packages.map(({ id }) => id)));
  for (const id of moves.keys()) {
    if (!known.has(id)) throw new RangeError(`not a snapshot: there is no package ${id}`);
  }
  return orders.map((order) => ({
    ...order,
    packages: order.packages.map((one) => {
      const { status, changedAtMs } = moves.get(one.id) ?? one;
      return { ...one, status, changedAtMs };
    }),
  }));
}

function replacePackage(order: SoldOrder, before: SoldPackage, after: SoldPackage): SoldOrder {
  if (!order.packages.includes(before)) return order;
  const packages = order.packages.map((one) => (one === before ? after : one));
  return { ...order, packages };
}

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
