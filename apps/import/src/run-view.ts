/** What a command shows of a run while it is running: its progress, warnings, and its result. */

import type { Clock } from "@catalog/clock";
import { type Connection, recordEnd } from "@catalog/connection";
import { createProgressLine, type Terminal } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { describeFileError, isFileError } from "@catalog/i18n";
import { readSummary, type RunSummary, writeResults } from "@catalog/report";
import {
  type Counts,
  guardOf,
  hasSent,
  readAllRows,
  type RunRecord,
  type StateCount,
  toCountedAction,
  toCounts,
} from "@catalog/runs";

import type { CommandContext } from "./context.ts";
import { type Texts, textsFor } from "./texts.ts";

/** Where paragraphs are printed. */
interface Teller {
  readonly terminal: Pick<Terminal, "err" | "shown" | "columns">;
}

/** Prints a paragraph right after what was printed before. */
export function tell({ terminal }: Teller, text: string, indent = 0): void {
  terminal.err(`${wrapText(terminal.shown(text), { columns: terminal.columns, indent })}\n`);
}

/** Tells a paragraph with an empty line before it. */
export function tellApart(teller: Teller, text: string): void {
  teller.terminal.err("\n");
  tell(teller, text);
}

/** Tells a warning: it begins with `!`, and its further lines are indented. */
export function tellWarning(teller: Teller, text: string): void {
  tell(teller, `! ${text}`, WARNING_INDENT);
}

const WARNING_INDENT = 2;

/** What a command is doing; what it does is shown under the name of its phase. */
export type Phase =
  | "read"
  | "names"
  | "search"
  | "store"
  | "codes"
  | "plan"
  | "recheck"
  | "send"
  | "verify"
  | "write";

/** Progress of one phase; without counts only its name is shown. */
export interface PhaseStep {
  readonly phase: Phase;
  /** Rows, pages or codes. @default 0 */
  readonly done?: number | undefined;
  /** @default unknown */
  readonly total?: number | undefined;
}

export interface Progress {
  /** Shows a phase; the line of another phase is ended before. */
  show(step: PhaseStep): void;
  /** Ends the progress line. */
  end(): void;
}

interface ProgressOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly quiet: boolean;
  /** Takes each step, whether or not it is shown. @default nobody asks */
  readonly onProgress?: CommandContext["onProgress"];
  /**
   * Estimates how long the command will take after this phase, in seconds. The remaining time is
   * shown only where it is known. @default never known
   */
  readonly laterSeconds?: ((step: PhaseStep) => number | undefined) | undefined;
}

/** Earlier rates are too inaccurate to show. */
const STEADY_MS = 500;

/** Earlier, a phase that has just begun would make the remaining time many times too long. */
const REMAINING_MS = 2_000;

interface OpenPhase {
  readonly phase: Phase;
  readonly startedAt: number;
  readonly line: ReturnType<typeof createProgressLine>;
  hasCount: boolean;
}

export function createProgress(options: ProgressOptions): Progress {
  const { terminal, clock, quiet } = options;
  let open: OpenPhase | undefined;
  // A phase begins where the one before was seen last.
  let seenAt = clock.now();
  const end = (): void => {
    if (open?.hasCount === true) open.line.keep();
    else open?.line.clear();
    open = undefined;
  };
  const begin = (phase: Phase): OpenPhase => {
    end();
    const line = createProgressLine({ terminal, clock, isQuiet: quiet });
    return { phase, startedAt: seenAt, line, hasCount: false };
  };
  return {
    show(step) {
      options.onProgress?.({ phase: step.phase, done: step.done ?? 0, total: step.total ?? null });
      const current = open?.phase === step.phase ? open : begin(step.phase);
      open = current;
      seenAt = clock.now();
      current.hasCount ||= (step.done ?? 0) > 0;
      const { startedAt } = current;
      const elapsedMs = seenAt - startedAt;
      current.line.show(() => describe(step, elapsedMs, options));
    },
    end,
  };
}

