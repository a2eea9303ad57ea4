/** Sends the rows of a planned run, or resumes a run that was stopped. */

import {
  CatalogError,
  type Connection,
  fieldLabels,
  prunedRun,
  recordCalls,
  priceUnitOf,
  readSendingEnd,
} from "@catalog/connection";
import { formatNumber, InputError, type Localized } from "@catalog/i18n";
import { findFieldLocation } from "@catalog/report";
import {
  type AppliedRun,
  type ApplyProgress,
  applyRun,
  type ApplyRunOptions,
  type Counts,
  type RowRecord,
  type RunRecord,
  type RunSettings,
  toCounts,
} from "@catalog/runs";

import { rememberReading } from "../columns/remembered-readings.ts";
import { ALIKE_CODES, readCodeKeys } from "../plan/plan-basis.ts";
import { PRICE_UNIT_WARNING } from "../plan/plan-notes.ts";
import { type FeedRecheck, readRecheckOptions } from "./pre-send-checks.ts";
import { judgeCanary } from "./send-canary.ts";
import { explainError, saveSentUnit } from "./verify-run.ts";

type ApplyOptions = Parameters<typeof applyRun>[0];

/** The run to apply, its settings and callbacks. */
export interface ApplyPlanOptions {
  readonly runId: string;
  /** Settings that override those stored with the run. @default none */
  readonly settings?: RunSettings | undefined;
  /**
   * Whether the call resumes a run or sends released rows; the limits of bad rows are not checked
   * then. @default false
   */
  readonly isContinued?: boolean | undefined;
  /** Stops new requests; requests on their way are awaited. */
  readonly stop?: AbortSignal | undefined;
  /**
   * What is rechecked before the first request: `adds` reads the store for the codes of adds, for a
   * plan that has waited. While rows are sent, adds and updates are rechecked in any case.
   * @default "nothing"
   */
  readonly recheck?: "nothing" | "adds" | undefined;
  /** Asks a person whether to send unproven adds. @default they are held without a question */
  readonly askUnprovenAdds?: NonNullable<ApplyOptions["adds"]>["askUnproven"];
  /** Set where a sync applies a run of its own feed. @default none */
  readonly feed?: FeedRecheck | undefined;
  /** Called with a message after the columns of the plan were saved as a profile. */
  readonly onRemembered?: (message: Localized) => void;
  /** Called with the verdict on a canary that has passed. */
  readonly onCanary?: (message: Localized) => void;
  /** Called after each row that was sent or read back, and each page of the store. */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/** The run as stored after applying, and why sending ended. */
export interface AppliedPlan {
  readonly run: RunRecord;
  readonly end: Awaited<ReturnType<typeof applyRun>>["end"];
  /** Explanation for people, if sending ended early. */
  readonly reason: Localized | undefined;
  /** Adds of the run that the store shows twice; the run's warnings list them, too. */
  readonly duplicates: readonly { readonly row: number; readonly code: string }[];
}

/**
 * Applies a run, and saves how its columns and numbers were read. A run with nothing left to send
 * is only reconciled and finished. Throws {@link CatalogError} `E_LIMIT_STRICT` or `E_LIMIT_ERRORS`
 * where more rows are bad than the run's settings allow, `E_RUN_UNKNOWN` where the store has no
 * such run, `E_RUN_UNPLANNED` where its plan is incomplete, `E_RUN_DRY` for a dry run, and
 * `E_RUN_SYNC` for a run of a sync without `feed`.
 */
export async function applyPlan(
  connection: Connection,
  options: ApplyPlanOptions,
): Promise<AppliedPlan> {
  const run = await readWholeRun(connection, options.runId);
  const accepted = await acceptPlan(connection, run, options);
  // A run of updates alone is short, so its calls get priority over long adds in the common quota.
  if ((run.facts?.planned.add ?? 0) === 0) connection.meters.pacing.usePriority();
  const span = {
    name: "apply",
    attributes: { "catalog.run.id": run.id },
    toAttributes: ({ end }: Pick<AppliedPlan, "end">) => ({ "catalog.run.end": end }),
  };
  const { calls, span: inSpan } = connection.meters;
  const before = calls.counts();
  let applied: AppliedRun;
  try {
    const how = await toApplyOptions(connection, run, accepted);
    applied = await inSpan(span, () => applyRun(how));
    const { canary, record } = how;
    if (canary !== undefined || record?.isVerified === true) await saveSentUnit(connection);
  } finally {
    await recordCalls(connection, run.id, before);
  }
  const { end, reason, duplicates = [] } = applied;
  return { run: await readRun(connection, run.id), end, reason, duplicates };
}

/** Checks the limits of the run, and saves its columns: applying a plan accepts their mapping. */
async function acceptPlan(
  connection: Connection,
  run: RunRecord,
  options: ApplyPlanOptions,
): Promise<SendOptions> {
  assertRunKind(run, options);
  const settings = mergeSettings(run.settings, options.settings);
  const counts = toCounts(await connection.journal.countRows(run.id));
  const refusal = options.isContinued === true ? undefined : findLimitRefusal(counts, settings);
  if (refusal !== undefined) throw refusal;
  const remembered = hasReadable(run) ? await rememberReading(connection, run) : undefined;
  if (remembered !== undefined) options.onRemembered?.(remembered);
  return { ...options, settings, maxRejected: countErrorsLeft(counts, settings) };
}

/** Whether some row could be used; a mapping that refuses every row is not accepted by anybody. */
const hasReadable = ({ facts }: RunRecord): boolean => {
  const { add = 0, update = 0, unchanged = 0, held = 0 } = facts?.planned ?? {};
  return add + update + unchanged + held > 0;
};

function assertRunKind({ id, state, kind, settings }: RunRecord, { feed }: ApplyPlanOptions): void {
  if (settings.isDryRun === true) throw new CatalogError("E_RUN_DRY", id);
  if (state === "planning") throw new CatalogError("E_RUN_UNPLANNED", id);
  if (kind === "sync" && feed === undefined) throw new CatalogError("E_RUN_SYNC", id);
}

/**
 * Reads a run. Throws {@link CatalogError} `E_RUN_UNKNOWN` where there is no such run, and
 * `E_RUN_STORE`, which names the store, where another store has it.
 */
export async function readRun(
  { runs, namedStores }: Pick<Connection, "runs" | "namedStores">,
  runId: string,
): Promise<RunRecord> {
  const run = await runs.read(runId);
  if (run !== undefined) return run;
  const owner = await runs.findStore(runId);
  if (owner === undefined) throw new CatalogError("E_RUN_UNKNOWN", runId);
  const { baseUrl, storeId } = owner;
  const name = namedStores.find(
    (store) => store.baseUrl === baseUrl && store.storeId === storeId,
  )?.name;
  throw new CatalogError("E_RUN_STORE", {
    tr:
      name === undefined
        ? `“${runId}” başka bir mağazanın çalıştırması: ${storeId} (${baseUrl}). O mağazanın ayarlarıyla yeniden deneyin`
        : `“${runId}” “${name}” mağazasının çalıştırması. Komuta ekleyin: --store ${name}`,
    en:
      name === undefined
        ? `“${runId}” is a run of another store: ${storeId} (${baseUrl}). Try again with the settings of that store`
        : `“${runId}” is a run of the store “${name}”. Add to the command: --store ${name}`,
  });
}

/** Does the same. Throws `DatabaseError` `E_RUN_PRUNED` for a run whose rows were deleted. */
export async function readWholeRun(
  connection: Pick<Connection, "runs" | "namedStores">,
  runId: string,
): Promise<RunRecord> {
  const run = await readRun(connection, runId);
  if (run.prunedAtMs !== undefined) throw prunedRun(run.id, run.prunedAtMs);
  return run;
}

interface SendOptions extends ApplyPlanOptions {
  /** The stored settings, overridden by those of this call. */
  readonly settings: RunSettings;
  /** Number of rejected rows after which sending stops; `Infinity` without a limit. */
  readonly maxRejected: number;
}

/** The ports, settings and texts with which the engine applies the run. */
async function toApplyOptions(
  connection: Connection,
  run: RunRecord,
  { settings, feed, stop, onProgress, onCanary: onVerdict, ...options }: SendOptions,
): Promise<ApplyRunOptions> {
  const { journal, marketplace, clock, concurrency, runs, verificationLog, codes } = connection;
  const { pacing, waits } = connection.meters;
  const prices = {
    runs,
    verificationLog,
    warning: PRICE_UNIT_WARNING,
    readKnown: () => priceUnitOf(connection).known(),
    locationOf: (record: RowRecord, field: string) => findFieldLocation(run, record, field),
  };
  // Read once, so that what is known is recent.
  await pacing.callsPerHour();
  const rows = run.progress.canaryVerdict === undefined ? settings.canary : undefined;
  // A resumed run has the same canary.
  if (rows !== undefined) {
    await runs.update(run.id, { settings: { ...run.settings, canary: rows } });
  }
  return {
    runId: run.id,
    journal,
    marketplace,
    clock,
    concurrency,
    ...(await readCodeKeys(connection)),
    sheet: run.file.sheet,
    onUnknown: settings.onUnknown ?? "hold",
    maxRejected: options.maxRejected,
    untilMs: await readSendingEnd(connection, run.id),
    canary:
      rows === undefined
        ? undefined
        : { rows, judge: () => judgeCanary(connection, run, { stop, onVerdict }) },
    stop,
    recheck: () => readRecheckOptions(connection, run, feed),
    adds: {
      ...ALIKE_CODES,
      codes,
      isAllowed: run.settings.allowsSuspectCodes === true,
      readAt: run.facts?.readAt,
      isReread: options.recheck === "adds",
      askUnproven: options.askUnprovenAdds,
      // Three calls for each add would make an import take four times as long in a quota.
      mayAskByCode: () => pacing.knownCallsPerHour() === undefined,
      onListing: onProgress,
    },
    prices: feed === undefined ? prices : undefined,
    record: {
      run,
      runs,
      log: verificationLog,
      nameField: fieldLabels,
      isVerified: settings.noVerify !== true,
      learnsUnit: feed === undefined && settings.noVerify !== true,
    },
    explain: explainError,
    penalty: { pause: (ms) => waits.report(ms, "refused") },
    onProgress,
  };
}

/**
 * Merges the settings of a resumed run: given values override stored ones, `undefined` does not.
 */
export function mergeSettings(stored: RunSettings, given: RunSettings = {}): RunSettings {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(asked) };
}

