/** Decides between plan and apply whether rows may be sent: by the limits, then by a question. */

import type { Connection } from "@catalog/connection";
import { type Flags, UsageError, EXIT, printJson } from "@catalog/console";
import { findLimitRefusal } from "@catalog/importer";
import type { RunRecord } from "@catalog/runs";

import type { CommandContext } from "../context.ts";
import { applyAndReport, type ApplyStep } from "./apply-and-report.ts";
import { readCounts, reportRun } from "./run-view.ts";
import { textsFor } from "./texts.ts";

/** Throws {@link UsageError} where the terminal cannot ask and `--yes` was not given. */
export function assertCanConfirm({ terminal }: CommandContext, flags: Flags): void {
  if (flags["yes"] === true || terminal.canAsk) return;
  throw new UsageError({ tr: textsFor("tr").needsYes, en: textsFor("en").needsYes });
}

/** The run to confirm, and the command that planned it. */
export interface Confirmation {
  readonly command: string;
  readonly flags: Flags;
  readonly run: RunRecord;
}

/** After a longer question the adds are rechecked, as other people may have added products. */
const LONG_QUESTION_MS = 3_000;

/** Asks, unless `--yes` was given, and applies the run. Returns the exit code. */
export async function confirmAndApply(
  context: CommandContext,
  connection: Connection,
  asked: Confirmation,
): Promise<number> {
  const { exit, recheck } = await confirmSending(context, connection, asked);
  return exit ?? (await applyAndReport(context, connection, { ...asked, recheck }));
}

/** Whether the run may be sent: with an exit code it may not, and was reported. */
export interface Answer extends Pick<ApplyStep, "recheck"> {
  readonly exit: number | undefined;
}

/** Asks whether the run may be sent, unless `--yes` was given. */
export async function confirmSending(
  context: CommandContext,
  connection: Connection,
  { command, flags, run }: Confirmation,
): Promise<Answer> {
  const refused = await refuseByLimits(context, connection, { command, run });
  if (refused !== undefined) return { exit: refused };
  const askedMs = context.clock.now();
  const answer = await isConfirmed(context, run, flags);
  if (answer === true) {
    const waitedMs = context.clock.now() - askedMs;
    // A negative duration comes from a clock that was set back, so it counts as long.
    const hasWaited = waitedMs < 0 || waitedMs > LONG_QUESTION_MS;
    return { exit: undefined, recheck: hasWaited ? "adds" : "nothing" };
  }
  const exit = answer === undefined ? EXIT.interrupted : EXIT.done;
  const reason = textsFor(context.lang).declined(run.id);
  return { exit: await sendNothing(context, connection, { command, run, exit, reason }) };
}

/** Reports the plan and returns the exit code if the run exceeds its limits of bad rows. */
export async function refuseByLimits(
  context: CommandContext,
  connection: Connection,
  { command, run }: Omit<Confirmation, "flags">,
): Promise<number | undefined> {
  const refusal = findLimitRefusal(await readCounts(connection, run), run.settings);
  if (refusal === undefined) return undefined;
  const reason = refusal.localized[context.lang];
  return await sendNothing(context, connection, { command, run, exit: EXIT.nothingSent, reason });
}

interface RefusedRun extends Omit<Confirmation, "flags"> {
  readonly exit: number;
  readonly reason: string;
}

/** Reports the plan, and prints why it was not applied. */
async function sendNothing(
  context: CommandContext,
  connection: Connection,
  { command, run, exit, reason }: RefusedRun,
): Promise<number> {
  const summary = await reportRun(context, connection, run, { command, exit });
  if (context.json) printJson(context.terminal, summary);
  context.terminal.err(`\n${reason}\n`);
  return exit;
}

async function isConfirmed(
  { terminal, lang, stop }: CommandContext,
  run: RunRecord,
  flags: Flags,
): Promise<boolean | undefined> {
  if (stop.aborted) return undefined;
  const { add = 0, update = 0, stock = 0 } = run.facts?.planned ?? {};
  if (flags["yes"] === true || add + update + stock === 0) return true;
  const texts = textsFor(lang);
  return await terminal.ask(texts.confirm(add, update, stock), texts);
}
