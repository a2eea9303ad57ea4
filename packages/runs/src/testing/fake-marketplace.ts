/**
 * A marketplace in memory. It keeps what it is sent, lists it as the real one does (no category id,
 * no model, an inexact filter by product code) and accepts a code that it already has: a product
 * added twice is there twice. The outcome of each write can be scripted.
 */

import type {
  Answer,
  ListingFilter,
  ListQuery,
  Marketplace,
  SendOptions,
  WirePhase,
} from "../ports/marketplace.ts";
import {
  type ListingStatus,
  PAGE_SIZE,
  type ProductAdd,
  type ProductChanges,
  type ProductId,
  type ProductUpdate,
  type StoreProduct,
  parseProductId,
} from "../ports/product.ts";

/** Whether the write is carried out: never, before it is answered, or after a number of reads. */
export type Effect = "none" | "now" | { readonly afterReads: number };

/** The scripted course of one write. */
export type Reply =
  | {
      readonly kind: "answer";
      readonly answer: Answer;
      readonly effect: Effect;
      /** `beforeSend` is called. */
      readonly begins: boolean;
    }
  | { readonly kind: "failure"; readonly error: Error };

/** An answer with this `data`. @default effect: not carried out */
export function answered(data: unknown, effect: Effect = "none"): Reply {
  const answer = { kind: "answered", data, phase: "body" } as const;
  return { kind: "answer", answer, effect, begins: true };
}

/** A refusal, such as a 429. @default effect: not carried out */
export function refused(
  status: number,
  more: {
    readonly message?: string;
    readonly retryAfterMs?: number;
    readonly effect?: Effect;
    /** @default "application/json" */
    readonly contentType?: string;
  } = {},
): Reply {
  const { message = `status ${status}`, retryAfterMs, effect = "none" } = more;
  const facts = { contentType: more.contentType ?? "application/json" };
  const answer = { kind: "refused", status, phase: "body", message, retryAfterMs, facts } as const;
  return { kind: "answer", answer, effect, begins: true };
}

/**
 * No answer. With phase `none` no connection was made, so `beforeSend` is not called; `{ begins:
 * true }` is for a failure between that call and the first byte.
 */
export function lost(
  phase: WirePhase,
  more: { readonly effect?: Effect; readonly begins?: boolean } = {},
): Reply {
  const { effect = "none", begins = phase !== "none" } = more;
  return {
    kind: "answer",
    answer: { kind: "lost", phase, message: `lost after ${phase}` },
    effect: phase === "none" ? "none" : effect,
    begins,
  };
}

/** An error thrown before anything leaves, such as a refused login. */
export function failing(error: Error): Reply {
  return { kind: "failure", error };
}

/** Unit in which a listing gives its prices; the API specification does not state it. */
export type PriceNotation = "minor" | "major";

export function listAdded(id: ProductId, body: ProductAdd, notation: PriceNotation): StoreProduct {
  return show({ id, product_code: body.product_code }, body, notation);
}

export function listUpdated(
  product: StoreProduct,
  body: ProductUpdate,
  notation: PriceNotation,
): StoreProduct {
  return show(product, body, notation);
}

/** Fields that the listing shows under the name of the add call. */
const SAME_NAME = [
  "title",
  "brand_id",
  "description",
  "currency",
  "warranty_type",
  "warranty_period",
  "shipping_template_id",
  "images",
  "properties",
] as const;

/** Category, model, condition and the personalisation flag are not shown (section Product). */
function show(product: StoreProduct, body: ProductChanges, notation: PriceNotation): StoreProduct {
  const same = SAME_NAME.filter((field) => body[field] !== undefined).map((field) => [
    field,
    body[field],
  ]);
  const price = body.price === undefined ? product.price : toListedAmount(body.price, notation);
  return {
    ...product,
    ...Object.fromEntries(same),
    subtitle: body.sub_title ?? product.subtitle,
    stock: body.stock_count ?? product.stock,
    price,
    ...showDiscount(body, notation),
  };
}

function showDiscount(
  body: ProductChanges,
  notation: PriceNotation,
): Pick<StoreProduct, "has_discount" | "discount_type" | "discount_value"> {
  const { has_discount, discount_type, discount_value } = body;
  if (has_discount === undefined) return {};
  if (!has_discount) return { has_discount, discount_type: null, discount_value: false };
  const amount = discount_value ?? 0;
  return {
    has_discount,
    discount_type,
    discount_value: discount_type === 2 ? amount : toListedAmount(amount, notation),
  };
}

