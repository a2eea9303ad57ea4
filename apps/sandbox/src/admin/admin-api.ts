/** The admin interface: reads, saves and restores everything that the sandbox keeps. */

import type { Clock } from "@catalog/clock";

import type { FaultPlan } from "../faults/fault-plan.ts";
import type { Quota } from "../http/quota.ts";
import type { TokenService } from "../http/token-service.ts";
import type { Market } from "../market-state.ts";
import type { ProductState } from "../products/product-state.ts";
import type { SandboxStats, StatsCounter } from "../stats.ts";
import type { AdminRoutesOptions } from "./admin-routes.ts";
import type { CallHours } from "./call-hours.ts";
import { inspect } from "./inspect.ts";
import { SNAPSHOT_FORMAT } from "./snapshot.ts";
import type { ViolationLog } from "./violation-log.ts";

export interface AdminParts {
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