function describe(step: PhaseStep, elapsedMs: number, options: ProgressOptions): string {
  const { texts } = options;
  const { phase, done = 0, total } = step;
  const parts = [`${texts.phases[phase]}${describeCount(step, texts)}`];
  if (elapsedMs < STEADY_MS || done === 0) return parts.join("");
  const perSecond = (done * 1000) / elapsedMs;
  parts.push(texts.rate(perSecond, phase));
  const left = (total ?? done) - done;
  if (left <= 0 || elapsedMs < REMAINING_MS) return parts.join(" · ");
  const later = options.laterSeconds?.(step);
  if (later !== undefined) parts.push(texts.remaining(Math.ceil(left / perSecond + later)));
  return parts.join(" · ");
}

function describeCount({ phase, done = 0, total }: PhaseStep, texts: Texts): string {
  if (done === 0 && total === undefined) return "";
  const { number } = texts;
  const count = total === undefined ? number(done) : `${number(done)}/${number(total)}`;
  return ` ${texts.withUnit(count, phase)}`;
}

export async function readCounts({ journal }: Connection, run: RunRecord): Promise<Counts> {
  return toCounts(await journal.countRows(run.id));
}

/** Rows read at a time. */
const BATCH_ROWS = 500;

/** Counts the given rows of the run as they are now; rows that stand together are read together. */
export async function countDecided(
  { journal }: Pick<Connection, "journal">,
  { id }: Pick<RunRecord, "id">,
  rows: readonly number[],
): Promise<Counts> {
  const wanted = new Set(rows);
  const states: StateCount[] = [];
  let readTo = 0;
  for (const next of [...wanted].toSorted((a, b) => a - b)) {
    if (next <= readTo) continue;
    const limit = Math.min(wanted.size, BATCH_ROWS);
    const records = await journal.readRows(id, { after: next - 1, limit });
    for (const { row, state, action } of records) {
      if (wanted.delete(row)) states.push({ state, action: toCountedAction(action), rows: 1 });
    }
    readTo = records.at(-1)?.row ?? next;
  }
  return toCounts(states);
}

/** Number of the run's rows that a guard holds. */
export async function readGuarded(connection: Connection, run: RunRecord): Promise<number> {
  let guarded = 0;
  for await (const held of readAllRows(connection.journal, run.id, { states: ["held"] })) {
    guarded += held.filter(
      (row) => !hasSent(row) && row.issues.some((issue) => guardOf(issue)),
    ).length;
  }
  return guarded;
}

interface ReportedRun {
  /** Name of the command that made the run, for `summary.json`. */
  readonly command: string;
  readonly exit: number;
  /** Code of what has stopped it early. @default nothing has */
  readonly stop?: string | undefined;
  /** Command and exit code to print instead, for a command that only reports the run. */
  readonly printed?: Pick<RunSummary, "command" | "exit">;
  /** Whether the marks in the run's file of held rows were read. @default false */
  readonly replacesHeld?: boolean | undefined;
  /** @default true */
  readonly writesFiles?: boolean | undefined;
}

/** Writes the result files and the summary, unless they are not wanted, and returns the summary. */
export async function reportRun(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
  { printed, replacesHeld, writesFiles = true, stop, ...kept }: ReportedRun,
): Promise<RunSummary> {
  // A command that only reports the run, or settles rows of it, says so in `printed`.
  if (printed === undefined) await recordEnd(connection, run.id, { exit: kept.exit, stop });
  if (!writesFiles) return { ...(await readSummary(connection, run, kept)), ...printed };
  const { terminal, clock, lang, quiet, json } = context;
  const progress = createProgress({ terminal, clock, texts: textsFor(lang), quiet: quiet || json });
  progress.show({ phase: "write" });
  try {
    const summary = await writeResults(connection, run, {
      ...kept,
      program: terminal.program,
      replacesHeld,
      onKept: (text) => {
        progress.end();
        tellWarning(context, text[context.lang]);
      },
    });
    progress.end();
    return { ...summary, ...printed };
  } catch (error) {
    progress.end();
    // What the run did is shown all the same, unless its files are all that was asked for.
    if (!isFileError(error) || printed?.command === "report") throw error;
    const text = textsFor(lang).filesUnwritten(describeFileError(error)[lang], run.id);
    terminal.err(`! ${text}\n`);
    return { ...(await readSummary(connection, run, kept)), ...printed };
  }
}
