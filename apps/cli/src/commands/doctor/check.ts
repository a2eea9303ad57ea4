/** One check of `catalog doctor`. */

import { EXIT, type TextView } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
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
  /** Sizes in bytes, and numbers of runs and rows, for programs. */
  readonly sizes?: Readonly<Record<string, number>>;
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

/** Columns before what was found: the mark, the label and a blank after each. */
const INDENT = LABEL_WIDTH + 3;
const FIX_INDENT = 6;

/** Formats the check, with its advice on a line below, in lines of at most `outColumns`. */
export function formatCheck(
  { state, label, found, fix }: Check,
  lang: Lang,
  { outColumns: columns = Infinity, shown = String }: TextView = {},
): string {
  // No line ends inside of the label or right behind it.
  const head = `${MARKS[state]} ${label[lang].padEnd(LABEL_WIDTH)} `.replaceAll(" ", "\u00a0");
  const text = wrapText(`${head}${shown(found[lang])}`, { columns, indent: INDENT });
  const line = `${text.replaceAll("\u00a0", " ")}\n`;
  if (fix === undefined || state === "ok") return line;
  return `${line}${wrapText(`    → ${shown(fix[lang])}`, { columns, indent: FIX_INDENT })}\n`;
}
