/** The sandbox's own routes, by which a test looks into the marketplace, changes it and stores a snapshot. */

import type { Clock } from "@catalog/clock";
import type { FastifyInstance } from "fastify";

import type { FaultPlan } from "../faults/fault.ts";
import { toRefusal } from "../http/refusal.ts";
import type { Quota } from "../http/request-checks.ts";
import type { GrantedToken, TokenService } from "../http/token-service.ts";
import type { Market, SandboxStats, StatsCounter } from "../market-state.ts";
import type { ProductState, SandboxProduct } from "../products/product-state.ts";
import type { CallHours, HourCounts } from "./call-hours.ts";
import { parseSnapshot, type Snapshot, SNAPSHOT_FORMAT } from "./snapshot.ts";
import type { SavedViolations, ViolationLog } from "./violations.ts";

/** A token and whether it is still valid. */
export interface InspectedToken extends GrantedToken {
  readonly isValid: boolean;
}

/** Records of a sandbox since its start or its last reset. */
export interface Inspection extends SavedViolations {
  readonly stats: SandboxStats;
  readonly calls: HourCounts;
  /** Known tokens, by address and time, without their values. */
  readonly tokens: readonly InspectedToken[];
  /** Number of products with each code. */
  readonly productsByCode: Readonly<Record<string, number>>;
  /** Codes of several products, with the ids of those. */
  readonly doubles: Readonly<Record<string, readonly string[]>>;
}

interface InspectOptions {
  readonly stats: SandboxStats;
  readonly products: readonly SandboxProduct[];
  readonly tokens: readonly GrantedToken[];
  readonly calls: HourCounts;
  readonly violations: SavedViolations;
  readonly clock: Clock;
}

export function inspect(options: InspectOptions): Inspection {
  const { stats, products, tokens, calls, violations, clock } = options;
  const byCode = Map.groupBy(products, ({ product_code }) => product_code);
  const groups = [...byCode].map(([code, same]) => [code, same.map(({ id }) => id)] as const);
  return {
    stats,
    calls,
    tokens: tokens.map(({ ip, grantedAtMs, expiresAtMs }) => {
      const isValid = clock.now() < expiresAtMs;
      return { ip, grantedAtMs, expiresAtMs, isValid };
    }),
    productsByCode: Object.fromEntries(groups.map(([code, ids]) => [code, ids.length])),
    doubles: Object.fromEntries(groups.filter(([, ids]) => ids.length > 1)),
    ...violations,
  };
}

export interface AdminRoutesOptions {
  readonly stats: () => SandboxStats;
  readonly products: () => readonly SandboxProduct[];
  readonly withCode: (code: string) => readonly SandboxProduct[];
  readonly inspect: () => Inspection;
  readonly approve: () => number;
  readonly endTokens: () => void;
  readonly save: () => Snapshot;
  readonly load: (snapshot: Snapshot) => void;
  readonly reset: () => void;
}

const SNAPSHOT_LIMIT_BYTES = 512 * 1024 * 1024;

/** Adds the paths below `/_sandbox/`; none of them is counted. */
export function addAdminRoutes(server: FastifyInstance, options: AdminRoutesOptions): void {
  server.get("/_sandbox/stats", async () => ({ data: options.stats() }));
  server.get("/_sandbox/inspection", async () => ({ data: options.inspect() }));
  server.get("/_sandbox/snapshot", async () => options.save());

  server.get<{ Querystring: { readonly code?: string } }>(
    "/_sandbox/products",
    async ({ query: { code } }) => ({
      data: code === undefined ? options.products() : options.withCode(code),
    }),
  );

  server.post("/_sandbox/approve", async () => ({ data: { approved: options.approve() } }));
  server.post("/_sandbox/end-tokens", async () => {
    options.endTokens();
    return { data: { status: true } };
  });
  server.post("/_sandbox/reset", async () => {
    options.reset();
    return { data: { status: true } };
  });
  server.post("/_sandbox/restore", { bodyLimit: SNAPSHOT_LIMIT_BYTES }, async ({ body }) => {
    restore(options, body);
    return { data: { status: true } };
  });
}

function restore({ load }: AdminRoutesOptions, body: unknown): void {
  try {
    load(parseSnapshot(body));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw toRefusal(error, 400);
  }
}

interface AdminParts {
  readonly store: ProductState;
  readonly market: Pick<Market, "reset" | "save" | "load">;
  readonly stats: StatsCounter;
  readonly quota: Quota;
  readonly hours: CallHours;
  readonly violations: ViolationLog;
  readonly faults: FaultPlan;
  readonly tokens: TokenService;
  readonly clock: Clock;
  readonly seed: string;
}

export function createAdminApi(parts: AdminParts): AdminRoutesOptions {
  const { store, market, stats: counter, quota, hours } = parts;
  const { violations, faults, tokens, clock, seed } = parts;
  const stats = (): SandboxStats => ({ products: store.count(), ...counter.read() });
  return {
    stats,
    products: () => store.products(),
    withCode: (code) => store.withCode(code),
    inspect: () =>
      inspect({
        stats: stats(),
        products: store.products(),
        tokens: tokens.list(),
        calls: hours.read(),
        violations: violations.read(),
        clock,
      }),
    approve: () => store.approve(),
    endTokens: () => tokens.endAll(),
    reset: () =>
      [store, market, counter, quota, hours, violations, faults].forEach((part) => part.reset()),
    save: () => ({
      format: SNAPSHOT_FORMAT,
      seed,
      products: store.products(),
      market: market.save(),
      tokens: tokens.save(),
      counts: counter.read(),
      quota: quota.save(),
      hours: hours.save(),
      book: violations.read(),
      faults: faults.save(),
    }),
    load(snapshot) {
      if (snapshot.seed !== seed) {
        throw new RangeError(`the snapshot is of the seed "${snapshot.seed}", not "${seed}"`);
      }
      // Only this call can refuse the snapshot, so it comes first.
      market.load(snapshot.market);
      store.load(snapshot.products);
      tokens.load(snapshot.tokens);
      counter.load(snapshot.counts);
      quota.load(snapshot.quota);
      hours.load(snapshot.hours);
      violations.load(snapshot.book);
      faults.load(snapshot.faults);
    },
  };
}
