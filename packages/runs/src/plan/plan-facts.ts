/** The facts of a planned run: what applying it does, what it costs, and how its file was understood. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";

import { isOfUnknownUnit } from "../guards/guard-issue.ts";
import { sendsStock } from "../guards/stock-first.ts";
import { type Journal, readAllRows } from "../ports/journal.ts";
import { judgeVisibility } from "../reconcile/visibility.ts";
import { type Counts, type StateCount, toCounts, type WriteAction } from "../row/row-state.ts";
import type { ListingReadTime } from "../send/add-rechecks.ts";
import {
  countAddRecheckCalls,
  countUpdateRecheckCalls,
  countVerifyCalls,
} from "../send/recheck-limits.ts";
import type { Capability } from "../verify/capability.ts";
import type { UnsendableFields } from "./decide-rows.ts";
import type { PriceUnitFacts } from "./price-unit.ts";

/** Facts about a run that is planned; stored with it. */
export interface PlanFacts extends PriceUnitFacts {
  /** How the store's products were read. */
  readonly readBy: "listing" | "lookups";
  readonly planned: PlannedCounts;
  /** When the store was read for the plan; syncs and undos look at it anew. */
  readonly readAt?: ListingReadTime;
  /** What the store does not accept. @default not looked at, in undos */
  readonly unsendable?: UnsendableFields;
  /** Rows that a sync counts and does not store. @default none, as in all other runs */
  readonly notStored?: NotStoredRows;
  /** What reading back had taught by then. @default nothing */
  readonly capabilities?: readonly Capability[];
  /**
   * Values that the marketplace drops along with the change of a row that does not name them, by the
   * row's number; an undo sends them. @default none
   */
  readonly lost?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** How the file was understood; missing where the run has none. */
  readonly reading?: PlanReading;
}

/**
 * Rows of a feed of which nothing is stored but their number: those without a change, those that
 * are skipped, and all rows of a dry run whose plan is that of an earlier one.
 */
type NotStoredRows = Pick<Counts, "unchanged" | "skipped"> &
  Partial<Pick<Counts, "pending" | "held" | "invalid" | "duplicate">>;

/** What applying the plan does, and what it costs. */
interface PlannedCounts extends PlannedRows {
  /** Calls of applying the plan without errors. */
  readonly requests: number;
  /** Estimated duration of these calls in seconds, from the calls made while planning. */
  readonly seconds: number;
}

/** Counts of the stored decisions of a run. */
interface PlannedRows {
  readonly add: number;
  readonly update: number;
  readonly unchanged: number;
  readonly invalid: number;
  readonly duplicate: number;
  readonly held: number;
  /** Rows among the held ones whose stock is sent all the same. @default 0 */
  readonly stock?: number;
}

/** The planned run, and what the cost of applying it depends on. */
interface CountPlanOptions {
  readonly runId: string;
  readonly journal: Pick<Journal, "readRows" | "countRows" | "readLagSamples">;
  /** Estimates how long so many calls take, in seconds; `alone` of them go one at a time. */
  readonly estimate: (calls: number, pace: { readonly alone: number }) => Promise<number>;
  /** Calls an hour that are allowed. @default unlimited */
  readonly callsPerHour?: number | undefined;
  /** Whether sent rows are read back, which takes calls. @default false */
  readonly isVerified?: boolean | undefined;
  /** Number of rows that are sent first and read back on their own. @default none */
  readonly canary?: number | undefined;
}

/** The counts and costs of a plan. */
interface CountedPlan {
  readonly planned: PlannedCounts & Required<Pick<PlannedRows, "stock">>;
  /** Adds that go one at a time, because the store has not shown any that were sent before. */
  readonly alone: number;
  /** Rows that are held because the unit of prices is unknown. */
  readonly unknownUnit: number;
}

