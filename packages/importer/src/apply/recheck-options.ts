/** How the updates of a run are looked at before they leave: its guards, and its words for people. */

import { fieldWord, recallPriceUnit, type Toolkit } from "@catalog/connection";
import { type Lang, type Localized } from "@catalog/i18n";
import { formatFieldValue, placeOfField } from "@catalog/report";
import {
  type IssuePlace,
  type LookOptions,
  type LookWords,
  plannedPriceUnit,
  type PriceUnit,
  type RowRecord,
  type RunRecord,
  toGuardSettings,
} from "@catalog/runs";

/** What a feed has looked at for its plan. */
export interface FeedLook {
  /** When it began to read the products that it is about to change. */
  readonly readAtMs: number;
}

/** For any run but a feed's. The unit of prices may have been found out since it was planned. */
export async function toLook(toolkit: Toolkit, runId: string): Promise<LookOptions> {
  const run = await toolkit.runLog.read(runId);
  if (run === undefined) throw new Error(`run ${runId} is being sent and is gone`);
  const { guardLimits, allowed } = run.settings;
  const settings = toGuardSettings(guardLimits, allowed);
  const placeOf = (record: RowRecord, field: string): IssuePlace =>
    placeOfField(run, record, field);
  const priceUnit = await readPriceUnit(toolkit, run);
  return {
    before: toolkit.readBack,
    priceUnit,
    // An undo restores what the store itself had.
    guards: run.progress.undoOf === undefined ? { settings, placeOf } : undefined,
    words: createWords(priceUnit),
  };
}

async function readPriceUnit(toolkit: Toolkit, { facts }: RunRecord): Promise<PriceUnit> {
  const planned = plannedPriceUnit(facts);
  if (planned !== "unknown") return planned;
  const { set, remembered } = await recallPriceUnit(toolkit);
  return set ?? remembered ?? "unknown";
}

/**
 * For a feed, which is planned and sent in one go: its guards have just been asked, and what sales do
 * to the stock is no reason to hold it.
 */
export function toFeedLook(
  toolkit: Pick<Toolkit, "readBack">,
  { facts }: RunRecord,
  { readAtMs }: FeedLook,
): LookOptions {
  const { priceUnit = "unknown" } = facts ?? {};
  return {
    before: toolkit.readBack,
    priceUnit,
    ignored: LEFT_TO_FEEDS,
    keptAtMs: readAtMs,
    words: createWords(priceUnit),
  };
}

const LEFT_TO_FEEDS: ReadonlySet<string> = new Set(["stock_count"]);

const MONEY: ReadonlySet<string> = new Set(["price", "discount_value"]);

function createWords(priceUnit: PriceUnit): LookWords {
  const format = (lang: Lang, ...[{ payload }, shown]: ValueOf): string => {
    const { field, value, from } = shown;
    const isRaw = from === "store" && priceUnit === "unknown" && MONEY.has(field);
    const text = isRaw ? String(value) : formatFieldValue(field, value, { payload, lang });
    return text === "" || value === null ? EMPTY[lang] : text;
  };
  return {
    field: (field) => ({ tr: fieldWord(field, "tr"), en: fieldWord(field, "en") }),
    value: (...of) => ({ tr: format("tr", ...of), en: format("en", ...of) }),
  };
}

type ValueOf = Parameters<LookWords["value"]>;

const EMPTY: Localized = { tr: "(boş)", en: "(empty)" };
