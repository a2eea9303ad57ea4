/**
 * Checks rows again before they are sent: whether the store shows the code of an add by now, whether
 * the price guards pass once the unit of prices is known, and whether a lookup proves anything in a
 * store that has not been seen to show new products.
 */

import { type Connection, fieldLabel, readPriceUnitSetting } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { CODE_KEYS, codeKey } from "@catalog/mapping";
import {
  createReadIdNames,
  findFieldLocation,
  formatFieldValue,
  type IdNames,
  isIdField,
} from "@catalog/report";
import {
  type AddRechecks,
  comparePlannedPrices,
  type CopySuspicion,
  createAddRechecks,
  holdAppeared,
  holdLookAlikes,
  type IssueLocation,
  type ListingReadTime,
  plannedPriceUnit,
  PRICE_UNIT_CODE,
  type PriceUnit,
  type PriceUnitFacts,
  readAllRows,
  readKnownUnit,
  type RecheckOptions,
  type RecheckTexts,
  type RowEvent,
  type RowRecord,
  type RunRecord,
  SETTLE_TIME_MS,
  toGuardSettings,
  toIssue,
  isStoreVisible,
} from "@catalog/runs";

import { ALIKE_CODES, type CodeNormalizations, readCodeKeys } from "../plan/plan-basis.ts";
import { PRICE_UNIT_WARNING } from "../plan/price-unit-texts.ts";
import type { ApplyProgress } from "./verify-run.ts";

/** What a sync has read for its plan. */
export interface FeedRecheck {
  /** When it began to read the products to be updated, in milliseconds since 1970. */
  readonly readAtMs: number;
}

/**
 * Creates the options for a run that is no sync. They hold the price unit as it is known now, which
 * the plan may not have known.
 */
export async function toRecheckOptions(
  connection: Connection,
  runId: string,
): Promise<RecheckOptions> {
  const run = await connection.runs.read(runId);
  if (run === undefined) throw new Error(`run ${runId} is being sent and is gone`);
  const { guardLimits, allowed } = run.settings;
  const settings = toGuardSettings(guardLimits, allowed);
  const locationOf = (record: RowRecord, field: string): IssueLocation =>
    findFieldLocation(run, record, field);
  const priceUnit = await readPriceUnit(connection, run);
  return {
    before: connection.verificationLog,
    callsPerHour: () => connection.meters.pacing.knownCallsPerHour(),
    priceUnit,
    // An undo restores earlier values of the store, which no guard holds.
    guards: run.progress.undoOf === undefined ? { settings, locationOf } : undefined,
    texts: createTexts(connection, run, priceUnit),
  };
}

async function readPriceUnit(connection: Connection, { facts }: RunRecord): Promise<PriceUnit> {
  const planned = plannedPriceUnit(facts);
  if (planned !== "unknown") return planned;
  const { set, remembered } = await readPriceUnitSetting(connection);
  return set ?? remembered ?? "unknown";
}

/**
 * Creates the options for a sync. It has just been planned, so no guard runs again; and sales
 * change the stock at any time, so a changed stock holds no row.
 */
export function toFeedRecheckOptions(
  connection: Connection,
  run: RunRecord,
  { readAtMs }: FeedRecheck,
): RecheckOptions {
  const { priceUnit = "unknown" } = run.facts ?? {};
  return {
    before: connection.verificationLog,
    callsPerHour: () => connection.meters.pacing.knownCallsPerHour(),
    priceUnit,
    ignored: LEFT_TO_FEEDS,
    keptAtMs: readAtMs,
    texts: createTexts(connection, run, priceUnit),
  };
}

const LEFT_TO_FEEDS: ReadonlySet<string> = new Set(["stock_count"]);

const MONEY: ReadonlySet<string> = new Set(["price", "discount_value"]);

