/**
 * Sends a plan once a person has agreed, shows its progress, writes the result files and ends with
 * the exit code.
 */

import { type Connection, estimateSeconds } from "@catalog/connection";
import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { Localized } from "@catalog/i18n";
import { applyPlan, badRows, findLimitRefusal } from "@catalog/importer";
import { readStopRequest, watchStopRequest } from "@catalog/jobs";
import { actionWordsOf, listCommandOf, type RunSummary } from "@catalog/report";
import { type Counts, countVerifyCalls, NO_UNSENDABLE_FIELDS, type RunRecord } from "@catalog/runs";

import type { CommandContext } from "./context.ts";
import { findHeldFile, readNewProblems } from "./problems.ts";
import { askUnprovenAdds } from "./questions.ts";
import { formatProblems, formatResult } from "./report-texts.ts";
import { readSettings } from "./run-settings.ts";
import {
  countDecided,
  createProgress,
  type PhaseStep,
  readCounts,
  readGuarded,
  reportRun,
} from "./run-view.ts";
import { textsFor } from "./texts.ts";

type PlannedRun = Pick<RunRecord, "facts">;

type AppliedPlan = Awaited<ReturnType<typeof applyPlan>>;

/** Differences from the store that cannot be sent leave the run incomplete. */
function isLeft({ facts }: PlannedRun): boolean {
  const { rows, partly } = facts?.unsendable ?? NO_UNSENDABLE_FIELDS;
  return rows + partly > 0;
}

/** Exit code of a plan, for which bad rows mean a file with errors. */
export function planExit(run: PlannedRun, counts: Counts): number {
  if (badRows(counts) > 0) return EXIT.nothingSent;
  return isLeft(run) ? EXIT.someFailed : EXIT.done;
}

/** End of a run, besides its counts. */
export interface RunEnd extends PlannedRun {
  /** Held rows that a guard holds. @default none */
  readonly guarded?: number;
}

/** Exit code of an applied run. */
export function applyExit(end: AppliedPlan["end"], counts: Counts, run: RunEnd): number {
  if (end === "finished") return finishedExit(counts, run);
  // A circuit breaker that opened after the last row has left nothing to resume.
  const isOver = UNFINISHED[end] === EXIT.stopped && counts.pending + counts.unknown === 0;
  return isOver ? finishedExit(counts, run) : UNFINISHED[end];
}

/** Exit code of the command that made a run, as far as its rows still show it. */
export function storedExit(
  { state, ...run }: Pick<RunRecord, "state"> & RunEnd,
  counts: Counts,
): number {
  return state === "planned" ? planExit(run, counts) : finishedExit(counts, run);
}

const UNFINISHED: Readonly<Record<Exclude<AppliedPlan["end"], "finished">, number>> = {
  login: EXIT.login,
  permission: EXIT.login,
  period: EXIT.stopped,
  stopped: EXIT.interrupted,
  breaker: EXIT.stopped,
  "too-many-rejected": EXIT.stopped,
  canary: EXIT.stopped,
};

function finishedExit(counts: Counts, { guarded = 0, ...run }: RunEnd): number {
  if (counts.pending + counts.unknown > 0) return EXIT.stopped;
  if (badRows(counts) === 0) return isLeft(run) ? EXIT.someFailed : EXIT.done;
  // Every row of the file was bad, so none was sent.
  const onlyBad = counts.invalid + counts.duplicate === counts.rows;
  return onlyBad || isStoppedByGuards(counts, guarded) ? EXIT.nothingSent : EXIT.someFailed;
}

/** Whether guards hold every row that would have been sent. */
function isStoppedByGuards(counts: Counts, guarded: number): boolean {
  const { added, updated, rejected, cancelled, held } = counts;
  return guarded > 0 && guarded === held && added + updated + rejected + cancelled === 0;
}

/** Estimates of a run. */
interface LaterSeconds {
  /**
   * The last estimate for a phase, in seconds; `undefined` where there is none. As a line of
   * progress is not waited for, a newer estimate is made for the next one.
   */
  of(step: PhaseStep): number | undefined;
}

/** After the last row was sent, the rows are read back; other phases say nothing of the rest. */
export function createLaterSeconds(
  connection: Connection,
  { settings }: Pick<RunRecord, "settings">,
): LaterSeconds {
  let known: number | undefined;
  let isReading = false;
  const renew = async (calls: number): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      known = await estimateSeconds(connection, calls, { kind: "reads" });
    } finally {
      isReading = false;
    }
  };
  return {
    of({ phase, total = 0 }) {
      if (phase === "verify") return 0;
      if (phase !== "send") return undefined;
      const calls = settings.noVerify === true ? 0 : countVerifyCalls(total);
      // The command itself ends with the error that prevents an estimate.
      renew(calls).catch(() => undefined);
      return known;
    },
  };
}

