/** The summary of a run, which `--json` prints and `summary.json` holds. */

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { type Connection, type PeriodReading, readRunPeriod } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import {
  atRecord,
  countFileRows,
  countSentStock,
  type Counts,
  describeSuggestion,
  type PeriodState,
  NO_UNSENDABLE_FIELDS,
  locateIssue,
  type RowRecord,
  type RowState,
  type StateCount,
  type RunRecord,
  toCounts,
  isNote,
} from "@catalog/runs";

import { listKindOf, type ListKind } from "./action-words.ts";
import { ruleCommand } from "./issue-commands.ts";
import { readReported } from "./reported-rows.ts";

type LocatedIssue = ReturnType<typeof locateIssue>;
type OpenNames = NonNullable<NonNullable<NonNullable<RunRecord["facts"]>["reading"]>["openNames"]>;

/** The document; its keys are a public contract. */
export interface RunSummary {
  readonly command: string;
  readonly run: string | null;
  readonly state: "planned" | "finished" | "stopped";
  readonly exit: number;
  readonly counts: Counts;
  /** Counts of all rows of a sync's file; `counts` has only those that it stores. @default counts */
  readonly file_counts?: Counts;
  /** Held rows whose stock was sent while their price waits. @default 0 */
  readonly stock_sent?: number;
  /** Platform whose profile the file was read with; `null` for none. */
  readonly platform: string | null;
  /** What the rows do, where they are about no products; done ones count as `updated`. */
  readonly actions?: ListKind;
  readonly planned: NonNullable<RunRecord["facts"]>["planned"];
  /** Differences from the store that cannot be sent; their rows count as skipped or sent. */
  readonly unsendable: typeof NO_UNSENDABLE_FIELDS;
  readonly requests: {
    readonly total: number;
    readonly token: number;
    readonly read: number;
    readonly write: number;
  };
  /** Results of reading back the rows that are done; they are no part of the counts. */
  readonly verification: {
    readonly accepted: number;
    readonly visible: number;
    readonly mismatch: number;
    readonly not_visible: number;
  };
  readonly files: ResultFiles;
  readonly warnings: readonly string[];
  /** Notes on how the file was mapped, in the run's language. */
  readonly notes: readonly string[];
  /** Names with no or several matches, each once, with the command that resolves it. */
  readonly open_names: readonly (ListedName & { readonly rule: string })[];
  /** The first issues, in the order of the sheet. */
  readonly issues: readonly LocatedIssue[];
  /**
   * Number of further issues; the result files hold all of them. In a document that is made without
   * the result files, each further row to correct or decide counts once.
   */
  readonly more_issues: number;
  /** Whether the run was a dry run, of which nothing is ever sent. @default false */
  readonly dry_run?: true;
  /** When the rows of the run were deleted; the counts stay. @default they are kept */
  readonly pruned?: string;
  /** The run that has undone this one, and when. @default it was not looked for, or there is none */
  readonly undone_by?: UndoneBy;
  /** When the run is sent and taken back by itself. @default by hand */
  readonly period?: PeriodSummary;
}

/** The period of a run; times in UTC. */
interface PeriodSummary {
  readonly state: PeriodState;
  /** Whether nothing about it needs a person. */
  readonly healthy: boolean;
  readonly time_zone: string;
  readonly start_at: string | null;
  readonly undo_at: string | null;
  /** What is taken back; `null` for all that the run has changed. */
  readonly fields: readonly string[] | null;
  /** The run that takes it back, and how many rows it leaves or fails to take back. */
  readonly undo_run: string | null;
  readonly left: number;
  readonly text: string;
}

const toPeriodSummary = (found: PeriodReading, lang: Lang): PeriodSummary => ({
  state: found.state,
  healthy: found.isHealthy,
  time_zone: found.period.timeZone,
  start_at: found.period.startAtMs === undefined ? null : toIso(found.period.startAtMs),
  undo_at: found.period.endAtMs === undefined ? null : toIso(found.period.endAtMs),
  fields: found.period.fields ?? null,
  undo_run: found.endRun ?? null,
  left: found.kept + found.failed,
  text: found.text[lang],
});

