/** The drafts of the store: made, listed, shown, planned and removed. */

import { rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { isPlannedAsSet, type LiveDraft, openDrafts } from "@catalog/importer";
import type { DraftDetails, DraftSummaryView } from "@catalog/importer/draft-views";
import type { StartedCommand } from "@catalog/jobs";
import { type NamedPerson, type RunRecord, toCounts } from "@catalog/runs";

import {
  DRAFT_FILES,
  type DraftProgress,
  type DraftSummary,
  type DraftView,
  type PlanBody,
} from "../../api/drafts.ts";
import { readRunId, toProblem, toRefusal } from "../failures.ts";
import { makeFileFolder, type ReceivedFile } from "../files.ts";
import { plainAdvice, toShown } from "../plain-advice.ts";
import { isSamePerson } from "../runs/four-eyes.ts";
import { describeWait } from "../runs/run-jobs.ts";
import { toDraftPeriod } from "../runs/run-period.ts";
import { listRuns, readUndone, toRunState } from "../runs/run-summary.ts";
import type { Site } from "../site.ts";

/** An uploaded file that a draft is made of. */
export interface DraftFile extends ReceivedFile {
  readonly name: string;
  readonly by: NamedPerson;
}

/**
 * Drafts as the page shows them. Each function throws `E_DRAFT_UNKNOWN` for an unknown draft and
 * `E_DRAFT_CHANGED` for a change of another version than the current one.
 */
export interface Drafts extends AsyncDisposable {
  create(file: DraftFile, lang: Lang): Promise<DraftView>;
  list(asker: NamedPerson): Promise<readonly DraftSummary[]>;
  /** Files of the drafts that were sent, those that were used last at the end. */
  sentFiles(): Promise<readonly string[]>;
  view(id: string, lang: Lang): Promise<DraftView>;
  /** Opens the draft; `lang` is the language in which a check says why it has failed. */
  open(id: string, lang?: Lang): Promise<OpenDraft>;
  show(draft: OpenDraft, lang: Lang): Promise<DraftView>;
  remove(id: string): Promise<void>;
  /** Changes a setting, after which every row is checked anew. */
  set(id: string, lang: Lang, change: (live: LiveDraft) => Promise<void>): Promise<DraftView>;
  /** Starts to plan; the plan appears as the run of the draft. */
  plan(id: string, body: PlanBody, asked: PlanAsked): Promise<DraftView>;
  /** Whether a draft is being checked or planned. */
  isBusy(): boolean;
}

/** The language and the person who wants a plan. */
interface PlanAsked {
  readonly lang: Lang;
  readonly by: NamedPerson;
}

export interface DraftsOptions {
  readonly site: Site;
  readonly describe: (error: unknown) => DraftProblem;
}

export function createDrafts({ site, describe }: DraftsOptions): Drafts {
  const open = createOpenDrafts({ site, describe });
  const plans = new Map<string, PlanJob>();
  const show = createShow(plans, site.clock);
  const isPlanning = (id: string): boolean => (plans.get(id)?.progress ?? null) !== null;
  return {
    open: (id, lang) => open.open(id, lang),
    show,
    async create(file, lang) {
      const { id } = await openDrafts(await site.store.connection()).create(file);
      return await show(await open.open(id, lang), lang);
    },
    async list(asker) {
      const connection = await site.store.connection();
      const summaries: DraftSummary[] = [];
      for (const draft of await openDrafts(connection).list()) {
        summaries.push(toSummary(draft, asker, await readDraftRun(connection, draft)));
      }
      return summaries;
    },
    async sentFiles() {
      const connection = await site.store.connection();
      const paths: string[] = [];
      for (const draft of (await openDrafts(connection).list()).toReversed()) {
        const path = (await connection.memory.drafts.read(draft.id))?.path;
        const sent = path === undefined ? null : (await readDraftRun(connection, draft)).sent;
        if (path !== undefined && sent !== null) paths.push(path);
      }
      return paths;
    },
    view: async (id, lang) => show(await open.open(id, lang), lang),
    async remove(id) {
      const connection = await site.store.connection();
      const path = (await connection.memory.drafts.read(id))?.path;
      await open.close(id);
      await openDrafts(connection).remove(id);
      plans.delete(id);
      if (path !== undefined && dirname(path) === join(site.folder, "uploads")) {
        await rm(path, { force: true });
      }
    },
    async set(id, lang, change) {
      const draft = await open.open(id, lang);
      // A check under way holds the draft, so it is ended before and started anew after.
      await open.stopCheck(id);
      try {
        await change(draft.live);
        plans.delete(id);
      } finally {
        open.check(draft);
      }
      return await show(draft, lang);
    },
    async plan(id, { version, mode, priceUnit }, { lang, by }) {
      const draft = await open.open(id, lang);
      const { name, version: current, run } = await draft.live.details();
      if (current !== version) throw new CatalogError("E_DRAFT_CHANGED", name);
      // A check that began later would change the draft while it is planned.
      if (!isPlanning(id)) await open.settle(draft);
      if (!isPlanning(id)) {
        const report = join(site.folder, "results", "{run}");
        const unit = priceUnit === undefined ? [] : [`--price-unit=${priceUnit}`];
        const planned = await readPlanned(draft.connection, run);
        const asked = [`--mode=${mode ?? planned?.mode ?? "upsert"}`, ...unit];
        const flags = [`--lang=${lang}`, `--report=${report}`, ...asked];
        plans.set(id, startPlan(site, ["plan", ...flags, "--", `draft:${id}`], by));
      }
      return await show(draft, lang);
    },
    isBusy: () => open.isBusy() || [...plans.values()].some(({ progress }) => progress !== null),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

type SentBefore = Promise<DraftView["sentBefore"]>;

const SENT_BEFORE_MS = 10_000;

function createShow(plans: ReadonlyMap<string, PlanJob>, clock: Site["clock"]): Drafts["show"] {
  // Kept for some seconds, as a page asks for its draft every second.
  const found = new WeakMap<OpenDraft, { readonly untilMs: number; readonly sent: SentBefore }>();
  const readSent = (draft: OpenDraft, details: DraftDetails): SentBefore => {
    const known = found.get(draft);
    if (known !== undefined && clock.now() < known.untilMs) return known.sent;
    const sent = findSentBefore(draft.connection, details);
    found.set(draft, { untilMs: clock.now() + SENT_BEFORE_MS, sent });
    return sent;
  };
  return async (draft, lang) => {
    const details = await draft.live.details();
    const plan = plans.get(draft.live.id);
    const progress = draft.progress ?? plan?.progress ?? null;
    const activity = {
      progress,
      wait: progress === null ? null : await describeWait(draft.connection, lang),
      problem: draft.problem ?? plan?.problem ?? null,
      sentBefore: await readSent(draft, details),
      planned: await readPlanned(draft.connection, details.run),
    };
    return toDraftView(details, activity, lang);
  };
}

/** The latest run of the same content that has sent something, but not from this draft. */
async function findSentBefore(
  { runs, journal }: Pick<Connection, "runs" | "journal">,
  { sha256, run }: Pick<DraftDetails, "sha256" | "run">,
): SentBefore {
  const files = listRuns({ runs }, { kind: "import" });
  for await (const { id, file, state, progress, updatedAtMs } of files) {
    const isSame = file.sha256 === sha256 && id !== run?.id && progress.undoOf === undefined;
    if (!isSame || state === "planning" || state === "planned") continue;
    const { added, updated, unknown } = toCounts(await journal.countRows(id));
    if (added + updated + unknown > 0) return { run: id, at: new Date(updatedAtMs).toISOString() };
  }
  return null;
}

/** How the latest run of a draft was planned, and whether it would be planned so again. */
async function readPlanned(
  connection: Connection,
  run: DraftDetails["run"],
): Promise<DraftView["run"]> {
  if (run === null) return null;
  const record = await connection.runs.read(run.id);
  const isCurrent = run.isCurrent && (await isAsSet(connection, record));
  return { id: run.id, isCurrent, mode: record?.mode ?? "upsert" };
}

/** A run that was sent stays the one of its draft, whatever is set since. */
const isAsSet = async (connection: Connection, run: RunRecord | undefined): Promise<boolean> =>
  run?.state !== "planned" || (await isPlannedAsSet(connection, run));

const NO_RUN = { sent: null, planned: null };

/** What the latest run of a draft has sent, or what it would send while it waits for approval. */
async function readDraftRun(
  connection: Connection,
  { run: id }: { readonly run: string | null },
): Promise<Pick<DraftSummary, "sent" | "planned">> {
  const run = id === null ? undefined : await connection.runs.read(id);
  if (run === undefined || run.state === "planning") return NO_RUN;
  const counts = toCounts(await connection.journal.countRows(run.id));
  if (run.state === "planned") {
    return { sent: null, planned: { ready: counts.pending, held: counts.held } };
  }
  const state = toRunState(run, await connection.locks.holderOf(run.id));
  if (state === "planning" || state === "planned") return NO_RUN;
  const sent = {
    state,
    waiting: counts.pending + counts.unknown,
    held: counts.held,
    wrong: counts.invalid + counts.duplicate + counts.rejected,
    cancelled: counts.cancelled,
    undone: await readUndone(connection, run),
  };
  return { sent, planned: null };
}

/** A plan that a process of its own makes, or the last one that was made. */
interface PlanJob {
  progress: DraftStepProgress | null;
  /** Why no plan was made. */
  problem: DraftProblem | null;
}

/** Starts to plan the draft; its problem is in the language of the words. */
function startPlan(site: Site, words: readonly string[], by: NamedPerson): PlanJob {
  const job: PlanJob = { progress: { step: "plan", done: 0, total: null }, problem: null };
  const command = site.startCommand(words, by);
  command.onProgress(({ done, total }) => {
    job.progress = { step: "plan", done, total };
  });
  const finish = async (): Promise<void> => {
    const result = await command.ended;
    job.progress = null;
    job.problem = readProblem(result);
  };
  void finish();
  return job;
}

/**
 * Why the command made no plan; `null` for a plan, also for one with rows that are wrong. What the
 * command tells is in the language that it was asked in.
 */
function readProblem(ended: Awaited<StartedCommand["ended"]>): DraftProblem | null {
  const [tr, en] = [toProblem(ended, "tr"), toProblem(ended, "en")];
  if (tr !== null && en !== null) {
    return { code: tr.code, message: { tr: tr.message, en: en.message } };
  }
  return ended.exit === 0 || readRunId(ended.document) !== undefined ? null : FAILED;
}

const FAILED: DraftProblem = {
  code: "E_PLAN_FAILED",
  message: {
    tr: "Plan yapılamadı. Yeniden deneyin.",
    en: "The plan could not be made. Try again.",
  },
};

type Rows = keyof typeof DRAFT_FILES;

const NAMES: Readonly<Record<Rows, Readonly<Record<Lang, string>>>> = DRAFT_FILES;

/** The rows that a file of the fixed list holds; `undefined` for another name. */
export const rowsOfFile = (name: string): Rows | undefined =>
  (["all", "errors"] as const).find((rows) =>
    Object.values(NAMES[rows]).some((known) => name === known),
  );

/** Writes the rows as they are now to a workbook below the folder of the page. */
export async function writeDraftFile(
  live: LiveDraft,
  folder: string,
  { rows, lang }: { readonly rows: Rows; readonly lang: Lang },
): Promise<{ readonly path: string; readonly name: string }> {
  const { path: place } = makeFileFolder(join(folder, "files"));
  const { name } = await live.details();
  const path = join(place, NAMES[rows][lang]);
  await live.write({ path, lang, rows, reword: (text) => plainAdvice(text) ?? "" });
  return { path, name: `${basename(name, extname(name))} - ${basename(path)}` };
}

/** A draft in memory, and what is being done with it. */
interface OpenDraft {
  readonly connection: Connection;
  readonly live: LiveDraft;
  /** Language of who asked for it last. */
  lang: Lang;
  progress: DraftStepProgress | null;
  problem: DraftProblem | null;
}

/** Drafts whose lists of names stay in memory; of more, those unused for longest are closed. */
const MAX_OPEN = 8;

/** States that an earlier check has left, as it did not come to an end. */
const IS_CUT_OFF: ReadonlySet<DraftDetails["state"]> = new Set(["checking", "reading"]);

interface Check {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** A draft is looked at no more often for rules that have changed. */
const RENEW_EVERY_MS = 2_000;
/** A check that fails again and again is made anew after twice as long each time, up to this. */
const MAX_RENEW_MS = 5 * 60_000;

/** When a draft was looked at last, and how many of its checks have failed since one did not. */
interface Renewal {
  atMs: number;
  failures: number;
}

/**
 * Drafts that are open in this process: each is opened once, and checked in the background by a
 * process of its own.
 */
function createOpenDrafts({ site, describe }: DraftsOptions) {
  const { clock, store } = site;
  let of: Connection | undefined;
  const drafts = new Map<string, Promise<OpenDraft>>();
  const checks = new Map<string, Check>();
  const renewals = new Map<string, Renewal>();

  /** Ends the check of the draft, so that its settings can be changed at once. */
  const stopCheck = async (id: string): Promise<void> => {
    const check = checks.get(id);
    check?.stop.abort(new Error("the draft is changed"));
    await check?.ended;
  };

  const closeAll = async (): Promise<void> => {
    drafts.clear();
    await Promise.all([...checks.keys()].map(stopCheck));
  };

  /** Checks the draft in the background, from the beginning where it has begun. */
  const check = (draft: OpenDraft): void => {
    const { id } = draft.live;
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      await runCheck(draft, { signal: stop.signal, describe });
      const failures = draft.problem === null ? 0 : (renewals.get(id)?.failures ?? 0) + 1;
      renewals.set(id, { atMs: clock.now(), failures });
      if (checks.get(id)?.stop === stop) checks.delete(id);
    };
    checks.set(id, { stop, ended: run() });
  };

  /** Rules may be changed on another screen, in another draft or by a command. */
  const renew = async (draft: OpenDraft): Promise<void> => {
    const { id } = draft.live;
    if (checks.has(id)) return;
    const nowMs = clock.now();
    const { atMs, failures } = renewals.get(id) ?? { atMs: 0, failures: 0 };
    if (nowMs - atMs < Math.min(MAX_RENEW_MS, RENEW_EVERY_MS * 2 ** failures)) return;
    renewals.set(id, { atMs: nowMs, failures });
    if (await draft.live.renew()) check(draft);
  };

  const load = async (opened: Connection, id: string): Promise<OpenDraft> => {
    const checkElsewhere: CheckElsewhere = (options) => startCheck(site, draft, options);
    const live = await openDrafts(opened).open(id, { checkElsewhere });
    const draft: OpenDraft = {
      connection: opened,
      live,
      lang: "tr",
      progress: null,
      problem: null,
    };
    // What kept a file from being read may be gone.
    if (IS_CUT_OFF.has((await live.details()).state)) check(draft);
    return draft;
  };

  return {
    check,
    stopCheck,
    /** Opens the draft, and continues a check that was cut off. */
    async open(id: string, lang?: Lang): Promise<OpenDraft> {
      const current = await store.connection();
      // Another store was entered.
      if (of !== current) await closeAll();
      of = current;
      const known = drafts.get(id);
      drafts.delete(id);
      const draft = known ?? load(current, id);
      drafts.set(id, draft);
      draft.catch(() => drafts.delete(id));
      const unused = [...drafts.keys()].slice(0, -MAX_OPEN).filter((old) => !checks.has(old));
      for (const old of unused) drafts.delete(old);
      const opened = await draft;
      opened.lang = lang ?? opened.lang;
      await renew(opened);
      return opened;
    },
    /** Waits until the draft is checked by the rules of now. */
    async settle(draft: OpenDraft): Promise<void> {
      const { id } = draft.live;
      await checks.get(id)?.ended;
      renewals.delete(id);
      await renew(draft);
      await checks.get(id)?.ended;
    },
    async close(id: string): Promise<void> {
      drafts.delete(id);
      renewals.delete(id);
      await stopCheck(id);
    },
    isBusy: () => checks.size > 0,
    [Symbol.asyncDispose]: closeAll,
  };
}

type CheckElsewhere = (options: Parameters<LiveDraft["check"]>[0] & object) => Promise<void>;

/** A check that is stopped gives up at the next slice of its rows; one that does not is killed. */
const STOP_MS = 5_000;

/** Checks the draft in a process of its own; rejects with what that has said. */
async function startCheck(
  { clock, startCommand }: Site,
  { live, lang }: Pick<OpenDraft, "live" | "lang">,
  { signal, onProgress }: Parameters<CheckElsewhere>[0],
): Promise<void> {
  const command = startCommand(["plan", "--check", `--lang=${lang}`, "--", `draft:${live.id}`]);
  const over = new AbortController();
  const stop = (): void => {
    command.stop();
    clock.sleep(STOP_MS, over.signal).then(
      () => command.kill(),
      () => undefined,
    );
  };
  command.onProgress(({ phase, done, total }) =>
    onProgress?.({ step: phase === "read" ? "read" : "check", done, total }),
  );
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const ended = await command.ended;
  over.abort();
  signal?.removeEventListener("abort", stop);
  signal?.throwIfAborted();
  const problem = toProblem(ended, lang);
  if (problem !== null)
    throw problem.code === "E_BUG" ? new Error(problem.message) : toRefusal(problem);
}

interface CheckOptions extends Pick<DraftsOptions, "describe"> {
  readonly signal: AbortSignal;
}

async function runCheck(draft: OpenDraft, { signal, describe }: CheckOptions): Promise<void> {
  draft.problem = null;
  draft.progress = { step: "read", done: 0, total: null };
  try {
    const onProgress = (progress: DraftStepProgress): void => void (draft.progress = progress);
    await draft.live.check({ signal, onProgress });
  } catch (error) {
    if (!signal.aborted) draft.problem = describe(error);
  } finally {
    draft.progress = null;
  }
}

/** A failure in both languages. */
type DraftProblem = NonNullable<DraftDetails["reading"]["problem"]>;

/** What is known of a draft besides its stored state. */
interface DraftActivity {
  readonly progress: DraftStepProgress | null;
  /** Sentence about calls that must wait; `null` where none does. */
  readonly wait: string | null;
  /** Why the last step failed. */
  readonly problem: DraftProblem | null;
  readonly sentBefore: DraftView["sentBefore"];
  readonly planned: DraftView["run"];
}

type DraftStepProgress = Omit<DraftProgress, "text">;

function toDraftView(
  { sha256: _sha256, createdAtMs, updatedAtMs, shownAtMs, period, ...details }: DraftDetails,
  { progress, wait, problem, sentBefore, planned }: DraftActivity,
  lang: Lang,
): DraftView {
  return {
    ...toShown(details, lang),
    createdAt: toIso(createdAtMs),
    updatedAt: toIso(updatedAtMs),
    shownAt: shownAtMs === null ? null : toIso(shownAtMs),
    progress: progress && toProgress(progress, lang, wait),
    run: planned,
    sentBefore,
    problem: toShown(problem, lang),
    period: toDraftPeriod(period, lang),
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

const STEPS: Readonly<Record<DraftProgress["step"], (count: string) => Localized>> = {
  read: (count) => ({ tr: `${count} satır okundu`, en: `${count} rows read` }),
  check: (count) => ({ tr: `${count} satır denetlendi`, en: `${count} rows checked` }),
  plan: (count) => ({ tr: `Plan hazırlanıyor: ${count}`, en: `Planning: ${count}` }),
};

const PLANNING: Localized = { tr: "Plan hazırlanıyor", en: "Planning" };

function toProgress(
  { step, done, total }: DraftStepProgress,
  lang: Lang,
  wait: string | null,
): DraftProgress {
  const counts = [done, ...(total === null ? [] : [total])];
  const count = counts.map((number) => formatNumber(number, lang)).join("/");
  const text = step === "plan" && done === 0 ? PLANNING : STEPS[step](count);
  return { step, text: wait ?? text[lang], done, total };
}

const toSummary = (
  { createdAtMs: _createdAtMs, createdBy, updatedAtMs, ...draft }: DraftSummaryView,
  asker: NamedPerson,
  run: Pick<DraftSummary, "sent" | "planned">,
): DraftSummary => ({
  ...draft,
  updatedAt: toIso(updatedAtMs),
  by: createdBy && { name: createdBy.name, isAsker: isSamePerson(createdBy, asker) },
  ...run,
});
