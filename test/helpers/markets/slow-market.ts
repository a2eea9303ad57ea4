import { setTimeout as wait } from "node:timers/promises";

import type { Clock } from "@catalog/clock";

import type { WatchOptions } from "./watched-sandbox.ts";

/** Time of one answer while the market is slow, in milliseconds. */
const SLOW_MS = 200;

export interface SlowMarket {
  readonly options: WatchOptions;
  readonly letGo: () => void;
  readonly slowDown: () => void;
}

/** A marketplace that answers one request after the other, slowly, until it is let go. */
export function createSlowMarket(): SlowMarket {
  let last = Promise.resolve();
  let waitMs = SLOW_MS;
  const clock: Clock = {
    now: () => Date.now(),
    sleep: async () => await (last = last.then(() => wait(waitMs))),
  };
  return {
    options: { latencyMs: 1, clock },
    letGo: () => {
      waitMs = 1;
    },
    slowDown: () => {
      waitMs = SLOW_MS;
    },
  };
}
