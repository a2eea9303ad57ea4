/** Sends the rows of a planned run, or goes on where an earlier process stopped. */

import { AuthError, ClientError, PermissionError } from "@catalog/client/errors";
import { addCalls, toClientWords, type Toolkit, ToolkitError } from "@catalog/connection";
import { type Localized } from "@catalog/i18n";
import {
  type AddLooks,
  applyRun,
  auditRun,
  type DuplicateFound,
  type RunRecord,
  type RunSettings,
  type SentRow,
  toCounts,
} from "@catalog/runs";

import { rememberReading } from "../columns/remember-reading.ts";
import { readCodeKeys } from "../plan/code-keys.ts";
import { holdUnseen, type HoldUnseenOptions } from "./hold-unproven-adds.ts";
import { countErrorsLeft, findLimitRefusal } from "./limits.ts";
import { mergeSettings } from "./merge-settings.ts";
import { lookForAdds, openAddLooks } from "./recheck-adds.ts";
import { type FeedLook, toFeedLook, toLook } from "./recheck-options.ts";
import { countUnitHeld, guardLater } from "./recheck-price-guards.ts";
import { type SendEnd, sendCanary } from "./send-canary.ts";
import { learnRefusals, verifyRun } from "./verify-run.ts";

/** Which run to send, and when to stop. */
export interface ApplyPlannedOptions extends HoldUnseenOptions {
  readonly runId: string;
  /** Settings that override those stored with the run. @default none */
  readonly settings?: RunSettings | undefined;
  /**
   * Whether the rest of a run or released rows are to be sent; the bad rows that the run has already
   * do not refuse it then. @default false
   */
  readonly isContinued?: boolean | undefined;
  /** Stops new requests; those on their way are waited for. */
  readonly stop?: AbortSignal | undefined;
  /**
   * For plans that have waited: `adds` has the store looked at before the first add leaves. While
   * rows are sent, adds and updates are looked at whatever was asked for. @default "nothing"
   */
  readonly recheck?: "nothing" | "adds" | undefined;
  /** The run is a feed's, and this is the process that feeds. @default none */
  readonly feed?: FeedLook | undefined;
  /** Called with a text where the columns of the accepted plan were saved as a profile. */
  readonly onRemembered?: (said: Localized) => void;
  /** Told what came of the rows that went first, where the others follow. */
  readonly onCanary?: (said: Localized) => void;
  readonly onProgress?: (progress: ApplyProgress) => void;
}

/** The row that was sent last, and how far that is. */
export interface ApplyProgress {
  readonly done: number;
  readonly total: number;
  readonly row: SentRow;
}

/** The run as it is stored now, and why nothing more was sent. */
export interface Applied {
  readonly run: RunRecord;
  readonly end: SendEnd["end"];
  readonly reason: Localized | undefined;
  /** Adds of the run that the store shows twice; they are among the run's warnings. */
  readonly duplicates: readonly DuplicateFound[];
}

/**
 * Applies a run, and remembers how its columns and numbers were read. A run with nothing left to
 * send is only settled and finished. Throws {@link ToolkitError} `E_LIMIT_STRICT` or
 * `E_LIMIT_ERRORS` where more rows are bad than the run's settings allow.
 */
export async function applyPlan(toolkit: Toolkit, options: ApplyPlannedOptions): Promise<Applied> {
  const run = await readRun(toolkit, options.runId);
  const accepted = await acceptPlan(toolkit, run, options);
  // A run that only updates is short and waited for: it passes long adds in the common quota.
  if ((run.facts?.planned.add ?? 0) === 0) toolkit.meters.pacing.hurry();
  const ended = await sendAndCheck(toolkit, run, accepted);
  return { run: await readRun(toolkit, run.id), ...ended };
}

