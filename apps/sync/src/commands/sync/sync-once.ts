/** Runs one sync and prints its outcome for people or scripts. */

import type { Clock } from "@catalog/clock";
import { type Connection, DatabaseError, recordEnd } from "@catalog/connection";
import { createProgressLine, EXIT, printJson, type Terminal } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { describeFileError, formatDateTime, isFileError } from "@catalog/i18n";
import {
  describeFeedReading,
  sendFeedDraft,
  type SyncEvent,
  syncFeed,
  type SyncFeedOptions,
  type SyncResult,
} from "@catalog/importer";
import {
  EMPTY_SUMMARY,
  readBiggestChanges,
  readIssues,
  readPlanRun,
  writeDryRunFiles,
  writeSyncFiles,
} from "@catalog/report";
import {
  guardOf,
  pickReason,
  PRICE_UNIT_CODE,
  readAllRows,
  rowAddress,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { type Outcome, toOutcome } from "./outcome.ts";
import { type ReportedCounts, type Texts, textsFor } from "./texts.ts";

export interface OnceOptions extends Omit<SyncFeedOptions, "stop" | "onEvent"> {
  /** Whether result files are written. */
  readonly writesFiles: boolean;
  /** Id of the schedule. @default it is run without one */
  readonly schedule?: string | undefined;
  /** Whether codes that the store does not have leave the exit code as it is. @default false */
  readonly ignoresUnknownCodes?: boolean;
}

/** Runs a sync and prints its outcome. Throws what {@link syncFeed} throws. */
export async function syncOnce(
  context: CommandContext,
  connection: Connection,
  options: OnceOptions,
): Promise<Outcome> {
  const { terminal, clock, lang, quiet, json, stop } = context;
  const { ignoresUnknownCodes = false } = options;
  const texts = textsFor(lang);
  const watch = createSyncProgress({ terminal, clock, texts, isQuiet: quiet || json });
  const before = connection.meters.calls.counts();
  let synced: SyncResult;
  try {
    synced = await syncFeed(connection, {
      ...options,
      stop,
      onEvent: (event) => watch.note(event),
    });
  } finally {
    watch.end();
  }
  const keepsNew = options.adds !== undefined && options.adds !== "never";
  const own = toOutcome(synced, { ignoresUnknownCodes, keepsNew });
  // What was synced is written down and reported, whatever becomes of the adds.
  if (synced.run !== undefined) await recordEnd(connection, synced.run.id, { exit: own.exit });
  const { writesFiles } = options;
  const files = await writeFiles(context, connection, { run: synced.run, writesFiles });
  const adds = await sendAdds(context, connection, { options, synced });
  const outcome = withAdds(own, adds);
  const calls = subtract(connection.meters.calls.counts(), before);
  const { schedule } = options;
  const ended = { synced, outcome, files, calls, ignoresUnknownCodes, adds, schedule };
  if (json) {
    const listed = await listIssues(connection, synced.run);
    const changes = await listDryChanges(connection, synced.run);
    printJson(terminal, { ...toDocument(context, { ...ended, listed }), ...changes });
  } else await report(context, connection, ended);
  await connection.storage.pruneWhileIdle(stop);
  return outcome;
}

type SentAdds = Awaited<ReturnType<typeof sendFeedDraft>>;

/** Adds the new products of which nothing is open. A busy store is left for the next sync. */
async function sendAdds(
  { terminal, lang, images, stop }: CommandContext,
  connection: Connection,
  { options, synced }: { readonly options: OnceOptions; readonly synced: SyncResult },
): Promise<SentAdds> {
  const { draft, end } = synced;
  if (options.adds !== "send" || draft === null || end !== "finished") return undefined;
  try {
    const { reportDir } = options;
    const sent = await sendFeedDraft(connection, { id: draft.id, lang, reportDir, images, stop });
    if (sent !== undefined) {
      await recordEnd(connection, sent.run.id, { exit: exitOfAdds(sent) });
    }
    return sent;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== "E_STORE_BUSY") throw error;
    terminal.err(`! ${textsFor(lang).addsBusy}\n`);
    return undefined;
  }
}

