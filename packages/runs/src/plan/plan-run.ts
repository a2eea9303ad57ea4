/**
 * Decides the stored rows of a run. It only reads from the marketplace: the stored decisions are
 * what applying the plan will send, row for row.
 */

import { setImmediate } from "node:timers/promises";

import { holdContent } from "../guards/content-watch.ts";
import { holdEmptied } from "../guards/run-guards.ts";
import { type Journal, readAllRows } from "../ports/journal.ts";
import type { ProductId, StoreProduct } from "../ports/product.ts";
import { toOvertakenIssue } from "../row/issues.ts";
import type { RowRecord, CandidateRow, RowDecision, DuplicateCode } from "../row/row-record.ts";
import { toListingReadTime } from "../send/pre-send-checks.ts";
import { describeFields } from "../send/recheck-queue.ts";
import type { RecheckTexts } from "../send/update-rechecks.ts";
import { type VerificationLog, toBeforeValues } from "../verify/verification.ts";
import {
  type PlanRules,
  createPlanChecks,
  type PlanChecks,
  decideRows,
  toSameCode,
  createSameRequest,
} from "./decide-rows.ts";
import { createAlikeRows, type HoldAlikeRows } from "./look-alikes.ts";
import type { PlanFacts } from "./plan-facts.ts";
import {
  type KnownPriceUnit,
  type AskPriceUnit,
  type PriceUnit,
  type PriceUnitFacts,
  readKnownUnit,
  createUnitQuestion,
  askForUnit,
} from "./price-unit.ts";
import { type ReadListingOptions, createWriteBehind, type WriteBehind } from "./read-listing.ts";
import {
  type RowBackground,
  type StoreBackground,
  readStoreBackground,
  readBackground,
} from "./row-background.ts";

/** Converts stored rows to candidates. */
export interface CandidateReader {
  /** Fetches and counts what the rows need; called once for each row. */
  toCandidates(rows: readonly RowRecord[]): Promise<readonly CandidateRow[]>;
  /** Reads the product id of a candidate, and nothing else; missing where no row has one. */
  readonly readProductId?: ((row: RowRecord) => ProductId | undefined) | undefined;
  /** The candidate as far as the cells alone show. */
  toDraft(row: RowRecord): CandidateRow;
}

export interface PlanRunOptions
  extends
    ReadListingOptions,
    Pick<PlanRules, "mode" | "guards" | "refused" | "nameRow" | "nameField"> {
  readonly journal: Journal;
  readonly reader: CandidateReader;
  /** The products of the store, where their reading has begun. @default they are read first */
  readonly store?: Promise<StoreBackground> | undefined;
  /** Stores the values that updates will overwrite, before the plan of the updates is stored. */
  readonly verificationLog: Pick<VerificationLog, "saveBefore">;
  /** Known unit of the listing's prices. @default none */
  readonly knownPriceUnit?: KnownPriceUnit | undefined;
  /** Asked for the unit where none is known. @default no question is asked */
  readonly askPriceUnit?: AskPriceUnit | undefined;
  /**
   * Waits between batches, so that signals are handled and progress is drawn.
   * @default one turn of the event loop
   */
  readonly yieldToLoop?: (() => Promise<void>) | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Texts for fields that were changed since the basis of a row. @default the API's names */
  readonly textsFor?: ((unit: PriceUnit) => RecheckTexts) | undefined;
  /** Called for each decision, with the one product that the store shows for its row. */
  readonly onDecided?:
    | ((decision: RowDecision, product: StoreProduct | undefined) => void)
    | undefined;
}

/** Facts of a plan whose rows are decided. */
export type DecidedRun = PriceUnitFacts &
  Required<Pick<PlanFacts, "readBy" | "unsendable">> &
  Pick<PlanFacts, "readAt">;

/**
 * Rows decided at a time, with one query each for listing, ledger and last requests. Of twice as
 * many, twice as much is copied at each collection of garbage.
 */
const BATCH_ROWS = 100;