/** Counts what applying a plan does, and estimates what it costs. Makes no call. */
export async function countPlan(options: CountPlanOptions): Promise<CountedPlan> {
  const { runId, journal, estimate } = options;
  const rows = countPlanned(await journal.countRows(runId));
  const { stock, unknownUnit } = await countHeldUpdates({ journal, runId });
  const { verdict, samples } = judgeVisibility(await journal.readLagSamples());
  const alone = samples > 0 && verdict !== "visible" ? rows.add : 0;
  const addSeconds = await estimate(rows.add, { alone });
  const requests = countPlannedCalls({ ...rows, stock }, { ...options, addSeconds });
  const seconds = await estimate(requests, { alone });
  return { planned: { ...rows, stock, requests, seconds }, alone, unknownUnit };
}

/** Counts held updates whose stock is sent all the same, and held rows that wait for a unit. */
async function countHeldUpdates({
  journal,
  runId,
}: Pick<CountPlanOptions, "journal" | "runId">): Promise<{ stock: number; unknownUnit: number }> {
  const counts = { stock: 0, unknownUnit: 0 };
  for await (const held of readAllRows(journal, runId, { states: ["held"] })) {
    counts.stock += held.filter(sendsStock).length;
    counts.unknownUnit += held.filter(isOfUnknownUnit).length;
  }
  return counts;
}

/** Sums the rows of a run by state and action. */
export function countPlanned(states: readonly StateCount[]): PlannedRows {
  const ready = (action: WriteAction): number =>
    states
      .filter((count) => count.state === "ready" && count.action === action)
      .reduce((sum, { rows }) => sum + rows, 0);
  const { unchanged, invalid, duplicate, held } = toCounts(states);
  return { add: ready("add"), update: ready("update"), unchanged, invalid, duplicate, held };
}

export interface PlannedCallsOptions extends Pick<
  CountPlanOptions,
  "callsPerHour" | "isVerified" | "canary"
> {
  /** How long the adds take, in seconds. */
  readonly addSeconds: number;
}

/** Returns the number of calls of applying the plan without errors. */
export function countPlannedCalls(
  { add, update: whole, stock = 0 }: Pick<PlannedRows, "add" | "update" | "stock">,
  { addSeconds, callsPerHour, isVerified = false, canary = 0 }: PlannedCallsOptions,
): number {
  const update = whole + stock;
  const first = Math.min(canary, add + update);
  // A row whose price waits is read back once that is sent.
  const rest = isVerified ? Math.max(0, add + whole - first) : 0;
  const lookups =
    countUpdateRecheckCalls(update, callsPerHour) + countAddRecheckCalls(add, addSeconds);
  return add + update + lookups + countVerifyCalls(first) + countVerifyCalls(rest);
}

/** How a file was understood, for a person to check before accepting the plan. */
interface PlanReading {
  /** One line each: how prices are read, which rules and which profile were used. */
  readonly notes: readonly Localized[];
  /** Texts that match no name or several names, each once for all its rows. */
  readonly openNames: readonly OpenNameCount[];
  /** The columns, which are remembered once the plan is accepted. */
  readonly columns: ColumnReading;
}

/** A text whose meaning a person has to choose. */
export interface OpenNameCount {
  /** A field key, or `property:` and the name of a property. */
  readonly field: string;
  /** The header of its column. */
  readonly column: string;
  readonly value: string;
  /** Possible meanings, best first: those of the suggestions, then further ones. */
  readonly choices: readonly string[];
  readonly rows: number;
  /** Titles of different rows that have the text, at most two. */
  readonly titles: readonly string[];
  /** At most three, best first. None is ever applied without a person. */
  readonly suggestions: readonly NameSuggestion[];
  /** Number of lists that lack the name, one for each category. @default the store has one list */
  readonly lists?: number;
}

/** A meaning that a text may have, and what speaks for it. */
export interface NameSuggestion {
  /** As an answer names it: the path of a category, or a name. */
  readonly target: string;
  /** `null` where the target is found by its text alone. */
  readonly targetId: string | null;
  readonly why: SuggestionReason;
  /** How many of the lists that lack the name have the meaning. @default all of them */
  readonly coverage?: NameCoverage | undefined;
}

/** The part of the lists of a name, one for each category, that have a meaning. */
export interface NameCoverage {
  readonly lists: number;
  readonly of: number;
}

