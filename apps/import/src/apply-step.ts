/** The second half of every import: send what was planned, report, and say what to do next. */

import { type RowState, type RunRecord } from "@catalog/runs";
import {
  applyPlanned,
  type Applied,
  type CommandContext,
  type Flags,
  rememberColumns,
  type RunSummary,
  type Toolkit,
} from "@catalog/toolkit";

import { applyExit, EXIT } from "./exit-code.ts";
import { textFlag } from "./flags.ts";
import { readProblems } from "./problems.ts";
import { createProgress } from "./progress.ts";
import { formatProblems, formatResult } from "./report.ts";
import { printJson, readCounts, reportRun } from "./run-view.ts";
import { textsFor } from "./texts.ts";

export interface ApplyStep {
  readonly command: string;
  readonly flags: Flags;
  /** Rejected rows after which nothing more is sent. @default unlimited */
  readonly maxRejected?: number | undefined;
  /** The plan has waited: adds that the store shows by now are held. @default false */
  readonly recheck?: boolean;
}

/** Applies a run and reports it, whatever it ends with. Returns the exit code. */
export async function applyAndReport(
  context: CommandContext,
  toolkit: Toolkit,
  { run, ...step }: ApplyStep & { readonly run: RunRecord },
): Promise<number> {
  // Whoever lets a plan be sent has accepted how its columns were read.
  const learnt = await rememberColumns(toolkit.profiles, run);
  if (learnt !== undefined && !context.quiet) context.terminal.err(`${learnt[context.lang]}\n`);
  const applied = await apply(context, toolkit, { run, ...step });
  const counts = await readCounts(toolkit, applied.run);
  const exit = applyExit(applied.end, counts);
  const summary = await reportRun(toolkit, applied.run, { command: step.command, exit });
  const error = toError(context, applied);
  if (context.json) printJson(context, error === undefined ? summary : { ...summary, error });
  else await showResult(context, toolkit, { applied, summary });
  if (error !== undefined) context.terminal.err(`\n${error.message}\n`);
  if (summary.state !== "finished") {
    context.terminal.err(`\n${textsFor(context.lang).resumeWith(run.id)}\n`);
  }
  return exit;
}

interface StopError {
  readonly code: string;
  readonly message: string;
}

/** Why the run stopped, for those who cannot see the terminal. */
function toError({ lang }: CommandContext, { end, reason = "" }: Applied): StopError | undefined {
  if (end === "finished") return undefined;
  return { code: STOP_CODES[end], message: textsFor(lang).ended[end](reason) };
}

const STOP_CODES: Readonly<Record<Exclude<Applied["end"], "finished">, string>> = {
  stopped: "E_INTERRUPTED",
  breaker: "E_BREAKER",
  "too-many-rejected": "E_TOO_MANY_REJECTED",
  login: "AUTH_ERROR",
  permission: "PERMISSION_ERROR",
};

/** What sending has brought to light; the bad rows of the file were shown with the plan. */
const SENT_STATES: readonly RowState[] = ["rejected", "held"];

async function apply(
  context: CommandContext,
  toolkit: Toolkit,
  { run, flags, maxRejected, recheck }: ApplyStep & { readonly run: RunRecord },
): Promise<Applied> {
  const { terminal, clock, lang, stop } = context;
  const texts = textsFor(lang);
  const quiet = context.quiet || context.json;
  const progress = createProgress({ terminal, clock, texts, label: texts.sending, quiet });
  try {
    return await applyPlanned(toolkit, {
      runId: run.id,
      onUnknown: textFlag(flags, "on-unknown") === "resend" ? "resend" : "hold",
      maxRejected,
      recheck,
      stop,
      onProgress: ({ done, total }) => progress.update(done, total),
    });
  } finally {
    progress.end();
  }
}

interface Shown {
  readonly applied: Applied;
  readonly summary: RunSummary;
}

async function showResult(
  { terminal, lang }: CommandContext,
  toolkit: Toolkit,
  { applied, summary }: Shown,
): Promise<void> {
  const { run } = applied;
  const texts = textsFor(lang);
  const { rejected, held } = summary.counts;
  if (rejected + held > 0) {
    terminal.out(
      formatProblems(await readProblems(toolkit, run, SENT_STATES), lang, terminal.outColumns),
    );
  }
  terminal.out(formatResult(summary, lang));
  if (summary.exit === EXIT.someFailed && summary.files.failed !== null) {
    terminal.err(`\n${texts.fixAndRetry(summary.files.failed)}\n`);
  }
}
