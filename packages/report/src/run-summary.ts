/** What a run came to, as the one document that `--json` prints and `summary.json` keeps. */

import { type Toolkit } from "@catalog/connection";
import { type Lang } from "@catalog/i18n";
import {
  type Counts,
  NOTHING_UNSENDABLE,
  type OpenNameCount,
  type PlannedCounts,
  type RowIssue,
  type RowRecord,
  type RunRecord,
  toCounts,
  type Unsendable,
} from "@catalog/runs";

import { readReported } from "./reported-rows.ts";
import { ruleCommand } from "./rule-command.ts";

/** The document itself. Its keys are relied on from outside. */
export interface RunSummary {
  readonly command: string;
  readonly run: string | null;
  readonly state: "planned" | "finished" | "stopped";
  readonly exit: number;
  readonly counts: Counts;
  readonly planned: PlannedCounts;
  /** What differs from the store and cannot be sent; its rows are among the skipped and the sent. */
  readonly unsendable: Unsendable;
  readonly requests: {
    readonly total: number;
    readonly token: number;
    readonly read: number;
    readonly write: number;
  };
  /** What reading back has shown of the rows that are done; it is not a part of the counts. */
  readonly verification: {
    readonly accepted: number;
    readonly visible: number;
    readonly mismatch: number;
    readonly not_visible: number;
  };
  readonly files: ResultFiles;
  readonly warnings: readonly string[];
  /** How the file was understood, in the run's language. */
  readonly notes: readonly string[];
  /** Names that nothing or several things have, each once, with the command that settles it. */
  readonly open_names: readonly (OpenNameCount & { readonly rule: string })[];
  /** The first of what is wrong or remarkable, in the order of the sheet. */
  readonly issues: readonly RowIssue[];
  /** How many more there are; all of them are in the result files. */
  readonly more_issues: number;
}

/** Issues listed one by one. */
const MOST_ISSUES = 1_000;

/** Paths of the result files; `null` where there was nothing to write. */
export interface ResultFiles {
  readonly dir: string | null;
  readonly result: string | null;
  readonly failed: string | null;
  readonly held: string | null;
  /** Every row with what is planned for it, old and new. */
  readonly plan: string | null;
  /** The report as a page for the browser. */
  readonly page: string | null;
  readonly summary: string | null;
}

/** For a document about a run whose files were not written now. */
export const NO_FILES: ResultFiles = {
  dir: null,
  result: null,
  failed: null,
  held: null,
  plan: null,
  page: null,
  summary: null,
};

/** For a run that has no plan yet. */
export const NOTHING_PLANNED: PlannedCounts = {
  add: 0,
  update: 0,
  unchanged: 0,
  invalid: 0,
  duplicate: 0,
  held: 0,
  requests: 0,
  seconds: 0,
};

/** What a summary says that is not in the store. */
export interface SummaryRest extends Pick<RunSummary, "command" | "exit" | "files"> {
  /** Language of the warnings. @default the run's */
  readonly lang?: Lang;
  /** @default they are read */
  readonly issues?: IssueSummary;
}

/** Reads the summary of a run out of the store. */
export async function readSummary(
  toolkit: Toolkit,
  run: RunRecord,
  rest: SummaryRest,
): Promise<RunSummary> {
  const { lang = run.lang } = rest;
  const { token, read, write } = run.requests;
  return {
    command: rest.command,
    run: run.id,
    state: run.state === "planned" || run.state === "finished" ? run.state : "stopped",
    exit: rest.exit,
    counts: toCounts(await toolkit.journal.countRows(run.id)),
    planned: run.facts?.planned ?? NOTHING_PLANNED,
    unsendable: run.facts?.unsendable ?? NOTHING_UNSENDABLE,
    requests: { total: token + read + write, token, read, write },
    verification: await readVerification(toolkit, run),
    files: rest.files,
    warnings: run.warnings.map(({ message }) => message[lang]),
    ...readReading(run),
    ...(rest.issues ?? (await readIssues(toolkit, run))),
  };
}

/** For a run of which nothing was sent. */
export const NOTHING_VERIFIED: RunSummary["verification"] = {
  accepted: 0,
  visible: 0,
  mismatch: 0,
  not_visible: 0,
};

async function readVerification(
  { readBack }: Toolkit,
  { id }: RunRecord,
): Promise<RunSummary["verification"]> {
  const { "not-visible": not_visible, ...rest } = await readBack.countVerifications(id);
  return { ...rest, not_visible };
}

function readReading({ facts, lang }: RunRecord): Pick<RunSummary, "notes" | "open_names"> {
  const { notes = [], openNames = [] } = facts?.reading ?? {};
  return {
    notes: notes.map((note) => note[lang]),
    open_names: openNames.map((name) => Object.assign({ rule: ruleCommand(name) }, name)),
  };
}

/** The first issues of a run one by one, and how many more there are. */
export type IssueSummary = Pick<RunSummary, "issues" | "more_issues">;

/** Takes rows one by one. */
export interface IssueList {
  observe(row: Pick<RowRecord, "issues">): void;
  summary(): IssueSummary;
}

/** Gathers the issues of rows in the order in which they come. */
export function createIssueList(): IssueList {
  const listed: RowIssue[] = [];
  let total = 0;
  return {
    observe({ issues }) {
      total += issues.length;
      listed.push(...issues.slice(0, MOST_ISSUES - listed.length));
    },
    summary: () => ({ issues: listed, more_issues: total - listed.length }),
  };
}

/** Reads the issues of a run out of the store. */
export async function readIssues(toolkit: Toolkit, run: RunRecord): Promise<IssueSummary> {
  const list = createIssueList();
  for await (const rows of readReported(toolkit, run)) for (const row of rows) list.observe(row);
  return list.summary();
}
