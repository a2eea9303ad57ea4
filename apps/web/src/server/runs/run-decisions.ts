/**
 * What may be decided about a run: that it is sent, gone on with, stopped or taken back. The page and
 * the interface for programs ask for it here, so that the same checks hold for both.
 */

import { type Connection, priceUnitOf } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  approvePeriod,
  assertDraftCurrent,
  assertPlanCurrent,
  type DecidedRow,
  findUncompared,
  lockForRelease,
  mergeSettings,
  readRun,
  readWholeRun,
  type ReleasedRows,
  releaseRows,
  setAside,
  toSending,
} from "@catalog/importer";
import { leaveToWorkers, stopSending } from "@catalog/jobs";
import { type NamedPerson, type RowRecord, type RunRecord, toCounts } from "@catalog/runs";

import type {
  ApproveBody,
  DecisionResult,
  PlannedRunId,
  RefusedRow,
  ReleaseBody,
  ResumeBody,
  RunView,
  UndoBody,
} from "../../api/runs.ts";
import { plainText } from "../plain-advice.ts";
import { RequestError, type Site } from "../site.ts";
import { assertFourEyes } from "./four-eyes.ts";
import type { RunJobs } from "./run-jobs.ts";
import { readApproval } from "./run-period.ts";
import { nameRunsIn } from "./run-summary.ts";
import type { ReadRunView } from "./run-view.ts";

/** What decisions need of the store that they are made in. */
export interface RunDesk {
  readonly site: Site;
  readonly jobs: RunJobs;
  readonly readView: ReadRunView;
}

/** Whose decision it is, and the language in which its result is told. */
export interface Decider {
  readonly by: NamedPerson;
  readonly lang: Lang;
}

interface OpenedRun {
  readonly connection: Connection;
  readonly run: RunRecord;
}

/** Throws `CatalogError` `E_RUN_UNKNOWN` where the store has no such run. */
export async function openRun({ store }: Pick<Site, "store">, id: string): Promise<OpenedRun> {
  const connection = await store.connection();
  return { connection, run: await readRun(connection, id) };
}

interface SendOnOptions extends Decider {
  /** The command that sends the run, with its flags, where the workers do not. */
  readonly words: readonly string[];
  /** Approves a plan of which nothing was sent. @default the run is gone on with */
  readonly approval?: { readonly canary: number | undefined } | undefined;
}

/**
 * Sends the rows of a run by what sent it before: a run that was left to the workers stays theirs
 * until it is taken out of the queue, any other one is sent by a command of the page, never by both.
 * Returns whether it was started or queued; `false` where a command of the page is at work.
 */
async function sendOn(
  { connection, jobs }: { readonly connection: Connection; readonly jobs: RunJobs },
  run: RunRecord,
  { lang, by, words, approval }: SendOnOptions,
): Promise<boolean> {
  const job = { kind: "apply", key: run.id } as const;
  // Its end, such as a stop, is kept for a week; taking it out of the queue removes it.
  if ((await connection.memory.jobs.read(job)) === undefined) return jobs.send(run.id, words, by);
  if (approval !== undefined) await assertPlanCurrent(connection, run);
  jobs.forget(run.id);
  const settings = approval === undefined ? run.settings : mergeSettings(run.settings, approval);
  await leaveToWorkers(connection, run, { settings, lang });
  return true;
}

const BATCH_ROWS = 500;

interface Decisions {
  readonly run: RunRecord;
  /** Held rows that are sent. */
  readonly release: readonly number[];
  /** Held rows that are given up. */
  readonly cancel: readonly number[];
  /** Planned rows that are not sent. */
  readonly hold: readonly number[];
  readonly by: NamedPerson;
  readonly lang: Lang;
  /** Whether they approve the plan; where no row is refused, it names the person from then on. */
  readonly isApproval?: boolean;
}

interface Decided {
  /** As it is afterwards. */
  readonly run: RunRecord;
  readonly refused: readonly RefusedRow[];
  /** What sends the released rows. */
  readonly sentBy: ReleasedRows["sentBy"];
}

/**
 * Records the decisions under the lock of the store. Rows that are not held any more are left out.
 * Throws `DatabaseError` `E_STORE_BUSY`.
 */
