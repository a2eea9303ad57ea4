/** Collects everything that the sandbox recorded, for tests and for people. */

import type { Clock } from "@catalog/clock";

import type { GrantedToken } from "../http/token-service.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import type { SandboxStats } from "../stats.ts";
import type { HourCounts } from "./call-hours.ts";
import type { SavedViolations } from "./violation-log.ts";

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

export interface InspectOptions {
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
