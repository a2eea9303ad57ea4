/** The options by which a run rechecks its updates: guards, price unit and texts. */

import { fieldLabel, readPriceUnitSetting, type Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import {
  createReadIdNames,
  findFieldLocation,
  formatFieldValue,
  type IdNames,
  isIdField,
} from "@catalog/report";
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
