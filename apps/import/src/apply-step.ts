/** The second half of every import: send what was planned, report, and say what to do next. */

import { type RunRecord } from "@catalog/runs";
import {
  applyPlanned,
  type Applied,
  type CommandContext,
  type Flags,
  type RunSummary,
  type Toolkit,
} from "@catalog/toolkit";

import { applyExit, EXIT } from "./exit-code.ts";
import { textFlag } from "./flags.ts";
import { createProgress } from "./progress.ts";
import { formatProblems, formatResult } from "./report.ts";
import { printJson, readCounts, readProblems, reportRun } from "./run-view.ts";
import { textsFor } from "./texts.ts";

export interface ApplyStep {
  readonly command: string;
  readonly flags: Flags;
  /** Rejected rows after which nothing more is sent. @default unlimited */
  readonly maxRejected?: number | undefined;
}

/** Applies a run and reports it, whatever it ends with. Returns the exit code. */
export async function applyAndReport(
  context: CommandContext,
  toolkit: Toolkit,
  { run, ...step }: ApplyStep & { readonly run: RunRecord },
): Promise<number> {
  const applied = await apply(context, toolkit, { run, ...step });
  const counts = await readCounts(toolkit, applied.run);
  const exit = applyExit(applied.end, counts);
  const summary = await reportRun(toolkit, applied.run, { command: step.command, exit });
  if (context.json) printJson(context, summary);
  else await showResult(context, toolkit, { applied, summary });
  return exit;
}

async function apply(
  context: CommandContext,
  toolkit: Toolkit,
  { run, flags, maxRejected }: ApplyStep & { readonly run: RunRecord },
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
  const { run, end, reason = "" } = applied;
  const texts = textsFor(lang);
  const { rejected, held } = summary.counts;
  if (rejected + held > 0) {
    terminal.out(formatProblems(await readProblems(toolkit, run), lang, terminal.outColumns));
  }
  terminal.out(formatResult(summary, lang));
  if (end !== "finished") terminal.err(`\n${texts.ended[end](reason)}\n`);
  if (summary.exit === EXIT.someFailed && summary.files.failed !== null) {
    terminal.err(`\n${texts.fixAndRetry(summary.files.failed)}\n`);
  }
  if (summary.state !== "finished") terminal.err(`\n${texts.resumeWith(run.id)}\n`);
}
