/**
 * State and counters of a sandbox as one JSON document, to be restored later. Generated state is
 * stored as the time of the start, together with what calls changed.
 */

import { endpoints, LISTING_STATUSES, type ShippingTemplate, idSchemas } from "@catalog/contract";
import * as z from "zod";

import type { SavedTokens } from "../http/token-service.ts";
import type { SandboxStats, SavedMarket } from "../market-state.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import type { SavedHours } from "./call-hours.ts";
import type { SavedViolations } from "./violations.ts";

/** Everything that a sandbox keeps. Times are milliseconds since 1970. */
export interface Snapshot {
  readonly format: "catalog-sandbox-2";
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
  /** Number of calls that each fault has counted. */
  readonly faults: readonly number[];
}

export const SNAPSHOT_FORMAT = "catalog-sandbox-2";

/** Parses a snapshot. Throws a `RangeError` when it is invalid. */
export function parseSnapshot(raw: unknown): Snapshot {
  const parsed = snapshot.safeParse(raw);
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

const market = z.object({
  startedAtMs: z.number(),
  products: count,
  moved: z.array(z.object({ id: z.string(), status: z.int(), changedAtMs: z.number() })),
  answers: z.array(
    z.object({
      question: z.string(),
      title: z.string().optional(),
      message: z.string(),
      createdAtMs: z.number(),
    }),
  ),
  templates,
});

const token = z.object({ ip: z.string(), grantedAtMs: z.number(), expiresAtMs: z.number() });

const snapshot: z.ZodType<Snapshot> = z.object({
  format: z.literal(SNAPSHOT_FORMAT),
  seed: z.string(),
  products: z.array(product),
  market,
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
        rule: z.enum([
          "unknown-parameter",
          "missing-parameter",
          "bad-value",
          "content-type",
          "accept",
          "early-token",
          "wrong-version",
          "unknown-path",
        ]),
        endpoint: z.string(),
        field: z.string(),
        count,
      }),
    ),
    undocumented: z.array(z.object({ endpoint: z.string(), field: z.string(), count })),
  }),
  faults: z.array(count),
});
