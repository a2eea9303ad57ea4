import { formatDateTime, type Localized } from "@catalog/i18n";

const DATE = { dateStyle: "medium" } as const;

/** Names a run whose rows were deleted, and the day. */
export const describePruned = (runId: string, prunedAtMs: number): Localized => ({
  tr: `${runId}, ${formatDateTime(prunedAtMs, "tr", DATE)}`,
  en: `${runId}, ${formatDateTime(prunedAtMs, "en", DATE)}`,
});
