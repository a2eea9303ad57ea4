/**
 * The state of the store besides its products: orders, comments, questions, templates and so on. It
 * is generated on first use, and depends only on the time of the start.
 */

import type { Clock } from "@catalog/clock";
import type { ShippingTemplate } from "@catalog/contract";

import type { Behavior } from "./behavior/behavior-settings.ts";
import { createCities, type SandboxCity } from "./catalog/cities.ts";
import type { SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { createSeedComments, type SandboxComment } from "./comments.ts";
import type { EffectLog } from "./effects.ts";
import { createSoldProducts, lazy } from "./history.ts";
import { createSeedOrders, type OrderHistory } from "./orders/order-history.ts";
import { createOrders, type MovedPackage, type Orders } from "./orders/orders.ts";
import { createStatusCodes, type StatusCodes } from "./orders/statuses.ts";
import { createOtherPerson, type OtherPerson } from "./other-person.ts";
import type { SandboxProduct } from "./products/product-state.ts";
import {
  createQuestions,
  createSeedQuestions,
  type GivenAnswer,
  type QuestionHistory,
  type Questions,
} from "./questions.ts";
import { createTemplates, type Templates } from "./shipping.ts";

interface MarketOptions {
  readonly catalog: SandboxCatalog;
  readonly clock: Clock;
  readonly behavior: Behavior;
  readonly effects: EffectLog;
  readonly seed: string;
  /** Number of products that the store started with. */
  readonly products: number;
  readonly orders?: OrderHistory | undefined;
  readonly questions?: QuestionHistory | undefined;
}

/** What is needed to restore the same state. */
export interface SavedMarket {
  /** When the sandbox was started, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Number of products that the store started with. */
  readonly products: number;
  readonly orders?: OrderHistory | undefined;
  readonly questions?: QuestionHistory | undefined;
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
  readonly otherPerson: OtherPerson;
  /** Numbers and words of order statuses. */
  readonly codes: StatusCodes;
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

export function createMarket(options: MarketOptions): Market {
  const { catalog, clock, products, orders, questions } = options;
  const untouched: SavedMarket = {
    startedAtMs: clock.now(),
    products,
    orders,
    questions,
    moved: [],
    answers: [],
    templates: catalog.shippingTemplates,
  };
  const cities = lazy(createCities);
  const codes = createStatusCodes(options.behavior["status-codes"]);
  const open = (saved: SavedMarket): MarketState =>
    openMarketState({ ...options, codes, cities, saved });
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
    get otherPerson() {
      return state.otherPerson;
    },
    codes,
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
  readonly since: Pick<SavedMarket, "startedAtMs" | "products" | "orders" | "questions">;
  readonly sold: () => readonly SandboxProduct[];
  readonly comments: () => readonly SandboxComment[];
  readonly orders: Orders;
  readonly questions: Questions;
  readonly templates: Templates;
  readonly otherPerson: OtherPerson;
}

interface MarketStateOptions extends Omit<MarketOptions, "products" | "orders" | "questions"> {
  readonly codes: StatusCodes;
  readonly cities: () => readonly SandboxCity[];
  readonly saved: SavedMarket;
}

function openMarketState(options: MarketStateOptions): MarketState {
  const { catalog, clock, behavior, effects, codes, seed, cities, saved } = options;
  const { startedAtMs: nowMs, products } = saved;
  const sold = lazy(() => createSoldProducts({ catalog, count: products, nowMs }));
  const common = { clock, behavior, effects };
  const orders = createOrders({
    ...common,
    codes,
    fill: () =>
      createSeedOrders({ products: sold(), cities: cities(), nowMs, history: saved.orders }),
    moved: saved.moved,
  });
  const questions = createQuestions({
    ...common,
    fill: () => createSeedQuestions({ products: sold(), nowMs, history: saved.questions }),
    given: saved.answers,
  });
  const templates = createTemplates({ ...common, initial: saved.templates, cities });
  return {
    since: { startedAtMs: nowMs, products, orders: saved.orders, questions: saved.questions },
    sold,
    comments: lazy(() => createSeedComments({ products: sold(), nowMs })),
    orders,
    questions,
    templates,
    otherPerson: createOtherPerson({ behavior, seed, orders, questions, templates, effects }),
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
