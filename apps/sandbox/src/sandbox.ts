import { type Clock, systemClock } from "@catalog/clock";
import { endpoints, storeId, type StoreId } from "@catalog/contract";

import { createHashedId } from "./catalog/hashed-id.ts";
import { createSandboxCatalog, type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { createGate } from "./gate.ts";
import { createHandlers } from "./handlers.ts";
import { createMarket } from "./market.ts";
import { createQuota } from "./quota.ts";
import { createRouteTable, toTable } from "./route-table.ts";
import { createServer } from "./server.ts";
import { createFilledProducts } from "./store/filled-products.ts";
import {
  createStoreState,
  type InitialProduct,
  type SandboxProduct,
  type StoreState,
} from "./store/store-state.ts";
import { createTally, type SandboxStats } from "./tally.ts";
import { createTokenDesk } from "./token-desk.ts";

const HOST = "127.0.0.1";

/** How a sandbox differs from an empty, fast and unlimited one. */
export interface SandboxOptions {
  /** Port on 127.0.0.1; there is no way to listen on another address. @default 0, any free port */
  readonly port?: number;
  /** Products in the store at the start, the same ones every time. @default 0 */
  readonly products?: number;
  /** @default systemClock */
  readonly clock?: Clock;
  /** Wait before each answer, inspection left out. @default 0 */
  readonly latencyMs?: number;
  /** Requests in any hour; one more is answered with 429 and Retry-After. @default unlimited */
  readonly requestsPerHour?: number;
  /** Key, secret, tokens and store ids follow from it. @default "sandbox" */
  readonly seed?: string;
}

/** A running marketplace, and a look behind its counter. */
export interface Sandbox extends AsyncDisposable {
  /** "http://127.0.0.1:" and the port, without a slash at the end. */
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  /** The store that granted every permission. */
  readonly storeId: StoreId;
  /** A store that exists and granted nothing. */
  readonly closedStoreId: StoreId;
  stats(): SandboxStats;
  /** Every product in any status, in the order of addition. */
  products(): readonly SandboxProduct[];
  /** Back to the products of the start, with no counts; tokens stay valid. */
  reset(): void;
  /** Ends open requests and connections; a second call does nothing. */
  close(): Promise<void>;
}

/** Starts a marketplace of its own; two of them share nothing but the catalog's names and ids. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, clock = systemClock, latencyMs = 0, seed = "sandbox" } = options;
  assertCount("latencyMs", latencyMs);

  const market = createMarket({
    catalog: createSandboxCatalog(),
    clock,
    products: options.products ?? 0,
  });
  const { catalog } = market;
  const tally = createTally();
  const tokens = createTokenDesk({ clock, seed });
  const quota = createQuota(clock, options.requestsPerHour);
  const store = createFilledStore(catalog, clock, options.products);
  const stores = {
    storeId: storeId.parse(createHashedId("store", seed)),
    closedStoreId: storeId.parse(createHashedId("closed store", seed)),
  };
  const inspection = {
    stats: () => ({ products: store.products().length, ...tally.read() }),
    products: () => store.products(),
    reset: () => [store, market, tally, quota].forEach((part) => part.reset()),
  };
  const closing = new AbortController();
  const waiting = { clock, latencyMs, closing: closing.signal };
  const handlers = createHandlers({ catalog, store, market, tokens, tally, clock });
  const server = createServer({
    routes: createRouteTable(toTable({ ...endpoints }), handlers),
    gate: createGate({ tokens, quota, tally, ...waiting, ...stores }),
    inspection,
  });

  const baseUrl = await server.listen({ port, host: HOST });
  const close = async (): Promise<void> => {
    closing.abort();
    await server.close();
  };
  const { clientKey, clientSecret } = tokens;
  const credentials = { clientKey, clientSecret, ...stores };
  return { baseUrl, ...credentials, ...inspection, close, [Symbol.asyncDispose]: close };
}

/** A reset fills the store again as it was, so the moment of the start is kept. */
function createFilledStore(catalog: SandboxCatalog, clock: Clock, count = 0): StoreState {
  assertCount("products", count);
  const nowMs = clock.now();
  const fill = (): readonly InitialProduct[] => createFilledProducts({ catalog, count, nowMs });
  return createStoreState({ catalog, clock, fill });
}

function assertCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(`${name} must be a whole number from 0, got ${value}`);
}