interface ApplyStep {
  readonly recheck?: "nothing" | "adds" | undefined;
  /** Whether the run was begun before. @default false */
  readonly isContinued?: boolean | undefined;
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
  const { terminal, clock, lang } = context;
  const { flags, recheck, isContinued } = step;
  const quiet = context.quiet || context.json;
  // A request that exists already was about an earlier sending.
  const known = await readStopRequest(connection, run.id);
  const later = createLaterSeconds(connection, run);
  const progress = createProgress({
    terminal,
    clock,
    texts: textsFor(lang),
    quiet,
    onProgress: context.onProgress,
    laterSeconds: (shown) => later.of(shown),
  });
  let applied: AppliedPlan;
  try {
    using watch = watchStopRequest(connection, run.id, { stop: context.stop, known });
    applied = await applyPlan(connection, {
      runId: run.id,
      settings: readSettings(flags),
      isContinued,
      onRemembered: (message) => {
        if (!context.quiet) terminal.err(`${message[lang]}\n`);
      },
      onCanary: (message) => {
        if (quiet) return;
        progress.end();
        const options = { columns: terminal.outColumns, indent: 2 };
        terminal.err(`${wrapText(terminal.shown(message[lang]), options)}\n`);
      },
      recheck,
      askUnprovenAdds: (unproven) => {
        progress.end();
        return askUnprovenAdds(context, unproven, flags["yes"] !== true);
      },
      stop: watch.signal,
      onProgress({ step: phase, done, total }) {
        const shown = { phase, done, total };
        // Asked ahead, so that the first line with the remaining time has an estimate.
        if (done === 0) later.of(shown);
        progress.show(shown);
      },
    });
  } finally {
    progress.end();
  }
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
interface AppliedRun extends Pick<ApplyStep, "command" | "flags" | "decided"> {
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
interface StoppedRun extends Pick<ApplyStep, "command" | "flags"> {
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

/** Writes the result files, unless the flags say otherwise, and reports the result of the run. */
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

/** States how to continue a run that is not finished, or that it was finished before. */
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

interface StopError {
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
  period: "E_PERIOD_OVER",
  login: "AUTH_ERROR",
  permission: "PERMISSION_ERROR",
};

const STOP_ENDS = ["breaker", "too-many-rejected", "canary"] as const;

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
    terminal.err(`\n${texts.fixAndRetry(summary.files.failed, listCommandOf(run))}\n`);
  }
  if (summary.counts.held > 0) terminal.err(`\n${texts.releaseWith(run.id)}\n`);
}

/** Throws {@link UsageError} where the terminal cannot ask and `--yes` was not given. */
export function assertCanConfirm({ terminal }: CommandContext, flags: Flags): void {
  if (flags["yes"] === true || terminal.canAsk) return;
  throw new UsageError({ tr: textsFor("tr").needsYes, en: textsFor("en").needsYes });
}

/** The run to confirm, and the command that planned it. */
interface Confirmation {
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
  const refused =
    (await refuseByLimits(context, connection, { command, run })) ??
    (await refuseUnread(context, connection, { command, flags, run }));
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

/** Warnings that a person must read, with the name by which `--allow` accepts each. */
const MUST_READ: Readonly<Record<string, "no-rules" | "same-answer">> = {
  W_NO_PRICE_RULE: "no-rules",
  W_SAME_ANSWER: "same-answer",
};

/** With `--yes` nobody reads that no price rule fits the file, or that all questions get one answer. */
async function refuseUnread(
  context: CommandContext,
  connection: Connection,
  { command, flags, run }: Confirmation,
): Promise<number | undefined> {
  const isRead = flags["yes"] !== true || command === "apply";
  const given = new Set<string>([
    // A retry has no such flag, and inherits what was allowed for its run.
    ...(run.settings.allowed ?? []),
    ...(readFlag.text(flags, "allow")?.split(",") ?? []),
  ]);
  const open = run.warnings.map(({ code }) => MUST_READ[code]);
  const unread = open.find((name) => name !== undefined && !given.has(name));
  if (unread === undefined || isRead) return undefined;
  const texts = textsFor(context.lang);
  const reason =
    unread === "no-rules" ? texts.unruled(run.id, command === "import") : texts.sameAnswer(run.id);
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
  const asked = actionWordsOf(run)?.asked(update, lang);
  const question = asked === undefined ? texts.confirm(add, update, stock) : texts.goOn(asked);
  return await terminal.ask(question, texts);
}
