/** One line of what `catalog doctor` found out. */

import { type Lang, type Localized } from "@catalog/i18n";

/** `warn` works but should be looked at; `skip` could not be told, because of a failure above it. */
export type CheckState = "ok" | "warn" | "fail" | "skip";

export interface Check {
  /** Stable, for programs. */
  readonly name: string;
  readonly state: CheckState;
  readonly label: Localized;
  readonly found: Localized;
  /** What to do about it. */
  readonly fix?: Localized | undefined;
  /** The exit code of this class of failure; only where the state is `fail`. */
  readonly exit?: number | undefined;
}

/** The same in both languages, for what is no sentence. */
export const same = (text: string): Localized => ({ tr: text, en: text });

/** 0 when nothing failed, else the code of the first failure. */
export function exitOf(checks: readonly Check[]): number {
  return checks.find(({ state }) => state === "fail")?.exit ?? 0;
}

const MARKS: Readonly<Record<CheckState, string>> = { ok: "✓", warn: "!", fail: "✗", skip: "–" };

const LABEL_WIDTH = 16;

/** The line, and below it what to do. */
export function formatCheck({ state, label, found, fix }: Check, lang: Lang): string {
  const line = `${MARKS[state]} ${label[lang].padEnd(LABEL_WIDTH)} ${found[lang]}\n`;
  return fix === undefined || state === "ok" ? line : `${line}    → ${fix[lang]}\n`;
}
