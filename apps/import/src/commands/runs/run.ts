/** Lists runs, shows one, or removes the rows of old ones. */

import { type Connection, readPeriod } from "@catalog/connection";
import {
  createProgressLine,
  EXIT,
  type Flags,
  printJson,
  UsageError,
  readFlag,
} from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, type Lang } from "@catalog/i18n";
import { findUndo, readRun, type RunUndo } from "@catalog/importer";
import { type QueuedRunState, readQueuedRuns } from "@catalog/jobs";
import { listKindOf, readHistory, readSummary } from "@catalog/report";
import { countFileRows, type Counts, type RunPeriod, type RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { findHeldFile, readAllProblems } from "../../problems.ts";
import { queueTexts, toFailing } from "../../queued-run.ts";
import {
  countedWords,
  describeList,
  describeUnsendable,
  formatPlan,
  formatProblems,
  formatResult,
  nameSource,
  nameStore,
} from "../../report-texts.ts";
import { tellPeriod } from "../../run-period.ts";
import { readCounts, tellApart } from "../../run-view.ts";
import { textsFor } from "../../texts.ts";
import { PRUNE } from "./index.ts";
import { runsTexts } from "./texts.ts";

interface RunLineOptions {
  readonly counts: Counts;
  readonly lang: Lang;
  readonly columns: number;
  /** Whether a process is working on the run now. @default false */
  readonly isUnderWay?: boolean;
  /** Where the run is in the queue of the workers. @default it is not queued */
  readonly queue?: QueuedRunState | undefined;
  /** The run that has undone this one. @default none */
  readonly undoneBy?: RunUndo | undefined;
}

const INDENT = 4;
const STATE_WIDTH = 12;

/** Formats a run in two lines: what it was, and the number of its rows in each class. */
export function formatRunLine(run: RunRecord, options: RunLineOptions): string {
  const { lang, columns, undoneBy } = options;
  const when = formatDateTime(run.createdAtMs, lang, { dateStyle: "short", timeStyle: "short" });
  const state = describeState(run, options).padEnd(STATE_WIDTH);
  const head = `${run.id}  ${when}  ${state} ${nameSource(run, lang)}`;
  const told = run.kind === "sync" ? describeSync(run, options) : describeCounts(run, options);
  const undone = undoneBy === undefined ? "" : `; ${runsTexts(lang).undoneBy(undoneBy)}`;
  const body = wrapText(`${" ".repeat(INDENT)}${told}${undone}`, { columns, indent: INDENT });
  return `${head}\n${body}\n`;
}

/** A run that is stored as running, without a process that works on it, was cut off. */
function describeState(
  run: RunRecord,
  { lang, isUnderWay = false, queue }: RunLineOptions,
): string {
  const { runStates } = textsFor(lang);
  if (isUnderWay || queue?.place === "taken") return runStates.running;
  if (queue?.failure !== undefined) return queueTexts[lang].failingState;
  if (queue !== undefined) return queueTexts[lang].state;
  return runStates[toShownState(run)];
}

type ShownState = keyof ReturnType<typeof textsFor>["runStates"];

function toShownState({ state, facts, kind, settings, progress }: RunRecord): ShownState {
  if (settings.isDryRun === true && state !== "planning") {
    return progress.sync?.isShadow === true ? "shadow" : "dryRun";
  }
  if (state === "stopped" && kind === "sync" && facts === null) return "refused";
  return state === "running" ? "stopped" : state;
}

function describeCounts(run: RunRecord, { counts, lang }: RunLineOptions): string {
  const { facts, state } = run;
  const { rows: rowsOf } = textsFor(lang);
  if (facts === null || counts.rows === 0) return rowsOf(counts.rows);
  const when = state === "planned" ? "planned" : "counted";
  // Rows of which nothing can be sent count as skipped, and are named separately.
  const shown = { ...counts, skipped: counts.skipped - (facts.unsendable?.rows ?? 0) };
  const list = describeList({ ...run, lang }, facts.planned);
  const planned = list.length > 0 ? list : describePlanned(facts.planned, lang);
  const parts = when === "planned" ? planned : [];
  const told = parts.length > 0 ? parts : describeClasses(shown, lang, listKindOf(run));
  return [rowsOf(counts.rows), ...told, ...describeUnsendable(facts.unsendable, when, lang)].join(
    ", ",
  );
}

function describePlanned(
  planned: NonNullable<RunRecord["facts"]>["planned"],
  lang: Lang,
): readonly string[] {
  const { planned: words } = textsFor(lang);
  const kinds = ["add", "update", "unchanged", "invalid", "duplicate", "held"] as const;
  return kinds.filter((kind) => planned[kind] > 0).map((kind) => words[kind](planned[kind]));
}

function describeClasses(
  counts: Counts,
  lang: Lang,
  list?: Parameters<typeof countedWords>[0],
): readonly string[] {
  const counted = countedWords(list, lang);
  const numbers = new Map<string, number>(Object.entries(counts));
  return Object.entries(counted).flatMap(([name, textOf]) => {
    const count = numbers.get(name) ?? 0;
    return count > 0 ? [textOf(count)] : [];
  });
}

function describeSync(run: RunRecord, { counts, lang }: RunLineOptions): string {
  const { rows: rowsOf, synced, closed } = textsFor(lang);
  const { facts, warnings } = run;
  if (facts === null) return `${synced}: ${warnings[0]?.message[lang] ?? rowsOf(counts.rows)}`;
  const all = countFileRows(run, counts);
  if (run.settings.isDryRun === true) {
    return `${synced}: ${[rowsOf(all.rows), ...describePlanned(facts.planned, lang)].join(", ")}`;
  }
  // Rows of which nothing can be sent count as skipped, and are named separately.
  const skipped = all.skipped - (facts.unsendable?.rows ?? 0);
  const told = [
    ...describeClasses({ ...all, skipped, cancelled: 0 }, lang),
    ...(counts.cancelled > 0 ? [closed(counts.cancelled)] : []),
    ...describeUnsendable(facts.unsendable, "counted", lang),
  ];
  return `${synced}: ${[rowsOf(all.rows), ...told].join(", ")}`;
}

/** What the flags of `catalog runs prune` ask for. */
interface PruneRequest {
  readonly isDryRun: boolean;
  /** The age of runs whose rows are deleted. @default the setting */
  readonly keepMs: number | undefined;
  /** The command line that deletes them. */
  readonly command: string;
}

const DAY_MS = 86_400_000;

/** Throws {@link UsageError} for an age below a day. */
function readPruneRequest(flags: Flags): PruneRequest {
  const keepMs = readFlag.duration(flags, "older-than");
  if (keepMs !== undefined && keepMs < DAY_MS) {
    throw new UsageError({
      tr: "--older-than için en az 1d verin: son bir günün çalıştırmaları silinmez.",
      en: "Give --older-than at least 1d: runs of the last day are not deleted.",
    });
  }
  const age = keepMs === undefined ? "" : ` --older-than ${readFlag.text(flags, "older-than")}`;
  return { isDryRun: flags["dry-run"] === true, keepMs, command: `catalog runs prune${age}` };
}

/** Throws {@link UsageError} where flags of `prune` are given to another use of the command. */
function refusePruneFlags(flags: Flags): undefined {
  const given = ["dry-run", "older-than"].find((name) => flags[name] !== undefined);
  if (given === undefined) return undefined;
  throw new UsageError({
    tr: `--${given} yalnızca "catalog runs prune" ile kullanılır.`,
    en: `--${given} goes with "catalog runs prune" only.`,
  });
}

/** Runs `catalog runs prune`. Returns the exit code. */
async function pruneRuns(
  context: CommandContext,
  connection: Connection,
  request: PruneRequest,
): Promise<number> {
  const { keepMs = connection.storage.keepMs } = request;
  if (request.isDryRun) {
    await preview(context, connection, { ...request, keepMs });
    return EXIT.done;
  }
  const pruned = await removeOldRows(context, connection, keepMs);
  const compacted = context.stop.aborted ? undefined : await connection.storage.compact();
  const exit = compacted === undefined ? EXIT.interrupted : EXIT.done;
  const waiting = await connection.storage.listWaiting(keepMs);
  const hasOlder = await hasOlderRun(context, connection, keepMs);
  const ended = { keepMs, pruned, compacted, waiting, hasOlder };
  if (context.json) printJson(context.terminal, toDocument(ended, exit));
  else tell(context, ended);
  return exit;
}

interface EndedPrune {
  readonly keepMs: number;
  readonly pruned: Awaited<ReturnType<Connection["storage"]["prune"]>>;
  /** What became of the free space; `undefined` after an interruption. */
  readonly compacted: Awaited<ReturnType<Connection["storage"]["compact"]>> | undefined;
  /** Older runs that are kept until a person decides. */
  readonly waiting: readonly string[];
  /** Whether any run is of that age, deleted or kept. */
  readonly hasOlder: boolean;
}

async function hasOlderRun(
  { clock }: CommandContext,
  { runs }: Connection,
  keepMs: number,
): Promise<boolean> {
  const all = await runs.list(Number.MAX_SAFE_INTEGER);
  return all.some(({ createdAtMs }) => createdAtMs <= clock.now() - keepMs);
}

function toDocument({ keepMs, pruned, compacted, waiting }: EndedPrune, exit: number): object {
  const freed_bytes = compacted?.kind === "done" ? compacted.freedBytes : 0;
  const rest = { dry_run: false, freed_bytes, disk: compacted?.kind ?? "interrupted" };
  const counts = { ...pruned, waiting_runs: waiting.length };
  const done = { older_than_days: keepMs / DAY_MS, ...counts, ...rest };
  return { command: "runs", exit, prune: done };
}

function tell(context: CommandContext, ended: EndedPrune): void {
  const { keepMs, pruned, compacted, waiting, hasOlder } = ended;
  const { terminal, lang } = context;
  const texts = runsTexts(lang);
  if (pruned.runs > 0) terminal.out(`${texts.deleted(pruned)}\n`);
  if (compacted === undefined) return say(context, texts.interrupted);
  if (pruned.runs === 0) say(context, texts.nothingDue(keepMs / DAY_MS, hasOlder));
  if (waiting.length > 0) say(context, texts.waiting(waiting));
  if (compacted.kind === "done") terminal.out(`${texts.freed(compacted.freedBytes)}\n`);
}

interface Preview extends PruneRequest {
  readonly keepMs: number;
}

async function preview(
  context: CommandContext,
  connection: Connection,
  { keepMs, command }: Preview,
): Promise<void> {
  const { storage } = connection;
  const due = await storage.previewPrune(keepMs);
  const waiting = await storage.listWaiting(keepMs);
  const days = keepMs / DAY_MS;
  if (context.json) {
    const counts = { ...due, waiting_runs: waiting.length };
    const found = { older_than_days: days, ...counts, dry_run: true };
    printJson(context.terminal, { command: "runs", exit: EXIT.done, prune: found });
    return;
  }
  const texts = runsTexts(context.lang);
  const { terminal } = context;
  const columns = terminal.outColumns;
  const hasOlder = await hasOlderRun(context, connection, keepMs);
  if (due.runs === 0) say(context, texts.nothingDue(days, hasOlder));
  else terminal.out(`${wrapText(texts.due({ ...due, days }), { columns, indent: 0 })}\n`);
  if (waiting.length > 0) say(context, texts.waiting(waiting));
  if (due.runs === 0) return;
  say(context, texts.stays);
  say(context, `\n${texts.pruneWith(command)}`);
}

async function removeOldRows(
  { terminal, clock, lang, quiet, json, stop }: CommandContext,
  { storage }: Connection,
  keepMs: number,
): Promise<Awaited<ReturnType<Connection["storage"]["prune"]>>> {
  const texts = runsTexts(lang);
  const line = createProgressLine({ terminal, clock, isQuiet: quiet || json });
  try {
    return await storage.prune({
      keepMs,
      signal: stop,
      onProgress: (deleted) => line.show(() => texts.deleting(deleted)),
    });
  } finally {
    line.clear();
  }
}

function say({ terminal, json }: CommandContext, text: string): void {
  if (!json)
    terminal.err(
      `${wrapText(terminal.shown(text), { columns: terminal.columns - 1, indent: 0 })}\n`,
    );
}

/** Runs listed where no number is given. */
const DEFAULT_LIMIT = 50;

/** `catalog runs [RUN]`: lists the runs, shows one, or deletes the rows of old ones. */
export async function runRunsCommand(context: CommandContext, flags: Flags): Promise<number> {
  const id = readFlag.text(flags, "run");
  const limit =
    flags["all"] === true ? Infinity : (readFlag.count(flags, "limit") ?? DEFAULT_LIMIT);
  const prune = id === PRUNE ? readPruneRequest(flags) : refusePruneFlags(flags);
  await using connection = await context.openConnection();
  if (prune !== undefined) return await pruneRuns(context, connection, prune);
  if (id === undefined) await listRuns(context, connection, limit);
  else await showRun(context, connection, await readRun(connection, id));
  return EXIT.done;
}

async function listRuns(
  context: CommandContext,
  connection: Connection,
  limit: number,
): Promise<void> {
  const { lang, terminal } = context;
  const texts = textsFor(lang);
  // One more than is listed tells whether there are more.
  const found = await connection.runs.list(Math.min(limit + 1, Number.MAX_SAFE_INTEGER));
  const runs = found.slice(0, limit);
  const hasMore = found.length > runs.length;
  const queued = await readQueuedRuns(connection);
  if (context.json) {
    const summaries = await Promise.all(
      runs.map(async (run) => {
        const counts = await readCounts(connection, run);
        return {
          ...(await readSummary(connection, run, {
            command: run.command,
            exit: EXIT.done,
            lang,
            // Reading the issues of a run reads all of its rows.
            issues: { issues: [], more_issues: countProblems(counts) },
            undoneBy: await findUndo(connection, run),
          })),
          ...readHistory(connection, run),
          ...toQueueKey(queued.get(run.id)),
        };
      }),
    );
    printJson(context.terminal, {
      command: "runs",
      exit: EXIT.done,
      runs: summaries,
      more: hasMore,
    });
    return;
  }
  if (runs.length === 0) terminal.out(`${texts.noRuns}\n`);
  const underWay = await connection.locks.runsUnderWay();
  const periods = await connection.memory.periods.readMany(runs.map(({ id }) => id));
  for (const run of runs) {
    const counts = await readCounts(connection, run);
    const isUnderWay = underWay.has(run.id);
    const undoneBy = await findUndo(connection, run);
    const columns = terminal.outColumns;
    const now = { isUnderWay, queue: queued.get(run.id) };
    terminal.out(formatRunLine(run, { counts, lang, columns, undoneBy, ...now }));
    const period = periods.get(run.id);
    if (period !== undefined) await listPeriod(context, connection, { run, period });
  }
  if (hasMore) terminal.err(`\n${runsTexts(lang).more}\n`);
}

/** States of which the list says nothing: all is as it was to be. */
const SETTLED: ReadonlySet<string> = new Set(["ended", "idle", "started"]);

/** The times of a run under its line, and what is wrong with them. */
async function listPeriod(
  { terminal, lang }: CommandContext,
  connection: Connection,
  { run, period }: { readonly run: RunRecord; readonly period: RunPeriod },
): Promise<void> {
  const { state, isHealthy, text } = await readPeriod(connection, run, period);
  if (SETTLED.has(state)) return;
  const line = `    ${isHealthy ? "" : "! "}${text[lang]}`;
  terminal.out(`${wrapText(line, { columns: terminal.outColumns, indent: 6 })}\n`);
}

const NO_ISSUES = { issues: [], more_issues: 0 } as const;

/** Rows that have an issue; what each of them lacks stands in the document of the run alone. */
const countProblems = ({ invalid, duplicate, rejected, held }: Counts): number =>
  invalid + duplicate + rejected + held;

/** The keys of a run that is left to the workers; no other run has them. */
function toQueueKey(queue: QueuedRunState | undefined): Readonly<Record<string, unknown>> {
  if (queue === undefined) return {};
  const { place, failures, failure, notBeforeMs } = queue;
  if (failure === undefined) return { queue: place };
  const again_at = new Date(notBeforeMs).toISOString();
  return { queue: place, queue_failure: { ...failure, failures, again_at } };
}

async function showRun(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<void> {
  const { lang, terminal } = context;
  const undoneBy = await findUndo(connection, run);
  const summary = await readSummary(connection, run, {
    command: "runs",
    exit: EXIT.done,
    lang,
    undoneBy,
    // The text shows its problems in groups.
    issues: context.json ? undefined : NO_ISSUES,
  });
  const queue = (await readQueuedRuns(connection)).get(run.id);
  if (context.json) {
    const history = readHistory(connection, run);
    printJson(context.terminal, { ...summary, ...history, ...toQueueKey(queue) });
    return;
  }
  // The run is shown in the language of the present command, which may not be the run's.
  const shown = { ...run, lang: context.lang };
  const { rows: stored } = summary.counts;
  const { rows } = summary.file_counts ?? summary.counts;
  const callsPerHour = await connection.meters.pacing.callsPerHour();
  const columns = terminal.outColumns;
  const view = { rows, stored, storeName: nameStore(connection), callsPerHour, columns };
  terminal.out(formatPlan(shown, view));
  for (const problems of await readAllProblems(connection, run, findHeldFile(context, run))) {
    terminal.out(formatProblems(problems, lang, terminal));
  }
  terminal.out(formatResult(summary, lang, { columns }));
  const texts = runsTexts(lang);
  await tellNext(context, connection, { run, queue, counts: summary.counts });
  await tellPeriod(context, connection, run);
  if (undoneBy !== undefined) {
    tellApart(context, `! ${texts.undone(undoneBy)}`);
  }
  if (run.prunedAtMs !== undefined) tellApart(context, texts.pruned(run.prunedAtMs));
}

interface ShownRun {
  readonly run: RunRecord;
  readonly queue: QueuedRunState | undefined;
  readonly counts: Counts;
}

/** States how to take the run out of the queue, to stop it or to continue it. */
async function tellNext(
  context: CommandContext,
  { locks }: Connection,
  { run, queue, counts }: ShownRun,
): Promise<void> {
  const texts = queueTexts[context.lang];
  const holder = await locks.holderOf(run.id);
  if (queue?.place === "taken") tellApart(context, texts.taken(run.id, holder));
  else if (queue?.failure !== undefined) {
    tellApart(context, `! ${texts.failing(run.id, toFailing(queue, queue.failure))}`);
  } else if (queue !== undefined) tellApart(context, texts.waiting(run.id));
  else if (holder === undefined && isInterrupted(run, counts)) {
    tellApart(context, runsTexts(context.lang).goOn(run.id));
  }
}

/** Whether the run has begun, and rows of it are left that a resume sends. */
const isInterrupted = ({ state, kind }: RunRecord, { pending, unknown }: Counts): boolean =>
  (state === "running" || state === "stopped") && kind !== "sync" && pending + unknown > 0;
