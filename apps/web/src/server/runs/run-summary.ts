/** Runs of the history: their names, their states in words, and their list. */

import { setImmediate } from "node:timers/promises";

import { CatalogError, type Connection, type LockHolder } from "@catalog/connection";
import { formatDateTime, type Lang } from "@catalog/i18n";
import {
  assertDraftCurrent,
  CANCEL_REST,
  findUndo,
  isPartialUndo,
  isPlannedAsSet,
} from "@catalog/importer";
import { type QueuedRunState, readQueuedRuns } from "@catalog/jobs";
import { fold } from "@catalog/mapping";
import {
  countFileRows,
  type Counts,
  type RunRecord,
  type RunRepository,
  toCounts,
} from "@catalog/runs";

import type {
  RunActivity,
  RunCounts,
  RunList,
  RunPeriodView,
  RunsFilter,
  RunsQuery,
  RunState,
  RunSummaryView,
  RunUndoneView,
} from "../../api/runs.ts";
import type { Problem } from "../../api/session.ts";
import { plainText } from "../plain-advice.ts";
import type { Site } from "../site.ts";
import type { RunJobs } from "./run-jobs.ts";
import { readPeriodView } from "./run-period.ts";

const TR = {
  states: {
    planning: "Hazırlanıyor",
    planned: "Gönderilmedi",
    queued: "Sırada",
    sending: "Gönderiliyor",
    stopped: "Yarım kaldı",
    finished: "Bitti",
  },
  byWorker: "Gönderiliyor (worker)",
  failing: (reason: string) => `Aksadı, yeniden denenecek: ${reason}`,
  paused: "Duraklatıldı",
  refused: "Alınmadı",
  dryRun: "Deneme, gönderilmedi",
  dryRefused: "Deneme, alınmazdı",
  nothingToUndo: "Geri alınacak bir şey yoktu",
  origins: { page: "Sayfa", terminal: "Komut satırı", schedule: "Zamanlama" },
  undoOf: (name: string) => `“${name}” için geri alma`,
  undone: (name: string) => `“${name}” geri alındı`,
  undonePartly: (name: string) => `“${name}” kısmen geri alındı`,
  undoneNothing: (name: string) => `“${name}” için geri alınan bir şey olmadı`,
  retryOf: (name: string) => `“${name}” dosyasının reddedilen satırları`,
};

const RUN_TEXTS: Readonly<Record<Lang, typeof TR>> = {
  tr: TR,
  en: {
    states: {
      planning: "Being prepared",
      planned: "Not sent",
      queued: "In the queue",
      sending: "Being sent",
      stopped: "Interrupted",
      finished: "Finished",
    },
    byWorker: "Being sent (worker)",
    failing: (reason) => `Failing, will be tried again: ${reason}`,
    paused: "Paused",
    refused: "Not taken",
    dryRun: "Dry run, not sent",
    dryRefused: "Dry run, would not be taken",
    nothingToUndo: "There was nothing to undo",
    origins: { page: "Page", terminal: "Command line", schedule: "Schedule" },
    undoOf: (name) => `Undo of “${name}”`,
    undone: (name) => `“${name}” undone`,
    undonePartly: (name) => `“${name}” partly undone`,
    undoneNothing: (name) => `Nothing of “${name}” was undone`,
    retryOf: (name) => `Rejected rows of “${name}”`,
  },
};

const BATCH_RUNS = 200;

/** Lists runs, newest first; other requests are answered between two batches. */
export async function* listRuns(
  { runs }: { readonly runs: Pick<RunRepository, "list"> },
  options: Parameters<RunRepository["list"]>[1] = {},
): AsyncGenerator<RunRecord> {
  let { before } = options;
  for (;;) {
    const batch = await runs.list(BATCH_RUNS, { ...options, before });
    yield* batch;
    if (batch.length < BATCH_RUNS) return;
    before = batch.at(-1);
    await setImmediate();
  }
}

/**
 * A run that is stored as running, without a process that works on it, was cut off. A process that
 * works on a planned run still writes its files, or is about to send it, by its command. One that
 * gives up the rest of a run sends nothing. The queue of the workers is not looked at.
 */
