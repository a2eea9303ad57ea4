/**
 * What the one store has besides its products: orders, comments, questions, templates and their
 * like. All of it is made when somebody first asks, and follows from the moment of the start.
 */

import { type Clock } from "@catalog/clock";

import { createCities, type SandboxCity } from "./catalog/cities.ts";
import { type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { createFilledComments, type SandboxComment } from "./comments/filled-comments.ts";
import { createSoldProducts } from "./history/sold-products.ts";
import { once } from "./once.ts";
import { createFilledOrders } from "./orders/filled-orders.ts";
import { createOrderBook, type OrderBook } from "./orders/order-book.ts";
import { createFilledQuestions } from "./questions/filled-questions.ts";
import { createQuestionDesk, type QuestionDesk } from "./questions/question-desk.ts";
import { createTemplateShelf, type TemplateShelf } from "./shipping/template-shelf.ts";
import { type SandboxProduct } from "./store/store-state.ts";

export interface MarketOptions {
  readonly catalog: SandboxCatalog;
  readonly clock: Clock;
  /** Products that the store started with. */
  readonly products: number;
}

export interface Market {
  /** The catalog with the shipping templates as they stand now. */
  readonly catalog: SandboxCatalog;
  readonly orders: OrderBook;
  readonly questions: QuestionDesk;
  readonly templates: TemplateShelf;
  /** Oldest first. */
  comments(): readonly SandboxComment[];
  cities(): readonly SandboxCity[];
  /** Products that have a history, listed now or not. */
  soldProducts(): readonly SandboxProduct[];
  /** As it was at the start. */
  reset(): void;
}

export function createMarket({ catalog, clock, products }: MarketOptions): Market {
  const nowMs = clock.now();
  const cities = once(createCities);
  const sold = once(() => createSoldProducts({ catalog, count: products, nowMs }));
  const comments = once(() => createFilledComments({ products: sold(), nowMs }));
  const orders = createOrderBook({
    clock,
    fill: () => createFilledOrders({ products: sold(), cities: cities(), nowMs }),
  });
  const questions = createQuestionDesk({
    clock,
    fill: () => createFilledQuestions({ products: sold(), nowMs }),
  });
  const templates = createTemplateShelf({ clock, initial: catalog.shippingTemplates, cities });

  return {
    catalog: {
      ...catalog,
      get shippingTemplates() {
        return templates.list();
      },
    },
    orders,
    questions,
    templates,
    comments,
    cities,
    soldProducts: sold,
    reset: () => [orders, questions, templates].forEach((part) => part.reset()),
  };
}
