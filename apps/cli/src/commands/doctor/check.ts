/** One check of `catalog doctor`. */

import { EXIT } from "@catalog/console";
import type { Lang, Localized } from "@catalog/i18n";

/** `warn` works but needs attention; `skip` was not checked because of an earlier failure. */
export type CheckState = "ok" | "warn" | "fail" | "skip";

export interface Check {
  /** Stable name, for programs. */
  readonly name: string;
  readonly state: CheckState;
  readonly label: Localized;
  readonly found: Localized;
  /** Advice for a failed check. */
  readonly fix?: Localized | undefined;
  /** Exit code of this class of failure; only for the state `fail`. */
  readonly exit?: number | undefined;
}

/** Uses one text for both languages, such as a path or a version. */
export const same = (text: string): Localized => ({ tr: text, en: text });

/** Exit code of the first failed check; `EXIT.done` when none failed. */
export function exitOf(checks: readonly Check[]): number {
  return checks.find(({ state }) => state === "fail")?.exit ?? EXIT.done;
}

const MARKS: Readonly<Record<CheckState, string>> = { ok: "✓", warn: "!", fail: "✗", skip: "–" };

const LABEL_WIDTH = 16;

/** Formats the check, with its advice on a line below. */
export function formatCheck({ state, label, found, fix }: Check, lang: Lang): string {
  const line = `${MARKS[state]} ${label[lang].padEnd(LABEL_WIDTH)} ${found[lang]}\n`;
  return fix === undefined || state === "ok" ? line : `${line}    → ${fix[lang]}\n`;
}
