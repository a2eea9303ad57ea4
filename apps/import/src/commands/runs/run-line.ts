/** One run in the history: its time, its state and its result. */

import { wrapText } from "@catalog/console/wrap-text";
import { type Lang, formatDateTime } from "@catalog/i18n";
import type { Counts, RunRecord } from "@catalog/runs";

import { textsFor } from "../../shared/texts.ts";
import { describeUnsendable } from "../../shared/unsendable-texts.ts";

export interface RunLineOptions {
  readonly counts: Counts;
  readonly lang: Lang;
  readonly columns: number;
}

const INDENT = 4;

/** At least two lines. A sync that refused its feed gives the reason. */
export function formatRunLine(run: RunRecord, options: RunLineOptions): string {
  const { lang, columns } = options;
  const texts = textsFor(lang);
  const when = formatDateTime(run.createdAtMs, lang, { dateStyle: "short", timeStyle: "short" });
  const state = texts.runStates[run.state].padEnd(10);
  const head = `${run.id}  ${when}  ${state} ${run.file.name}`;
  const told = run.kind === "sync" ? describeSync(run, options) : describeCounts(run, options);
  const body = wrapText(`${" ".repeat(INDENT)}${told}`, { columns, indent: INDENT });
  return `${head}\n${body}\n`;
}

function describeCounts(
  { facts, state }: RunRecord,
  { counts: { rows, added, updated }, lang }: RunLineOptions,
): string {
  const { rows: rowsOf, counted } = textsFor(lang);
  const left = describeUnsendable(
    facts?.unsendable,
    state === "planned" ? "planned" : "counted",
    lang,
  );
  return [rowsOf(rows), counted.added(added), counted.updated(updated), ...left].join(", ");
}

/** Unchanged rows of a feed are counted in its plan and not stored. */
function describeSync(run: RunRecord, { counts, lang }: RunLineOptions): string {
  const { rows: rowsOf, counted, synced } = textsFor(lang);
  const { facts, warnings } = run;
  if (facts === null) return `${synced}: ${warnings[0]?.message[lang] ?? rowsOf(counts.rows)}`;
  const { updated, held, invalid } = counts;
  const unchanged = Math.max(counts.unchanged, facts.planned.unchanged);
  // Rows of which nothing can be sent are not stored either.
  const left = facts.unsendable?.rows ?? 0;
  const rows = counts.rows - counts.unchanged + unchanged + left;
  const others = [
    held > 0 ? counted.held(held) : "",
    invalid > 0 ? counted.invalid(invalid) : "",
    ...describeUnsendable(facts.unsendable, "counted", lang),
  ].filter((text) => text !== "");
  const parts = [rowsOf(rows), counted.updated(updated), counted.unchanged(unchanged), ...others];
  return `${synced}: ${parts.join(", ")}`;
}
