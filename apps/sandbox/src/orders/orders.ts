/**
 * Orders of the store: their packages as they are and as listings show them, moves from status to
 * status, shipping codes, and the order listing.
 */

import type { Clock } from "@catalog/clock";
import type { InputOf, Order, OrderItem, OrderPackage } from "@catalog/contract";

import type { Behavior } from "../behavior/behavior-settings.ts";
import { createHashedId, pickNumber } from "../catalog/names.ts";
import type { SandboxCatalog } from "../catalog/sandbox-catalog.ts";
import type { ActionName, Actor, EffectLog } from "../effects.ts";
import { DAY_MS, isWithinPeriod, lazy, sortByTime, toIso } from "../history.ts";
import { createMissingRefusal, Refusal } from "../http/answers.ts";
import { createLateView } from "../late-view.ts";
import { paidAmount } from "../products/product-search.ts";
import { createShippingCode } from "../shipping.ts";
import type { GivenCode, SoldItem, SoldOrder, SoldPackage } from "./order-history.ts";
import { type Move, MOVES, statusAfter, type StatusCodes } from "./statuses.ts";

export interface Orders {
  /** Oldest first, with the current status of each package. */
  orders(): readonly SoldOrder[];
  /** The same as the next listing shows them; each call counts as a listing. */
  listed(): readonly SoldOrder[];
  /** Throws a refusal for an unknown package. */
  package(id: string): SoldPackage;
  /**
   * Moves a package; the personality decides on a second time. Throws a refusal for an unknown
   * package, or one whose status does not allow the move.
   */
  move(id: string, move: Exclude<Move, "generateCode">, by?: Actor): SoldPackage;
  /** Gives the package a shipping code; throws a refusal as `move` does. */
  generateCode(id: string, company: string, by?: Actor): GivenCode;
  /** Packages that were moved, with their current status. */
  save(): readonly MovedPackage[];
}

/** A package that was moved since the start. */
export interface MovedPackage extends Pick<SoldPackage, "status" | "changedAtMs" | "code"> {
  readonly id: string;
  /** All moves that were carried out, in their order. */
  readonly done: readonly Move[];
}

interface OrdersOptions {
  readonly clock: Clock;
  readonly behavior: Behavior;
  readonly codes: StatusCodes;
  readonly effects: EffectLog;
  /** Called once, on first use. */
  readonly fill: () => readonly SoldOrder[];
  /** Throws a `RangeError` for an unknown package. @default none */
  readonly moved?: readonly MovedPackage[];
}

const ACTIONS: Readonly<Record<Move, ActionName>> = {
  postpone: "order.postpone",
  accept: "order.accept",
  acceptReturn: "order.acceptReturn",
  rejectReturn: "order.rejectReturn",
  generateCode: "shipping.generateCode",
};

export function createOrders(options: OrdersOptions): Orders {
  const { clock, behavior, codes, effects, fill, moved = [] } = options;
  const state = lazy(() => createPackageState(fill()));
  const late = createLateView<SoldPackage>(behavior["change-shown"], clock);
  const moves = new Map(moved.map((one) => [one.id, one]));
  for (const { id, done: _, ...changes } of moved) {
    const before = state().find(id);
    if (before === undefined) throw new RangeError(`not a snapshot: there is no package ${id}`);
    state().put({ ...before, ...changes });
  }

  const find = (id: string): SoldPackage => {
    const found = state().find(id);
    if (found === undefined) throw createMissingRefusal({ en: "Package", tr: "Paket" });
    return found;
  };
  const wasDone = (id: string, move: Move): boolean => moves.get(id)?.done.includes(move) === true;
  const carryOut = (after: SoldPackage, move: Move, by: Actor): SoldPackage => {
    const { id, status, code } = after;
    const changedAtMs = clock.now();
    late.changed(id, find(id));
    state().put({ ...after, changedAtMs });
    const done = [...(moves.get(id)?.done ?? []), move];
    moves.set(id, { id, status, changedAtMs, done, ...(code !== undefined && { code }) });
    effects.note(ACTIONS[move], id, by);
    return find(id);
  };

  return {
    orders: () => state().orders(),
    listed() {
      const show = late.list();
      if (behavior["change-shown"] === "at-once") return state().orders();
      return state()
        .orders()
        .map((order) =>
          withPackages(
            order,
            order.packages.map(show).filter((one) => one !== undefined),
          ),
        );
    },
    package: find,
    move(id, move, by = "caller") {
      const before = find(id);
      const isSecond = before.status === MOVES[move].to || wasDone(id, move);
      if (isSecond && behavior["second-move"] === "ignored") return before;
      if (isSecond && behavior["second-move"] === "repeated") return carryOut(before, move, by);
      return carryOut({ ...before, status: statusAfter(move, before.status, codes) }, move, by);
    },
    generateCode(id, company, by = "caller") {
      const before = find(id);
      const status = statusAfter("generateCode", before.status, codes);
      const given = codeOf(before);
      const second = given === undefined ? "new" : behavior["second-shipping-code"];
      if (second === "refused") throw createCodeRefusal();
      if (given !== undefined && second === "same") return given;
      const number = moves.get(id)?.done.filter((move) => move === "generateCode").length ?? 0;
      const code = { company, code: createShippingCode(id, company, number) };
      carryOut({ ...before, status, code }, "generateCode", by);
      return code;
    },
    save: () => [...moves.values()],
  };
}

