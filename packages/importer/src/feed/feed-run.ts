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
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import {
  countPlan,
  type Counts,
  createRun,
  FEED_COMMAND,
  readAllRows,
  readBackSample,
  type RowKey,
  type RunFile,
  type RunRecord,
  type RunSync,
  type RunWarning,
  toCounts,
} from "@catalog/runs";
import { SheetError } from "@catalog/sheets";

import { isReleased } from "../apply/released-changes.ts";
import type { AbsentPlan } from "./absent-products.ts";
import type { FeedFile } from "./feed-file.ts";
import { hashName } from "./feed-name.ts";
import { type ShadowPlan, type ShopRecord, toShown } from "./feed-state.ts";
import type { OpenedFeed } from "./open-feed.ts";
import type { FeedPlan } from "./plan-feed.ts";

interface RunOptions {
  readonly lang: Lang;
  readonly reportDir: string;
  /** Set where nothing of the run is ever sent. @default it is */
  readonly trial?: "once" | "shadow" | undefined;
  /** Key of the feed. */
  readonly feed: string;
  readonly sync: RunSync;
}

interface FeedRunOptions extends RunOptions {
  readonly file: FeedFile;
  readonly opened: Pick<OpenedFeed, "kind"> & {
    readonly sheet: Pick<OpenedFeed["sheet"], "sheet" | "sheets" | "header">;
  };
  /** The last plan of a feed in shadow. @default there is none */
  readonly last?: ShadowPlan | undefined;
  readonly plan: FeedPlan;
  /** @default no product is absent */
  readonly absent?: AbsentPlan | undefined;
  /** Versions of the price rules, costs and bases. @default there were none */
  readonly prices?: string | undefined;
  /** Digest of the feed's content. */
  readonly sha256: string;
  /** Rows of the feed that are no products themselves. */
  readonly others: number;
  /** Warnings about the whole feed. */
  readonly warnings: readonly RunWarning[];
}

/** Rows written to the journal at a time. */
const BATCH_ROWS = 500;

/**
 * Stores the run, ready to be sent. Unchanged rows are counted and not stored, and so are all rows
 * of a shadow that plans the same as before.
 */
export async function createFeedRun(
  tools: Connection,
  options: FeedRunOptions,
): Promise<RunRecord> {
  const { runs } = tools;
  const { plan, others, warnings, file, prices } = options;
  const id = await startRun(tools, options, describe(options));
  const same = await findSamePlan(tools, options);
  const { planned: stored, ...rest } =
    same === undefined ? await storePlan(tools, id, options) : await countSame(tools, same);
  const counted = { ...stored, unchanged: stored.unchanged + plan.unchanged };
  const capabilities = await tools.verificationLog.readCapabilities();
  const { priceUnit, unsendable } = plan;
  const notStored = { ...rest, unchanged: plan.unchanged, skipped: others + unsendable.rows };
  const learned = { priceUnit, unsendable, notStored, capabilities };
  const facts = { readBy: "listing", planned: counted, ...learned } as const;
  const dataAtMs = file.modifiedMs;
  const sync = { ...options.sync, dataAtMs, ...(same !== undefined && { sameAs: same.id }) };
  await runs.update(id, { state: "planned", facts, warnings, progress: { sync, prices } });
  const run = await runs.read(id);
  if (run === undefined) throw new Error(`run ${id} was planned and is gone`);
  return run;
}

type PlannedRows = Pick<FeedRunOptions, "plan" | "absent">;

const listRows = ({ plan, absent }: PlannedRows): FeedPlan["rows"] => [
  ...plan.rows,
  ...(absent?.rows ?? []),
];

/** What is stored of a plan besides its rows: their counts and costs. */
interface CountedRows extends Partial<Pick<Counts, "pending" | "held" | "invalid" | "duplicate">> {
  readonly planned: NonNullable<RunRecord["facts"]>["planned"];
}

async function storePlan(
  tools: Connection,
  id: string,
  options: PlannedRows,
): Promise<CountedRows> {
  const { journal } = tools;
  const planned = listRows(options);
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
  const { planned: counted } = await countPlan({
    runId: id,
    journal,
    estimate: (calls, pace) => estimateSeconds(tools, calls, pace),
    callsPerHour: await tools.meters.pacing.callsPerHour(),
  });
  return { planned: counted };
}

/** How long the rows of one run stand for those of later ones, so that each day has rows of its own. */
const SAME_FOR_MS = 20 * 3_600_000;

/** The run with the rows of this plan, where a shadow has planned the same before. */
async function findSamePlan(
  { runs, clock }: Pick<Connection, "runs" | "clock">,
  { last, trial, ...options }: FeedRunOptions,
): Promise<RunRecord | undefined> {
  if (trial !== "shadow" || last === undefined) return undefined;
  if (clock.now() - last.atMs > SAME_FOR_MS || last.digest !== digestPlan(options))
    return undefined;
  const run = await runs.read(last.run);
  return run?.prunedAtMs === undefined ? run : undefined;
}

/** Differs where another change would be sent or held, or for another reason. */
const digestPlan = (options: PlannedRows): string =>
  hashName(
    JSON.stringify(
      listRows(options).map(({ decision: { row, state, action, productId, changes, issues } }) => [
        row,
        state,
        action,
        productId,
        changes,
        issues.map(({ code, message }) => [code, message.en]),
      ]),
    ),
  );

/** What the next sync in shadow has to know of the plan of this one. */
export function toShadowPlan(
  prepared: PlannedRows,
  { id, progress, createdAtMs }: RunRecord,
  last: ShadowPlan | undefined,
): ShadowPlan {
  const isSame = progress.sync?.sameAs !== undefined && last !== undefined;
  return isSame ? last : { run: id, digest: digestPlan(prepared), atMs: createdAtMs };
}

async function countSame(
  { journal }: Pick<Connection, "journal">,
  { id, facts }: RunRecord,
): Promise<CountedRows> {
  if (facts === null) throw new Error(`run ${id} was planned and has no plan`);
  const { pending, held, invalid, duplicate } = toCounts(await journal.countRows(id));
  return { planned: { ...facts.planned, unchanged: 0 }, pending, held, invalid, duplicate };
}

function describe({ feed, file, opened, sha256, absent }: FeedRunOptions): RunFile {
  const { kind, sheet } = opened;
  const sheets = [...(sheet.sheets ?? []), ...(absent?.rows.length ? [absent.sheet] : [])];
  return {
    feed,
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
  { lang, reportDir, trial }: RunOptions,
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
    ...(trial !== undefined && { settings: { isDryRun: true } }),
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
  const { feed, sync } = options;
  const unread = { feed, path, name, sha256: "", kind: "csv", sheet: "", headerRow: 1 } as const;
  const id = await startRun(tools, options, { ...unread, header: [] });
  const warnings = [message, ...listIssues(error)];
  await tools.runs.update(id, { state: "stopped", warnings, progress: { sync } });
}

/** What is wrong with the file as a whole, one warning for each issue. */
const listIssues = (error: unknown): readonly RunWarning[] =>
  error instanceof CatalogError ? error.issues.map(({ code, message }) => ({ code, message })) : [];

function describeFailure(error: unknown): RunWarning | undefined {
  if (error instanceof SheetError || error instanceof CatalogError) {
    const { code, localized } = error;
    return code.startsWith("E_RUN_") ? undefined : { code, message: localized };
  }
  if (error instanceof InputError) return { code: error.code, message: error.localized };
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
