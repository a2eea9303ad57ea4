/** The admin interface: reads, saves and restores everything that the sandbox keeps. */

import { type Clock } from "@catalog/clock";

import { type FaultPlan } from "../faults/fault-plan.ts";
import { type Quota } from "../http/quota.ts";
import { type TokenDesk } from "../http/token-service.ts";
import { type Market } from "../market-state.ts";
import { type StoreState } from "../products/product-state.ts";
import { type SandboxStats, type Tally } from "../stats.ts";
import { type InspectionOptions } from "./admin-routes.ts";
import { type CallHours } from "./call-hours.ts";
import { inspect } from "./inspect.ts";
import { SNAPSHOT_FORMAT } from "./snapshot.ts";
import { type ViolationBook } from "./violation-log.ts";

export interface CounterParts {
  readonly store: StoreState;
  readonly market: Pick<Market, "reset" | "save" | "load">;
  readonly tally: Tally;
  readonly quota: Quota;
  readonly hours: CallHours;
  readonly book: ViolationBook;
  readonly faults: FaultPlan;
  readonly tokens: TokenDesk;
  readonly clock: Clock;
  readonly seed: string;
}

export function createBehindCounter(parts: CounterParts): InspectionOptions {
  const { store, market, tally, quota, hours, book, faults, tokens, clock, seed } = parts;
  const stats = (): SandboxStats => ({ products: store.products().length, ...tally.read() });
  return {
    stats,
    products: () => store.products(),
    inspect: () =>
      inspect({
        stats: stats(),
        products: store.products(),
        tokens: tokens.list(),
        calls: hours.read(),
        book: book.read(),
        clock,
      }),
    approve: () => store.approve(),
    endTokens: () => tokens.endAll(),
    reset: () => [store, market, tally, quota, hours, book, faults].forEach((part) => part.reset()),
    save: () => ({
      format: SNAPSHOT_FORMAT,
      seed,
      products: store.products(),
      market: market.save(),
      tokens: tokens.save(),
      counts: tally.read(),
      quota: quota.save(),
      hours: hours.save(),
      book: book.read(),
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
      tally.load(snapshot.counts);
      quota.load(snapshot.quota);
      hours.load(snapshot.hours);
      book.load(snapshot.book);
      faults.load(snapshot.faults);
    },
  };
}