function createCodeRefusal(): Refusal {
  return new Refusal({
    httpStatus: 409,
    message: { en: "The package has a shipping code", tr: "Paketin kargo kodu var" },
  });
}

/** Statuses that a package reaches only with a shipping code. */
const WITH_CODE: ReadonlySet<number> = new Set([5, 6, 7, 8, 9, 10, 13, 14, 15, 16]);

/** The shipping code of a package: the generated one, or that of its history. */
function codeOf({ id, company, status, code }: SoldPackage): GivenCode | undefined {
  if (code !== undefined || !WITH_CODE.has(status)) return code;
  return { company, code: createShippingCode(id, company) };
}

const withPackages = (order: SoldOrder, packages: readonly SoldPackage[]): SoldOrder => ({
  ...order,
  packages,
});

/** Orders whose packages are found and replaced in constant time. */
interface PackageState {
  orders(): readonly SoldOrder[];
  find(id: string): SoldPackage | undefined;
  /** Replaces the package with the same id. */
  put(after: SoldPackage): void;
}

function createPackageState(filled: readonly SoldOrder[]): PackageState {
  const orders = [...filled];
  const places = new Map<string, number>(
    orders.flatMap(({ packages }, index) => packages.map(({ id }) => [id, index] as const)),
  );
  const orderOf = (id: string): SoldOrder | undefined => orders[places.get(id) ?? -1];
  return {
    orders: () => orders,
    find: (id) => orderOf(id)?.packages.find((one) => one.id === id),
    put(after) {
      const order = orderOf(after.id);
      if (order === undefined) return;
      const packages = order.packages.map((one) => (one.id === after.id ? after : one));
      orders[places.get(after.id) ?? -1] = withPackages(order, packages);
    },
  };
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
  { nowMs, codes }: Pick<OrderView, "nowMs" | "codes">,
): readonly SoldOrder[] {
  const { days, status, updates_only = 0 } = query;
  const since = days === undefined ? undefined : nowMs - days * DAY_MS;
  const wanted = status === undefined ? undefined : codes.fromFilter(status);
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
export function splitAmount(catalog: SandboxCatalog, item: SoldItem): ItemAmounts {
  const { product, count, discountMinor } = item;
  const paidMinor = paidAmount(product) * count - discountMinor;
  const percent = catalog.category(product.category_id)?.commission ?? 0;
  const commissionMinor = Math.round((paidMinor * percent) / 100);
  return { paidMinor, commissionMinor, payoutMinor: paidMinor - commissionMinor };
}

/** What an order looks like in the listing depends on these. */
interface OrderView {
  readonly catalog: SandboxCatalog;
  readonly nowMs: number;
  readonly codes: StatusCodes;
  readonly codeShown: Behavior["shipping-code-shown"];
}

/** Makes an order of the listing. Amounts are minor units, as prices of products are. */
export function toOrder(order: SoldOrder, view: OrderView): Order {
  const { code, buyer, orderedAtMs } = order;
  const packages = order.packages.map((one) => toPackage({ ...view, order, one }));
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

interface PackageContext extends OrderView {
  readonly order: SoldOrder;
  readonly one: SoldPackage;
}

function toPackage(context: PackageContext): OrderPackage {
  const { id, items, status, shippingMinor } = context.one;
  const seen = items.map((item) => toItem(item, context));
  return {
    package_id: id,
    ...showStatus(status, context.codes),
    items: seen,
    total_price: sum(seen.map(({ paid_amount }) => paid_amount ?? 0)),
    invoice_draft: `https://sandbox.example/invoices/${id}.pdf`,
    shipping: {
      ...showCode(context.one, context.codeShown),
      total_shipping_price: shippingMinor,
      shipping_address: 1 + pickNumber(9_000_000, "address", id),
    },
  };
}

type ShownStatus = Pick<OrderPackage, "status" | "status_explained">;

function showStatus(own: number, codes: StatusCodes): ShownStatus {
  const { code, words } = codes.show(own);
  return { status: code, ...(words !== undefined && { status_explained: words }) };
}

type ShownCode = Pick<
  NonNullable<OrderPackage["shipping"]>,
  "shipping_discount_code" | "shipping_company"
>;

function showCode(one: SoldPackage, shown: Behavior["shipping-code-shown"]): ShownCode {
  const { company = "", code = "" } = codeOf(one) ?? {};
  const discount = discountCode(one.id) ?? "";
  return {
    shipping_discount_code: shown === "shown" ? code : discount,
    shipping_company: shown === "hidden" ? one.company : company,
  };
}

/** The discount code of every third package; `undefined` for the others. */
export function discountCode(id: string): string | undefined {
  return pickNumber(3, "discount code", id) === 0
    ? `KRG-${createHashedId("code", id).slice(0, 8).toUpperCase()}`
    : undefined;
}

function toItem(item: SoldItem, context: PackageContext): OrderItem {
  const { catalog, order, one, nowMs, codes } = context;
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
    ...showStatus(one.status, codes),
    discount_amount: item.discountMinor,
    product_url: `https://sandbox.example/urun/${product.sid}`,
    product_images: product.images,
    variant: null,
  };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
