/** The orders of a store at the start: the same ones for the same start. */

import { packageId, type PackageId } from "@catalog/contract";

import type { SandboxCity } from "../catalog/cities.ts";
import { createHashedId, pickFrom, pickNumber } from "../catalog/hashed-id.ts";
import { createCustomer, type Customer } from "../history/customers.ts";
import { DAY_MS } from "../history/time-filters.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import { COMPANIES } from "../shipping/company-list.ts";

/** One product of a package. Amounts are minor units. */
export interface SoldItem {
  readonly number: string;
  readonly paymentId: number;
  readonly product: SandboxProduct;
  readonly count: number;
  readonly discountMinor: number;
}

export interface SoldPackage {
  readonly id: PackageId;
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

export interface SeedOrdersOptions {
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
    id: packageId.parse(createHashedId("package", name)),
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
