/**
 * The state of the store besides its products: orders, comments, questions, templates and so on. It
 * is generated on first use, and depends only on the time of the start.
 */

import type { Clock } from "@catalog/clock";
import type { ShippingTemplate } from "@catalog/contract";

import { createCities, type SandboxCity } from "./catalog/cities.ts";
import type { SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { createSeedComments, type SandboxComment } from "./comments/seed-comments.ts";
import { createSoldProducts } from "./history/sold-products.ts";
import { lazy } from "./lazy.ts";
import { createOrders, type MovedPackage, type Orders } from "./orders/orders.ts";
import { createSeedOrders } from "./orders/seed-orders.ts";
import type { SandboxProduct } from "./products/product-state.ts";
import { createQuestions, type GivenAnswer, type Questions } from "./questions/questions.ts";
import { createSeedQuestions } from "./questions/seed-questions.ts";
import { createTemplates, type Templates } from "./shipping/templates.ts";

export interface MarketOptions {
  readonly catalog: SandboxCatalog;
  readonly clock: Clock;
  /** Number of products that the store started with. */
  readonly products: number;
}

/** What is needed to restore the same state. */
export interface SavedMarket {
  /** When the sandbox was started, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Number of products that the store started with. */
  readonly products: number;
  readonly moved: readonly MovedPackage[];
  readonly answers: readonly GivenAnswer[];
  readonly templates: readonly ShippingTemplate[];
}

export interface Market {
  /** The catalog with the current shipping templates. */
  readonly catalog: SandboxCatalog;
  readonly orders: Orders;
  readonly questions: Questions;
  readonly templates: Templates;
  /** Oldest first. */
  comments(): readonly SandboxComment[];
  cities(): readonly SandboxCity[];
  /** Products that orders, comments and questions are about, listed now or not. */
  soldProducts(): readonly SandboxProduct[];
  /** Restores the state of the start. */
  reset(): void;
  save(): SavedMarket;
  /** Throws a `RangeError`, and changes nothing, where the saved state is inconsistent. */
  load(saved: SavedMarket): void;
}

export function createMarket({ catalog, clock, products }: MarketOptions): Market {
  const untouched: SavedMarket = {
    startedAtMs: clock.now(),
    products,
    moved: [],
    answers: [],
    templates: catalog.shippingTemplates,
  };
  const cities = lazy(createCities);
  const open = (saved: SavedMarket): MarketState =>
    openMarketState({ catalog, clock, cities, saved });
  let state = open(untouched);

  return {
    catalog: {
      ...catalog,
      get shippingTemplates() {
        return state.templates.list();
      },
    },
    get orders() {
      return state.orders;
    },
    get questions() {
      return state.questions;
    },
    get templates() {
      return state.templates;
    },
    comments: () => state.comments(),
    cities,
    soldProducts: () => state.sold(),
    reset() {
      state = open(untouched);
    },
    save: () => ({
      ...state.since,
      moved: state.orders.save(),
      answers: state.questions.save(),
      templates: state.templates.list(),
    }),
    load(saved) {
      state = open(saved);
    },
  };
}

/** State that is generated from one start. */
interface MarketState {
  readonly since: Pick<SavedMarket, "startedAtMs" | "products">;
  readonly sold: () => readonly SandboxProduct[];
  readonly comments: () => readonly SandboxComment[];
  readonly orders: Orders;
  readonly questions: Questions;
  readonly templates: Templates;
}

interface MarketStateOptions extends Omit<MarketOptions, "products"> {
  readonly cities: () => readonly SandboxCity[];
  readonly saved: SavedMarket;
}

function openMarketState({ catalog, clock, cities, saved }: MarketStateOptions): MarketState {
  const { startedAtMs, products, moved, answers: given, templates: initial } = saved;
  const nowMs = startedAtMs;
  const sold = lazy(() => createSoldProducts({ catalog, count: products, nowMs }));
  return {
    since: { startedAtMs, products },
    sold,
    comments: lazy(() => createSeedComments({ products: sold(), nowMs })),
    orders: createOrders({
      clock,
      fill: () => createSeedOrders({ products: sold(), cities: cities(), nowMs }),
      moved,
    }),
    questions: createQuestions({
      clock,
      fill: () => createSeedQuestions({ products: sold(), nowMs }),
      given,
    }),
    templates: createTemplates({ clock, initial, cities }),
  };
}