/** What monitoring asks of a run besides its counts: its end, its times, its source, its store. */
export interface RunHistory {
  /** Exit code of the command that last worked on it; `null` where none has come to its end. */
  readonly exit: number | null;
  /** Times in UTC; `ended_at` is `null` where no command has come to its end. */
  readonly began_at: string;
  readonly ended_at: string | null;
  /** The file or feed: its name, and its path or its address without secrets. */
  readonly source: { readonly kind: "file" | "feed"; readonly name: string; readonly path: string };
  /** The store, with its name on this machine; `null` where it has none. */
  readonly store: {
    readonly base_url: string;
    readonly store_id: string;
    readonly name: string | null;
  };
  /** What started it, and the user of the system; `null` where that is not known. */
  readonly made_by: { readonly origin: string; readonly user: string | null } | null;
  /** The result files that are there now. */
  readonly files: ResultFiles;
}

/** Exit codes of a sync that failed before it had a plan, by the code of its failure. */
const FAILED_SYNC_EXITS: ReadonlyMap<string, number> = new Map([
  ["AUTH_ERROR", 4],
  ["PERMISSION_ERROR", 4],
]);

const toIso = (ms: number): string => new Date(ms).toISOString();

/** Reads the history of a run. */
export function readHistory(
  { baseUrl, storeId, storeName }: Pick<Connection, "baseUrl" | "storeId" | "storeName">,
  run: RunRecord,
): RunHistory {
  const { file, maker, progress } = run;
  const ending = progress.ended ?? endOfFailedSync(run);
  return {
    exit: ending?.exit ?? null,
    began_at: toIso(run.createdAtMs),
    ended_at: ending === undefined ? null : toIso(ending.atMs),
    source: { kind: run.kind === "sync" ? "feed" : "file", name: file.name, path: file.path },
    store: { base_url: baseUrl, store_id: storeId, name: storeName ?? null },
    made_by: maker === undefined ? null : { origin: maker.origin, user: maker.user },
    files: findFiles(run),
  };
}

/** A sync without a plan was refused, or could not fetch its feed or ask the marketplace. */
function endOfFailedSync({
  kind,
  state,
  facts,
  warnings: [failure],
  updatedAtMs,
}: RunRecord): RunRecord["progress"]["ended"] {
  if (kind !== "sync" || state !== "stopped" || facts !== null) return undefined;
  const code = failure?.code ?? "";
  const exit = FAILED_SYNC_EXITS.get(code) ?? (code.startsWith("E_") ? 3 : 6);
  return { exit, atMs: updatedAtMs };
}

/** The files of a run: their names, and what the page calls them, in its order. */
const RESULT_FILES = [
  {
    name: "result.xlsx",
    label: { tr: "Sonuç: her satır ve ne olduğu", en: "Result: every row and what became of it" },
  },
  {
    name: "failed.xlsx",
    label: { tr: "Düzeltilecek satırlar", en: "Rows to correct" },
  },
  {
    name: "held.xlsx",
    label: { tr: "Kararınızı bekleyen satırlar", en: "Rows that wait for your decision" },
  },
  {
    name: "plan.xlsx",
    label: { tr: "Plan: eski ve yeni değerler", en: "Plan: old and new values" },
  },
  {
    name: "result.csv",
    label: { tr: "Sonuç, CSV olarak", en: "Result as CSV" },
  },
  {
    name: "summary.json",
    label: { tr: "Özet, programlar için JSON olarak", en: "Summary for programs, as JSON" },
  },
  {
    name: "report.html",
    label: { tr: "Yazdırılabilir rapor", en: "Report to print" },
  },
] as const;

/** A result file that is there. */
interface FoundFile {
  readonly name: (typeof RESULT_FILES)[number]["name"];
  readonly label: Localized;
  readonly path: string;
  readonly bytes: number;
}

/** Lists the result files of a run that are there. No other file of its folder is ever listed. */
export const listResultFiles = ({
  reportDir,
}: Pick<RunRecord, "reportDir">): readonly FoundFile[] =>
  RESULT_FILES.flatMap(({ name, label }) => {
    const path = join(reportDir, name);
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    return bytes === undefined ? [] : [{ name, label, path, bytes }];
  });

/** The result files of a run that are there; `null` for each that is not. */
function findFiles({ reportDir }: Pick<RunRecord, "reportDir">): ResultFiles {
  const paths = new Map(listResultFiles({ reportDir }).map(({ name, path }) => [name, path]));
  const find = (name: FoundFile["name"]): string | null => paths.get(name) ?? null;
  return {
    dir: existsSync(reportDir) ? reportDir : null,
    result: find("result.xlsx"),
    failed: find("failed.xlsx"),
    held: find("held.xlsx"),
    plan: find("plan.xlsx"),
    page: find("report.html"),
    summary: find("summary.json"),
  };
}