/** Counts the rows that need a person: invalid, duplicate, rejected, held and unknown ones. */
export function badRows({ invalid, duplicate, rejected, held, unknown }: Counts): number {
  return invalid + duplicate + rejected + held + unknown;
}

/**
 * Parses a number of rows, or a share of `rows` when the text ends in `%`; fractions of a row are
 * cut off. Throws `InputError` for any other text.
 */
export function parseMaxErrors(text: string | undefined, rows: number): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(?<count>\d+(?:[.,]\d+)?)(?<share>%?)$/u.exec(text.trim());
  const count = Number(match?.groups?.["count"]?.replace(",", "."));
  if (match === null || Number.isNaN(count)) {
    throw new InputError({
      tr: `--max-errors "${text}" anlaşılamadı. Sayı ya da yüzde verin: 10 ya da 5%.`,
      en: `--max-errors "${text}" is not understood. Give a number or a percentage: 10 or 5%.`,
    });
  }
  return match.groups?.["share"] === "%" ? Math.floor((rows * count) / 100) : Math.floor(count);
}

/** The settings of a run that limit its bad rows. */
type Limits = Pick<RunSettings, "strict" | "maxErrors">;

/**
 * Returns the error `E_LIMIT_STRICT` or `E_LIMIT_ERRORS` of a run with too many bad rows, of which
 * no row may be sent; `undefined` within the limits.
 */
export function findLimitRefusal(
  counts: Counts,
  { strict, maxErrors }: Limits,
): CatalogError | undefined {
  const bad = badRows(counts);
  const max = parseMaxErrors(maxErrors, counts.rows);
  const rows = { tr: formatNumber(bad, "tr"), en: countInEnglish(bad) };
  if (strict === true && bad > 0) return new CatalogError("E_LIMIT_STRICT", rows);
  if (max === undefined || bad <= max) return undefined;
  return new CatalogError("E_LIMIT_ERRORS", {
    tr: `${rows.tr} satır hatalı; --max-errors en çok ${formatNumber(max, "tr")} hataya izin veriyor`,
    en: `${rows.en}, and --max-errors allows ${formatNumber(max, "en")}`,
  });
}

const countInEnglish = (rows: number): string =>
  `${formatNumber(rows, "en")} bad ${rows === 1 ? "row" : "rows"}`;

/** Counts the rows that may still be rejected within `--max-errors`; `Infinity` without a limit. */
export function countErrorsLeft(counts: Counts, { maxErrors }: Limits): number {
  const max = parseMaxErrors(maxErrors, counts.rows) ?? Infinity;
  return Math.max(0, max - badRows(counts));
}
