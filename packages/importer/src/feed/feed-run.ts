/**
 * The run of a sync: its history entry and stored rows, what earlier syncs left unsent, and the sample
 * of sent products that is read back. That an update may set the stock is assumed, not documented.
 */

import {
  CatalogError,
  type Connection,
  estimateSeconds,
  recordCalls,
  toCallFailure,
} from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import {
  countPlan,
  createRun,
  FEED_COMMAND,
  readAllRows,
  readBackSample,
  type RowKey,
  type RunFile,
  type RunRecord,
  type RunWarning,
} from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

import { isReleased } from "../apply/released-changes.ts";
import type { AbsentPlan } from "./absent-products.ts";
import type { FeedFile } from "./feed-file.ts";
import { type ShopRecord, toShown } from "./feed-state.ts";
import type { OpenedFeed } from "./open-feed.ts";
import type { FeedPlan } from "./plan-feed.ts";

interface RunOptions {
  readonly lang: Lang;
  readonly reportDir: string;
  /** Whether nothing of the run is ever sent. @default false */
  readonly isDryRun?: boolean | undefined;
}

interface FeedRunOptions extends RunOptions {
  /** Key of the feed. */
  readonly key: string;
  readonly file: FeedFile;
  readonly feed: Pick<OpenedFeed, "kind"> & {
    readonly sheet: Pick<OpenedFeed["sheet"], "sheet" | "sheets" | "header">;
  };
  readonly plan: FeedPlan;
  /** @default no product is absent */
  readonly absent?: AbsentPlan | undefined;
  /** Digest of the feed's content. */
  readonly sha256: string;
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
  const { plan, others, warnings, absent } = options;
  const planned = [...plan.rows, ...(absent?.rows ?? [])];
  const id = await startRun(tools, options, describe(options));
  for (let at = 0; at < planned.length; at += BATCH_ROWS) {
    const rows = planned.slice(at, at + BATCH_ROWS);
    await journal.appendRows(
      id,
      rows.map(({ parsed }) => parsed),
    );
    await journal.saveDecisions(
      id,
      rows.map(({ decision }) => decision),
    );
  }
  // The next sync reads back what this one sends.
  const { planned: stored } = await countPlan({
    runId: id,
    journal,
    estimate: (calls, pace) => estimateSeconds(tools, calls, pace),
    callsPerHour: await tools.meters.pacing.callsPerHour(),
  });
  const counted = { ...stored, unchanged: stored.unchanged + plan.unchanged };
  const capabilities = await tools.verificationLog.readCapabilities();
  const { priceUnit, unsendable } = plan;
  const notStored = { unchanged: plan.unchanged, skipped: others + unsendable.rows };
  const learned = { priceUnit, unsendable, notStored, capabilities };
  const facts = { readBy: "listing", planned: counted, ...learned } as const;
  await runs.update(id, { state: "planned", facts, warnings });
  const run = await runs.read(id);
  if (run === undefined) throw new Error(`run ${id} was planned and is gone`);
  return run;
}

function describe({ key, file, feed, sha256, absent }: FeedRunOptions): RunFile {
  const { kind, sheet } = feed;
  const sheets = [...(sheet.sheets ?? []), ...(absent?.rows.length ? [absent.sheet] : [])];
  return {
    feed: key,
    path: file.path,
    name: file.name,
    sha256,
    kind,
    sheet: sheet.sheet,
    ...(sheets.length > 0 && { sheets }),
    headerRow: sheet.header.row,
    header: sheet.header.cells.map((cell) => String(cell ?? "")),
  };
}

async function startRun(
  { runs, clock }: Connection,
  { lang, reportDir, isDryRun = false }: RunOptions,
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
    ...(isDryRun && { settings: { isDryRun } }),
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

/** Runs that are checked; older ones were checked by earlier syncs. */
const MAX_RUNS = 50;

/** Cancels the unsent rows of earlier syncs and finishes their runs. */
export async function cancelUnsent(tools: Connection): Promise<void> {
  for (const run of await tools.runs.list(MAX_RUNS)) {
    if (run.kind !== "sync" || run.prunedAtMs !== undefined) continue;
    if (run.settings.isDryRun === true) continue;
    if (run.state === "planned" || run.state === "running" || run.state === "stopped") {
      await cancelRows(tools, run);
    }
  }
}

async function cancelRows(tools: Connection, run: RunRecord): Promise<void> {
  const {
    journal,
    runs,
    memory: { feedState },
  } = tools;
  let isOpen = false;
  for await (const rows of readAllRows(journal, run.id, { states: ["ready"] })) {
    for (const { row } of rows) {
      const key = { runId: run.id, row };
      if (await isReleased(feedState, key)) continue;
      await cancel(journal, key);
      isOpen = true;
    }
  }
  if (isOpen || run.state === "running") await runs.update(run.id, { state: "finished" });
}

async function cancel(journal: Connection["journal"], key: RowKey): Promise<void> {
  await journal.recordOutcome({ ...key, from: "ready" }, { to: "held", cause: "superseded" });
  await journal.recordOutcome({ ...key, from: "held" }, { to: "cancelled", cause: "superseded" });
}

interface CheckSentOptions {
  readonly run: RunRecord;
  readonly store: Pick<ShopRecord, "priceUnit" | "sweep">;
  /** After it aborts nothing is read. */
  readonly stop: AbortSignal | undefined;
}

/** Products read back; the maximum of one call. */
const MAX_VERIFIED = 50;

/** Codes named in a warning. */
const MAX_NAMED = 5;

/** Fields that are compared. */
const COMPARED: ReadonlySet<string> = new Set(["price", "stock_count"]);

/**
 * Reads a sample of the sent products back, those that differ a second time, stores what they show,
 * and warns of them.
 */
export async function checkSent(
  tools: Connection,
  { run, store: { priceUnit, sweep }, stop: signal }: CheckSentOptions,
): Promise<readonly Localized[]> {
  if (signal?.aborted === true) return [];
  const { journal, marketplace, clock } = tools;
  const { feedState } = tools.memory;
  const records = await journal.readRows(run.id, { states: ["done"], limit: MAX_VERIFIED });
  if (records.length === 0) return [];
  const before = tools.meters.calls.counts();
  const sample = { records, priceUnit, fields: COMPARED, signal };
  const { read, different } = await readBackSample({ ...sample, marketplace, clock });
  if (different.length > 0) {
    await feedState.applySentChanges();
    const shown = different.map(({ shown: { product, status } }) => toShown(product, status, {}));
    await feedState.saveShown(sweep, shown);
  }
  await recordCalls(tools, run.id, before);
  if (different.length === 0) return [];
  const codes = different
    .slice(0, MAX_NAMED)
    .map(({ record: { code, productId } }) => code ?? productId ?? "")
    .join(", ");
  const message = {
    tr: `Mağaza güncellemeyi kabul etti, ama geri okunan ${read} üründen ${different.length} tanesi başka bir değer gösteriyor (${codes}). API stok güncellemeyi belgelemiyor; bu mağaza almıyor olabilir.`,
    en: `The store accepted the updates, but ${different.length} of ${read} products read back show other values (${codes}). The API does not document updating the stock; this store may not take it.`,
  };
  await tools.runs.addWarnings(run.id, [{ code: "W_SYNC_NOT_TAKEN", message }]);
  return [message];
}
