/** The drafts of the store, as the routes use them. */

import { rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  createDraft,
  type DraftDetails,
  type DraftProblem,
  type DraftStep,
  isPlannedAsSet,
  listDrafts,
  type LiveDraft,
  type ReadingChange,
  removeDraft,
  type WriteDraftOptions,
} from "@catalog/importer";
import type { EndedCommand } from "@catalog/jobs";
import { type RunRecord, toCounts } from "@catalog/runs";

import {
  type AddColumnBody,
  type ColumnsBody,
  DRAFT_FILES,
  type DraftSummary,
  type DraftView,
  type EditBody,
  type EditResult,
  type ExcludeBody,
  type LookupView,
  type NameBody,
  type NameView,
  type PlanBody,
  type ReadingBody,
  type ReplaceBody,
  type ReplacePreview,
  type RowFilter,
  type RowSort,
  type RowView,
} from "../../api/drafts.ts";
import { readRunId, toProblem } from "../failures.ts";
import { makeFileFolder, type ReceivedFile } from "../files.ts";
import { plainAdvice } from "../plain-advice.ts";
import { describeWait } from "../runs/run-progress.ts";
import { listRuns, readUndone, toRunState } from "../runs/run-summary.ts";
import type { Site, Topic } from "../site.ts";
import {
  type DraftStepProgress,
  toDraftView,
  toEditResult,
  toNameView,
  toRowView,
  toSummary,
} from "./draft-view.ts";
import { findValues } from "./find-values.ts";
import { createOpenDrafts, type OpenDraft, type OpenDrafts } from "./open-drafts.ts";

/** An uploaded file that a draft is made of. */
export interface DraftFile extends ReceivedFile {
  readonly name: string;
  readonly by: string;
}

/** Makes a draft and begins to read it. */
export type CreateDraft = (file: DraftFile, lang: Lang) => Promise<DraftView>;

/** A place in the table, or a field that has no column, and what was typed there. */
export interface LookupQuery {
  readonly column?: number | undefined;
  readonly row?: number | undefined;
  readonly field?: string | undefined;
  readonly text: string;
}

/** A file that waits to be sent. */
interface WrittenFile {
  readonly path: string;
  /** For the person. */
  readonly name: string;
}

/**
 * Drafts as the page shows them. Each function throws `E_DRAFT_UNKNOWN` for an unknown draft and
 * `E_DRAFT_CHANGED` for a change of another version than the current one.
 */
export interface Drafts {
  create(file: DraftFile, lang: Lang): Promise<DraftView>;
  list(lang: Lang): Promise<readonly DraftSummary[]>;
  /** Files of the drafts that were sent, those that were used last at the end. */
  sentFiles(): Promise<readonly string[]>;
  view(id: string, lang: Lang): Promise<DraftView>;
  remove(id: string): Promise<void>;
  setReading(id: string, body: ReadingBody, lang: Lang): Promise<DraftView>;
  setColumns(id: string, body: ColumnsBody, lang: Lang): Promise<DraftView>;
  order(
    id: string,
    filter: RowFilter & { readonly sort: RowSort | undefined },
  ): Promise<Uint32Array>;
  rows(id: string, numbers: readonly number[], lang: Lang): Promise<readonly RowView[]>;
  edit(id: string, body: EditBody, lang: Lang): Promise<EditResult>;
  addColumn(id: string, body: AddColumnBody, lang: Lang): Promise<EditResult>;
  undo(id: string, version: number, lang: Lang): Promise<EditResult>;
  redo(id: string, version: number, lang: Lang): Promise<EditResult>;
  exclude(id: string, body: ExcludeBody, lang: Lang): Promise<EditResult>;
  replace(id: string, body: ReplaceBody, lang: Lang): Promise<EditResult | ReplacePreview>;
  names(id: string, lang: Lang): Promise<readonly NameView[]>;
  answerName(id: string, body: NameBody, lang: Lang): Promise<DraftView>;
  lookup(id: string, query: LookupQuery, lang: Lang): Promise<readonly LookupView[]>;
  /** Writes the rows as they are now to a workbook of the page's folder. */
  writeFile(id: string, rows: "all" | "errors", lang: Lang): Promise<WrittenFile>;
  /** Starts to plan; the plan appears as the run of the draft. */
  plan(id: string, body: PlanBody, lang: Lang): Promise<DraftView>;
}

type Rows = WriteDraftOptions["rows"];

const NAMES: Readonly<Record<Rows, Readonly<Record<Lang, string>>>> = DRAFT_FILES;

/** The rows that a file of the fixed list holds; `undefined` for another name. */
export const rowsOfFile = (name: string): Rows | undefined =>
  (["all", "errors"] as const).find((rows) =>
    Object.values(NAMES[rows]).some((known) => name === known),
  );

const reword = (text: string): string => plainAdvice(text) ?? "";

