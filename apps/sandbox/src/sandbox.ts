import { readFile, writeFile } from "node:fs/promises";

import { type Clock, systemClock } from "@catalog/clock";
import { endpoints, type Id, idSchemas } from "@catalog/contract";

import { createAdminApi, type Inspection, parseSnapshot } from "./admin/admin-api.ts";
import { createViolationLog } from "./admin/violations.ts";
import {
  type Behavior,
  type BehaviorOptions,
  OptionError,
  resolveBehavior,
} from "./behavior/behavior-settings.ts";
import { createHashedId } from "./catalog/names.ts";
import { createSandboxCatalog, type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { createEffectLog } from "./effects.ts";
import { createFaultPlan, type Fault } from "./faults/fault.ts";
import { createHandlers } from "./handlers/handler-table.ts";
import {
  type Capacity,
  createCallHours,
  createCapacity,
  createQuota,
  createRequestChecks,
  createTokenService,
} from "./http/request-checks.ts";
import { createRouteTable, createServer, toTable } from "./http/server.ts";
import { createMarket, createStatsCounter, type SandboxStats } from "./market-state.ts";
import type { OrderHistory } from "./orders/order-history.ts";
import type { OtherAction } from "./other-person.ts";
import type { SandboxOffer } from "./products/product-search.ts";
import {
  createProductBehavior,
  createProductState,
  createSeedProducts,
  type InitialProduct,
  type ProductState,
  type SandboxProduct,
} from "./products/product-state.ts";
import type { QuestionHistory } from "./questions.ts";

const HOST = "127.0.0.1";

/** Options of a sandbox. Without any it is empty, fast, unlimited and has the safe behaviour. */
export interface SandboxOptions {
  /** Port on 127.0.0.1; no other address can be listened on. @default 0, any free port */
  readonly port?: number;
  /** Number of products in the store at the start, always the same ones. @default 0 */
  readonly products?: number;
  /** Orders that the store has at the start. @default 400, whose statuses follow from their age */
  readonly orders?: OrderHistory | undefined;
  /** Questions that the store has at the start. @default 160, two in five unanswered */
  readonly questions?: QuestionHistory | undefined;
  /** Products of other stores that the product search finds, besides generated ones. @default none */
  readonly offers?: readonly SandboxOffer[];
  /** @default systemClock */
  readonly clock?: Clock;
  /** Wait before each answer in milliseconds, admin routes excepted. @default 0 */
  readonly latencyMs?: number;
  /**
   * Maximum number of requests in any hour; the personality decides the answer beyond it. @default
   * unlimited
   */
  readonly requestsPerHour?: number;
  /** Seed of the key, secret, tokens, store ids and random faults. @default "sandbox" */
  readonly seed?: string;
  /** Behaviour that the specification leaves open. @default the safe values */
  readonly personality?: BehaviorOptions;
  /** Faults to inject; the first one of a call decides. @default none */
  readonly faults?: readonly Fault[];
}

/** A running marketplace, with an admin interface for tests. */
export interface Sandbox extends AsyncDisposable {
  /** "http://127.0.0.1:" and the port, without a slash at the end. */
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  /** The store that granted every permission. */
  readonly storeId: Id<"store">;
  /** A store that exists and granted nothing. */
  readonly closedStoreId: Id<"store">;
  /** The seed that was given, or the default: the same seed gives the same faults. */
  readonly seed: string;
  stats(): SandboxStats;
  /** Every product in any status, in the order of addition. */
  products(): readonly SandboxProduct[];
  /** Everything that the sandbox recorded, violations of the specification included. */
  inspect(): Inspection;
  /** Shows every product that waits for approval in the listings. Returns their number. */
  approve(): number;
  /** Expires every token early. */
  endTokens(): void;
  /**
   * Answers a question or moves a package as another person would, without a call. Throws where the
   * marketplace would refuse it.
   */
  act(action: OtherAction): void;
  /** Restores the products of the start and clears all counts; tokens stay valid. */
  reset(): void;
  /** Writes state and counters to a file, for a sandbox with the same seed. */
  snapshot(path: string): Promise<void>;
  /** Restores a snapshot. Throws a `RangeError` when the file holds none of this seed. */
  restore(path: string): Promise<void>;
  /** Aborts open requests and connections; a second call does nothing. */
  close(): Promise<void>;
}

/** Starts a marketplace; two of them share nothing but the catalog's names and ids. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, clock = systemClock, seed = "sandbox" } = options;
  const stores = {
    storeId: idSchemas.store.parse(createHashedId("store", seed)),
    closedStoreId: idSchemas.store.parse(createHashedId("closed store", seed)),
  };
  const closing = new AbortController();
  const parts = createParts({ ...options, clock, seed });
  const { behavior, tokens, faults, violations, handlers, latencyMs } = parts;
  const admin = createAdminApi(parts);
  const server = createServer({
    routes: createRouteTable(toTable({ ...endpoints }), handlers, behavior.versions),
    checks: createRequestChecks({ ...parts, ...stores, latencyMs, closing: closing.signal }),
    capacity: toCapacity(behavior.capacity),
    admin,
    behavior,
    faults,
    violations,
    time: { clock, closing: closing.signal },
  });

  const baseUrl = await server.listen({ port, host: HOST });
  const close = async (): Promise<void> => {
    closing.abort();
    await server.close();
  };
  const { save, load, withCode: _, ...methods } = admin;
  const { clientKey, clientSecret } = tokens;
  return {
    baseUrl,
    clientKey,
    clientSecret,
    ...stores,
    seed,
    ...methods,
    snapshot: (path) => writeFile(path, JSON.stringify(save())),
    restore: async (path) => load(parseSnapshot(parseJson(await readFile(path, "utf8")))),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Creates the state of the sandbox and the handlers that answer from it. */
function createParts(options: SandboxOptions & { readonly clock: Clock; readonly seed: string }) {
  const { clock, seed, latencyMs = 0 } = options;
  assertCount("latencyMs", latencyMs);
  assertCount("packages", options.orders?.packages ?? 0);
  assertCount("questions", options.questions?.count ?? 0);
  const behavior = resolveBehavior(options.personality);
  const effects = createEffectLog();
  const market = createMarket({
    catalog: createSandboxCatalog(),
    clock,
    behavior,
    effects,
    seed,
    products: options.products ?? 0,
    orders: options.orders,
    questions: options.questions,
  });
  const { catalog } = market;
  const stats = createStatsCounter();
  const violations = createViolationLog();
  const store = createProductBehavior({
    store: createFilledStore(catalog, clock, options.products),
    clock,
    behavior,
  });
  const tokens = createTokenService({
    clock,
    seed,
    newToken: behavior["new-token"],
    onEarlyRequest: () =>
      violations.note([{ rule: "early-token", endpoint: "token.create", field: "" }]),
  });
  const parts = {
    clock,
    seed,
    latencyMs,
    behavior,
    store,
    market,
    effects,
    stats,
    tokens,
    violations,
  };
  return {
    ...parts,
    quota: createQuota(clock, options.requestsPerHour),
    hours: createCallHours(clock),
    faults: createFaultPlan({ faults: options.faults ?? [], seed, endpoints: ENDPOINT_NAMES }),
    handlers: createHandlers({ ...parts, catalog, offers: options.offers }),
  };
}

const toCapacity = (places: Behavior["capacity"]): Capacity | undefined =>
  places === "unlimited" ? undefined : createCapacity(Number(places));

const ENDPOINT_NAMES: readonly string[] = Object.entries(endpoints).flatMap(([group, rows]) =>
  Object.keys(rows).map((row) => `${group}.${row}`),
);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RangeError("not a snapshot: the file is not JSON", { cause: error });
  }
}

/** A reset restores the products of the start, so the time of the start is kept. */
function createFilledStore(catalog: SandboxCatalog, clock: Clock, count = 0): ProductState {
  assertCount("products", count);
  const nowMs = clock.now();
  const fill = (): readonly InitialProduct[] => createSeedProducts({ catalog, count, nowMs });
  return createProductState({ catalog, clock, fill });
}

function assertCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new OptionError({
    tr: `${name} 0 ya da daha büyük bir tam sayı olmalı, verilen: ${value}`,
    en: `${name} must be a whole number from 0, not ${value}`,
  });
}
