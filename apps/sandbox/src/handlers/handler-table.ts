/** The handlers of all endpoints in the contract's table. */

import { toPage } from "../http/paging.ts";
import { listPayments, selectPayments, toPayment } from "../orders/payment-listing.ts";
import { selectQuestions, toQuestion } from "../questions/questions.ts";
import { createBrandHandlers, createCategoryHandlers } from "./catalog.ts";
import { createCommentHandlers } from "./comment.ts";
import type { Handlers, HandlersOptions } from "./handler.ts";
import { createOrderHandlers } from "./order.ts";
import { createProductHandlers } from "./product.ts";
import { createShippingHandlers, createShippingTemplateHandlers } from "./shipping.ts";

export { type Call, type Handler, type Handlers, type HandlersOptions } from "./handler.ts";

export function createHandlers(options: HandlersOptions): Handlers {
  const { market } = options;
  return {
    token: createTokenHandlers(options),
    order: createOrderHandlers(options),
    product: createProductHandlers(options),
    comment: createCommentHandlers(options),
    category: createCategoryHandlers(options),
    brand: createBrandHandlers(options),
    shippingTemplate: createShippingTemplateHandlers(options),
    shipping: createShippingHandlers(options),
    question: createQuestionHandlers(options),
    payment: createPaymentHandlers(options),
    city: { list: { answer: () => market.cities() } },
  };
}

function createTokenHandlers({ tokens, stats }: HandlersOptions): Handlers["token"] {
  return {
    create: {
      answer(request, { ip }) {
        const { value, expiresAtMs } = tokens.grant(request, ip);
        stats.count("tokens");
        return {
          status: "success",
          access_token: value,
          expires_at: new Date(expiresAtMs).toISOString(),
          message: "Access token created",
          message_tr: "Erişim anahtarı oluşturuldu",
        };
      },
    },
  };
}

function createQuestionHandlers({ market }: HandlersOptions): Handlers["question"] {
  return {
    list: {
      answer(query) {
        const found = selectQuestions(market.questions.questions(), query);
        const { total, result } = toPage(found, query);
        return { total, result: result.map(toQuestion) };
      },
    },
    reply: {
      answer(reply) {
        market.questions.reply(reply);
        return { success: true };
      },
    },
  };
}

function createPaymentHandlers({ market, catalog }: HandlersOptions): Handlers["payment"] {
  return {
    list: {
      answer(query) {
        const records = listPayments(catalog, market.orders.orders());
        const { total, result } = toPage(selectPayments(records, query), query);
        return { total, result: result.map(toPayment) };
      },
    },
  };
}