/** Checks the limits of the run, and saves its columns, whose mapping is accepted by sending. */
async function acceptPlan(
  toolkit: Toolkit,
  run: RunRecord,
  options: ApplyPlannedOptions,
): Promise<SendOptions> {
  assertMine(run, options);
  const settings = mergeSettings(run.settings, options.settings);
  const counts = toCounts(await toolkit.journal.countRows(run.id));
  const refusal = options.isContinued === true ? undefined : findLimitRefusal(counts, settings);
  if (refusal !== undefined) throw refusal;
  const remembered = await rememberReading(toolkit, run);
  if (remembered !== undefined) options.onRemembered?.(remembered);
  return { ...options, settings, maxRejected: countErrorsLeft(counts, settings) };
}

/** Sends, verifies and audits. The state and calls of the run are stored even after an error. */
async function sendAndCheck(
  toolkit: Toolkit,
  run: RunRecord,
  options: SendOptions,
): Promise<Omit<Applied, "run">> {
  const {
    meters: { calls },
    clock,
    runLog,
  } = toolkit;
  const before = calls.counts();
  const startedAtMs = clock.now();
  await runLog.update(run.id, { state: "running" });
  let state: RunRecord["state"] = "stopped";
  try {
    const { end, reason } = await sendOrEnd(toolkit, run, options);
    await learnRefusals(toolkit, run, startedAtMs);
    state = (await hasRowsLeft(toolkit, run.id)) ? "stopped" : "finished";
    const duplicates = state === "finished" ? await audit(toolkit, run) : [];
    const mayVerify = options.settings.noVerify !== true && mayRead(end);
    if (mayVerify) await verifyRun(toolkit, run, options.stop);
    return { end, reason, duplicates };
  } finally {
    await runLog.update(run.id, { state });
    await addCalls(toolkit, run.id, before);
  }
}

function assertMine({ id, state, kind }: RunRecord, { feed }: ApplyPlannedOptions): void {
  if (state === "planning") throw new ToolkitError("E_RUN_UNPLANNED", id);
  if (kind === "sync" && feed === undefined) throw new ToolkitError("E_RUN_SYNC", id);
}

/** Whether reading makes sense after sending ended so. */
const mayRead = (end: Applied["end"]): boolean => end === "finished" || end === "too-many-rejected";

/** What cannot be looked at now is no duplicate; the rows themselves are settled. */
async function audit(
  toolkit: Toolkit,
  { id: runId }: RunRecord,
): Promise<readonly DuplicateFound[]> {
  const { journal, marketplace, runLog } = toolkit;
  try {
    const codes = await readCodeKeys(toolkit);
    const found = await auditRun({ runId, journal, marketplace, ...codes });
    const warnings = found.map(({ message }) => ({ code: "W_DUPLICATE_FOUND", message }));
    await runLog.addWarnings(runId, warnings);
    return found;
  } catch (error) {
    if (error instanceof ClientError) return [];
    throw error;
  }
}

/** Reads a run. Throws {@link ToolkitError} `E_RUN_UNKNOWN` when the store has no such run. */
export async function readRun(
  { runLog }: Pick<Toolkit, "runLog">,
  runId: string,
): Promise<RunRecord> {
  const run = await runLog.read(runId);
  if (run === undefined) throw new ToolkitError("E_RUN_UNKNOWN", runId);
  return run;
}

/** A marketplace that cannot be reached ends the sending, and leaves a run that can be resumed. */
async function sendOrEnd(toolkit: Toolkit, run: RunRecord, options: SendOptions): Promise<SendEnd> {
  try {
    const adds = openAddLooks(toolkit, run);
    await lookForAdds(toolkit, run, { ...options, adds });
    if (options.feed === undefined) await holdUnseen(toolkit, run, options);
    return await sendAll(toolkit, run, { ...options, adds });
  } catch (error) {
    if (options.stop?.aborted === true && error === options.stop.reason) return { end: "stopped" };
    if (!(error instanceof ClientError)) throw error;
    const reason = toClientWords(error);
    if (error instanceof AuthError) return { end: "login", reason };
    if (error instanceof PermissionError) return { end: "permission", reason };
    return { end: "breaker", reason };
  }
}