async function recordDecisions(
  connection: Connection,
  { run, release, cancel, hold, by, lang, isApproval = false }: Decisions,
): Promise<Decided> {
  await using _lock = await lockForRelease(connection, run, "catalog web");
  const { updatedAtMs } = await readRun(connection, run.id);
  // Another approval has come first, and its person is the one who is named.
  if (isApproval && updatedAtMs !== run.updatedAtMs) throw stale(run);
  await setAside(connection, { run, rows: hold, by: by.name });
  const decided: DecidedRow[] = [];
  for await (const record of readHeld(connection, run, new Set([...release, ...cancel]))) {
    const isCancelled = cancel.includes(record.row);
    const isUncompared = (await findUncompared(connection, run, [record])).length > 0;
    // A price that was never compared may be 100 times off; it waits until the unit is known.
    const sending = isUncompared ? ({ kind: "resend" } as const) : toSending(record);
    decided.push({ record, release: isCancelled ? { kind: "cancel" } : sending });
  }
  const { released, sentBy } = await releaseRows(connection, { run, decided, by: by.name });
  const refused = released.flatMap((row) =>
    row.to === "held" ? [{ row: row.row, message: plainText(row.why[lang]) }] : [],
  );
  if (isApproval && refused.length === 0) await noteApproval(connection, run.id, by);
  return {
    run: await readRun(connection, run.id),
    refused: await nameRunsIn(connection, refused, lang),
    sentBy,
  };
}

async function noteApproval(connection: Connection, id: string, by: NamedPerson): Promise<void> {
  const { progress } = await readRun(connection, id);
  await connection.runs.update(id, { progress: { ...progress, approvedBy: by } });
}

