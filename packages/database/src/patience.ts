/** Waits for a database that is away: a restart, a failover, a cut network, a lock, a full disk. */

import type { Clock } from "@catalog/clock";

/** A database that cannot be used for the moment. */
export interface Outage {
  readonly sinceMs: number;
  /** When the work that met it first gives up. */
  readonly untilMs: number;
}

interface PatienceOptions {
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** How long one piece of work waits for the database, in milliseconds. @default 0 */
  readonly maxMs?: number | undefined;
  /** Once it aborts, work waits for 10 seconds more. @default never */
  readonly stop?: AbortSignal | undefined;
  /** Called when an outage begins, and with `undefined` when the database can be used again. */
  readonly onOutage?: ((outage: Outage | undefined) => void) | undefined;
}

/** How long the users of a database wait for it. */
export type DatabaseWait = Omit<PatienceOptions, "clock">;

export interface Patience {
  /**
   * Does the work, and again while the database is away. Rejects with the last error once the work
   * has waited for too long. Work that may have been done must not be done again.
   */
  outlast<Result>(work: () => Promise<Result>): Promise<Result>;
}

const FIRST_WAIT_MS = 100;
/** The longest pause between two tries: the work continues so soon after the database is back. */
const MAX_WAIT_MS = 2_000;

/** Who asks to stop waits so long for what is under way to be written down, in milliseconds. */
const STOP_WAIT_MS = 10_000;

/** Creates the patience of one database; `isAway` tells its errors from those of the work. */
export function createPatience(
  { clock, maxMs = 0, stop, onOutage }: PatienceOptions,
  isAway: (error: unknown) => boolean,
): Patience {
  let outage: Outage | undefined;
  const begin = (): void => {
    if (outage !== undefined) return;
    const nowMs = clock.now();
    outage = { sinceMs: nowMs, untilMs: nowMs + maxMs };
    onOutage?.(outage);
  };
  const end = (): void => {
    if (outage === undefined) return;
    outage = undefined;
    onOutage?.(undefined);
  };
  return {
    async outlast(work) {
      const startMs = clock.now();
      let waitedMs = 0;
      let limitMs = maxMs;
      for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)) {
        try {
          const result = await work();
          end();
          return result;
        } catch (error) {
          // A try may take long by itself; a clock that was put back must not lengthen the wait.
          const triedMs = Math.max(waitedMs, clock.now() - startMs);
          if (stop?.aborted === true) limitMs = Math.min(limitMs, triedMs + STOP_WAIT_MS);
          if (!isAway(error) || triedMs >= limitMs) throw error;
          // A connection that was cut and is replaced at once is no outage.
          if (triedMs >= FIRST_WAIT_MS) begin();
        }
        await clock.sleep(waitMs);
        waitedMs += waitMs;
      }
    },
  };
}
