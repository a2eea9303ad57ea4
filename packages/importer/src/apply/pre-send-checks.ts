/**
 * What a run rechecks before and while its rows are sent: the adds whose codes the store may show by
 * now, and the price guards that had to wait for the unit of prices.
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
  createAddRechecks,
  type IssueLocation,
  plannedPriceUnit,
  PRICE_UNIT_CODE,
  type PriceUnit,
  type PriceUnitFacts,
  readAllRows,
  readKnownUnit,
  type RecheckOptions,
  type RecheckTexts,
  type RowRecord,
  type RunRecord,
  toGuardSettings,
} from "@catalog/runs";

import { PRICE_UNIT_WARNING } from "../plan/price-unit-texts.ts";

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