function exitOfAdds({ end, counts }: NonNullable<SentAdds>): number {
  if (end !== "finished") return EXIT.stopped;
  const { rejected, held, unknown } = counts;
  return rejected + held + unknown > 0 ? EXIT.someFailed : EXIT.done;
}

/** A sync whose adds need a person does not end as if all were done. */
function withAdds(outcome: Outcome, adds: SentAdds): Outcome {
  const isOver = outcome.exit !== EXIT.done && outcome.exit !== EXIT.someFailed;
  if (adds === undefined || isOver) return outcome;
  const exit = Math.max(outcome.exit, exitOfAdds(adds));
  return exit === EXIT.stopped
    ? { ...outcome, exit, state: "stopped", code: "E_PENDING" }
    : { ...outcome, exit };
}

type SyncFiles = Awaited<ReturnType<typeof writeSyncFiles>>;

interface EndedSync {
  readonly synced: SyncResult;
  readonly outcome: Outcome;
  readonly files: SyncFiles;
  readonly calls: RunRecord["requests"];
  readonly ignoresUnknownCodes: boolean;
  readonly schedule: string | undefined;
  /** What became of new products that were sent at once; `undefined` for none. */
  readonly adds: SentAdds;
}

const subtract = (
  now: RunRecord["requests"],
  before: RunRecord["requests"],
): EndedSync["calls"] => ({
  token: now.token - before.token,
  read: now.read - before.read,
  write: now.write - before.write,
});

type ListedIssues = Awaited<ReturnType<typeof readIssues>>;

const listIssues = async (
  connection: Connection,
  run: RunRecord | undefined,
): Promise<ListedIssues> =>
  run === undefined
    ? { issues: [], more_issues: 0 }
    : await readIssues(
        { ...connection, journal: connection.feedJournal },
        await readPlanRun(connection, run),
      );

/** What a dry run would have changed, as the document of a plan lists it. */
const listDryChanges = async (
  connection: Connection,
  run: RunRecord | undefined,
): Promise<Readonly<Record<string, unknown>>> =>
  run?.settings.isDryRun === true
    ? {
        dry_run: true,
        ...(run.progress.sync?.isShadow === true && { shadow: true }),
        changes: await readBiggestChanges(connection, await readPlanRun(connection, run)),
      }
    : {};

function toDocument(
  { lang }: CommandContext,
  { synced, outcome, files, calls, listed, adds }: EndedSync & { readonly listed: ListedIssues },
): Readonly<Record<string, unknown>> {
  const { run, counts, unsendable, unknownCodes, reconciled = null } = synced;
  const { token, read, write } = calls;
  const warnings = synced.warnings.map((warning) => warning[lang]);
  return {
    command: "sync",
    run: run?.id ?? null,
    state: outcome.state,
    exit: outcome.exit,
    counts,
    ...(synced.stockSent > 0 && { stock_sent: synced.stockSent }),
    platform: nameOf(synced.platform),
    fields: synced.fields ?? null,
    unused_columns: synced.unused,
    notes: synced.notes.map((note) => note[lang]),
    planned: run?.facts?.planned ?? EMPTY_SUMMARY.planned,
    unsendable,
    requests: { total: token + read + write, token, read, write },
    files,
    warnings,
    ...listed,
    unknown_codes: unknownCodes,
    absent: synced.absent ?? null,
    ...toDraftKeys(synced, adds),
    released: synced.released,
    reconciled,
    store_read_at: toIso(synced.storeReadAtMs),
    ...(outcome.code === null
      ? {}
      : { error: { code: outcome.code, message: reasonOf(synced, lang) || outcome.code } }),
  };
}