/** Writes the workbook below the folder of the page, where old files are removed. */
async function writeDraftFile(
  live: LiveDraft,
  folder: string,
  { rows, lang }: { readonly rows: Rows; readonly lang: Lang },
): Promise<WrittenFile> {
  const { path: place } = makeFileFolder(join(folder, "files"));
  const { name } = await live.details();
  const path = join(place, NAMES[rows][lang]);
  await live.write({ path, lang, rows, reword });
  return { path, name: `${basename(name, extname(name))} - ${basename(path)}` };
}

/** A plan that is being made, or the last one that was. */
interface PlanJob {
  progress: DraftStepProgress | null;
  /** Why no plan was made. */
  problem: DraftProblem | null;
}

/** Starts to plan the draft; its problem is in the language of the words. */
function startPlan(site: Site, words: readonly string[]): PlanJob {
  const job: PlanJob = { progress: { step: "plan", done: 0, total: null }, problem: null };
  const command = site.startCommand(words);
  command.onProgress(({ done, total }) => {
    job.progress = { step: "plan", done, total };
  });
  void finish(job, command.ended);
  return job;
}

async function finish(job: PlanJob, ended: Promise<EndedCommand>): Promise<void> {
  const result = await ended;
  job.progress = null;
  job.problem = readProblem(result);
}

/**
 * Why the command made no plan; `null` for a plan, also for one with rows that are wrong. What the
 * command tells is in the language that it was asked in.
 */
