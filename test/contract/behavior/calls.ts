/** Calls of the real client to a sandbox, and their outcomes. */

import {
  type Client,
  type ClientOptions,
  createClient,
  createMemoryTokenCache,
} from "@catalog/client";
import { ClientError } from "@catalog/client/errors";
import type { Clock } from "@catalog/clock";
import { endpoints, type ProductAdd, type ProductId, idSchemas } from "@catalog/contract";
import { createSandboxCatalog, type BehaviorOptions, type Sandbox } from "@catalog/sandbox";
import { onTestFinished } from "vitest";

import { openWatched, type WatchOptions } from "../../helpers/markets/watched-sandbox.ts";

/** "works", "refused" for an answer that says so, or the class of the error with its status. */
export type Outcome = string;

export interface Visit {
  readonly sandbox: Sandbox;
  readonly client: Client;
  /** A product that the store lists. */
  readonly listed: ProductId;
}

export interface VisitOptions extends WatchOptions {
  readonly client?: Partial<ClientOptions>;
}

const TIMEOUT_MS = 60_000;

/** Skips every wait but the time limit of a call, which is never reached. */
export function createHastyClock(now: () => number): Clock {
  return {
    now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      if (ms !== TIMEOUT_MS) return;
      const { promise, reject } = Promise.withResolvers<never>();
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      await promise;
    },
  };
}

/** Approved products in the store: two full pages, so that no short page marks the end. */
export const LISTED = 100;

/** Number of products of which {@link LISTED} are approved. */
const PRODUCTS = 124;

/** Opens a sandbox with this behavior and a client of it, both closed when the test ends. */
export async function visit(
  personality: BehaviorOptions,
  { client: settings = {}, ...options }: VisitOptions = {},
): Promise<Visit> {
  const sandbox = await openWatched({ products: PRODUCTS, personality, ...options });
  const clock = createHastyClock(() => options.clock?.now() ?? Date.now());
  const client = createClient({
    baseUrl: sandbox.baseUrl,
    credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
    storeId: sandbox.storeId,
    tokens: createMemoryTokenCache(),
    clock,
    timeoutMs: TIMEOUT_MS,
    retries: 1,
    random: () => 0,
    ...settings,
  });
  onTestFinished(() => client.close());
  const listed = idSchemas.product.parse(sandbox.products()[0]?.id);
  return { sandbox, client, listed };
}

/** The outcome of a call; an error that is not the client's fails the test. */
export async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    const data = await call;
    const isRefused =
      typeof data === "object" && data !== null && "status" in data && data.status === false;
    return isRefused ? "refused" : "works";
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return "status" in error ? `${error.name} ${String(error.status)}` : error.name;
  }
}

/** A product that the sandbox accepts. */
export function createProduct(changes: Partial<ProductAdd> = {}): ProductAdd {
  const catalog = createSandboxCatalog();
  const category = catalog.categories.find(({ id }) => catalog.isLeaf(id));
  const brand = category === undefined ? undefined : catalog.brands(category.id)[0];
  return endpoints.product.add.input.parse({
    title: "Deneme ürünü",
    sub_title: "Kısa",
    brand_id: brand?.id,
    brand_model: "Serbest model",
    description: "Uzun açıklama",
    price: 19_990,
    product_code: "TST-00001",
    warranty_type: 1,
    warranty_period: 0,
    has_discount: false,
    category_id: category?.id,
    shipping_template_id: catalog.shippingTemplates[0]?.id,
    stock_count: 12,
    images: ["https://ornek.example/1.jpg"],
    ...changes,
  });
}
