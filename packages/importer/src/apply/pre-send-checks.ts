/**
 * What a run rechecks before and while its rows are sent: the adds whose codes the store may show by
 * now, and the price guards that had to wait for the unit of prices.
 */

import { type Connection, fieldLabel, readPriceUnitSetting } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { createReadIdNames, findFieldLocation, formatFieldValue, isIdField } from "@catalog/report";
import {
  type IssueLocation,
  type PriceUnit,
  type RecheckOptions,
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
 * Reads how the updates of a run are rechecked. For a run that is no sync, the unit of prices is the
 * one that is known now, which the plan may not have known. A sync has just been planned, so no
 * guard runs again; and sales change the stock at any time, so a changed stock holds no row.
 */
export async function readRecheckOptions(
  connection: Connection,
  { id }: RunRecord,
  feed: FeedRecheck | undefined,
): Promise<RecheckOptions> {
  const run = await connection.runs.read(id);
  if (run === undefined) throw new Error(`run ${id} is being sent and is gone`);
  const priceUnit = await readPriceUnit(connection, run, feed);
  const shared = {
    before: connection.verificationLog,
    callsPerHour: () => connection.meters.pacing.knownCallsPerHour(),
    priceUnit,
    texts: createTexts(connection, run, priceUnit),
  };
  if (feed !== undefined) return { ...shared, ignored: LEFT_TO_FEEDS, keptAtMs: feed.readAtMs };
  const { guardLimits, allowed } = run.settings;
  const settings = toGuardSettings(guardLimits, allowed);
  const locationOf = (record: RowRecord, field: string): IssueLocation =>
    findFieldLocation(run, record, field);
  // An undo restores earlier values of the store, which no guard holds.
  const isUndo = run.progress.undoOf !== undefined;
  return { ...shared, guards: isUndo ? undefined : { settings, locationOf } };
}

async function readPriceUnit(
  connection: Connection,
  { facts }: RunRecord,
  feed: FeedRecheck | undefined,
): Promise<PriceUnit> {
  const { priceUnit = "unknown" } = facts ?? {};
  if (priceUnit !== "unknown" || feed !== undefined) return priceUnit;
  const { set, remembered } = await readPriceUnitSetting(connection);
  return set ?? remembered ?? "unknown";
}

const LEFT_TO_FEEDS: ReadonlySet<string> = new Set(["stock_count"]);

const MONEY: ReadonlySet<string> = new Set(["price", "discount_value"]);

function createTexts(connection: Connection, run: RunRecord, priceUnit: PriceUnit): Texts {
  const readNames = createReadIdNames(connection, run);
  const format = (
    lang: Lang,
    names: ReadonlyMap<string, string>,
    ...[{ payload }, shown]: ValueOf
  ): string => {
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

type Texts = NonNullable<RecheckOptions["texts"]>;
type ValueOf = Parameters<Texts["value"]>;

const NO_NAMES: ReadonlyMap<string, string> = new Map();

const EMPTY: Localized = { tr: "(boş)", en: "(empty)" };