export function toRunState(
  { state }: Pick<RunRecord, "state">,
  holder: Pick<LockHolder, "command"> | undefined,
): StoredState {
  if (holder?.command === CANCEL_REST) return STATES[state][1];
  if (state === "planned" && SENDS.has(holder?.command ?? "")) return "sending";
  return STATES[state][holder === undefined ? 1 : 0];
}

/** Commands that hold a run which was planned before, and the page while it takes an approval. */
const SENDS: ReadonlySet<string> = new Set([
  "catalog apply",
  "catalog resume",
  "catalog release",
  "catalog web",
]);

type StoredState = Exclude<RunState, "queued">;

const STATES: Readonly<
  Record<RunRecord["state"], readonly [underWay: StoredState, idle: StoredState]>
> = {
  planning: ["planning", "stopped"],
  planned: ["planning", "planned"],
  running: ["sending", "stopped"],
  stopped: ["sending", "stopped"],
  finished: ["finished", "finished"],
};

/** Rows of which nothing can be sent count as unchanged; those under way as waiting. */
const toRunCounts = (counts: Counts, { progress }: Pick<RunRecord, "progress">): RunCounts => ({
  rows: counts.rows,
  added: counts.added,
  updated: counts.updated,
  unchanged: counts.unchanged + counts.skipped,
  invalid: counts.invalid,
  duplicate: counts.duplicate,
  held: counts.held,
  rejected: counts.rejected,
  waiting: counts.pending + counts.unknown,
  cancelled: counts.cancelled,
  restCancelled: progress.restCancelled ?? 0,
  excluded: progress.draft?.excluded ?? 0,
});

interface StateFacts {
  readonly state: RunState;
  readonly counts: Counts;
  readonly lang: Lang;
}

/** Whether a sync was given up before it had a plan; its warnings say why. */
export const isRefusedSync = ({
  kind,
  state,
  facts,
  warnings,
}: Pick<RunRecord, "kind" | "state" | "facts" | "warnings">): boolean =>
  kind === "sync" && state === "stopped" && facts === null && warnings.length > 0;

export function describeState(run: RunRecord, { state, counts, lang }: StateFacts): string {
  const { rows, unchanged, skipped } = counts;
  const isNothing = state === "finished" && rows === unchanged + skipped;
  const texts = RUN_TEXTS[lang];
  const { isDryRun = false } = run.settings;
  if (state === "stopped" && isRefusedSync(run)) return isDryRun ? texts.dryRefused : texts.refused;
  if (isDryRun && state === "planned") return texts.dryRun;
  return isNothing && toRunKind(run) === "undo" ? texts.nothingToUndo : texts.states[state];
}

function toRunKind({ kind, progress }: RunRecord): RunSummaryView["kind"] {
  if (kind === "sync") return "sync";
  if (progress.undoOf !== undefined) return "undo";
  return progress.retryOf === undefined ? "import" : "retry";
}

/** Whether an undo has taken back all rows of its run depends on them. */
type NamedCounts = Pick<Counts, "rows" | "updated" | "unchanged">;

/** The file, or what stands for it, in words. How much an undo has undone changes its name. */
export async function nameRun(
  connection: Pick<Connection, "runs">,
  run: RunRecord,
  { counts = ALL_UNDONE, lang }: { readonly counts?: NamedCounts; readonly lang: Lang },
): Promise<string> {
  const { undoOf, undoPart, retryOf } = run.progress;
  const first = await readFileName(connection, run);
  const texts = RUN_TEXTS[lang];
  if (undoOf === undefined) return retryOf === undefined ? first : texts.retryOf(first);
  if (run.state !== "finished") return texts.undoOf(first);
  if (counts.updated === 0) return texts.undoneNothing(first);
  const isOfRun = undoPart === undefined || undoPart.product !== undefined;
  const isPartial = !isOfRun || counts.updated + counts.unchanged < counts.rows;
  return isPartial ? texts.undonePartly(first) : texts.undone(first);
}

const ALL_UNDONE: NamedCounts = { rows: 1, updated: 1, unchanged: 0 };

