/**
 * Samples some of a run's own adds, so that the store's visibility is known and stays up to date.
 */

import type { Clock } from "@catalog/clock";

import type { SentRow } from "../../send/sent-row.ts";
import {
  judgeVisibility,
  sampleVisibility,
  toServerMs,
  type Visibility,
  type SampleVisibilityOptions,
} from "./visibility.ts";

export interface VisibilitySamplerOptions extends SampleVisibilityOptions {
  readonly clock: Clock;
  /** One of this many adds is sampled, and at most one a second; 0 samples none. */
  readonly every: number;
}

/** Receives each row that was sent. */
export interface VisibilitySampler {
  /** Samples the row's product if it is due, and looks up at once whether the store shows it. */
  note(row: SentRow): Promise<void>;
  read(): Promise<Visibility>;
  /** Looks up the first product ever added to the store a few times, within a few seconds. */
  awaitProbe(): Promise<void>;
}

/**
 * Shortest time between two samples, in milliseconds: how soon the store shows a product depends on
 * the time, not on the number of adds.
 */
const MIN_GAP_MS = 1_000;

/** Later lookups of the first product are made by later runs. */
const PROBE_DELAYS_MS: readonly number[] = [1_000, 4_000];

export function createVisibilitySampler(options: VisibilitySamplerOptions): VisibilitySampler {
  const { journal, marketplace, clock, every, signal } = options;
  let adds = 0;
  let sampledAtMs = -Infinity;

  const read = async (): Promise<Visibility> => judgeVisibility(await journal.readLagSamples());
  return {
    read,
    async note({ action, state, productId }) {
      if (every === 0 || action !== "add" || state !== "done" || productId === undefined) return;
      adds += 1;
      const isFirst = adds === 1 && (await read()).samples === 0;
      if (!isFirst && adds % every !== 0) return;
      // A clock that was put back must not end the sampling.
      if (Math.abs(clock.now() - sampledAtMs) < MIN_GAP_MS) return;
      sampledAtMs = clock.now();
      await journal.startLagSample(productId, toServerMs(marketplace));
      await sampleVisibility(options);
    },
    async awaitProbe() {
      for (const delayMs of PROBE_DELAYS_MS) {
        if ((await read()).verdict === "visible") return;
        await clock.sleep(delayMs, signal);
        await sampleVisibility(options);
      }
    },
  };
}