/** What speaks for a suggestion, strongest first. */
export type SuggestionReason =
  /** A person answered so for the files of another source. */
  | { readonly kind: "answer"; readonly source: string | null }
  /**
   * So many of the products that the marketplace found, or that are nearest in the store, have this
   * meaning.
   */
  | { readonly kind: "market" | "store"; readonly similar: number; readonly of: number }
  /** Words of the text stand in the name or above it. */
  | { readonly kind: "words" }
  /** Only words of its rows' titles stand in the name. */
  | { readonly kind: "titles" };

/** How the columns of a file were read. */
export interface ColumnReading {
  /** The name of the profile to save, as the person chose it. */
  readonly profile: string | null;
  /** Header to field key, `property:NAME`, or `-`; all columns, or only those chosen by hand. */
  readonly columns: Readonly<Record<string, string>>;
  /** The headers among `columns` that a person chose. */
  readonly chosen: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly decimal: "comma" | "point" | null;
  /**
   * Field key of each column in the order of the file, `property:NAME`, `-` for one that is not sent,
   * `variants` for one that tells variants apart, or `?` for one that is not known.
   */
  readonly used?: readonly string[];
}

/**
 * Adds the rows that a sync counts and does not store to the counts of its stored rows, so that all
 * commands show the same number. The counts of every other run are returned as they are.
 */
export function countFileRows(
  { kind, facts }: { readonly kind: string; readonly facts: PlanFacts | null },
  counts: Counts,
): Counts {
  if (kind !== "sync" || facts === null) return counts;
  const left: NotStoredRows = facts.notStored ?? {
    unchanged: Math.max(0, facts.planned.unchanged - counts.unchanged),
    skipped: facts.unsendable?.rows ?? 0,
  };
  const { unchanged, skipped, pending = 0, held = 0, invalid = 0, duplicate = 0 } = left;
  return {
    ...counts,
    rows: counts.rows + unchanged + skipped + pending + held + invalid + duplicate,
    unchanged: counts.unchanged + unchanged,
    skipped: counts.skipped + skipped,
    pending: counts.pending + pending,
    held: counts.held + held,
    invalid: counts.invalid + invalid,
    duplicate: counts.duplicate + duplicate,
  };
}

/** Says what speaks for a suggestion, and in how many categories it is not, to a person. */
export function describeSuggestion({
  why,
  coverage,
}: Pick<NameSuggestion, "why" | "coverage">): Localized {
  const reason = describeReason(why);
  if (coverage === undefined) return reason;
  const [lists, of] = [coverage.lists, coverage.of].map((count) => formatNumber(count, "tr"));
  const [some, all] = [coverage.lists, coverage.of].map((count) => formatNumber(count, "en"));
  return {
    tr: `${reason.tr}; ${of} kategoriden ${lists} tanesinde var`,
    en: `${reason.en}; in ${some} of ${all} categories`,
  };
}

function describeReason(why: SuggestionReason): Localized {
  if (why.kind === "words") return { tr: "Adı benziyor", en: "Its name is alike" };
  if (why.kind === "titles") {
    return {
      tr: "Örnek ürünlerin başlıkları benziyor",
      en: "Titles of its products are alike",
    };
  }
  if (why.kind === "answer") return describeAnswer(why.source);
  const count = (lang: Lang) => [why.similar, why.of].map((value) => formatNumber(value, lang));
  const [similar, of] = count("tr");
  const [some, all] = count("en");
  return why.kind === "market"
    ? {
        tr: `Pazaryerindeki ${of} benzer üründen ${similar} tanesi burada`,
        en: `${some} of ${all} similar products on the marketplace`,
      }
    : {
        tr: `Mağazanızdaki ${of} benzer üründen ${similar} tanesi burada`,
        en: `${some} of the ${all} most similar products in your store`,
      };
}

const describeAnswer = (source: string | null): Localized =>
  source === null
    ? { tr: "Daha önce böyle yanıtladınız", en: "Your earlier answer" }
    : {
        tr: `${source} dosyaları için böyle yanıtladınız`,
        en: `Your answer for files of ${source}`,
      };