/** New products that wait, and those that were added by themselves. */
function toDraftKeys(
  { draft }: Pick<SyncResult, "draft">,
  adds: SentAdds,
): Readonly<Record<string, unknown>> {
  if (draft === null) return { drafted: 0, draft: null };
  const added = adds?.counts.added ?? 0;
  const sent = adds === undefined ? {} : { added, adds_run: adds.run.id };
  return { drafted: draft.products - added, draft: draft.id, ...sent };
}

const toIso = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

const nameOf = (platform: SyncResult["platform"]): string | null => platform?.name ?? null;

/** The reason; empty where there is none. */
const reasonOf = (
  { reason }: Pick<EndedSync["synced"], "reason">,
  lang: CommandContext["lang"],
): string => reason?.[lang] ?? "";

/** Indentation of a message's further lines. */
const PROBLEM_INDENT = 4;
const WARNING_INDENT = 2;

const PROBLEM_STATES = ["invalid", "duplicate", "held", "rejected"] as const;

/** Rows listed one by one. */
const MAX_SHOWN = 10;

async function report(
  { terminal, lang, quiet }: CommandContext,
  connection: Connection,
  { synced, outcome, files, calls, ignoresUnknownCodes, adds, schedule }: EndedSync,
): Promise<void> {
  const texts = textsFor(lang);
  const { run, counts, unsendable, unguarded, unknownCodes, stockSent } = synced;
  for (const warning of synced.warnings) {
    terminal.err(
      `${wrapText(`! ${terminal.shown(warning[lang])}`, { columns: terminal.columns - 1, indent: WARNING_INDENT })}\n`,
    );
  }
  if (run === undefined) return;
  reportReading({ terminal, lang, quiet }, synced);
  const shown = { ...counts, unsendable, unknownCodes, stockSent, absent: synced.absent };
  const columns = terminal.outColumns;
  terminal.out(`${wrapText(describeResult(run, shown, lang), { columns })}\n`);
  if (!quiet) reportCalls({ terminal, lang }, run, { calls, schedule });
  const planned = await readPlanRun(connection, run);
  await reportProblems({ terminal, lang }, connection, { run: planned, unguarded });
  if (synced.draft !== null) reportDraft({ terminal, lang }, synced.draft, adds);
  else if (!ignoresUnknownCodes) hintUnknownCodes({ terminal, lang }, outcome);
  if (synced.released > 0) terminal.out(`${texts.released(synced.released)}\n`);
  if (run.settings.isDryRun === true) {
    reportDryRun({ terminal, lang }, run, { files, schedule });
    return;
  }
  // Rows that wait for the unit of prices need no decision on values, and their warning gives the
  // advice.
  if (counts.held > unguarded) {
    const guards = await readHoldingGuards(connection.feedJournal, run);
    terminal.err(`${texts.heldHint(run.id, { guards, file: files.held })}\n`);
  }
  reportFiles({ terminal, lang }, files);
  if (outcome.state === "stopped") terminal.err(`${texts.stopped(reasonOf(synced, lang))}\n`);
}

/** The counts in words: what was sent, or would have been. */
export function describeResult(
  { settings, progress }: Pick<RunRecord, "settings" | "progress">,
  counts: ReportedCounts,
  lang: CommandContext["lang"],
): string {
  const texts = textsFor(lang);
  if (settings.isDryRun !== true) return texts.result(counts);
  return texts.result(counts, progress.sync?.isShadow === true ? "shadow" : "dry-run");
}

function reportCalls(
  { terminal, lang }: Pick<CommandContext, "terminal" | "lang">,
  { id, settings }: RunRecord,
  { calls, schedule }: Pick<EndedSync, "calls" | "schedule">,
): void {
  const texts = textsFor(lang);
  terminal.out(`${texts.calls(calls.read, calls.write)}\n`);
  // A dry run is named where it says that nothing was sent.
  const isNamed = schedule !== undefined && settings.isDryRun !== true;
  if (isNamed) terminal.out(`${texts.runOf(id)}\n`);
}

