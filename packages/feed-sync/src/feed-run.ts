/** Creates the run of a sync: its history entry and the rows that have changes or issues. */

import { CatalogError, type Connection, estimateSeconds, toCallFailure } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { hashFile } from "@catalog/importer";
import {
  createRun,
  countPlannedCalls,
  sendsStock,
  FEED_COMMAND,
  type RunFile,
  type RunRecord,
  type RunWarning,
  toCounts,
} from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

import type { FeedFile } from "./file/feed-file.ts";
import type { OpenedFeed } from "./file/open-feed.ts";
import type { FeedPlan, PlannedRow } from "./plan-feed.ts";

interface RunOptions {
  readonly lang: Lang;
  readonly reportDir: string;
}

export interface FeedRunOptions extends RunOptions {
  /** Key of the feed. */
  readonly key: string;
  readonly file: FeedFile;
  readonly feed: Pick<OpenedFeed, "kind"> & {
    readonly sheet: Pick<OpenedFeed["sheet"], "sheet" | "sheets" | "header">;
  };
  readonly plan: FeedPlan;
  /** Rows of the feed that are no products themselves. */
  readonly others: number;
  /** Warnings about the whole feed. */
  readonly warnings: readonly RunWarning[];
}

/** Rows written to the journal at a time. */
const BATCH_ROWS = 500;

/** Stores the run, ready to be sent. Unchanged rows are counted and not stored. */
export async function createFeedRun(
  tools: Connection,
  options: FeedRunOptions,
): Promise<RunRecord> {
  const { runs, journal } = tools;
  const { plan, others, warnings } = options;
  const id = await startRun(tools, options, await describe(options));
  for (let at = 0; at < plan.rows.length; at += BATCH_ROWS) {
    const rows = plan.rows.slice(at, at + BATCH_ROWS);
    await journal.appendRows(
      id,
      rows.map(({ parsed }) => parsed),
    );
    await journal.saveDecisions(
      id,
      rows.map(({ decision }) => decision),
    );
  }
  const states = await journal.countRows(id);
  const { unchanged, invalid, duplicate, held } = toCounts(states);
  const update = plan.rows.filter(isReady).length;
  const callsPerHour = await tools.meters.pacing.callsPerHour();
  // The next sync reads back what this one sends.
  const stock = plan.rows.filter(({ decision }) => sendsStock(decision)).length;
  const requests = countPlannedCalls({ add: 0, update, stock }, { addSeconds: 0, callsPerHour });
  const seconds = await estimateSeconds(tools, requests);
  const counted = { unchanged: unchanged + plan.unchanged, invalid, duplicate, held, stock };
  const planned = { add: 0, update, ...counted, requests, seconds };
  const capabilities = await tools.verificationLog.readCapabilities();
  const { priceUnit, unsendable } = plan;
  const notStored = { unchanged: plan.unchanged, skipped: others + unsendable.rows };
  const learned = { priceUnit, unsendable, notStored, capabilities };
  const facts = { readBy: "listing", planned, ...learned } as const;
  await runs.update(id, { state: "planned", facts, warnings });
  const run = await runs.read(id);
  if (run === undefined) throw new Error(`run ${id} was planned and is gone`);
  return run;
}

const isReady = ({ decision }: PlannedRow): boolean => decision.state === "ready";

async function describe({ key, file, feed }: FeedRunOptions): Promise<RunFile> {
  const { kind, sheet } = feed;
  return {
    feed: key,
    path: file.path,
    name: file.name,
    sha256: (await hashFile(file.path)) ?? "",
    kind,
    sheet: sheet.sheet,
    ...(sheet.sheets !== undefined && { sheets: sheet.sheets }),
    headerRow: sheet.header.row,
    header: sheet.header.cells.map((cell) => String(cell ?? "")),
  };
}

async function startRun(
  { runs, clock }: Connection,
  { lang, reportDir }: RunOptions,
  file: RunFile,
): Promise<string> {
  return await createRun({ runs, clock }, (id) => ({
    id,
    command: FEED_COMMAND,
    file,
    mode: "update",
    lang,
    reportDir: reportDir.replaceAll("{run}", id),
    warnings: [],
  }));
}

interface FailedSync extends RunOptions {
  /** The path of the feed, or its address without secrets. */
  readonly path: string;
  readonly name: string;
  readonly error: unknown;
}

/**
 * Records a sync that made no plan in the history of runs: its feed was refused or could not be
 * fetched, or the marketplace could not be asked. A fault of this program is not recorded.
 */
export async function recordFailedSync(
  tools: Connection,
  { error, path, name, ...options }: FailedSync,
): Promise<void> {
  const message = describeFailure(error);
  if (message === undefined) return;
  const unread = { path, name, sha256: "", kind: "csv", sheet: "", headerRow: 1 } as const;
  const id = await startRun(tools, options, { ...unread, header: [] });
  await tools.runs.update(id, { state: "stopped", warnings: [message, ...listIssues(error)] });
}

/** What is wrong with the file as a whole, one warning for each issue. */
const listIssues = (error: unknown): readonly RunWarning[] =>
  error instanceof CatalogError ? error.issues.map(({ code, message }) => ({ code, message })) : [];

function describeFailure(error: unknown): RunWarning | undefined {
  if (error instanceof SheetError || error instanceof CatalogError) {
    const { code, localized } = error;
    return code.startsWith("E_RUN_") ? undefined : { code, message: localized };
  }
  return toCallFailure(error);
}