/** How much of a run another one has taken back; `null` where none has. */
export async function readUndone(
  connection: Pick<Connection, "runs" | "journal">,
  run: RunRecord,
): Promise<RunUndoneView | null> {
  const undo = await findUndo(connection, run);
  if (undo === undefined) return null;
  const { restored, sent } = undo;
  return { run: undo.run.id, restored, sent, isPartial: isPartialUndo(undo) };
}

/** Who made a run, in words; `null` where it is not known. */
export function describeMaker({ maker }: Pick<RunRecord, "maker">, lang: Lang): string | null {
  if (maker === undefined) return null;
  return [RUN_TEXTS[lang].origins[maker.origin], maker.user ?? []].flat().join(" · ");
}

/** Who has approved a run, by name; `null` where nobody has, or it is not known. */
export const nameApprover = ({ progress }: Pick<RunRecord, "progress">): string | null =>
  progress.approvedBy?.name ?? null;

/** Reads one run for the history. `known` are the runs under way; they are read by default. */
export async function readRunSummary(
  connection: Connection,
  run: RunRecord,
  lang: Lang,
  known?: ReadonlySet<string>,
): Promise<RunSummaryView> {
  const counts = toCounts(await connection.journal.countRows(run.id));
  const all = run.kind === "sync" ? countFileRows(run, counts) : counts;
  const underWay = known ?? (await connection.locks.runsUnderWay());
  const holder = underWay.has(run.id) ? await connection.locks.holderOf(run.id) : undefined;
  const state = toRunState(run, holder);
  return {
    id: run.id,
    kind: toRunKind(run),
    name: await nameRun(connection, run, { counts, lang }),
    state,
    stateText: describeState(run, { state, counts, lang }),
    by: describeMaker(run, lang),
    approvedBy: nameApprover(run),
    fileSha256: run.file.sha256 === "" ? null : run.file.sha256,
    createdAt: new Date(run.createdAtMs).toISOString(),
    updatedAt: new Date(run.updatedAtMs).toISOString(),
    counts: toRunCounts(all, run),
    undoneBy: await readUndone(connection, run),
    of: run.progress.undoOf ?? run.progress.retryOf ?? null,
    draft: run.progress.draft?.id ?? null,
    isOfProducts: run.progress.basisOf !== undefined,
    period: await readPeriodView(connection, run, lang),
    actions: run.progress.actions?.kind ?? null,
  };
}

const RUN_ID = /r-\d{6}-\d{4}-[0-9a-f]{4}/gu;

/** An id, in quotation marks or not, and the word of the terminal for a run. */
const NAMED_RUN =
  /["“]?(?<id>r-\d{6}-\d{4}-[0-9a-f]{4})["”]?(?: çalıştırmas(?<ending>ında|ının))?/gu;

/** The word of the page for a run, with the endings that the sentences have. */
const ENDINGS: ReadonlyMap<string | undefined, string> = new Map([
  ["ında", " gönderiminde"],
  ["ının", " gönderiminin"],
]);

const hasRunId = (text: string): boolean => text.search(RUN_ID) >= 0;

/** The same for an error; only a store that is open has runs that it may name. */
export async function nameRunsInProblem(
  { store }: Pick<Site, "store">,
  problem: Problem,
  lang: Lang,
): Promise<Problem> {
  if (!hasRunId(problem.message)) return problem;
  return await nameRunsIn(await store.connection(), problem, lang);
}

/**
 * Returns a copy of a document whose texts name runs by their file and time. An id that the store
 * does not know stays. The document must not hold ids that requests are made with.
 */
export async function nameRunsIn<Value>(
  { runs }: Pick<Connection, "runs">,
  value: Value,
  lang: Lang,
): Promise<Value> {
  const json = JSON.stringify(value);
  const ids = new Set(json.match(RUN_ID));
  if (ids.size === 0) return value;
  const names = new Map<string, string>();
  for (const id of ids) {
    const run = await runs.read(id);
    if (run !== undefined) names.set(id, await describeRun({ runs }, run, lang));
  }
  const named: Value = JSON.parse(json, (_key, part: unknown) =>
    typeof part === "string" ? nameRuns(part, names) : part,
  );
  return named;
}

