import { formatDateTime } from "@catalog/i18n";

import { DatabaseError } from "../errors.ts";

const DATE = { dateStyle: "medium" } as const;

/** The error `E_RUN_PRUNED`, which names the run and the day. */
export function prunedRun(runId: string, prunedAtMs: number): DatabaseError {
  return new DatabaseError("E_RUN_PRUNED", {
    tr: `${runId}, ${formatDateTime(prunedAtMs, "tr", DATE)}`,
    en: `${runId}, ${formatDateTime(prunedAtMs, "en", DATE)}`,
  });
}
