/**
 * What a run rechecks before and while its rows are sent: the adds whose codes the store may show by
 * now, and the price guards that had to wait for the unit of prices.
 */

import { type Connection, fieldLabel, priceUnitOf } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { createReadFieldTexts, findFieldLocation } from "@catalog/report";
import {
  type PriceUnit,
  type RowRecord,
  type RunRecord,
  toGuardSettings,
  type applyRun,
} from "@catalog/runs";

type RecheckOptions = Exclude<
  Parameters<typeof applyRun>[0]["recheck"],
  (...args: never) => unknown
>;

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
    texts: createRecheckTexts(connection, run, priceUnit),
  };
  if (feed !== undefined) return { ...shared, ignored: LEFT_TO_FEEDS, keptAtMs: feed.readAtMs };
  const { guardLimits, allowed } = run.settings;
  const settings = toGuardSettings(guardLimits, allowed);
  const locationOf = (record: RowRecord, field: string) => findFieldLocation(run, record, field);
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
  const { set, remembered } = await priceUnitOf(connection).known();
  return set ?? remembered ?? "unknown";
}

const LEFT_TO_FEEDS: ReadonlySet<string> = new Set(["stock_count"]);

const MONEY: ReadonlySet<string> = new Set(["price", "discount_value"]);

/** Creates the texts for fields that others have changed, and their values. Makes no call. */
export function createRecheckTexts(
  connection: Connection,
  run: Pick<RunRecord, "id" | "facts" | "progress">,
  priceUnit: PriceUnit,
): Texts {
  const readTexts = createReadFieldTexts(connection, run);
  return {
    field: (field) => ({ tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") }),
    async value(record, { field, value, from, listing }) {
      const changes = [{ field, old: value, new: undefined }];
      const { brand_id: brand, brand_name: name } = listing ?? {};
      const names = new Map(brand == null || name == null ? [] : [[brand, name]]);
      const texts = await readTexts({ ...record, changes }, { names });
      const isRaw = from === "store" && priceUnit === "unknown" && MONEY.has(field);
      const format = (lang: Lang): string => {
        const text = isRaw ? String(value) : texts.sent(record, field, value, lang);
        return text === "" || value === null ? EMPTY[lang] : text;
      };
      return { tr: format("tr"), en: format("en") };
    },
  };
}

type Texts = NonNullable<RecheckOptions["texts"]>;

const EMPTY: Localized = { tr: "(boş)", en: "(empty)" };
