/** One handler for each endpoint of the contract. */

import type { Clock } from "@catalog/clock";
import type { DataOf, Endpoint, Endpoints, Page, PageQuery } from "@catalog/contract";

import type { Behavior } from "../behavior/behavior-settings.ts";
import { containsName } from "../catalog/names.ts";
import type { SandboxCatalog, SandboxCategory } from "../catalog/sandbox-catalog.ts";
import { countComments, selectComments, toComment, toCommentedProduct } from "../comments.ts";
import { createInputRefusal, createMissingRefusal, Refusal, toPage } from "../http/answers.ts";
import type { TokenService } from "../http/request-checks.ts";
import type { Market, StatsCounter } from "../market-state.ts";
import { discountCode, selectOrders, toOrder } from "../orders/orders.ts";
import { listPayments, selectPayments, toPayment } from "../orders/payments.ts";
import { type Move, MOVE_WORDS } from "../orders/statuses.ts";
import {
  createProductSearch,
  createProductSelection,
  type SandboxOffer,
  toSearchResult,
  toStoreProduct,
} from "../products/product-search.ts";
import type { ProductState, SandboxProduct } from "../products/product-state.ts";
import { selectQuestions, toQuestion } from "../questions.ts";
import { ADDRESSES, COMPANIES, quotePrices, requireContracted } from "../shipping.ts";

interface SearchQuery extends PageQuery {
  readonly ids?: readonly string[] | undefined;
  readonly search?: string | undefined;
}

/**
 * A page of the items that have one of the ids and a name containing the text, where these are
 * given.
 */
function searchPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  query: SearchQuery,
  nameOf: (item: Item) => string,
): Page<Item> {
  const { ids, search: text = "" } = query;
  const found = items.filter(
    (item) => (ids?.includes(item.id) ?? true) && containsName(nameOf(item), text),
  );
  return toPage(found, query);
}

/** Facts of a request that a handler may use besides its input. */
interface Call {
  readonly ip: string;
}

/**
 * Answers one endpoint with its `data`, or throws a refusal. Declared as a method, so that handlers
 * of different inputs fit into one table: the endpoint's schema has been applied before.
 */
export interface Handler<Input, Data> {
  answer(input: Input, call: Call): Data;
}

type HandlerOf<Row> = Row extends Endpoint<infer Input, infer Data> ? Handler<Input, Data> : never;

/** One handler for every row of the table; leaving one out does not compile. */
export type Handlers = {
  readonly [Group in keyof Endpoints]: {
    readonly [Name in keyof Endpoints[Group]]: HandlerOf<Endpoints[Group][Name]>;
  };
};

interface HandlersOptions {
  readonly catalog: SandboxCatalog;
  readonly store: ProductState;
  readonly market: Market;
  readonly tokens: TokenService;
  readonly stats: StatsCounter;
  readonly clock: Clock;
  readonly behavior: Behavior;
  /** Products of other stores besides those that are generated. @default none */
  readonly offers?: readonly SandboxOffer[] | undefined;
}

function createCategoryHandlers({ catalog }: HandlersOptions): Handlers["category"] {
  return {
    list: { answer: (query) => searchPage(catalog.categories, query, ({ name }) => name) },
    byExternalId: {
      answer({ externalCategoryId }) {
        const wanted = String(externalCategoryId);
        const category = catalog.categories.find(({ external_id }) => external_id === wanted);
        const known = requireCategory(category);
        return { ...known, properties: catalog.properties(known.id) };
      },
    },
    properties: {
      answer({ categoryId }) {
        return catalog.properties(requireCategory(catalog.category(categoryId)).id);
      },
    },
  };
}

function createBrandHandlers({ catalog }: HandlersOptions): Handlers["brand"] {
  return {
    list: {
      answer(query) {
        assertCategory(catalog, query.category_id);
        const { name, ...rest } = query;
        const brands = catalog.brands(query.category_id);
        return searchPage(brands, { ...rest, search: name }, (brand) => brand.name);
      },
    },
    models: {
      answer(query) {
        assertCategory(catalog, query.category_id);
        return toPage(catalog.models(query.category_id, query.brand_id), query);
      },
    },
  };
}