const nameRuns = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(NAMED_RUN, (whole, id: string, ending: string | undefined) => {
    const name = names.get(id);
    return name === undefined ? whole : `${name}${ENDINGS.get(ending) ?? ""}`;
  });

/** The file of a run, or that of the run that it undoes or retries. */
async function readFileName(
  { runs }: Pick<Connection, "runs">,
  { file, progress: { undoOf, undoPart, retryOf } }: RunRecord,
): Promise<string> {
  if (undoPart?.product !== undefined) return undoPart.product;
  const of = undoOf ?? retryOf;
  return of === undefined ? file.name : ((await runs.read(of))?.file.name ?? of);
}

/** The file, or what stands for it, with the time of the run. */
async function describeRun(
  connection: Pick<Connection, "runs">,
  run: RunRecord,
  lang: Lang,
): Promise<string> {
  const { undoOf, retryOf } = run.progress;
  const file = await readFileName(connection, run);
  const texts = RUN_TEXTS[lang];
  const own = retryOf === undefined ? `“${file}”` : texts.retryOf(file);
  const name = undoOf === undefined ? own : texts.undoOf(file);
  const time = formatDateTime(run.createdAtMs, lang, { dateStyle: "medium", timeStyle: "short" });
  return `${name} (${time})`;
}

interface StateOptions {
  readonly run: RunRecord;
  readonly jobs: RunJobs;
  /** State and sentence by what is stored. */
  readonly stored: Pick<RunSummaryView, "state" | "stateText" | "counts" | "period">;
  readonly lang: Lang;
  /** The runs that are left to the workers. @default they are read */
  readonly queued?: ReadonlyMap<string, QueuedRunState> | undefined;
}

/** Adds what the page knows of its own commands to the stored state. */
export async function showRunState(
  connection: Connection,
  { run, jobs, stored, lang, queued }: StateOptions,
): Promise<RunActivity> {
  const texts = RUN_TEXTS[lang];
  const rest = { isPaused: false, isByWorker: false, preparing: jobs.preparation(run.id) };
  if (jobs.isSending(run.id)) {
    return { ...rest, state: "sending", stateText: texts.states.sending };
  }
  const left = (queued ?? (await readQueuedRuns(connection))).get(run.id);
  const shown = left === undefined ? undefined : showQueued(stored, left, lang);
  if (shown !== undefined) return { ...rest, ...shown };
  const { period } = stored;
  if (stored.state === "planned" && period !== null && isLeftToStart(period)) {
    return { ...rest, state: "queued", stateText: period.stateText };
  }
  if (await isPaused(connection, { run, jobs, stored, lang })) {
    return { ...rest, state: "stopped", stateText: texts.paused, isPaused: true };
  }
  return { ...rest, state: stored.state, stateText: stored.stateText };
}

/** Whether a run is sent by itself when its start comes, or should have been. */
const isLeftToStart = ({ start, state }: RunPeriodView): boolean =>
  start !== null && (state === "scheduled" || state === "late");

/** The state of a run that is in the queue; `undefined` where its process has more to say. */
function showQueued(
  stored: StateOptions["stored"],
  left: QueuedRunState,
  lang: Lang,
): Pick<RunActivity, "state" | "stateText" | "isByWorker"> | undefined {
  if (isOver(stored, left)) return undefined;
  const texts = RUN_TEXTS[lang];
  if (left.place === "taken") {
    return { state: "sending", stateText: texts.byWorker, isByWorker: true };
  }
  if (stored.state === "sending") return undefined;
  const { failure } = left;
  const stateText =
    failure === undefined
      ? texts.states.queued
      : texts.failing(failure.message ?? failure.code ?? String(failure.exit));
  return { state: "queued", stateText, isByWorker: false };
}

/** A worker that has sent every row has its job until it has stored the end. */
const isOver = (
  { state, counts }: StateOptions["stored"],
  { place }: Pick<QueuedRunState, "place">,
): boolean => state === "finished" && place === "taken" && counts.waiting === 0;