function createTexts(connection: Connection, run: RunRecord, priceUnit: PriceUnit): RecheckTexts {
  const readNames = createReadIdNames(connection, run);
  const format = (lang: Lang, names: IdNames, ...[{ payload }, shown]: ValueOf): string => {
    const { field, value, from } = shown;
    const isRaw = from === "store" && priceUnit === "unknown" && MONEY.has(field);
    const text = isRaw ? String(value) : formatFieldValue(field, value, { payload, lang, names });
    return text === "" || value === null ? EMPTY[lang] : text;
  };
  return {
    field: (field) => ({ tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") }),
    async value(...of) {
      const [record, { field, value, listing }] = of;
      const changes = [{ field, old: value, new: undefined }];
      const found = isIdField(field) ? await readNames({ ...record, changes }) : NO_NAMES;
      const { brand_id: brand, brand_name: name } = listing ?? {};
      const names = brand == null || name == null ? found : new Map([...found, [brand, name]]);
      return { tr: format("tr", names, ...of), en: format("en", names, ...of) };
    },
  };
}

type ValueOf = Parameters<RecheckTexts["value"]>;

const NO_NAMES: IdNames = new Map();

const EMPTY: Localized = { tr: "(boş)", en: "(empty)" };

/**
 * Creates the rechecks of a run's adds; they start from the time at which its plan read the store.
 */
export async function openAddRechecks(
  connection: Connection,
  { facts }: RunRecord,
): Promise<AddRechecks> {
  const {
    journal,
    marketplace,
    clock,
    meters: { pacing },
  } = connection;
  // Read once, so that what is known is recent.
  await pacing.callsPerHour();
  const adds = createAddRechecks({
    journal,
    marketplace,
    clock,
    codeKey,
    suspectKey: CODE_KEYS.lookAlike,
    // Three calls for each add would make an import take four times as long in a quota.
    mayAskByCode: () => pacing.knownCallsPerHour() === undefined,
  });
  if (facts?.readAt !== undefined) adds.noteRead(facts.readAt);
  return adds;
}

/** What to recheck, and the rechecks of the run. */
interface RecheckAddsOptions {
  readonly adds: AddRechecks;
  readonly recheck?: "nothing" | "adds" | undefined;
  readonly stop?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/**
 * Holds adds whose code the store shows by now, and look-alike codes. Reads the store only if that
 * is requested, if its last reading is too old, or if this database may be an older copy.
 */
export async function recheckAdds(
  {
    journal,
    marketplace,
    ...connection
  }: Pick<Connection, "journal" | "marketplace" | "clock"> & CodeNormalizations,
  { id: runId, file, settings }: WaitingRun,
  { adds, recheck = "nothing", stop: signal, onProgress }: RecheckAddsOptions,
): Promise<void> {
  // Recovery may find that this database is an older copy of a lost one.
  await journal.recover();
  // A run that the lost database may have sent is rechecked in any case.
  const isQuestioned = await journal.mustRecheck(runId);
  const [first] = await journal.readRows(runId, { states: ["ready"], action: "add", limit: 1 });
  if (first === undefined) return;
  // The reading for the plan may be old by now, for example after images were uploaded.
  if (recheck === "nothing" && !isQuestioned && adds.isFresh(first)) return;
  const isAllowed = settings?.allowsSuspectCodes === true;
  const lookAlikes = { ...ALIKE_CODES, registry: connection.codes, isAllowed };
  // The lost database may have added products before the plan of this copy was made.
  if (isQuestioned || !(await adds.recheckByDate(signal))) {
    const readAtMs = connection.clock.now();
    const how = { lookAlikes, signal, onListing: onProgress, ...(await readCodeKeys(connection)) };
    await holdAppeared({ runId, journal, marketplace, sheet: file.sheet, ...how });
    adds.noteRead(toListingReadTime({ marketplace, ...connection }, readAtMs));
  }
  await holdLookAlikes({ runId, journal, lookAlikes, sheet: file.sheet });
}

/** Returns the time of a finished reading of the store that began at `atMs`, by both clocks. */
export function toListingReadTime(
  { marketplace, clock }: Pick<Connection, "marketplace" | "clock">,
  atMs: number,
): ListingReadTime {
  const serverMs = marketplace.serverTimeMs?.();
  // The time in an answer is older than now, so the result is too early rather than too late. A
  // clock that was set back since would make it too late, so the elapsed time is never negative.
  const elapsedMs = Math.max(0, clock.now() - atMs);
  return { atMs, serverMs: serverMs === undefined ? null : serverMs - elapsedMs };
}

/**
 * Runs the price guards on a run that was planned before the unit of the listing's prices was
 * known, and returns the number of released rows.
 * - Unit known: releases the rows that were held for the unit alone, and holds those on which a
 *   guard trips; a row that something else holds too stays held, with its price compared. This happens once in a run, and again after a crash in between; a row that a
 *   person has released is not held again.
 * - Unit unknown: holds rows whose price needs it.
 * - Undo: does nothing, because an undo restores earlier values of the store.
 */
export async function recheckPriceGuards(
  connection: Connection,
  { id: runId }: RunRecord,
  signal?: AbortSignal,
): Promise<number> {
  const run = await connection.runs.read(runId);
  const facts = run?.facts ?? null;
  if (run === undefined || facts === null || plannedPriceUnit(facts) !== "unknown") return 0;
  if (run.progress.undoOf !== undefined) return 0;
  const unit = await readCurrentUnit(connection);
  const { priceUnit } = unit;
  const { journal, verificationLog } = connection;
  const { guardLimits, allowed } = run.settings;
  const options = {
    runId,
    journal,
    verificationLog,
    guards: toGuardSettings(guardLimits, allowed),
    locationOf: (record: RowRecord, field: string): IssueLocation =>
      findFieldLocation(run, record, field),
    signal,
  };
  const released = await comparePlannedPrices({ ...options, priceUnit });
  if (priceUnit === "unknown") return released;
  const warnings = run.warnings.filter(({ code }) => code !== PRICE_UNIT_WARNING);
  const known = { ...facts, ...unit, priceUnitQuestion: undefined };
  await connection.runs.update(runId, { facts: known, warnings });
  return released;
}

async function readCurrentUnit(connection: Connection): Promise<PriceUnitFacts> {
  const known = await readKnownUnit(connection.journal, await readPriceUnitSetting(connection));
  return known ?? { priceUnit: "unknown", priceUnitBy: "nothing" };
}

/**
 * Whether the price of a held row was not compared and will not be compared before it is sent: the
 * unit is unknown, the guards have run again already, or the next sync sends the row as released.
 */
export async function isPriceUncompared(
  connection: Connection,
  run: RunRecord,
  { issues }: RowRecord,
): Promise<boolean> {
  if (!issues.some(({ code }) => code === PRICE_UNIT_CODE)) return false;
  const isRecheckedLater = run.kind !== "sync" && plannedPriceUnit(run.facts) === "unknown";
  return !isRecheckedLater || (await readCurrentUnit(connection)).priceUnit === "unknown";
}

/** Counts the rows of a run that are held because the unit of prices is unknown. */
export async function countUnknownUnitRows(
  connection: Pick<Connection, "journal">,
  runId: string,
): Promise<number> {
  let rows = 0;
  for await (const held of readAllRows(connection.journal, runId, { states: ["held"] })) {
    rows += held.filter(({ issues }) => issues.some(({ code }) => code === PRICE_UNIT_CODE)).length;
  }
  return rows;
}

/** The number of unproven adds of a run, and the cause. */
export interface UnprovenAdds {
  /**
   * - `restored`: this database is an older copy, or one of two copies that are used in turns.
   * - `silent`: the run, or an earlier one that it continues, has sent nothing for more than 15
   *   minutes.
   */
  readonly cause: "restored" | "silent";
  readonly rows: number;
}

/** Asks a person whether to send the adds; they are held unless the answer is `true`. */
export type AskUnprovenAdds = (unproven: UnprovenAdds) => Promise<boolean | undefined>;

/** The question to a person, and the signal that stops the check. */
export interface HoldUnprovenAddsOptions {
  /** @default the adds are held without a question */
  readonly askUnprovenAdds?: AskUnprovenAdds | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** The members of a connection that the check uses. */
type Sender = Pick<Connection, "journal" | "marketplace" | "clock">;

/** The properties of a run that the checks before sending use. */
interface WaitingRun extends Pick<RunRecord, "id"> {
  readonly file: Pick<RunRecord["file"], "sheet">;
  readonly settings?: Pick<RunRecord["settings"], "allowsSuspectCodes"> | undefined;
}

/** Holds unproven adds unless a person has them sent. Makes no call where there are none. */
export async function holdUnprovenAdds(
  connection: Sender,
  run: WaitingRun,
  { askUnprovenAdds, stop }: HoldUnprovenAddsOptions,
): Promise<void> {
  const { cause, rows } = await findUnproven(connection, run);
  if (rows.length === 0 || (await isVisibilityProven(connection, stop))) return;
  if ((await askUnprovenAdds?.({ cause, rows: rows.length })) === true) {
    await connection.journal.acceptCopy();
    return;
  }
  stop?.throwIfAborted();
  await holdAll(connection, run, { cause, rows });
}

interface UnprovenRows {
  readonly cause: UnprovenAdds["cause"];
  readonly rows: readonly RowRecord[];
}

async function findUnproven(connection: Sender, run: WaitingRun): Promise<UnprovenRows> {
  const doubt = await connection.journal.readCopySuspicion(run.id);
  const cause = findCause(connection, doubt);
  if (cause !== undefined) {
    return { cause, rows: await readUnproven(connection, run, { ...doubt, only: undefined }) };
  }
  // An import of the same file again continues the earlier run, too.
  const only = await readSilentElsewhere(connection, run);
  const rows = only.size === 0 ? [] : await readUnproven(connection, run, { ...doubt, only });
  return { cause: "silent", rows };
}

async function holdAll(
  { journal }: Sender,
  { id: runId, file: { sheet } }: WaitingRun,
  { cause, rows }: UnprovenRows,
): Promise<void> {
  const evidence = { rule: "another copy may have sent it, and the store shows nothing", cause };
  for (const { row, code } of rows) {
    const location = { sheet, row, column: "", cell: "", value: code ?? "" };
    const issues = [toIssue("E_ADD_UNSEEN", location)];
    const key = { runId, row, from: "ready" } as const;
    await journal.recordOutcome(key, { to: "held", cause: "unseen", issues, evidence });
  }
}

function findCause(
  connection: Sender,
  { restoredSeq, lastBegun }: CopySuspicion,
): UnprovenAdds["cause"] | undefined {
  if (restoredSeq !== null) return "restored";
  return lastBegun !== null && isSilent(connection, lastBegun) ? "silent" : undefined;
}

function isSilent(
  { clock, marketplace }: Sender,
  lastBegun: NonNullable<CopySuspicion["lastBegun"]>,
): boolean {
  const serverMs = marketplace.serverTimeMs?.();
  // A clock that was set back shortens the silence, so the marketplace's time is compared, too.
  const isServerLong =
    serverMs !== undefined &&
    lastBegun.serverMs !== null &&
    serverMs - lastBegun.serverMs > SETTLE_TIME_MS;
  return isServerLong || isLong(clock.now() - lastBegun.atMs);
}

/** Reads rows whose code waits in another run that has sent nothing for more than 15 minutes. */
async function readSilentElsewhere(
  connection: Sender,
  { id: runId }: WaitingRun,
): Promise<ReadonlySet<number>> {
  const waiting = await connection.journal.readWaitingElsewhere(runId);
  const silent = waiting.filter(({ lastBegun }) => isSilent(connection, lastBegun));
  return new Set(silent.map(({ row }) => row));
}

interface UnprovenQuery extends Pick<CopySuspicion, "restoredSeq"> {
  /** @default all */
  readonly only: ReadonlySet<number> | undefined;
}

/** A negative duration comes from a clock that was set back, so it counts as long. */
const isLong = (ms: number): boolean => ms < 0 || ms > SETTLE_TIME_MS;

/** Reads ready adds that no person has lately released as unproven. */
async function readUnproven(
  connection: Sender,
  { id: runId }: WaitingRun,
  { restoredSeq, only }: UnprovenQuery,
): Promise<readonly RowRecord[]> {
  const { journal, clock } = connection;
  const isQuestioned = async ({ row }: RowRecord): Promise<boolean> => {
    if (only?.has(row) === false) return false;
    const accepted = (await journal.readEvents({ runId, row })).findLast(isAcceptedUnproven);
    if (accepted === undefined || accepted.seq < (restoredSeq ?? 0)) return true;
    return isLong(clock.now() - accepted.atMs);
  };
  const unproven: RowRecord[] = [];
  for await (const adds of readAllRows(journal, runId, { states: ["ready"], action: "add" })) {
    for (const record of adds) if (await isQuestioned(record)) unproven.push(record);
  }
  return unproven;
}

/** Whether the event is the release of an add that the store may hide. */
const isAcceptedUnproven = ({ from, to, evidence }: RowEvent): boolean =>
  from === "held" && to === "ready" && evidence["isBlindAccepted"] === true;

/**
 * Whether the store is known to show new products, so that a product it does not show is not there.
 */
async function isVisibilityProven(
  { journal, marketplace }: Sender,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return await isStoreVisible({ journal, marketplace, codeKey, signal });
}

/** Whether the row is held because another copy may have sent it. */
export const isVisibilityUnproven = ({ issues }: Pick<RowRecord, "issues">): boolean =>
  issues.some(({ code }) => code === "E_ADD_UNSEEN");