function toListedAmount(priceMinor: number, notation: PriceNotation): number {
  return notation === "minor" ? priceMinor : priceMinor / 100;
}

/** The listing that shows a product; a product that waits for approval may be in none. */
export type Placement = ListingStatus | "hidden";

/** A product as kept in the store. */
export interface FakeProduct {
  readonly placement: Placement;
  readonly product: StoreProduct;
}

/** The products of a fake marketplace, and its scripted behaviour. */
export interface FakeMarketplaceOptions {
  readonly products?: readonly FakeProduct[];
  /**
   * Replies for each request (`ADD A1`, `UPDATE p1`, or `*` for every other): the first reply
   * answers the first such request, and so on; after the last one all requests succeed.
   */
  readonly script?: Readonly<Record<string, readonly Reply[]>>;
  /** Where new products are listed. @default "approved" */
  readonly placement?: Placement;
  /** Unit of the prices in listings. @default "minor" */
  readonly priceNotation?: PriceNotation;
  /** Filters of its listing that find nothing. @default none */
  readonly useless?: readonly ListingFilter[];
  /** Called when a request has come in (and was carried out), before it is answered. */
  readonly onRequest?: (request: string) => Promise<void> | void;
  /** The server time of its answers, in milliseconds. @default none */
  readonly serverTimeMs?: () => number | undefined;
}

/** A marketplace that a test can inspect. */
export interface FakeMarketplace extends Marketplace {
  /**
   * Requests that came in, such as `LIST approved A1`; a request that never left is not among them.
   */
  readonly log: readonly string[];
  /** Products in the store, over all placements. */
  readonly products: readonly FakeProduct[];
  /** Moves a product to another listing. */
  put(id: ProductId, placement: Placement): void;
  /** Carries out every write that is still to take effect. */
  catchUp(): void;
}

/** A store with the given products. */
export function createFakeMarketplace(options: FakeMarketplaceOptions = {}): FakeMarketplace {
  const { onRequest, serverTimeMs = () => undefined } = options;
  const log: string[] = [];
  const listing = createFakeListing(options);
  const nextReply = createScript(options.script ?? {});

  const arrive = async (request: string): Promise<void> => {
    log.push(request);
    await onRequest?.(request);
  };
  const write = async (plan: Write, { beforeSend, signal }: SendOptions): Promise<Answer> => {
    signal?.throwIfAborted();
    const reply = nextReply(plan.request) ?? plan.goWell();
    if (reply.kind === "failure") throw reply.error;
    if (reply.begins) beforeSend();
    if (reply.answer.phase === "none") return reply.answer;
    listing.apply(reply.effect, () => plan.carryOut());
    await arrive(plan.request);
    return reply.answer;
  };

  return {
    log,
    serverTimeMs,
    get products() {
      return listing.products();
    },
    put: (id, placement) => listing.location(id, placement),
    catchUp: () => listing.noteRead(Infinity),
    async countProducts(status, signal) {
      signal?.throwIfAborted();
      await arrive(`COUNT ${status}`);
      return listing.list(status).length;
    },
    async *listProducts(query) {
      const { status, code, ids, addedAfterMs, signal } = query;
      signal?.throwIfAborted();
      listing.noteRead(1);
      const since = addedAfterMs === undefined ? undefined : `since ${addedAfterMs}`;
      await arrive(["LIST", status, code ?? ids?.join(",") ?? since].filter(Boolean).join(" "));
      const found = listing.list(status).filter((product) => isAsked(product, query, options));
      yield* toPages(found, query);
    },
    addProduct: (body, send) => write(listing.planAdd(body), send),
    updateProduct: (body, send) => write(listing.planUpdate(body), send),
    checkUpdate: checkFakeUpdate,
  };
}

/** Refuses a discount that says not all of itself, and a rate of more than 99 percent. */
export const checkFakeUpdate: Marketplace["checkUpdate"] = (fields) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test's own fields
  const body = fields as unknown as ProductUpdate;
  const { has_discount: has, discount_type: type, discount_value: value } = body;
  const isWhole = has !== true || (type !== undefined && value !== undefined);
  const isRate = type !== 2 || value === undefined || value < 100;
  return isWhole && isRate ? { ok: true, body } : { ok: false, problems: ["discount_value"] };
};