/** Decides every parsed row of the run; decided rows stay as they are. */
export async function planRun(options: PlanRunOptions): Promise<DecidedRun> {
  const { runId, journal, mode, guards, refused, nameRow, nameField, signal } = options;
  const { yieldToLoop = setImmediate } = options;
  const store = await (options.store ?? readStore(options));
  const unit = await learnPriceUnit(options);
  const sameCode = await readSameCode(options);
  const names = { nameRow, nameField };
  const { checkUpdate } = options.marketplace;
  const checked = { guards, checkUpdate, refused };
  const rules = { priceUnit: unit.priceUnit, sameCode, mode, ...checked, ...names };
  const checks = createPlanChecks(undefined, nameRow);
  const plan = { store, rules, checks, holdAlike: createAlikeRows(options) };
  await using saving = createWriteBehind();
  let done = 0;
  for await (const rows of readAllRows(journal, runId, { states: ["parsed"] }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    await decideBatch(options, { ...plan, saving }, rows);
    done += rows.length;
    options.onProgress?.(done);
    await yieldToLoop();
  }
  await saving.end();
  signal?.throwIfAborted();
  await holdEmptied(plan.checks.stock, { runId, journal, guards });
  await holdContent(plan.checks.content, {
    runId,
    journal,
    guards,
    locationOf: (row, field) => options.reader.toDraft(row).locationOf(field),
  });
  const facts = { readBy: store.readBy, ...unit, unsendable: plan.checks.unsendable() };
  const { clock, marketplace } = options;
  if (clock === undefined || store.beganAtMs === undefined) return facts;
  return { ...facts, readAt: toListingReadTime({ marketplace, clock }, store.beganAtMs) };
}

interface ReadStoreOptions extends ReadListingOptions {
  readonly reader: Pick<CandidateReader, "readProductId">;
}

/** Reads the products of the store that the rows of the run may refer to. */
export async function readStore(options: ReadStoreOptions): Promise<StoreBackground> {
  const { journal, runId } = options;
  const total = (await journal.countRows(runId)).reduce((sum, { rows }) => sum + rows, 0);
  const readIdentities = toIdentities(options);
  return await readStoreBackground({ ...options, readIdentities }, total);
}

/** Reads how the rows that are not decided name their products; missing where all do by code. */
function toIdentities({
  runId,
  journal,
  reader: { readProductId },
}: ReadStoreOptions): ReadListingOptions["readIdentities"] {
  if (readProductId === undefined) return undefined;
  return async function* readIdentities() {
    for await (const rows of readAllRows(journal, runId, { states: ["parsed"] }, BATCH_ROWS)) {
      yield rows.map((row) => {
        const { code, codeKey } = row;
        return { code, codeKey, productId: readProductId(row) ?? null };
      });
    }
  };
}

interface OpenPlan {
  readonly store: StoreBackground;
  readonly rules: PlanRules;
  readonly checks: PlanChecks;
  readonly holdAlike: HoldAlikeRows;
  /** No row is read, or read about, that depends on the decisions which are being stored. */
  readonly saving: WriteBehind;
}

/**
 * Decides and stores a batch of rows. It is a function of its own, because a loop that awaits keeps
 * the values of its last pass: the garbage collector would move every batch once more, which cost
 * 40 us a row (row 1 of `test/bench`).
 */
async function decideBatch(
  options: PlanRunOptions,
  { store, rules, checks, holdAlike, saving }: OpenPlan,
  rows: readonly RowRecord[],
): Promise<void> {
  const { runId, journal, reader, verificationLog } = options;
  const candidates = await reader.toCandidates(rows);
  const background = await readBackground(options, store, candidates);
  const checked = checks.check(candidates, decideRows(candidates, background, rules));
  const single = await holdAlike(candidates, checked);
  const texts = options.textsFor?.(rules.priceUnit);
  const decisions = await explainOvertaken(single, { rows, candidates, background }, texts);
  for (const [index, decision] of decisions.entries()) {
    const candidate = candidates[index];
    const [listed] = candidate === undefined ? [] : background.seenOf(candidate);
    options.onDecided?.(decision, listed?.product);
  }
  const before = toBeforeValues(candidates, decisions, background);
  await saving.start(async () => {
    await verificationLog.saveBefore(runId, before);
    await journal.saveDecisions(runId, decisions);
  });
}

interface DecidedBatch {
  readonly rows: readonly RowRecord[];
  readonly candidates: readonly CandidateRow[];
  readonly background: RowBackground;
}

/** Says of rows that are held for it what was changed in the store since their basis. */
async function explainOvertaken(
  decisions: readonly RowDecision[],
  { rows, candidates, background }: DecidedBatch,
  texts: RecheckTexts | undefined,
): Promise<readonly RowDecision[]> {
  const explained: RowDecision[] = [];
  for (const [index, decision] of decisions.entries()) {
    const [row, candidate] = [rows[index], candidates[index]];
    const { state, overtaken: fields = [], issues, productId } = decision;
    if (state !== "held" || fields.length === 0 || row === undefined || candidate === undefined) {
      explained.push(decision);
      continue;
    }
    const seen = background.seenOf(candidate).find(({ product }) => product.id === productId);
    const changed = { fields, before: seen?.product, since: "basis" } as const;
    const record: RowRecord = { ...row, ...decision };
    const differences = await describeFields(record, changed, texts);
    const issue = toOvertakenIssue(candidate.codeLocation, differences);
    explained.push({ ...decision, issues: [issue, ...issues] });
  }
  return explained;
}

/** Rows of a file read for a question about the unit of prices. */
const MAX_QUESTION_ROWS = 2_000;

/** Learns the unit from the listing, which has been read before. */
async function learnPriceUnit(options: PlanRunOptions): Promise<PriceUnitFacts> {
  const { runId, journal, reader, signal } = options;
  const known = await readKnownUnit(journal, options.knownPriceUnit ?? {});
  if (known !== undefined) return known;
  const question = createUnitQuestion();
  let checked = 0;
  for await (const rows of readAllRows(journal, runId, { states: ["parsed"] }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    const codeKeys = rows.map(({ codeKey }) => codeKey).filter((key) => key !== null);
    const seen = await journal.readSeenByCode(codeKeys);
    for (const { row, product } of question.pair(rows, seen)) {
      question.note(reader.toDraft(row).changes.price, product);
    }
    checked += rows.length;
    if (checked >= MAX_QUESTION_ROWS) break;
  }
  return await askForUnit(question.question(), options.askPriceUnit);
}

/** Rows that must not be sent because of duplicate codes, each with all rows of its code. */
async function readSameCode(options: PlanRunOptions): Promise<PlanRules["sameCode"]> {
  const judged: DuplicateCode[] = [];
  for (const { rows, identical } of await options.journal.readDuplicates(options.runId)) {
    judged.push({ rows, identical: identical || (await askForTheSame(options, rows)) });
  }
  return toSameCode(judged);
}

async function askForTheSame(
  { runId, journal, reader }: PlanRunOptions,
  rows: readonly number[],
): Promise<boolean> {
  const isSame = createSameRequest();
  for (const row of rows) {
    const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
    if (record?.row !== row || !isSame(reader.toDraft(record))) return false;
  }
  return true;
}