function requireCategory(category: SandboxCategory | undefined): SandboxCategory {
  if (category === undefined) throw createMissingRefusal({ en: "Category", tr: "Kategori" });
  return category;
}

function assertCategory(catalog: SandboxCatalog, id: string): void {
  if (catalog.category(id) !== undefined) return;
  const message = { en: "must be a category", tr: "bir kategori olmalı" };
  throw createInputRefusal([{ field: "category_id", message }]);
}

/** Comments show the current product: a new title appears in them too. */
function createCommentHandlers(options: HandlersOptions): Handlers["comment"] {
  const { market, catalog, store } = options;
  const asItIsNow = (product: SandboxProduct): SandboxProduct =>
    store.product(product.id) ?? product;

  return {
    commentedProducts: {
      answer(query) {
        const { total, result } = toPage(countComments(market.comments(), query), query);
        return {
          total,
          result: result.map(({ product, count }) =>
            toCommentedProduct(catalog, asItIsNow(product), count),
          ),
        };
      },
    },
    productComments: {
      answer(query) {
        const { product_id: wanted } = query;
        const known = market.soldProducts().find(({ id }) => id === wanted);
        const product = store.product(wanted) ?? known;
        if (product === undefined) throw createMissingRefusal({ en: "Product", tr: "Ürün" });
        const own = market.comments().filter((comment) => comment.product.id === wanted);
        const { total, result } = toPage(selectComments(own, query), query);
        return {
          total,
          product: toStoreProduct(catalog, product),
          result: result.map(toComment),
        };
      },
    },
    storeComments: {
      answer(query) {
        const { total, result } = toPage(selectComments(market.comments(), query), query);
        return { total, result: result.map(toComment) };
      },
    },
  };
}

/** The listing answers an array of orders. */
function createOrderHandlers(options: HandlersOptions): Handlers["order"] {
  const { market, catalog, clock, behavior } = options;
  /** Moves the package; returns the answer to a move that its status forbids. */
  const move = (id: string, name: OrderMove): MoveAnswer | undefined => {
    try {
      market.otherPerson.meet({ package: id, move: name });
      market.orders.move(id, name);
      return undefined;
    } catch (error) {
      return answerWrongMove(error, behavior);
    }
  };

  return {
    statusCodes: { answer: () => market.codes.list() },
    list: {
      answer(query) {
        const codeShown = behavior["shipping-code-shown"];
        const view = { catalog, nowMs: clock.now(), codes: market.codes, codeShown };
        return selectOrders(market.orders.listed(), query, view).map((order) =>
          toOrder(order, view),
        );
      },
    },
    postpone: {
      answer: ({ package_id: id }) =>
        move(id, "postpone") ?? { ...answerMove("postpone", behavior), ...toDiscount(id) },
    },
    accept: {
      answer: ({ package_id: id }) =>
        move(id, "accept") ?? { ...answerMove("accept", behavior), ...toDiscount(id) },
    },
    acceptReturn: {
      answer: ({ package_id: id }) =>
        move(id, "acceptReturn") ?? answerMove("acceptReturn", behavior),
    },
    rejectReturn: {
      answer: ({ package_id: id }) => move(id, "rejectReturn") ?? answerRejectedReturn(behavior),
    },
  };
}

type OrderMove = Exclude<Move, "generateCode">;
type MoveAnswer = DataOf<"order.accept">;

function toDiscount(id: string): MoveAnswer {
  const code = discountCode(id);
  return code === undefined ? {} : { order_discount_code: code };
}

function answerMove(move: OrderMove, behavior: Behavior): MoveAnswer {
  const answers: Readonly<Record<Behavior["move-answer"], MoveAnswer>> = {
    success: { status: "success" },
    turkish: { status: MOVE_WORDS[move] },
    true: { status: true },
    missing: {},
  };
  return answers[behavior["move-answer"]];
}

