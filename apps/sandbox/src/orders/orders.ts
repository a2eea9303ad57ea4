/** Orders of the store: those that it has at first, their packages and statuses, and the moves between them. */

import type { Clock } from "@catalog/clock";
import { idSchemas, type Id } from "@catalog/contract";

import type { SandboxCity } from "../catalog/cities.ts";
import { createHashedId, pickFrom, pickNumber } from "../catalog/names.ts";
import { createCustomer, type Customer, DAY_MS } from "../history.ts";
import { createMissingRefusal, type Message, Refusal } from "../http/refusal.ts";
import { lazy } from "../lazy.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import { COMPANIES } from "../shipping.ts";

/**
 * By code. The meanings are the sandbox's own, since the specification shows none (section Order
 * and package status).
 */
export const STATUSES: ReadonlyMap<number, Message> = new Map<number, Message>([
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
export const NOT_YET_APPROVED = 0;
export const AWAITING_APPROVAL = 1;

/** The Turkish text of a status; orders, comments and payments are in Turkish. */
export const explainStatus = (code: number): string => STATUSES.get(code)?.tr ?? String(code);

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
  const list = (language: keyof Message): string =>
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
export interface SoldItem {
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

export interface SoldOrder {
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
