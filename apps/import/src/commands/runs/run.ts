import type { Connection } from "@catalog/connection";
import { type Flags, countFlag, EXIT, textFlag, printJson } from "@catalog/console";
import { findUndo, readRun } from "@catalog/importer";
import { type QueuedRunState, readQueuedRuns } from "@catalog/jobs";
import { NO_FILES, readHistory, readIssues, readSummary } from "@catalog/report";
import type { Counts, RunRecord } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { findHeldFile } from "../../shared/held-file.ts";
import { readAllProblems } from "../../shared/problems.ts";
import { queueTexts } from "../../shared/queue-texts.ts";
import { toFailing } from "../../shared/queued-run.ts";
import { formatPlan, formatProblems, formatResult } from "../../shared/report-texts.ts";
import { readCounts } from "../../shared/run-view.ts";
import { tellApart } from "../../shared/tell.ts";
import { textsFor } from "../../shared/texts.ts";
import { PRUNE } from "./index.ts";
import { pruneRuns, readPruneRequest, refusePruneFlags } from "./prune.ts";
import { formatRunLine } from "./run-line.ts";
import { runsTexts } from "./texts.ts";

/** Runs listed where no number is given. */
const DEFAULT_LIMIT = 50;

/** `catalog runs [RUN]`: lists the runs, shows one, or deletes the rows of old ones. */
export async function runRunsCommand(context: CommandContext, flags: Flags): Promise<number> {
  const id = textFlag(flags, "run");
  const limit = flags["all"] === true ? Infinity : (countFlag(flags, "limit") ?? DEFAULT_LIMIT);
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
            files: NO_FILES,
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
  for (const run of runs) {
    const counts = await readCounts(connection, run);
    const isUnderWay = underWay.has(run.id);
    const undoneBy = await findUndo(connection, run);
    const columns = terminal.outColumns;
    const now = { isUnderWay, queue: queued.get(run.id) };
    terminal.out(formatRunLine(run, { counts, lang, columns, undoneBy, ...now }));
  }
  if (hasMore) terminal.err(`\n${runsTexts(lang).more}\n`);
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
  const rest = { command: "runs", exit: EXIT.done, files: NO_FILES, lang, undoneBy };
  // The text shows its problems in groups.
  const issues = context.json ? await readIssues(connection, run) : NO_ISSUES;
  const summary = await readSummary(connection, run, { ...rest, issues });
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
  const view = { rows, stored, storeName: connection.baseUrl, callsPerHour, columns };
  terminal.out(formatPlan(shown, view));
  for (const problems of await readAllProblems(connection, run, findHeldFile(context, run))) {
    terminal.out(formatProblems(problems, lang, terminal));
  }
  terminal.out(formatResult(summary, lang, { columns }));
  const texts = runsTexts(lang);
  await tellNext(context, connection, { run, queue, counts: summary.counts });
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

/** States how to take the run out of the queue, to stop it or to go on with it. */
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
