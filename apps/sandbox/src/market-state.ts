/**
 * The state of the store besides its products: orders, comments, questions, templates and so on. It
 * is generated on first use, and depends only on the time of the start.
 */

import type { Clock } from "@catalog/clock";
import type { ShippingTemplate } from "@catalog/contract";

import { createCities, type SandboxCity } from "./catalog/cities.ts";
import type { SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import {
  createQuestions,
  createSeedComments,
  createSeedQuestions,
  type GivenAnswer,
  type Questions,
  type SandboxComment,
} from "./comments.ts";
import { createSoldProducts, lazy } from "./history.ts";
import { createOrders, createSeedOrders, type MovedPackage, type Orders } from "./orders.ts";
import type { SandboxProduct } from "./products/product-state.ts";
import { createTemplates, type Templates } from "./shipping.ts";

interface MarketOptions {
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

/** Counts since the sandbox started or was reset. */
export interface SandboxStats {
  /** Number of products in the store now, in any status. */
  readonly products: number;
  /** Calls of product/add that were answered with a product's id. */
  readonly adds: number;
  /** Calls of product/update that changed a product; an update with equal values does not count. */
  readonly updates: number;
  /** Number of tokens issued. */
  readonly tokens: number;
  /**
   * Number of requests received, refused ones and unknown paths included, admin routes excepted.
   */
  readonly requests: number;
  /**
   * The same by endpoint, such as "product.add", without unknown paths; a missing key means none.
   */
  readonly byEndpoint: Readonly<Record<string, number>>;
}

/** Counts requests and their effects while the sandbox runs. */
export interface StatsCounter {
  /** `endpoint` is undefined for an unknown path. */
  countRequest(endpoint: string | undefined): void;
  count(what: "adds" | "updates" | "tokens"): void;
  read(): Omit<SandboxStats, "products">;
  reset(): void;
  /** Continues from the counts of another one. */
  load(counts: Omit<SandboxStats, "products">): void;
}

export function createStatsCounter(): StatsCounter {
  const byEndpoint = new Map<string, number>();
  const counts = { adds: 0, updates: 0, tokens: 0, requests: 0 };

  return {
    countRequest(endpoint) {
      counts.requests += 1;
      if (endpoint !== undefined) byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? 0) + 1);
    },
    count(what) {
      counts[what] += 1;
    },
    read: () => ({ ...counts, byEndpoint: Object.fromEntries(byEndpoint) }),
    reset() {
      byEndpoint.clear();
      Object.assign(counts, { adds: 0, updates: 0, tokens: 0, requests: 0 });
    },
    load({ byEndpoint: named, ...rest }) {
      byEndpoint.clear();
      for (const [name, count] of Object.entries(named)) byEndpoint.set(name, count);
      Object.assign(counts, rest);
    },
  };
}
