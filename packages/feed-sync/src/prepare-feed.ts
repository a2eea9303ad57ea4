/** Reads a feed, accepts or refuses it as a whole, and compares it with the store. */

import { rememberPriceUnit, type Toolkit } from "@catalog/connection";
import { noteRefused, readRefused, type Releases, rememberNotations } from "@catalog/importer";
import { codeKey, suspectCodeKey } from "@catalog/mapping";
import {
  type GuardSettings,
  judgeFeed,
  type PriceUnit,
  readCodeWay,
  type RunWarning,
  type StockCounts,
  toGuardSettings,
} from "@catalog/runs";

import { type FeedNote, saveStoreNote, type StoreNote } from "./feed-state.ts";
import { warnOfPlan } from "./feed-warnings.ts";
import { type FeedFile } from "./file/feed-file.ts";
import { openFeed, type OpenedFeed } from "./file/open-feed.ts";
import { createFreshProducts, type FreshProducts } from "./fresh-products.ts";
import { type FeedPlan, planFeed } from "./plan-feed.ts";
import { sweepStore } from "./refresh-listing.ts";
import { refuse } from "./refuse-feed.ts";
import { type FeedSurvey, surveyFeed } from "./scan-feed.ts";
import { type SyncFeedOptions } from "./sync-feed.ts";

/** What is known before the feed is read. */
export interface FeedInput {
  readonly file: FeedFile;
  /** State of the feed after the last sync that accepted it. */
  readonly last: FeedNote | undefined;
  readonly store: StoreNote;
  /** Whether the whole listing is to be read. */
  readonly isDue: boolean;
  readonly releases: Releases;
}

/** A feed that was read, accepted and compared. It is closed. */
export interface PreparedFeed {
  readonly feed: Pick<OpenedFeed, "kind" | "endsWithBreak"> & {
    readonly sheet: Pick<OpenedFeed["sheet"], "sheet" | "header">;
  };
  readonly rows: number;
  readonly plan: FeedPlan;
  /** Warnings about the whole feed. */
  readonly warnings: readonly RunWarning[];
  readonly store: StoreNote;
  /** Number of products read with the whole listing; `undefined` where it was not read. */
  readonly reconciled: number | undefined;
  readonly fresh: FreshProducts;
}

/** Throws `ToolkitError` `E_FEED_…` for a feed that is refused. */
export async function prepareFeed(
  tools: Toolkit,
  options: SyncFeedOptions,
  fetched: FeedInput,
): Promise<PreparedFeed> {
  const { file, releases } = fetched;
  const { stop: signal } = options;
  const reading = { ...options.reading, signal };
  await using feed = await openFeed(file, reading);
  const survey = await surveyFeed(tools, feed, reading);
  const guards = toGuardSettings(tools.guardLimits, options.allowed);
  const judge = createFeedJudge(tools, { options, fetched, feed, survey, guards });
  // Before the listing is read, so that a refused feed makes no call.
  judge();

  const { store, reconciled } = await refreshStore(tools, options, fetched);
  const said = options.priceUnit ?? tools.priceUnit;
  const priceUnit: PriceUnit = said ?? store.priceUnit;
  const refused = await readRefused(tools, options.tryRefused);
  const { sweep, reconciledAtMs: sweptAtMs } = store;
  const fresh = createFreshProducts(tools, { sweep, priceUnit, sweptAtMs, signal });
  const way = await readCodeWay({ book: tools.codes, suspectKey: suspectCodeKey }, codeKey);
  const { feeds, notes } = tools.memory;
  const known = { feeds, way, priceUnit, fresh, releases };
  const plan = await planFeed({ feed, survey, guards, refused, signal, ...known });
  judge(plan.stock);
  file.assertSame();
  if (said !== undefined) await rememberPriceUnit(tools, said, "person");
  // An accepted feed is sent without a question, so its columns are recorded at once.
  const headers = feed.mapping.columns.map(({ header }) => header);
  await rememberNotations({ notes, baseUrl: tools.baseUrl }, headers, survey.notations.columns);
  const warnings = warnOfPlan(plan, noteRefused(feed.mapping, refused));
  const { rows } = survey;
  return { feed, rows, plan, warnings, store: { ...store, priceUnit }, reconciled, fresh };
}

interface FeedJudgeOptions {
  readonly options: Pick<SyncFeedOptions, "maxAgeMs">;
  readonly fetched: Pick<FeedInput, "file" | "last">;
  readonly feed: Pick<OpenedFeed, "endsWithBreak">;
  readonly survey: Pick<FeedSurvey, "rows" | "endsShort">;
  readonly guards: GuardSettings;
}

/** Refuses a feed by its own figures, and by its stocks once it is planned. */
function createFeedJudge(
  { clock }: Pick<Toolkit, "clock">,
  { options: { maxAgeMs }, fetched: { file, last }, feed, survey, guards }: FeedJudgeOptions,
): (stock?: StockCounts) => void {
  const isCutOff = !feed.endsWithBreak && (last?.endsWithBreak === true || survey.endsShort);
  const ageMs = file.modifiedMs === undefined ? undefined : clock.now() - file.modifiedMs;
  const facts = { rows: survey.rows, lastRows: last?.rows, ageMs, maxAgeMs, isCutOff };
  return (stock = { rows: 0, emptied: 0 }) => {
    const judged = { ...facts, stock };
    refuse(judgeFeed(judged, guards), { ...judged, file });
  };
}

/** Reads the whole listing where that is due. */
async function refreshStore(
  tools: Toolkit,
  { stop: signal, onEvent }: SyncFeedOptions,
  { store, isDue }: FeedInput,
): Promise<Pick<PreparedFeed, "store" | "reconciled">> {
  if (!isDue) return { store, reconciled: undefined };
  const reconciledAtMs = tools.clock.now();
  const { products, sweep, priceUnit } = await sweepStore(tools, {
    priceUnit: store.priceUnit,
    signal,
    onProgress: (read) => onEvent?.({ event: "reading-store", products: read }),
  });
  if (priceUnit !== store.priceUnit) await rememberPriceUnit(tools, priceUnit, "sent");
  const note = { reconciledAtMs, priceUnit, sweep };
  saveStoreNote(tools.memory.feeds, note);
  return { store: note, reconciled: products };
}
