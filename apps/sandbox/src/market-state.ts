/**
 * The state of the store besides its products: orders, comments, questions, templates and so on. It
 * is generated on first use, and depends only on the time of the start.
 */

import { type Clock } from "@catalog/clock";
import { type ShippingTemplate } from "@catalog/contract";

import { createCities, type SandboxCity } from "./catalog/cities.ts";
import { type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { createFilledComments, type SandboxComment } from "./comments/seed-comments.ts";
import { createSoldProducts } from "./history/sold-products.ts";
import { once } from "./lazy.ts";
import { createOrderBook, type MovedPackage, type OrderBook } from "./orders/orders.ts";
import { createFilledOrders } from "./orders/seed-orders.ts";
import { type SandboxProduct } from "./products/product-state.ts";
import { createQuestionDesk, type GivenAnswer, type QuestionDesk } from "./questions/questions.ts";
import { createFilledQuestions } from "./questions/seed-questions.ts";
import { createTemplateShelf, type TemplateShelf } from "./shipping/templates.ts";

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
  readonly orders: OrderBook;
  readonly questions: QuestionDesk;
  readonly templates: TemplateShelf;
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
  const cities = once(createCities);
  const open = (saved: SavedMarket): Stall => openStall({ catalog, clock, cities, saved });
  let stall = open(untouched);

  return {
    catalog: {
      ...catalog,
      get shippingTemplates() {
        return stall.templates.list();
      },
    },
    get orders() {
      return stall.orders;
    },
    get questions() {
      return stall.questions;
    },
    get templates() {
      return stall.templates;
    },
    comments: () => stall.comments(),
    cities,
    soldProducts: () => stall.sold(),
    reset() {
      stall = open(untouched);
    },
    save: () => ({
      ...stall.since,
      moved: stall.orders.save(),
      answers: stall.questions.save(),
      templates: stall.templates.list(),
    }),
    load(saved) {
      stall = open(saved);
    },
  };
}

/** State that is generated from one start. */
interface Stall {
  readonly since: Pick<SavedMarket, "startedAtMs" | "products">;
  readonly sold: () => readonly SandboxProduct[];
  readonly comments: () => readonly SandboxComment[];
  readonly orders: OrderBook;
  readonly questions: QuestionDesk;
  readonly templates: TemplateShelf;
}

interface StallOptions extends Omit<MarketOptions, "products"> {
  readonly cities: () => readonly SandboxCity[];
  readonly saved: SavedMarket;
}

function openStall({ catalog, clock, cities, saved }: StallOptions): Stall {
  const { startedAtMs, products, moved, answers: given, templates: initial } = saved;
  const nowMs = startedAtMs;
  const sold = once(() => createSoldProducts({ catalog, count: products, nowMs }));
  return {
    since: { startedAtMs, products },
    sold,
    comments: once(() => createFilledComments({ products: sold(), nowMs })),
    orders: createOrderBook({
      clock,
      fill: () => createFilledOrders({ products: sold(), cities: cities(), nowMs }),
      moved,
    }),
    questions: createQuestionDesk({
      clock,
      fill: () => createFilledQuestions({ products: sold(), nowMs }),
      given,
    }),
    templates: createTemplateShelf({ clock, initial, cities }),
  };
}
