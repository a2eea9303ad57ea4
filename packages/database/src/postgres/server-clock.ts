/** The clock of a server. Machines whose own clocks differ count the same minutes and hours by it. */

import type { Clock } from "@catalog/clock";

import type { Database } from "../sql/database.ts";
import { SERVER_MS } from "./server-time.ts";

export interface ServerClockOptions {
  readonly database: Database;
  /** Waits; its time is not used. */
  readonly clock: Pick<Clock, "sleep">;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number;
}

/** After this time the server is asked again, as the clocks of two machines go at different rates. */
const REREAD_MS = 60_000;

/** Reads the server's time, and counts on from it by the monotonic clock of this machine. */
export async function openServerClock(options: ServerClockOptions): Promise<Clock> {
  const { clock, monotonicMs } = options;
  let { serverMs, atMs } = await readTime(options);
  let isReading = false;
  const readAgain = async (): Promise<void> => {
    isReading = true;
    try {
      ({ serverMs, atMs } = await readTime(options));
    } catch {
      // The old reading is right but for the drift; it is asked again with the next question.
    }
    isReading = false;
  };
  return {
    now() {
      const elapsedMs = monotonicMs() - atMs;
      if (elapsedMs > REREAD_MS && !isReading) void readAgain();
      return Math.round(serverMs + elapsedMs);
    },
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

interface ServerTime {
  readonly serverMs: number;
  /** When it was so, by the monotonic clock. */
  readonly atMs: number;
}

async function readTime({ database, monotonicMs }: ServerClockOptions): Promise<ServerTime> {
  const askedMs = monotonicMs();
  const query = database.build.selectNoFrom(SERVER_MS.as("ms"));
  const found = await database.execute(database.get(query));
  if (found === undefined) throw new Error("the server returned no time");
  return { serverMs: found.ms, atMs: (askedMs + monotonicMs()) / 2 };
}