/** Passes products in full pages, and reports each page and the end. */
function* toPages(
  products: readonly StoreProduct[],
  { onPage, onEnd }: ListQuery,
): Generator<StoreProduct> {
  const pages = Math.ceil(products.length / PAGE_SIZE);
  for (let page = 1; page <= pages; page += 1) {
    onPage?.({ page, pages });
    yield* products.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  }
  onEnd?.({ isStill: true });
}

function isAsked(
  product: StoreProduct,
  query: ListQuery,
  { useless = [] }: FakeMarketplaceOptions,
): boolean {
  const isNamed = query.ids === undefined || query.ids.includes(product.id);
  const isSilent = useless.some((filter) => uses(query, filter));
  return !isSilent && isNamed && isLike(product, query.code);
}

function uses({ code, ids, addedAfterMs }: ListQuery, filter: ListingFilter): boolean {
  const asked = { product_code: code, ids, start_date: addedAfterMs };
  return asked[filter] !== undefined;
}

/**
 * The specification does not say that the filter is exact (section Products, list), so it is not.
 */
function isLike({ product_code: shown }: StoreProduct, code: string | undefined): boolean {
  return code === undefined || (shown ?? "").toLowerCase().includes(code.toLowerCase());
}

function createScript(
  script: Readonly<Record<string, readonly Reply[]>>,
): (request: string) => Reply | undefined {
  const asked = new Map<string, number>();
  return (request) => {
    const key = request in script ? request : "*";
    const n = asked.get(key) ?? 0;
    asked.set(key, n + 1);
    return script[key]?.[n];
  };
}

interface Write {
  readonly request: string;
  /** Returns the reply to a request that is not scripted. */
  goWell(): Reply;
  carryOut(): void;
}

interface FakeListing {
  products(): readonly FakeProduct[];
  list(status: ListingStatus): readonly StoreProduct[];
  location(id: ProductId, placement: Placement): void;
  planAdd(body: ProductAdd): Write;
  planUpdate(body: ProductUpdate): Write;
  apply(effect: Effect, carryOut: () => void): void;
  noteRead(reads: number): void;
}

function createFakeListing(options: FakeMarketplaceOptions): FakeListing {
  const { placement = "approved", priceNotation = "minor" } = options;
  const listing = new Map<ProductId, FakeProduct>();
  for (const fake of options.products ?? []) listing.set(fake.product.id, fake);
  const late = createLateEffects();
  let added = 0;

  return {
    products: () => [...listing.values()],
    list: (status) =>
      [...listing.values()].filter((fake) => fake.placement === status).map((fake) => fake.product),
    location(id, next) {
      const fake = listing.get(id);
      if (fake !== undefined) listing.set(id, { ...fake, placement: next });
    },
    planAdd(body) {
      added += 1;
      const id = parseProductId(`new-${added}`);
      return {
        request: `ADD ${body.product_code}`,
        goWell: () => answered({ status: true, product_id: id }, "now"),
        carryOut: () => listing.set(id, { placement, product: listAdded(id, body, priceNotation) }),
      };
    },
    planUpdate(body) {
      const id = body.product_id;
      return {
        request: `UPDATE ${id}`,
        goWell: () => (listing.has(id) ? answered({ status: true }, "now") : refused(404)),
        carryOut() {
          const fake = listing.get(id);
          if (fake === undefined) return;
          listing.set(id, { ...fake, product: listUpdated(fake.product, body, priceNotation) });
        },
      };
    },
    apply: late.apply,
    noteRead: late.noteRead,
  };
}

/** Applies writes now, never, or after the given number of reads of the store. */
function createLateEffects(): Pick<FakeListing, "apply" | "noteRead"> {
  let waiting: readonly { readonly atRead: number; readonly carryOut: () => void }[] = [];
  let done = 0;
  return {
    apply(effect, carryOut) {
      if (effect === "now") carryOut();
      else if (effect !== "none") {
        waiting = [...waiting, { atRead: done + effect.afterReads, carryOut }];
      }
    },
    noteRead(reads) {
      done += reads;
      const due = waiting.filter((one) => one.atRead < done);
      waiting = waiting.filter((one) => one.atRead >= done);
      for (const { carryOut } of due) carryOut();
    },
  };
}