/** A run that has undone another one, and how many of its sent rows were taken back. */
interface UndoneBy extends UndoneRows {
  readonly run: string;
  readonly at: string;
}

interface UndoneRows {
  readonly restored: number;
  readonly sent: number;
}

/** Issues listed. */
const MAX_ISSUES = 1_000;

/** Paths of the result files; `null` where there was nothing to write. */
export interface ResultFiles {
  readonly dir: string | null;
  readonly result: string | null;
  readonly failed: string | null;
  readonly held: string | null;
  /** The plan of every row, with old and new values. */
  readonly plan: string | null;
  /** The report as a page for the browser. */
  readonly page: string | null;
  readonly summary: string | null;
}

/** The parts of a summary of which nothing is known yet: no plan, nothing read back, no files. */
export const EMPTY_SUMMARY: Pick<RunSummary, "planned" | "verification" | "files"> = {
  planned: {
    add: 0,
    update: 0,
    unchanged: 0,
    invalid: 0,
    duplicate: 0,
    held: 0,
    stock: 0,
    requests: 0,
    seconds: 0,
  },
  verification: { accepted: 0, visible: 0, mismatch: 0, not_visible: 0 },
  files: {
    dir: null,
    result: null,
    failed: null,
    held: null,
    plan: null,
    page: null,
    summary: null,
  },
};

/** What a summary holds that is not in the database. */
interface SummaryRest extends Pick<RunSummary, "command" | "exit"> {
  /** The files that were written. @default none */
  readonly files?: ResultFiles;
  /** Language of the warnings. @default the run's */
  readonly lang?: Lang;
  /** Issues of the run. @default they are read */
  readonly issues?: IssueSummary | undefined;
  /** The run that has undone this one. @default the summary does not name it */
  readonly undoneBy?: (UndoneRows & { readonly run: RunRecord }) | undefined;
}

/** Reads the summary of a run from the database, with its first issues. */
export async function readSummary(
  connection: Connection,
  run: RunRecord,
  rest: SummaryRest,
): Promise<RunSummary> {
  const { lang = run.lang } = rest;
  const { token, read, write } = run.requests;
  const period = await readRunPeriod(connection, run);
  return {
    command: rest.command,
    run: run.id,
    state: run.state === "planned" || run.state === "finished" ? run.state : "stopped",
    exit: rest.exit,
    ...(await readCounts(connection, run)),
    platform: readPlatform(run),
    ...toActions(run),
    planned: run.facts?.planned ?? EMPTY_SUMMARY.planned,
    unsendable: run.facts?.unsendable ?? NO_UNSENDABLE_FIELDS,
    requests: { total: token + read + write, token, read, write },
    verification: await readVerification(connection, run),
    files: rest.files ?? EMPTY_SUMMARY.files,
    warnings: run.warnings.map(({ message }) => message[lang]),
    ...readReading(run),
    ...(rest.issues ?? (await readIssues(connection, run))),
    ...toLater(run, rest),
    ...(period && { period: toPeriodSummary(period, lang) }),
  };
}

function toActions(run: RunRecord): Pick<RunSummary, "actions"> {
  const actions = listKindOf(run);
  return actions === undefined ? {} : { actions };
}

/** What the run is and has become besides a run that sends. */
function toLater(
  { prunedAtMs, settings }: RunRecord,
  { undoneBy }: SummaryRest,
): Pick<RunSummary, "dry_run" | "pruned" | "undone_by"> {
  return {
    ...(settings.isDryRun === true && { dry_run: true }),
    ...(prunedAtMs === undefined ? {} : { pruned: toIso(prunedAtMs) }),
    ...(undoneBy && { undone_by: toUndoneRows(undoneBy) }),
  };
}

const toUndoneRows = ({ run, restored, sent }: NonNullable<SummaryRest["undoneBy"]>): UndoneBy => ({
  run: run.id,
  at: toIso(run.createdAtMs),
  restored,
  sent,
});

async function readCounts(
  { journal }: Connection,
  run: RunRecord,
): Promise<Pick<RunSummary, "counts" | "file_counts" | "stock_sent">> {
  const counts = toCounts(await journal.countRows(run.id));
  const isPossible = counts.held > 0 && (run.facts?.planned.stock ?? 0) > 0;
  const sent = isPossible ? await countSentStock({ journal, runId: run.id }) : 0;
  return {
    counts,
    ...(run.kind === "sync" && { file_counts: countFileRows(run, counts) }),
    ...(sent > 0 && { stock_sent: sent }),
  };
}

