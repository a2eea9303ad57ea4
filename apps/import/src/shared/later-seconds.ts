/** How long a command still takes after its rows were sent. */

import { type Connection, estimateSeconds } from "@catalog/connection";
import { countVerifyCalls, type RunRecord } from "@catalog/runs";

import type { PhaseStep } from "./progress.ts";

/** Estimates of a run. */
export interface LaterSeconds {
  /**
   * The last estimate for a phase, in seconds; `undefined` where there is none. As a line of
   * progress is not waited for, a newer estimate is made for the next one.
   */
  of(step: PhaseStep): number | undefined;
}

/** After the last row was sent, the rows are read back; other phases say nothing of the rest. */
export function createLaterSeconds(
  connection: Connection,
  { settings }: Pick<RunRecord, "settings">,
): LaterSeconds {
  let known: number | undefined;
  let isReading = false;
  const renew = async (calls: number): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      known = await estimateSeconds(connection, calls, { kind: "reads" });
    } finally {
      isReading = false;
    }
  };
  return {
    of({ phase, total = 0 }) {
      if (phase === "verify") return 0;
      if (phase !== "send") return undefined;
      const calls = settings.noVerify === true ? 0 : countVerifyCalls(total);
      // The command itself ends with the error that prevents an estimate.
      renew(calls).catch(() => undefined);
      return known;
    },
  };
}
