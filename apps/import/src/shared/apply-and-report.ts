/** The second half of every import: sends the plan, reports, and names the next step. */

import type { Connection } from "@catalog/connection";
import { type Flags, EXIT, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { Localized } from "@catalog/i18n";
import { applyPlan, type AppliedPlan, type ApplyPlanOptions } from "@catalog/importer";
import { readStopRequest, watchStopRequest } from "@catalog/jobs";
import type { RunSummary } from "@catalog/report";
import type { Counts, RunRecord } from "@catalog/runs";

import type { CommandContext } from "../context.ts";
import { applyExit } from "./exit-codes.ts";
import { findHeldFile } from "./held-file.ts";
import { createLaterSeconds } from "./later-seconds.ts";
import { readNewProblems } from "./problems.ts";
import { createProgress } from "./progress.ts";
import { askUnprovenAdds } from "./questions/ask-unproven-adds.ts";
import { formatProblems, formatResult } from "./report-texts.ts";
import { readSettings } from "./run-settings.ts";
import { countDecided, readCounts, readGuarded, reportRun } from "./run-view.ts";
import { textsFor } from "./texts.ts";

export interface ApplyStep extends Pick<ApplyPlanOptions, "recheck" | "isContinued"> {
  readonly command: string;
  readonly flags: Flags;
  /** Rows that are counted apart from the others of the run. @default the whole run is counted */
  readonly decided?: readonly number[];
  /** Whether the marks in the run's file of held rows were read. @default false */
  readonly replacesHeld?: boolean | undefined;
}

/** Applies a run and reports it, however it ends. Returns the exit code. */
export async function applyAndReport(
  context: CommandContext,
  connection: Connection,
  { run, ...step }: ApplyStep & { readonly run: RunRecord },
): Promise<number> {
  const applied = await apply(context, connection, { run, ...step });
  const counts = await readCounts(connection, applied.run);
  const guarded = await readGuarded(connection, applied.run);
  const ended = applyExit(applied.end, counts, { ...applied.run, guarded });
  // A duplicate product needs a person, even if its row is done.
  const exit = applied.duplicates.length > 0 && ended === EXIT.done ? EXIT.someFailed : ended;
  const error = toError(context, applied);
  await reportApplied(context, connection, { ...step, known: run, run: applied.run, exit, error });
  await connection.storage.pruneWhileIdle(context.stop);
  return exit;
}

/** A run that was applied, by this process or by a worker. */
export interface AppliedRun extends Pick<ApplyStep, "command" | "flags" | "decided"> {
  /** The run before it was applied. */
  readonly known: RunRecord;
  readonly run: RunRecord;
  readonly exit: number;
  /** Why sending ended early. */
  readonly error: StopError | undefined;
  /** Whether the marks in the run's file of held rows were read. @default false */
  readonly replacesHeld?: boolean | undefined;
}

/** A run that waits for a person since it was stopped. */
export interface StoppedRun extends Pick<ApplyStep, "command" | "flags"> {
  readonly run: RunRecord;
  readonly exit: number;
  readonly stop?: string | undefined;
}

/** Reports what has stopped the run, and sends nothing. Returns the exit code of then. */
export async function reportStopped(
  context: CommandContext,
  connection: Connection,
  { run, exit, stop = "", ...step }: StoppedRun,
): Promise<number> {
  const end = STOP_ENDS.find((one) => STOP_CODES[one] === stop);
  const message = end === undefined ? stop : textsFor(context.lang).ended[end]("");
  const error = { code: stop, message };
  await reportApplied(context, connection, { ...step, known: run, run, exit, error });
  return exit;
}

/** Writes the result files, unless the flags say otherwise, and tells what the run came to. */
export async function reportApplied(
  context: CommandContext,
  connection: Connection,
  applied: AppliedRun,
): Promise<void> {
  const { run, known, command, decided, exit, error } = applied;
  const summary = await reportRun(context, connection, run, {
    command,
    exit,
    stop: error?.code,
    replacesHeld: applied.replacesHeld,
    writesFiles: applied.flags["no-files"] !== true,
  });
  const now = decided && (await countDecided(connection, run, decided));
  if (context.json) {
    const others = { ...(now && { counts_now: now }), ...(error && { error }) };
    printJson(context.terminal, { ...summary, ...others });
  } else await showResult(context, connection, { run, summary, known, now });
  if (error !== undefined) context.terminal.err(`\n${error.message}\n`);
  showNextStep(context, { command, summary, known });
}

/** States how to go on with a run that is not finished, or that it was finished before. */
function showNextStep(
  { lang, terminal, json }: CommandContext,
  {
    command,
    summary,
    known,
  }: Pick<ShownResult, "summary" | "known"> & { readonly command: string },
): void {
  const texts = textsFor(lang);
  if (summary.state !== "finished") {
    terminal.err(`\n${texts.resumeWith(known.id)}\n`);
  } else if (command === "resume" && known.state === "finished" && !json) {
    if (summary.counts.held === 0) terminal.err(`\n${texts.wasFinished(known.id)}\n`);
  }
}

export interface StopError {
  readonly code: string;
  readonly message: string;
}

/** Why the run stopped, for the document. */
function toError({ lang }: CommandContext, { end, reason }: AppliedPlan): StopError | undefined {
  if (end === "finished") return undefined;
  return { code: STOP_CODES[end], message: textsFor(lang).ended[end](reason?.[lang] ?? "") };
}

const STOP_CODES: Readonly<Record<Exclude<AppliedPlan["end"], "finished">, string>> = {
  stopped: "E_INTERRUPTED",
  breaker: "E_BREAKER",
  "too-many-rejected": "E_TOO_MANY_REJECTED",
  canary: "E_CANARY",
  login: "AUTH_ERROR",
  permission: "PERMISSION_ERROR",
};

const STOP_ENDS = ["breaker", "too-many-rejected", "canary"] as const;

async function apply(
  context: CommandContext,
  connection: Connection,
  { run, flags, recheck, isContinued }: ApplyStep & { readonly run: RunRecord },
): Promise<AppliedPlan> {
  const { terminal, clock, lang } = context;
  const texts = textsFor(lang);
  const quiet = context.quiet || context.json;
  // A wish that stands already was about an earlier sending.
  const known = await readStopRequest(connection, run.id);
  using watch = watchStopRequest(connection, run.id, { stop: context.stop, known });
  const later = createLaterSeconds(connection, run);
  const progress = createProgress({
    terminal,
    clock,
    texts,
    quiet,
    onProgress: context.onProgress,
    laterSeconds: (shown) => later.of(shown),
  });
  try {
    return await applyPlan(connection, {
      runId: run.id,
      settings: readSettings(flags),
      isContinued,
      onRemembered: (message) => {
        if (!context.quiet) terminal.err(`${message[lang]}\n`);
      },
      onCanary: (message) => {
        if (quiet) return;
        progress.end();
        terminal.err(
          `${wrapText(terminal.shown(message[lang]), { columns: terminal.outColumns, indent: 2 })}\n`,
        );
      },
      recheck,
      askUnprovenAdds: (unproven) => {
        progress.end();
        return askUnprovenAdds(context, unproven, flags["yes"] !== true);
      },
      stop: watch.signal,
      onProgress({ step, done, total }) {
        const shown = { phase: step, done, total };
        // Asked ahead, so that the first line that tells the remaining time has an estimate.
        if (done === 0) later.of(shown);
        progress.show(shown);
      },
    });
  } finally {
    progress.end();
  }
}

interface ShownResult {
  readonly run: RunRecord;
  readonly summary: RunSummary;
  /** The run before it was applied. */
  readonly known: RunRecord;
  /** Counts of the rows that this command was about, where it was not about the whole run. */
  readonly now: Counts | undefined;
}

/** Warnings that were not shown with the plan. */
function newWarnings(run: RunRecord, known: RunRecord): readonly Localized[] {
  const shown = new Set(known.warnings.map(({ message }) => message.en));
  return run.warnings.map(({ message }) => message).filter(({ en }) => !shown.has(en));
}

async function showResult(
  context: CommandContext,
  connection: Connection,
  { run, summary, known, now }: ShownResult,
): Promise<void> {
  const { terminal, lang } = context;
  const texts = textsFor(lang);
  const shown = { planned: known, held: findHeldFile(context, run) };
  for (const problems of await readNewProblems(connection, run, shown)) {
    terminal.out(formatProblems(problems, lang, terminal));
  }
  terminal.out(formatResult(summary, lang, { columns: terminal.outColumns, decided: now }));
  for (const message of newWarnings(run, known)) {
    terminal.out(
      `${wrapText(`  ! ${terminal.shown(message[lang])}`, { columns: terminal.outColumns, indent: 4 })}\n`,
    );
  }
  if (summary.exit === EXIT.someFailed && summary.files.failed !== null) {
    terminal.err(`\n${texts.fixAndRetry(summary.files.failed)}\n`);
  }
  if (summary.counts.held > 0) terminal.err(`\n${texts.releaseWith(run.id)}\n`);
}
