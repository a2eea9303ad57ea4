/**
 * The sandbox's own routes, by which a test looks into the marketplace, changes it and stores a
 * snapshot: one JSON document in which generated state is the time of the start, together with what
 * calls changed.
 */

import type { Clock } from "@catalog/clock";
import { endpoints, idSchemas, LISTING_STATUSES, type ShippingTemplate } from "@catalog/contract";
import type { FastifyInstance } from "fastify";
import * as z from "zod";

import type { EffectLog, Effects, SavedEffects } from "../effects.ts";
import type { FaultPlan } from "../faults/fault.ts";
import { parseInput, toRefusal } from "../http/answers.ts";
import type {
  CallHours,
  GrantedToken,
  HourCounts,
  Quota,
  SavedHours,
  SavedTokens,
  TokenService,
} from "../http/request-checks.ts";
import type { Market, SandboxStats, SavedMarket, StatsCounter } from "../market-state.ts";
import type { Move } from "../orders/statuses.ts";
import { otherAction, type OtherAction } from "../other-person.ts";
import type { ProductState, SandboxProduct } from "../products/product-state.ts";
import { type SavedViolations, type ViolationLog, VIOLATION_RULES } from "./violations.ts";

/** Everything that a sandbox keeps. Times are milliseconds since 1970. */
interface Snapshot {
  readonly format: "catalog-sandbox-3";
  /**
   * A snapshot is valid for a sandbox with the same seed, because credentials and store ids follow
   * from it.
   */
  readonly seed: string;
  readonly products: readonly SandboxProduct[];
  /** Orders, comments, questions, payments and shipping templates. */
  readonly market: SavedMarket;
  readonly tokens: SavedTokens;
  readonly counts: Omit<SandboxStats, "products">;
  readonly quota: readonly number[];
  readonly hours: SavedHours;
  readonly book: SavedViolations;
  readonly effects: SavedEffects;
  /** Number of calls that each fault has counted. */
  readonly faults: readonly number[];
}

const SNAPSHOT_FORMAT = "catalog-sandbox-3";

/** Parses a snapshot. Throws a `RangeError` when it is invalid. */
export function parseSnapshot(raw: unknown): Snapshot {
  const parsed = snapshotSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RangeError(`not a snapshot: ${issue?.path.join(".")}: ${issue?.message}`);
}

const count = z.int().nonnegative();

const meta = z.object({
  id: idSchemas.product,
  sid: z.int(),
  status: z.enum(LISTING_STATUSES),
  addedAtMs: z.number(),
  hiddenUntilMs: z.union([z.number(), z.literal("approval")]).exactOptional(),
});

/** Parses the sent fields and the marketplace's own fields, each by its own schema. */
const product = z.unknown().transform((raw, context): SandboxProduct => {
  const added = meta.safeParse(raw);
  const sent = endpoints.product.add.input.safeParse(raw);
  if (added.success && sent.success) return { ...sent.data, ...added.data };
  context.addIssue("is not a product of a sandbox");
  return z.NEVER;
});

const templates = z.array(z.unknown()).transform((result, context): readonly ShippingTemplate[] => {
  const page = endpoints.shippingTemplate.list.data.safeParse({ total: result.length, result });
  if (page.success) return page.data.result;
  context.addIssue("are not shipping templates");
  return z.NEVER;
});

const marketSchema = z.object({
  startedAtMs: z.number(),
  products: count,
  orders: z
    .object({
      packages: count,
      days: z.number().optional(),
      statuses: z.array(z.int()).optional(),
    })
    .optional(),
  questions: z
    .object({ count, days: z.number().optional(), answeredPercent: z.number().optional() })
    .optional(),
  moved: z.array(
    z.object({
      id: z.string(),
      status: z.int(),
      changedAtMs: z.number(),
      done: z.array(z.custom<Move>((move) => typeof move === "string")),
      code: z.object({ company: z.string(), code: z.string() }).optional(),
    }),
  ),
  answers: z.array(
    z.object({
      question: z.string(),
      answer: z.object({
        title: z.string().optional(),
        message: z.string(),
        createdAtMs: z.number(),
      }),
    }),
  ),
  templates,
});

const token = z.object({ ip: z.string(), grantedAtMs: z.number(), expiresAtMs: z.number() });

const snapshotSchema: z.ZodType<Snapshot> = z.object({
  format: z.literal(SNAPSHOT_FORMAT),
  seed: z.string(),
  products: z.array(product),
  market: marketSchema,
  tokens: z.object({ count, granted: z.array(z.tuple([z.string(), token])) }),
  counts: z.object({
    adds: count,
    updates: count,
    tokens: count,
    requests: count,
    byEndpoint: z.record(z.string(), count),
  }),
  quota: z.array(z.number()),
  hours: z.object({ moments: z.array(z.number()), busiestHour: count }),
  book: z.object({
    violations: z.array(
      z.object({
        rule: z.enum(VIOLATION_RULES),
        endpoint: z.string(),
        field: z.string(),
        count,
      }),
    ),
    undocumented: z.array(z.object({ endpoint: z.string(), field: z.string(), count })),
  }),
  effects: z.array(
    z.object({
      action: z.string(),
      subject: z.string(),
      by: z.enum(["caller", "other"]),
      count,
    }),
  ),
  faults: z.array(count),
});

/** A token and whether it is still valid. */
interface InspectedToken extends GrantedToken {
  readonly isValid: boolean;
}

/** Records of a sandbox since its start or its last reset. */
export interface Inspection extends SavedViolations, Effects {
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
  readonly effects: Effects;
  readonly clock: Clock;
}

export function inspect(options: InspectOptions): Inspection {
  const { stats, products, tokens, calls, violations, effects, clock } = options;
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
    ...effects,
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
  readonly act: (action: OtherAction) => void;
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
  server.post("/_sandbox/act", async ({ body }) => {
    options.act(parseInput(otherAction, body));
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
  readonly market: Pick<Market, "reset" | "save" | "load" | "otherPerson">;
  readonly effects: EffectLog;
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
  const { store, market, effects, stats: counter, quota, hours } = parts;
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
        effects: effects.read(),
        clock,
      }),
    approve: () => store.approve(),
    endTokens: () => tokens.endAll(),
    act: (action) => market.otherPerson.act(action),
    reset: () =>
      [store, market, effects, counter, quota, hours, violations, faults].forEach((part) =>
        part.reset(),
      ),
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
      effects: effects.save(),
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
      effects.load(snapshot.effects);
      faults.load(snapshot.faults);
    },
  };
}