/** Answers a move that the status forbids, or throws the error again. */
function answerWrongMove(error: unknown, behavior: Behavior): MoveAnswer {
  const isWrong = error instanceof Refusal && error.reason === "wrong-move";
  if (!isWrong || behavior["wrong-move"] === "refused") throw error;
  const { message, messageTr: message_tr } = error;
  const answer = { status: "error", message, message_tr };
  return behavior["wrong-move"] === "status-text" ? { status: message_tr } : answer;
}

/** With "no-data", the answer is an object without `data`. */
function answerRejectedReturn(behavior: Behavior): unknown {
  const answers: Readonly<Record<Behavior["reject-return-answer"], unknown>> = {
    status: answerMove("rejectReturn", behavior),
    empty: {},
    null: null,
    "no-data": undefined,
  };
  return answers[behavior["reject-return-answer"]];
}

function createProductHandlers(options: HandlersOptions): Handlers["product"] {
  const { catalog, store, stats, clock, behavior } = options;
  const offers = createProductSearch({
    catalog,
    behavior,
    given: options.offers,
    nowMs: clock.now(),
    listed: () => store.listed(),
  });
  const selection = createProductSelection(behavior);

  return {
    search: {
      answer(query) {
        const { total, result } = toPage(offers.find(query), query);
        return { total, result: result.map((offer) => toSearchResult(catalog, offer)) };
      },
    },
    list: {
      answer(query) {
        const { total, result } = selection.page(store.listed(), query);
        return { total, result: result.map((product) => toStoreProduct(catalog, product)) };
      },
    },
    add: {
      answer(product) {
        const { id } = store.add(product);
        stats.count("adds");
        return { status: true, message: "Product added", product_id: id };
      },
    },
    update: {
      answer({ product_id, ...changes }) {
        if (store.update(product_id, changes) === "changed") stats.count("updates");
        return { status: true, message: "Product updated" };
      },
    },
  };
}

function createShippingTemplateHandlers(options: HandlersOptions): Handlers["shippingTemplate"] {
  const { market } = options;
  return {
    list: {
      answer: (query) =>
        searchPage(market.templates.listed(), query, ({ template_name }) => template_name),
    },
    create: {
      answer(template) {
        market.otherPerson.meet({ newTemplate: template });
        market.templates.create(template);
        return { success: true };
      },
    },
    update: {
      answer(changes) {
        market.otherPerson.meet({ template: changes });
        market.templates.update(changes);
        return { success: true };
      },
    },
    addresses: { answer: () => ADDRESSES },
  };
}

/** A package can get a shipping code once it is accepted. */
function createShippingHandlers({ market }: HandlersOptions): Handlers["shipping"] {
  return {
    companies: { answer: () => COMPANIES },
    contractedCompanies: {
      answer: () => COMPANIES.filter((company) => company.has_contract_with_platform),
    },
    prices: { answer: ({ package_id }) => quotePrices(market.orders.package(package_id)) },
    generateCode: {
      answer({ package_id, company_id }) {
        const company = requireContracted(company_id);
        market.otherPerson.meet({ package: package_id, move: "generateCode" });
        const given = market.orders.generateCode(package_id, company.name);
        return { shipping_company: given.company, shippingCode: given.code };
      },
    },
  };
}

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

function createQuestionHandlers({ market, behavior }: HandlersOptions): Handlers["question"] {
  return {
    list: {
      answer(query) {
        const found = selectQuestions(market.questions.listed(), query);
        const { total, result } = toPage(found, query);
        const shape = behavior["answer-shape"];
        return { total, result: result.map((question) => toQuestion(question, shape)) };
      },
    },
    reply: {
      answer(reply) {
        market.otherPerson.meet({ question: reply.product_question_id });
        return { success: market.questions.reply(reply) === "answered" };
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
