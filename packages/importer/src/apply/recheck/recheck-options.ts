/** The options by which a run rechecks its updates: guards, price unit and texts. */

import { fieldLabel, readPriceUnitSetting, type Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { formatFieldValue, findFieldLocation } from "@catalog/report";
import {
  type IssueLocation,
  type RecheckOptions,
  type RecheckTexts,
  plannedPriceUnit,
  type PriceUnit,
  type RowRecord,
  type RunRecord,
  toGuardSettings,
} from "@catalog/runs";

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
    callsPerHour: () => connection.meters.pacing.callsPerHour(),
    priceUnit,
    // An undo restores earlier values of the store, which no guard holds.
    guards: run.progress.undoOf === undefined ? { settings, locationOf } : undefined,
    texts: createTexts(priceUnit),
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
  connection: Pick<Connection, "verificationLog" | "meters">,
  { facts }: RunRecord,
  { readAtMs }: FeedRecheck,
): RecheckOptions {
  const { priceUnit = "unknown" } = facts ?? {};
  return {
    before: connection.verificationLog,
    callsPerHour: () => connection.meters.pacing.callsPerHour(),
    priceUnit,
    ignored: LEFT_TO_FEEDS,
    keptAtMs: readAtMs,
    texts: createTexts(priceUnit),
  };
}

const LEFT_TO_FEEDS: ReadonlySet<string> = new Set(["stock_count"]);

const MONEY: ReadonlySet<string> = new Set(["price", "discount_value"]);

function createTexts(priceUnit: PriceUnit): RecheckTexts {
  const format = (lang: Lang, ...[{ payload }, shown]: ValueOf): string => {
    const { field, value, from } = shown;
    const isRaw = from === "store" && priceUnit === "unknown" && MONEY.has(field);
    const text = isRaw ? String(value) : formatFieldValue(field, value, { payload, lang });
    return text === "" || value === null ? EMPTY[lang] : text;
  };
  return {
    field: (field) => ({ tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") }),
    value: (...of) => ({ tr: format("tr", ...of), en: format("en", ...of) }),
  };
}

type ValueOf = Parameters<RecheckTexts["value"]>;

const EMPTY: Localized = { tr: "(boş)", en: "(empty)" };