async function* readHeld(
  { journal }: Connection,
  { id }: RunRecord,
  wanted: ReadonlySet<number>,
): AsyncGenerator<RowRecord> {
  let after = 0;
  while (wanted.size > 0) {
    const rows = await journal.readRows(id, { states: ["held"], after, limit: BATCH_ROWS });
    yield* rows.filter(({ row }) => wanted.has(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    after = last.row;
  }
}
/** Sends a plan that somebody has seen. Throws {@link RequestError} 409 where it is another one by now. */
export async function approveRun(
  { site, jobs, readView }: RunDesk,
  id: string,
  body: ApproveBody,
  { by, lang }: Decider,
): Promise<DecisionResult> {
  const { connection, run } = await openRun(site, id);
  const view = await readView(connection, run, lang);
  await assertApproved(connection, { run, view, body });
  // The command of another approval would find the lock taken that these decisions are noted under.
  if (!view.can.send || jobs.isSending(run.id)) throw stale(run);
  await assertFourEyes({ site, connection, run, by });
  const period = await readApproval(connection, run, body.period);
  const decisions = { run, release: body.release, hold: body.hold, cancel: [] };
  const { run: approved, refused } = await recordDecisions(connection, {
    ...decisions,
    by,
    lang,
    isApproval: true,
  });
  const isStarted = refused.length === 0;
  const { canary } = body;
  if (isStarted) await approvePeriod(connection, run.id, period);
  const flags = canary === undefined ? [] : [`--canary=${canary}`];
  const sending = { lang, by, words: ["apply", "--yes", `--lang=${lang}`, ...flags] };
  const options = { ...sending, approval: { canary } };
  // Another approval of the same plan may have come first.
  if (isStarted && period?.startAtMs !== undefined) {
    const settings = mergeSettings(run.settings, { canary });
    await leaveToWorkers(connection, approved, { settings, lang, isLater: true });
  } else if (isStarted && !(await sendOn({ connection, jobs }, approved, options))) {
    throw stale(run);
  }
  const now = await readView(connection, await readRun(connection, run.id), lang);
  return { run: now, refused, isStarted };
}

/** Decides on held rows of a run that was sent. */
export async function releaseHeld(
  { site, jobs, readView }: RunDesk,
  id: string,
  { rows, decision }: ReleaseBody,
  { by, lang }: Decider,
): Promise<DecisionResult> {
  const connection = await site.store.connection();
  const run = await readWholeRun(connection, id);
  const release = decision === "send" ? rows : [];
  const cancel = decision === "cancel" ? rows : [];
  if (release.length > 0) await assertFourEyes({ site, connection, run, by });
  const decisions = { run, release, cancel, hold: [], by, lang };
  const { refused, sentBy } = await recordDecisions(connection, decisions);
  const isToSend = run.state !== "planned" && (sentBy === "apply" || sentBy === "resume");
  const words = ["resume", "--yes", `--lang=${lang}`];
  const isStarted = isToSend && (await sendOn({ connection, jobs }, run, { lang, by, words }));
  const now = await readView(connection, await readRun(connection, run.id), lang);
  return { run: now, refused, isStarted };
}

/** Goes on with a run; of one that is being sent nothing changes. */
export async function resumeRun(
  { site, jobs, readView }: RunDesk,
  id: string,
  body: ResumeBody,
  { by, lang }: Decider,
): Promise<RunView> {
  const { connection, run } = await openRun(site, id);
  const view = await readView(connection, run, lang);
  if (view.state === "sending") return view;
  await assertApproved(connection, { run, view, body });
  if (!canGoOn(run, view, body)) throw stale(run);
  const { priceUnit } = body;
  // Rows that have waited for the unit were not part of what was approved.
  const isApproval = run.state === "planned" || priceUnit !== undefined;
  if (isApproval) await assertFourEyes({ site, connection, run, by });
  const unit = priceUnit === undefined ? [] : [`--price-unit=${priceUnit}`];
  // A plan whose approval was paused before its first row is sent as it was approved.
  const paused = run.state === "planned" && jobs.isPaused(run.id) ? jobs.wordsOf(run.id) : null;
  const words = paused ?? ["resume", "--yes", `--lang=${lang}`, ...unit];
  // A worker reads it from the store, a command from its flags.
  if (priceUnit !== undefined) await priceUnitOf(connection).save(priceUnit, "person");
  // What was approved before and paused keeps its person.
  const isApproved = run.state !== "planned" || run.progress.approvedBy !== undefined;
  if (!isApproved) await noteApproval(connection, run.id, by);
  const now = await readRun(connection, run.id);
  await sendOn({ connection, jobs }, now, { lang, by, words });
  return await readView(connection, now, lang);
}

/** Asks whatever sends the run to stop; returns the run as it was before. */
export async function stopRun(
  { site, jobs, readView }: RunDesk,
  id: string,
  { lang }: Pick<Decider, "lang">,
): Promise<RunView> {
  const { connection, run } = await openRun(site, id);
  const view = await readView(connection, run, lang);
  if (view.can.stop && !jobs.pause(run.id)) await stopSending(connection, run.id);
  return view;
}

/** Plans what takes the run back, as a run of its own; nothing is sent. */
export async function undoRun(
  { site, jobs }: Pick<RunDesk, "site" | "jobs">,
  id: string,
  { zeroStock, fields }: UndoBody,
  { by, lang }: Decider,
): Promise<PlannedRunId> {
  const { connection, run } = await openRun(site, id);
  if (!zeroStock) await assertRestorable(connection, run);
  const words = [
    ...(zeroStock ? ["--zero-stock"] : []),
    ...(fields === undefined ? [] : [`--fields=${fields.join(",")}`]),
    "--",
    run.id,
  ];
  return await jobs.prepare(site, { of: run.id, what: "undo", words, lang, by });
}

interface Approved {
  readonly run: RunRecord;
  readonly view: RunView;
  readonly body: Pick<ApproveBody, "planHash">;
}

/** Throws where the run is not as the person has seen it who wants it sent. */
async function assertApproved(
  connection: Connection,
  { run, view, body }: Approved,
): Promise<void> {
  if (run.state === "planned") await assertDraftCurrent(connection, run);
  if (view.planHash !== body.planHash) throw stale(run);
}

/** Whether going on sends the rows that the person has agreed to, and no others. */
function canGoOn(run: RunRecord, { can, left }: RunView, { rows, priceUnit }: ResumeBody): boolean {
  const isUnitGiven = priceUnit !== undefined;
  const isPossible = can.resume || (run.state === "planned" ? can.send : isUnitGiven);
  return isPossible && rows === (isUnitGiven ? left.withUnit : left.rows);
}

/** Throws where the run has only added products, as there is no old value to go back to. */
async function assertRestorable({ journal }: Connection, { id }: RunRecord): Promise<void> {
  const { added, updated } = toCounts(await journal.countRows(id));
  if (added === 0 || updated > 0) return;
  throw new RequestError(409, "E_UNDO_ADDS", {
    tr: "Bu gönderim yalnızca ürün ekledi ve pazaryerinde ürün silinemez; eski hâline dönecek bir şey yok. Satışlarını durdurmak için stoklarını 0 yapmayı işaretleyin.",
    en: "This run has only added products, and the marketplace cannot delete them; there is nothing to go back to. To stop their sale, tick setting their stock to 0.",
  });
}

function stale({ state }: RunRecord): RequestError {
  if (state !== "planned") {
    return new RequestError(409, "E_RUN_CHANGED", {
      tr: "Gönderim bu arada değişti; kalan satırlara bakıp yeniden onaylayın. Başka bir şey gönderilmedi.",
      en: "The run has changed meanwhile; look at the rows that are left and approve them again. Nothing else was sent.",
    });
  }
  return new RequestError(409, "E_PLAN_STALE", {
    tr: "Plan bu arada değişti; yenisine bakıp yeniden onaylayın. Hiçbir şey gönderilmedi.",
    en: "The plan has changed meanwhile; look at the new one and approve it again. Nothing was sent.",
  });
}