function reportDryRun(
  { terminal, lang }: Pick<CommandContext, "terminal" | "lang">,
  { id, progress }: RunRecord,
  { files: { plan }, schedule }: Pick<EndedSync, "files" | "schedule">,
): void {
  const texts = textsFor(lang);
  if (plan !== null) terminal.out(`${texts.planFile(plan)}\n`);
  const end = progress.sync?.isShadow === true ? texts.shadow(id, schedule) : texts.dryRun(id);
  terminal.err(`${wrapText(end, { columns: terminal.columns - 1 })}\n`);
}

function reportFiles(
  { terminal, lang }: Pick<CommandContext, "terminal" | "lang">,
  { dir, held, result }: SyncFiles,
): void {
  const texts = textsFor(lang);
  if (held !== null) terminal.out(`${texts.heldFile(held)}\n`);
  if (dir !== null && result !== null) terminal.out(`${texts.files(dir)}\n`);
}

function reportDraft(
  { terminal, lang }: Pick<CommandContext, "terminal" | "lang">,
  { products, id }: NonNullable<SyncResult["draft"]>,
  adds: SentAdds,
): void {
  const texts = textsFor(lang);
  const added = adds?.counts.added ?? 0;
  if (adds !== undefined) terminal.out(`${texts.added(added, adds.run.id)}\n`);
  if (products > added) terminal.out(`${texts.drafted(products - added, id)}\n`);
}

/** States how to accept codes that the store is not meant to have. */
function hintUnknownCodes(
  { terminal, lang }: Pick<CommandContext, "terminal" | "lang">,
  { unknownCodes, exit }: Pick<Outcome, "unknownCodes" | "exit">,
): void {
  if (unknownCodes === 0 || exit !== EXIT.someFailed) return;
  const { unknownHint } = textsFor(lang);
  terminal.err(`${wrapText(unknownHint, { columns: terminal.columns - 1 })}\n`);
}

/** Tells how the feed was read, and how much of the store. */
function reportReading(
  { terminal, lang, quiet }: Pick<CommandContext, "terminal" | "lang" | "quiet">,
  synced: SyncResult,
): void {
  // A column that is not read may be a misspelt one, so that a quiet sync reports it, too.
  for (const line of describeFeedReading(synced, { isQuiet: quiet })) {
    terminal.err(`${wrapText(terminal.shown(line[lang]), { columns: terminal.columns - 1 })}\n`);
  }
  if (quiet) return;
  const texts = textsFor(lang);
  const { reconciled, storeReadAtMs } = synced;
  if (reconciled !== undefined) terminal.err(`${texts.reconciled(reconciled)}\n`);
  else if (storeReadAtMs !== null) {
    const time = formatDateTime(storeReadAtMs, lang, { dateStyle: "short", timeStyle: "short" });
    const line = texts.readBefore(time);
    terminal.err(`${wrapText(line, { columns: terminal.columns - 1 })}\n`);
  }
}

/** The guards that hold rows of the run. */
async function readHoldingGuards(
  journal: Connection["journal"],
  { id }: RunRecord,
): Promise<readonly string[]> {
  const guards = new Set<string>();
  for await (const records of readAllRows(journal, id, { states: ["held"] })) {
    for (const { issues } of records) {
      for (const guard of issues.map((issue) => guardOf(issue))) {
        if (guard !== undefined) guards.add(guard);
      }
    }
  }
  return [...guards];
}

interface Problems {
  readonly run: RunRecord;
  /** Number of rows that one of the warnings reports together. */
  readonly unguarded: number;
}

async function reportProblems(
  { terminal, lang }: Pick<CommandContext, "terminal" | "lang">,
  connection: Connection,
  { run, unguarded }: Problems,
): Promise<void> {
  const { feedJournal: journal } = connection;
  const texts = textsFor(lang);
  const left = (await countProblems(journal, run)) - unguarded;
  const shown = Math.min(left, MAX_SHOWN);
  for (const record of await readFirstProblems(journal, run, shown)) {
    const line = formatProblem(run, record, lang);
    terminal.err(
      `${wrapText(terminal.shown(line), { columns: terminal.columns - 1, indent: PROBLEM_INDENT })}\n`,
    );
  }
  if (left > shown) terminal.err(`${texts.moreProblems(left - shown, run.id)}\n`);
}