/** A file without a profile is stored as of the platform `none`. */
function readPlatform({ progress }: RunRecord): string | null {
  const { platform = "none" } = progress.reading ?? {};
  return platform === "none" ? null : platform;
}

async function readVerification(
  { verificationLog }: Connection,
  { id }: RunRecord,
): Promise<RunSummary["verification"]> {
  const { "not-visible": not_visible, ...rest } = await verificationLog.countVerifications(id);
  return { ...rest, not_visible };
}

function readReading({ facts, lang }: RunRecord): Pick<RunSummary, "notes" | "open_names"> {
  const { notes = [], openNames = [] } = facts?.reading ?? {};
  return {
    notes: notes.map((note) => note[lang]),
    open_names: openNames.map((name) =>
      Object.assign({ rule: ruleCommand(name) }, listOpenName(name, lang)),
    ),
  };
}

/** An open name as documents have it; its keys are a public contract. */
interface ListedName extends Omit<OpenNames[number], "suggestions"> {
  /** Best first, at most three. */
  readonly suggestions: readonly {
    readonly target: string;
    readonly target_id: string | null;
    readonly why: OpenNames[number]["suggestions"][number]["why"];
    /** How many of the lists of the name have it. @default all of them */
    readonly coverage?: OpenNames[number]["suggestions"][number]["coverage"];
    /** What speaks for it, in words. */
    readonly text: string;
  }[];
}

/** Turns an open name into what documents hold of it. */
export function listOpenName(name: OpenNames[number], lang: Lang): ListedName {
  return {
    ...name,
    suggestions: name.suggestions.map(({ target, targetId, why, coverage }) => ({
      target,
      target_id: targetId,
      why,
      ...(coverage !== undefined && { coverage }),
      text: describeSuggestion({ why, coverage })[lang],
    })),
  };
}

/** The first issues of a run, and the number of further ones. */
type IssueSummary = Pick<RunSummary, "issues" | "more_issues">;

/** Takes rows one by one. */
interface IssueList {
  observe(row: Pick<RowRecord, "issues" | "line" | "code">): void;
  /** Whether further issues are only counted. */
  isFull(): boolean;
  summary(): IssueSummary;
}

/** Collects the issues of rows in the order in which they come. */
export function createIssueList({ file, id }: Pick<RunRecord, "file" | "id">): IssueList {
  const listed: LocatedIssue[] = [];
  // Notes stand on most rows, and would keep what is wrong out of the list.
  const notes: LocatedIssue[] = [];
  let total = 0;
  return {
    observe(row) {
      const { issues } = row;
      total += issues.length;
      for (const issue of issues) {
        const list = isNote(issue) ? notes : listed;
        if (list.length < MAX_ISSUES) list.push(atRecord(locateIssue(file, issue, id), row));
      }
    },
    isFull: () => listed.length === MAX_ISSUES,
    summary() {
      const all = [...listed, ...notes].slice(0, MAX_ISSUES);
      return { issues: all, more_issues: total - all.length };
    },
  };
}

/** Rows in these states have an issue. */
const PROBLEM_STATES: ReadonlySet<RowState> = new Set(["invalid", "duplicate", "rejected", "held"]);

/** Counts the rows that have to be corrected or decided on. */
const countProblems = (states: readonly StateCount[]): number =>
  states.reduce((sum, { state, rows }) => sum + (PROBLEM_STATES.has(state) ? rows : 0), 0);

/**
 * Reads the first issues of a run from the database, and counts the further rows that have one: a
 * run of any size takes as long as its first issues.
 */
export async function readIssues(connection: Connection, run: RunRecord): Promise<IssueSummary> {
  const list = createIssueList(run);
  let unread = countProblems(await connection.journal.countRows(run.id));
  for await (const rows of readReported(connection, run, { mayHaveIssues: true })) {
    for (const row of rows) list.observe(row);
    unread -= rows.filter(({ state }) => PROBLEM_STATES.has(state)).length;
    if (list.isFull()) break;
  }
  const { issues, more_issues } = list.summary();
  return { issues, more_issues: more_issues + (list.isFull() ? Math.max(0, unread) : 0) };
}
