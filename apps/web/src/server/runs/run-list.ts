/** The history: every run of the store, page by page. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { readQueuedRuns } from "@catalog/jobs";
import { fold } from "@catalog/mapping";
import type { RunRecord } from "@catalog/runs";

import type { RunList, RunsQuery, RunSummaryView } from "../../api/runs.ts";
import { listRuns } from "./list-runs.ts";
import type { RunJobs } from "./run-jobs.ts";
import { showRunState } from "./run-state.ts";
import { nameRun, readRunSummary, toRunKind } from "./run-summary.ts";

const PAGE_RUNS = 100;

interface RunListSource {
  readonly connection: Connection;
  readonly jobs: RunJobs;
}

/** Reads a page of the runs that match, newest first; none after a run that is unknown. */
export async function readRunList(
  { connection, jobs }: RunListSource,
  { kind, text = "", after }: RunsQuery,
  lang: Lang,
): Promise<RunList> {
  const before = after === undefined ? undefined : await connection.runs.read(after);
  if (after !== undefined && before === undefined) return { runs: [], next: null };
  const underWay = await connection.locks.runsUnderWay();
  const queued = await readQueuedRuns(connection);
  const matches = createMatch(connection, { kind, text, lang });
  const views: RunSummaryView[] = [];
  for await (const run of listRuns(connection, { kind: storedKind(kind), before })) {
    if (!(await matches(run))) continue;
    if (views.length === PAGE_RUNS) return { runs: views, next: views.at(-1)?.id ?? null };
    const stored = await readRunSummary(connection, run, lang, underWay);
    const shown = { run, jobs, stored, lang, queued };
    const { state, stateText } = await showRunState(connection, shown);
    views.push({ ...stored, state, stateText });
  }
  return { runs: views, next: null };
}

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
    // How much an undo has undone changes its name by words that nobody searches for.
    const counts = { rows: 1, updated: 1, unchanged: 0 };
    return fold(await nameRun(connection, run, { counts, lang })).includes(folded);
  };
}