async function readFirstProblems(
  journal: Connection["journal"],
  { id }: RunRecord,
  count: number,
): Promise<readonly RowRecord[]> {
  const found: RowRecord[] = [];
  if (count === 0) return found;
  for await (const records of readAllRows(journal, id, { states: PROBLEM_STATES })) {
    found.push(...records.filter(({ issues }) => !issues.some(isUnguarded)));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

function formatProblem(
  { file }: RunRecord,
  { row, code, issues }: RowRecord,
  lang: CommandContext["lang"],
): string {
  const { reason, rule } = pickReason(issues);
  const message = reason?.message[lang] ?? "";
  return textsFor(lang).problem(
    rowAddress(file, row),
    code ?? reason?.code ?? "",
    rule === undefined ? message : `${message} (${rule.message[lang]})`,
  );
}

const isUnguarded = ({ code }: RowIssue): boolean => code === PRICE_UNIT_CODE;

async function countProblems(journal: Connection["journal"], { id }: RunRecord): Promise<number> {
  const wanted = new Set<string>(PROBLEM_STATES);
  const counted = await journal.countRows(id);
  return counted.reduce((sum, { state, rows }) => sum + (wanted.has(state) ? rows : 0), 0);
}

interface FilesOptions {
  /** `undefined` where the feed had not changed. */
  readonly run: RunRecord | undefined;
  /** Whether all result files are asked for; otherwise only held rows get a file. */
  readonly writesFiles: boolean;
}

/**
 * Returns the written files. The sync has ended by then, so a folder that cannot be written is only
 * told.
 */
async function writeFiles(
  context: CommandContext,
  connection: Connection,
  { run, writesFiles }: FilesOptions,
): Promise<SyncFiles> {
  if (run === undefined) return EMPTY_SUMMARY.files;
  const tools = { ...connection, journal: connection.feedJournal };
  const { terminal, lang } = context;
  const { program } = terminal;
  const isDryRun = run.settings.isDryRun === true;
  const tell = (text: string): void =>
    terminal.err(
      `${wrapText(terminal.shown(`! ${text}`), { columns: terminal.columns, indent: 2 })}\n`,
    );
  try {
    const isAsked = writesFiles || run.progress.sync?.isShadow !== true;
    if (isDryRun) return isAsked ? await writeDryRunFiles(tools, run) : EMPTY_SUMMARY.files;
    return await writeSyncFiles(tools, run, {
      isWhole: writesFiles,
      program,
      onKept: (text) => tell(text[lang]),
    });
  } catch (error) {
    if (!isFileError(error)) throw error;
    tell(textsFor(lang).filesUnwritten(describeFileError(error)[lang]));
    return EMPTY_SUMMARY.files;
  }
}

interface SyncProgressOptions {
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal">;
  readonly clock: Clock;
  readonly texts: Texts;
  readonly isQuiet: boolean;
}

interface SyncProgress {
  note(event: SyncEvent): void;
  /** Ends the progress line. */
  end(): void;
}

function createSyncProgress(options: SyncProgressOptions): SyncProgress {
  const line = createProgressLine(options);
  return {
    note: (event) => line.show(() => describe(event, options.texts)),
    end: () => line.clear(),
  };
}

function describe(event: SyncEvent, texts: Texts): string {
  if (event.event === "retrying-download") {
    return texts.retryingDownload(event.attempt, Math.ceil(event.waitMs / 1000));
  }
  if (event.event === "reading-store") return texts.readingStore(event.products);
  return event.event === "planned"
    ? texts.planned(event.updates)
    : texts.sent(event.done, event.total);
}
