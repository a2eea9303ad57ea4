/** How the updates of a run are looked at before they leave: its guards, and its words for people. */

import { fieldLabel, readPriceUnitSetting, type Connection } from "@catalog/connection";
import { type Lang, type Localized } from "@catalog/i18n";
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

/** What a feed has looked at for its plan. */
export interface FeedRecheck {
  /** When it began to read the products that it is about to change. */
  readonly readAtMs: number;
}

/** For any run but a feed's. The unit of prices may have been found out since it was planned. */
export async function toRecheckOptions(
  connection: Connection,
  runId: string,
): Promise<RecheckOptions> {
  const run = await connection.runLog.read(runId);
  if (run === undefined) throw new Error(`run ${runId} is being sent and is gone`);
  const { guardLimits, allowed } = run.settings;
  const settings = toGuardSettings(guardLimits, allowed);
  const locationOf = (record: RowRecord, field: string): IssueLocation =>
    findFieldLocation(run, record, field);
  const priceUnit = await readPriceUnit(connection, run);
  return {
    before: connection.verificationLog,
    priceUnit,
    // An undo restores what the store itself had.
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
 * For a feed, which is planned and sent in one go: its guards have just been asked, and what sales do
 * to the stock is no reason to hold it.
 */
export function toFeedRecheckOptions(
  connection: Pick<Connection, "verificationLog">,
  { facts }: RunRecord,
  { readAtMs }: FeedRecheck,
): RecheckOptions {
  const { priceUnit = "unknown" } = facts ?? {};
  return {
    before: connection.verificationLog,
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
