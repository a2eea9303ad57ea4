/** One run in the history: its time, its state and its result. */

import { wrapText } from "@catalog/console/wrap-text";
import { type Lang, formatDateTime } from "@catalog/i18n";
import type { RunUndo } from "@catalog/importer";
import type { QueuedRunState } from "@catalog/jobs";
import { countFileRows, type Counts, type PlannedCounts, type RunRecord } from "@catalog/runs";

import { queueTexts } from "../../shared/queue-texts.ts";
import { nameSource } from "../../shared/report-texts.ts";
import { textsFor } from "../../shared/texts.ts";
import { describeUnsendable } from "../../shared/unsendable-texts.ts";
import { runsTexts } from "./texts.ts";

export interface RunLineOptions {
  readonly counts: Counts;
  readonly lang: Lang;
  readonly columns: number;
  /** Whether a process is working on the run now. @default false */
  readonly isUnderWay?: boolean;
  /** Where the run is in the queue of the workers. @default it is not queued */
  readonly queue?: QueuedRunState | undefined;
  /** The run that has undone this one. @default none */
  readonly undoneBy?: RunUndo | undefined;
}

const INDENT = 4;
const STATE_WIDTH = 12;

/** Formats a run in two lines: what it was, and the number of its rows in each class. */
export function formatRunLine(run: RunRecord, options: RunLineOptions): string {
  const { lang, columns, undoneBy } = options;
  const when = formatDateTime(run.createdAtMs, lang, { dateStyle: "short", timeStyle: "short" });
  const state = describeState(run, options).padEnd(STATE_WIDTH);
  const head = `${run.id}  ${when}  ${state} ${nameSource(run, lang)}`;
  const told = run.kind === "sync" ? describeSync(run, options) : describeCounts(run, options);
  const undone = undoneBy === undefined ? "" : `; ${runsTexts(lang).undoneBy(undoneBy)}`;
  const body = wrapText(`${" ".repeat(INDENT)}${told}${undone}`, { columns, indent: INDENT });
  return `${head}\n${body}\n`;
}

/** A run that is stored as running, without a process that works on it, was cut off. */
function describeState(
  { state, facts, kind }: RunRecord,
  { lang, isUnderWay = false, queue }: RunLineOptions,
): string {
  const { runStates } = textsFor(lang);
  if (isUnderWay || queue?.place === "taken") return runStates.running;
  if (queue?.failure !== undefined) return queueTexts[lang].failingState;
  if (queue !== undefined) return queueTexts[lang].state;
  if (state === "stopped" && kind === "sync" && facts === null) return runStates.refused;
  return runStates[state === "running" ? "stopped" : state];
}

function describeCounts({ facts, state }: RunRecord, { counts, lang }: RunLineOptions): string {
  const { rows: rowsOf } = textsFor(lang);
  if (facts === null || counts.rows === 0) return rowsOf(counts.rows);
  const when = state === "planned" ? "planned" : "counted";
  // Rows of which nothing can be sent count as skipped, and are named separately.
  const shown = { ...counts, skipped: counts.skipped - (facts.unsendable?.rows ?? 0) };
  const parts = when === "planned" ? describePlanned(facts.planned, lang) : [];
  const told = parts.length > 0 ? parts : describeClasses(shown, lang);
  return [rowsOf(counts.rows), ...told, ...describeUnsendable(facts.unsendable, when, lang)].join(
    ", ",
  );
}

function describePlanned(planned: PlannedCounts, lang: Lang): readonly string[] {
  const { planned: words } = textsFor(lang);
  const kinds = ["add", "update", "unchanged", "invalid", "duplicate", "held"] as const;
  return kinds.filter((kind) => planned[kind] > 0).map((kind) => words[kind](planned[kind]));
}

function describeClasses(counts: Counts, lang: Lang): readonly string[] {
  const { counted } = textsFor(lang);
  const numbers = new Map<string, number>(Object.entries(counts));
  return Object.entries(counted).flatMap(([name, textOf]) => {
    const count = numbers.get(name) ?? 0;
    return count > 0 ? [textOf(count)] : [];
  });
}

function describeSync(run: RunRecord, { counts, lang }: RunLineOptions): string {
  const { rows: rowsOf, synced, closed } = textsFor(lang);
  const { facts, warnings } = run;
  if (facts === null) return `${synced}: ${warnings[0]?.message[lang] ?? rowsOf(counts.rows)}`;
  const all = countFileRows(run, counts);
  // Rows of which nothing can be sent count as skipped, and are named separately.
  const skipped = all.skipped - (facts.unsendable?.rows ?? 0);
  const told = [
    ...describeClasses({ ...all, skipped, cancelled: 0 }, lang),
    ...(counts.cancelled > 0 ? [closed(counts.cancelled)] : []),
    ...describeUnsendable(facts.unsendable, "counted", lang),
  ];
  return `${synced}: ${[rowsOf(all.rows), ...told].join(", ")}`;
}