/** A run that was approved is paused even where its command had not begun to send. */
async function isPaused(
  connection: Connection,
  { run, jobs, stored, lang }: StateOptions,
): Promise<boolean> {
  if (!jobs.isPaused(run.id)) return false;
  if (stored.state === "stopped") return true;
  return stored.state === "planned" && (await findStale(connection, run, lang)) === null;
}

/** Why a plan that was not sent yet must be made anew; `null` where it need not. */
export async function findStale(
  connection: Connection,
  run: RunRecord,
  lang: Lang,
): Promise<Problem | null> {
  if (run.state !== "planned") return null;
  try {
    // Before the draft, which changes too where a new rule has checked it again.
    await assertSettingsCurrent(connection, run);
    await assertDraftCurrent(connection, run);
    return null;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return { code: error.code, message: plainText(error.localized[lang]) };
  }
}

/** Throws {@link CatalogError} `E_PLAN_SETTINGS` where rules, limits or the unit of prices changed. */
async function assertSettingsCurrent(connection: Connection, run: RunRecord): Promise<void> {
  if (run.progress.draft === undefined || (await isPlannedAsSet(connection, run))) return;
  throw new CatalogError("E_PLAN_SETTINGS", run.id);
}

const PAGE_RUNS = 100;

interface RunListSource {
  readonly connection: Connection;
  readonly jobs: RunJobs;
}

/** Reads a page of the runs that match, newest first; none after a run that is unknown. */
export async function readRunList(
  { connection, jobs }: RunListSource,
  { after, ...filter }: RunsQuery,
  lang: Lang,
): Promise<RunList> {
  const before = after === undefined ? undefined : await connection.runs.read(after);
  if (after !== undefined && before === undefined) return { runs: [], next: null };
  const underWay = await connection.locks.runsUnderWay();
  const queued = await readQueuedRuns(connection);
  const views: RunSummaryView[] = [];
  for await (const run of listMatching(connection, filter, { before, lang })) {
    if (views.length === PAGE_RUNS) return { runs: views, next: views.at(-1)?.id ?? null };
    const stored = await readRunSummary(connection, run, lang, underWay);
    const shown = { run, jobs, stored, lang, queued };
    const { state, stateText } = await showRunState(connection, shown);
    views.push({ ...stored, state, stateText });
  }
  return { runs: views, next: null };
}

interface ListOptions {
  readonly before: RunRecord | undefined;
  readonly lang: Lang;
}

/** Runs that match, the newest first. */
async function* listMatching(
  connection: Connection,
  { kind, text = "", from, to }: RunsFilter,
  { before, lang }: ListOptions,
): AsyncGenerator<RunRecord> {
  const [fromMs, endMs] = [toDayMs(from, 0) ?? -Infinity, toDayMs(to, 1) ?? Infinity];
  const matches = createMatch(connection, { kind, text, lang });
  for await (const run of listRuns(connection, { kind: storedKind(kind), before })) {
    if (run.createdAtMs < fromMs) return;
    if (run.createdAtMs < endMs && (await matches(run))) yield run;
  }
}

const DAY_MS = 86_400_000;

/** When the day begins in Turkey, where clocks are not changed, or so many days later. */
const toDayMs = (day: string | undefined, daysLater: number): number | undefined =>
  day === undefined ? undefined : Date.parse(`${day}T00:00:00+03:00`) + daysLater * DAY_MS;

const storedKind = (kind: RunsQuery["kind"]): RunRecord["kind"] | undefined =>
  kind === undefined || kind === "sync" ? kind : "import";

interface MatchOptions {
  readonly kind: RunsQuery["kind"];
  readonly text: string;
  readonly lang: Lang;
}

function createMatch(
  connection: Connection,
  { kind, text, lang }: MatchOptions,
): (run: RunRecord) => Promise<boolean> {
  const folded = fold(text);
  return async (run) => {
    if (kind !== undefined && toRunKind(run) !== kind) return false;
    if (folded === "") return true;
    // Nobody searches for the words that say how much an undo has undone.
    return fold(await nameRun(connection, run, { lang })).includes(folded);
  };
}