interface SendOptions extends ApplyPlannedOptions {
  /** The stored settings, with those of this call on top. */
  readonly settings: RunSettings;
  /** Number of rejected rows after which sending stops; `Infinity` without a limit. */
  readonly maxRejected: number;
}

interface SendAllOptions extends SendOptions {
  /** What is known of the codes of adds; the same for the canary and for the others. */
  readonly adds: AddLooks;
}

/** The canary first, where there is one, and then the others. */
async function sendAll(
  toolkit: Toolkit,
  run: RunRecord,
  options: SendAllOptions,
): Promise<SendEnd> {
  const { settings, maxRejected, stop: signal, onCanary: onVerdict } = options;
  if (options.feed === undefined) await guardLater(toolkit, run, signal);
  const before = toCounts(await toolkit.journal.countRows(run.id));
  const onRow = countRows(before.pending, options);
  const sendRest = async (): Promise<SendEnd> => {
    // What was refused before counts.
    const { rejected } = toCounts(await toolkit.journal.countRows(run.id));
    const left = Math.max(0, maxRejected - (rejected - before.rejected));
    return await send(toolkit, run, { ...options, onRow, maxRejected: left });
  };
  if (settings.canary === undefined)
    return await sendUnitHeld(toolkit, run, { ...options, sendRest });
  const ended = await sendCanary(toolkit, run, {
    rows: settings.canary,
    send: (most) => send(toolkit, run, { ...options, onRow, most }),
    signal,
    onVerdict,
  });
  if (ended !== undefined) return ended;
  // The canary has settled in which unit the store answers prices.
  await guardLater(toolkit, run, signal);
  return await sendUnitHeld(toolkit, run, { ...options, sendRest });
}

interface SendRest extends Pick<SendOptions, "feed" | "settings" | "stop"> {
  readonly sendRest: () => Promise<SendEnd>;
}

/**
 * Sends what is ready, and then what was held for the unit of prices alone, where reading back what
 * has just been sent tells the unit. Nothing is read that would not be read back anyway.
 */
async function sendUnitHeld(
  toolkit: Toolkit,
  run: RunRecord,
  { sendRest, feed, settings, stop: signal }: SendRest,
): Promise<SendEnd> {
  const first = await sendRest();
  if (first.end !== "finished" || feed !== undefined || settings.noVerify === true) {
    return first;
  }
  if ((await countUnitHeld(toolkit, run.id)) === 0) return first;
  await verifyRun(toolkit, run, signal);
  return (await guardLater(toolkit, run, signal)) === 0 ? first : await sendRest();
}

interface SendSomeOptions extends SendAllOptions {
  /** @default all */
  readonly most?: number;
  readonly onRow: (row: SentRow) => void;
}

async function send(
  toolkit: Toolkit,
  run: RunRecord,
  { settings, maxRejected, stop, most, onRow, feed, adds }: SendSomeOptions,
): ReturnType<typeof applyRun> {
  const { journal, marketplace, clock, concurrency } = toolkit;
  const look = feed === undefined ? await toLook(toolkit, run.id) : toFeedLook(toolkit, run, feed);
  return await applyRun({
    runId: run.id,
    journal,
    marketplace,
    look: { ...look, adds },
    clock,
    concurrency,
    ...(await readCodeKeys(toolkit)),
    sheet: run.file.sheet,
    onUnknown: settings.onUnknown ?? "hold",
    maxRejected,
    most,
    penalty: { pause: (ms) => toolkit.meters.waits.tell(ms, "refused") },
    stop,
    onRow,
  });
}

/** Tells of each row how many were sent before it. */
function countRows(total: number, { onProgress }: ApplyPlannedOptions): (row: SentRow) => void {
  let done = 0;
  return (row) => {
    done += 1;
    onProgress?.({ done, total, row });
  };
}

async function hasRowsLeft({ journal }: Toolkit, runId: string): Promise<boolean> {
  const { pending, unknown } = toCounts(await journal.countRows(runId));
  return pending + unknown > 0;
}
