/** Advice for rows that a person gave up, or that a newer sync has settled. */

import type { Localized } from "@catalog/i18n";
import { isBlocking, type RowIssue, type RowRecord, type RunRecord } from "@catalog/runs";

/** Later syncs send what the feed says, so that nothing is imported. */
const IMPORT_AGAIN: Localized = {
  tr: "Satırdan vazgeçildi; yapılacak bir şey yok. Yine de gönderilecekse satırı kendi dosyanızda düzeltip dosyayı yeniden yükleyin.",
  en: "The row was given up; there is nothing to do. To send it after all, correct the row in your own file and import that file again.",
};

/**
 * The issues of a row. Advice to decide about a row is replaced where it was given up, as nothing
 * can be approved any more.
 */
export function issuesOf(
  { kind }: Pick<RunRecord, "kind">,
  { state, issues }: Pick<RowRecord, "state" | "issues">,
): readonly RowIssue[] {
  if (state !== "cancelled") return issues;
  const first = kind === "sync" ? -1 : issues.findIndex(isBlocking);
  return issues.map(({ suggestion: _decide, ...issue }, index) =>
    index === first ? { ...issue, suggestion: IMPORT_AGAIN } : issue,
  );
}