function readProblem(ended: EndedCommand): DraftProblem | null {
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

/** What the latest run of a draft has sent, or what it would send while it waits for approval. */
type DraftRun = Pick<DraftSummary, "sent" | "planned">;

const NO_RUN: DraftRun = { sent: null, planned: null };

async function readDraftRun(
  connection: Connection,
  { run: id }: { readonly run: string | null },
): Promise<DraftRun> {
  const { runs, journal, locks } = connection;
  const run = id === null ? undefined : await runs.read(id);
  if (run === undefined || run.state === "planning") return NO_RUN;
  const counts = toCounts(await journal.countRows(run.id));
  if (run.state === "planned") {
    return { sent: null, planned: { ready: counts.pending, held: counts.held } };
  }
  const state = toRunState(run, await locks.holderOf(run.id));
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

export interface DraftsOptions {
  readonly site: Site;
  /** Describes why a check failed. */
  readonly describe: (error: unknown) => DraftProblem;
}

/** What the groups of functions share. */
interface DraftsState {
  readonly site: Site;
  readonly open: OpenDrafts;
  readonly plans: Map<string, PlanJob>;
  readonly step: (version: number) => DraftStep;
  readonly show: (draft: OpenDraft, lang: Lang) => Promise<DraftView>;
}

export function createDrafts({ site, describe }: DraftsOptions): Drafts & AsyncDisposable {
  const open = createOpenDrafts({
    clock: site.clock,
    connection: () => site.store.connection(),
    describe,
  });
  const plans = new Map<string, PlanJob>();
  const step = (version: number): DraftStep => ({ version, by: site.user });
  const state: DraftsState = { site, open, plans, step, show: createShow(plans, site.clock) };
  return {
    ...createStoring(state),
    ...createSettings(state),
    ...createChanges(state),
    ...createPlanning(state),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

type SentBefore = Promise<DraftView["sentBefore"]>;

const SENT_BEFORE_MS = 10_000;

function createShow(plans: DraftsState["plans"], clock: Site["clock"]): DraftsState["show"] {
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

function createStoring({
  site,
  open,
  plans,
  show,
}: DraftsState): Pick<Drafts, "create" | "list" | "sentFiles" | "view" | "remove"> {
  return {
    create: async (file, lang) => {
      const connection = await site.store.connection();
      const { id } = await createDraft(connection, file);
      return await show(await open.open(id), lang);
    },
    list: async () => {
      const connection = await site.store.connection();
      const summaries: DraftSummary[] = [];
      for (const draft of await listDrafts(connection)) {
        summaries.push(toSummary(draft, await readDraftRun(connection, draft)));
      }
      return summaries;
    },
    sentFiles: async () => {
      const connection = await site.store.connection();
      const paths: string[] = [];
      for (const draft of (await listDrafts(connection)).toReversed()) {
        const path = (await connection.memory.drafts.read(draft.id))?.path;
        const sent = path === undefined ? null : (await readDraftRun(connection, draft)).sent;
        if (path !== undefined && sent !== null) paths.push(path);
      }
      return paths;
    },
    view: async (id, lang) => show(await open.open(id), lang),
    remove: async (id) => {
      const connection = await site.store.connection();
      const path = (await connection.memory.drafts.read(id))?.path;
      await open.close(id);
      await removeDraft(connection, id);
      plans.delete(id);
      if (path !== undefined && dirname(path) === join(site.folder, "uploads")) {
        await rm(path, { force: true });
      }
    },
  };
}

function createSettings({
  open,
  plans,
  step,
  show,
}: DraftsState): Pick<Drafts, "setReading" | "setColumns"> {
  // A check under way holds the draft, so it is ended before and started anew after.
  const change = async (
    id: string,
    lang: Lang,
    work: (live: OpenDraft["live"]) => Promise<void>,
  ): Promise<DraftView> => {
    const draft = await open.open(id);
    await open.stopCheck(id);
    try {
      await work(draft.live);
      plans.delete(id);
    } finally {
      open.check(draft);
    }
    return await show(draft, lang);
  };
  return {
    setReading: (id, { version, ...settings }, lang) =>
      change(id, lang, (live) => live.setReading(step(version), toReadingChange(settings))),
    setColumns: (id, { version, columns, constants, defaults, forNew, decimals, leftOut }, lang) =>
      change(id, lang, (live) =>
        live.setColumns(step(version), {
          ...(columns !== undefined && { columns }),
          ...(constants !== undefined && { constants }),
          ...(defaults !== undefined && { defaults }),
          ...(forNew !== undefined && { forNew }),
          ...(decimals !== undefined && { decimals }),
          ...(leftOut !== undefined && { leftOut }),
        }),
      ),
  };
}

/** A setting that was not sent stays as it is, unlike one that is sent as `null`. */
const toReadingChange = (settings: Omit<ReadingBody, "version">): ReadingChange =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

function createPlanning({ site, open, plans, show }: DraftsState): Pick<Drafts, "plan"> {
  const isPlanning = (id: string): boolean => (plans.get(id)?.progress ?? null) !== null;
  return {
    plan: async (id, { version, mode, priceUnit }, lang) => {
      const draft = await open.open(id);
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
        plans.set(id, startPlan(site, ["plan", ...flags, "--", `draft:${id}`]));
      }
      return await show(draft, lang);
    },
  };
}

/** How the latest run of a draft was planned, and whether it would be planned so again. */
async function readPlanned(
  connection: Connection,
  run: { readonly id: string; readonly isCurrent: boolean } | null,
): Promise<NonNullable<DraftView["run"]> | null> {
  const record = run === null ? undefined : await connection.runs.read(run.id);
  if (run === null) return null;
  const isCurrent = run.isCurrent && (await isAsSet(connection, record));
  return { id: run.id, isCurrent, mode: record?.mode ?? "upsert" };
}

/** A run that was sent stays the one of its draft, whatever is set since. */
const isAsSet = async (connection: Connection, run: RunRecord | undefined): Promise<boolean> =>
  run?.state !== "planned" || (await isPlannedAsSet(connection, run));

type Changes =
  | "order"
  | "rows"
  | "edit"
  | "addColumn"
  | "undo"
  | "redo"
  | "exclude"
  | "replace"
  | "names"
  | "answerName"
  | "lookup"
  | "writeFile";

/** What goes to the open draft as it is. */
function createChanges({ site, open, step, show }: DraftsState): Pick<Drafts, Changes> {
  const liveOf = async (id: string): Promise<OpenDraft["live"]> => (await open.open(id)).live;
  return {
    order: async (id, filter) => (await liveOf(id)).order(filter),
    rows: async (id, numbers, lang) =>
      (await (await liveOf(id)).rows(numbers)).map((row) => toRowView(row, lang)),
    edit: async (id, { version, edits }, lang) =>
      toEditResult(await (await liveOf(id)).edit(step(version), edits), lang),
    addColumn: async (id, { version, field }, lang) =>
      toEditResult(await (await liveOf(id)).addColumn(step(version), { field, lang }), lang),
    undo: async (id, version, lang) =>
      toEditResult(await (await liveOf(id)).undo(step(version)), lang),
    redo: async (id, version, lang) =>
      toEditResult(await (await liveOf(id)).redo(step(version)), lang),
    exclude: async (id, { version, ...rows }, lang) =>
      toEditResult(await (await liveOf(id)).exclude(step(version), rows), lang),
    replace: async (id, { version, isPreview, ...options }, lang) => {
      const live = await liveOf(id);
      if (!isPreview) return toEditResult(await live.replace(step(version), options), lang);
      const { samples, ...preview } = await live.previewReplace(options);
      const shown = samples.map(({ row, column, before, value }) => ({
        row,
        column,
        before,
        after: value,
      }));
      return { ...preview, samples: shown };
    },
    names: async (id, lang) =>
      (await (await liveOf(id)).names()).map((name) => toNameView(name, lang)),
    answerName: async (id, { version, ...answer }, lang) => {
      const draft = await open.open(id);
      await draft.live.answerName(step(version), answer);
      return await show(draft, lang);
    },
    lookup: async (id, query, lang) => {
      const { connection, live } = await open.open(id);
      return await findValues(connection, live, { ...query, lang });
    },
    writeFile: async (id, rows, lang) =>
      await writeDraftFile(await liveOf(id), site.folder, { rows, lang }),
  };
}

/** The latest run of the same content that has sent something, but not from this draft. */
async function findSentBefore(
  { runs, journal }: Pick<Connection, "runs" | "journal">,
  { sha256, run }: { readonly sha256: string; readonly run: { readonly id: string } | null },
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

/** Sends a draft to open pages each time it has changed. */
export const createDraftTopic = (drafts: Pick<Drafts, "view">): Topic => ({
  name: "draft",
  read: (id, lang) => drafts.view(id, lang),
});
