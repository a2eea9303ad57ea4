/** The drafts of the store, as the routes use them. */

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  createDraft,
  type DraftDetails,
  type DraftProblem,
  type DraftStep,
  isPlannedAsSet,
  listDrafts,
  type ReadingChange,
  removeDraft,
} from "@catalog/importer";
import { type RunRecord, toCounts } from "@catalog/runs";

import type { DraftSummary, DraftView, ReadingBody } from "../../api/drafts.ts";
import { describeWait } from "../describe-wait.ts";
import { listRuns } from "../runs/list-runs.ts";
import type { Site, Topic } from "../site.ts";
import { writeDraftFile } from "./draft-files.ts";
import { toDraftView, toEditResult, toNameView, toRowView, toSummary } from "./draft-view.ts";
import type { Drafts } from "./drafts.ts";
import { findValues } from "./find-values.ts";
import { createOpenDrafts, type OpenDraft, type OpenDrafts } from "./open-drafts.ts";
import { type PlanJob, startPlan } from "./plan-jobs.ts";
import { readDraftRun } from "./sent-summary.ts";

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
