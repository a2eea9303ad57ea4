/**
 * Reconciles rows whose request may or may not have been carried out, by looking them up in the
 * store. An add is sent again only where the marketplace had refused it or the caller chose
 * `resend`, and no lookup has found it; an update sets absolute values, so it may be sent again.
 */

import { type Clock } from "@catalog/clock";

import { toAsked } from "../plan/codes/code-normalization.ts";
import { type Journal } from "../ports/journal.ts";
import { type Marketplace } from "../ports/marketplace.ts";
import { type Cause } from "../row/cause.ts";
import { type FindingCode, toIssue } from "../row/issue-texts.ts";
import { type Settlement } from "../row/row-outcome.ts";
import { type RowKey, type RowRecord } from "../row/row-record.ts";
import { type RowState } from "../row/row-state.ts";
import {
  decideAbsence,
  type Doubt,
  isProvenAbsent,
  NOT_LOOKED,
  proofWindowMs,
  PROVEN,
  QUIET_MS,
  toDoubt,
  type UnknownPolicy,
} from "./decide-absent.ts";
import { lookUp } from "./find-lost-adds.ts";
import { type CodeKeys, judgeMatch, type Match } from "./match-product.ts";
import { readVisibility } from "./read-visibility.ts";
import { settleUpdates } from "./reconcile-updates.ts";
import { judgeVisibility, lookForSamples, toServerMs, type Visibility } from "./visibility.ts";

/** Ports and limits of {@link reconcile}. */
export interface ReconcileOptions extends CodeKeys {
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy | undefined;
  /** Run that is being resumed: only its held adds may be sent again. @default none */
  readonly runId?: string | undefined;
  /**
   * Waits before each lookup, in milliseconds; after the last one a row stays open for a later
   * start.
   */
  readonly lookDelaysMs?: readonly number[] | undefined;
  /**
   * Shortest time, in milliseconds, over which an add is looked up before it is sent again.
   * @default 15 minutes
   */
  readonly quietMs?: number | undefined;
  /**
   * Leaves refused adds of the run open while their absence is unproven: the run continues, and its
   * other products may tell more. @default false
   */
  readonly mayWait?: boolean | undefined;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly signal?: AbortSignal | undefined;
}

/** A request that was under way when its process died may still be carried out a moment later. */
export const LOOK_DELAYS_MS: readonly number[] = [0, 1_000, 4_000, 10_000];

/** A refusal came with an answer, so its request is not under way any more. */
const REFUSAL_DELAYS_MS: readonly number[] = [0, 2_000];

/** Maximum number of rows in one pass; the circuit breaker keeps a run well below it. */
const MOST_ROWS = 1_000;

type Open = RowKey & { readonly record: RowRecord };

/** An add with the facts from its events. */
type OpenAdd = Open & { readonly doubt: Doubt; readonly state: RowState };

/** Reconciles every ambiguous row of the store. Returns how many there were. */
export async function reconcile(options: ReconcileOptions): Promise<number> {
  const rows = await options.journal.readAmbiguous(MOST_ROWS);
  await settleUpdates(
    { ...options, lookDelaysMs: options.lookDelaysMs ?? LOOK_DELAYS_MS },
    rows.filter(({ record }) => record.action === "update"),
  );
  await settleAdds(
    options,
    rows.filter(({ record }) => record.action !== "update"),
  );
  return rows.length;
}

/**
 * Reconciles what earlier processes of the store left open: ambiguous rows, and adds that are held
 * because their outcome is unknown. Returns how many ambiguous rows there were.
 */
export async function settleOpen(options: ReconcileOptions): Promise<number> {
  await options.journal.recover();
  await lookForSamples(options);
  const found = await reconcile(options);
  await lookAgain(options, UNKNOWN_HELD);
  return found;
}

/** Reconciles a row whose refusal is not trusted yet, and returns its state. */
export async function settleRefused(options: ReconcileOptions, key: RowKey): Promise<RowState> {
  const { journal } = options;
  const [record] = await journal.readRows(key.runId, { after: key.row - 1, limit: 1 });
  if (record?.row !== key.row) throw new Error(`run ${key.runId} has no row ${key.row}`);
  if (record.state !== "ambiguous") return record.state;
  await settleAdds(options, [{ ...key, record }]);
  const [settled] = await journal.readRows(key.runId, { after: key.row - 1, limit: 1 });
  return settled?.state ?? record.state;
}

async function settleAdds(options: ReconcileOptions, rows: readonly Open[]): Promise<void> {
  const adds = await withDoubts(options, rows, "ambiguous");
  const [refused, lost] = partition(adds, ({ doubt }) => doubt.claim !== undefined);
  await settleLookedFor(options, lost, options.lookDelaysMs ?? LOOK_DELAYS_MS);
  const timely = await readTimely(options, refused);
  await settleLookedFor(options, timely, options.lookDelaysMs ?? REFUSAL_DELAYS_MS);
}

async function settleLookedFor(
  options: ReconcileOptions,
  rows: readonly OpenAdd[],
  delaysMs: readonly number[],
): Promise<void> {
  const { clock, signal } = options;
  let open: readonly Open[] = rows;
  for (const [n, delayMs] of delaysMs.entries()) {
    if (open.length === 0) return;
    if (delayMs > 0) await clock.sleep(delayMs, signal);
    const found = await settleFound(options, await withDoubts(options, open, "ambiguous"));
    open = await settleMissingAdds(options, found, n === delaysMs.length - 1);
  }
}

/**
 * After the last lookup all rows are decided; before it, those that more lookups would not help.
 */
async function settleMissingAdds(
  options: ReconcileOptions,
  { missing, isLooked }: Missing,
  isLastDelay: boolean,
): Promise<readonly OpenAdd[]> {
  const isLast = isLastDelay || !isLooked;
  const isRefused = missing.some(({ doubt }) => doubt.claim !== undefined);
  if (missing.length === 0 || !(isLast || isRefused)) return missing;
  const visibility = await readDecidingVisibility(options);
  const rows = await withDoubts(options, missing, "ambiguous");
  const isOver = ({ doubt }: OpenAdd): boolean =>
    isLast || (doubt.claim !== undefined && isProvenAbsent(doubt, visibility, doubt.lookedMs));
  const [over, open] = partition(rows, isOver);
  for (const row of over) await settleAbsent(options, row, { visibility, isLooked });
  return open;
}

const partition = <T>(items: readonly T[], is: (item: T) => boolean): readonly [T[], T[]] => [
  items.filter(is),
  items.filter((item) => !is(item)),
];

/**
 * Refused adds to look up now: where the others may wait, only those whose absence can be proven.
 */
async function readTimely(
  options: ReconcileOptions,
  rows: readonly OpenAdd[],
): Promise<readonly OpenAdd[]> {
  if (rows.length === 0 || options.mayWait !== true) return rows;
  const visibility = judgeVisibility(await options.journal.readLagSamples());
  const nowMs = toServerMs(options.marketplace);
  const isTimely = (row: OpenAdd): boolean =>
    row.doubt.looks === 0 ||
    !mayStayOpen(options, row) ||
    isProvenAbsent(row.doubt, visibility, nowMs);
  return rows.filter(isTimely);
}

const mayStayOpen = (
  { mayWait, runId }: ReconcileOptions,
  { doubt, runId: runOfRow }: OpenAdd,
): boolean => mayWait === true && doubt.claim === "ready" && runOfRow === runId;

/**
 * Reconciles the refused adds of a run that has nothing else to send: waits for a proof of absence
 * where it is due soon, and holds the adds that cannot be proven.
 */
export async function settleRefusals(options: ReconcileOptions): Promise<void> {
  const { journal, clock, signal, marketplace, runId } = options;
  const open = (await journal.readAmbiguous(MOST_ROWS)).filter((row) => row.runId === runId);
  const held = await readHeld(options, REFUSED_HELD);
  if (open.length + held.length === 0) return;
  await lookForSamples(options);
  const visibility = judgeVisibility(await journal.readLagSamples());
  const nowMs = toServerMs(marketplace);
  const waits = (await withDoubts(options, open, "ambiguous")).map(({ doubt }) => {
    const windowMs = proofWindowMs(doubt, visibility);
    const isKnown = nowMs !== null && doubt.endedMs !== null && windowMs !== undefined;
    return isKnown ? doubt.endedMs + windowMs - nowMs : 0;
  });
  const waitMs = Math.max(0, ...waits.filter((ms) => ms <= MOST_PROOF_WAIT_MS));
  if (waitMs > 0) await clock.sleep(waitMs + CLOCK_STEP_MS, signal);
  await reconcile({ ...options, mayWait: false });
  await lookAgain(options, REFUSED_HELD);
}

/** Longest wait for a proof, in milliseconds; a later proof is left to a later start. */
const MOST_PROOF_WAIT_MS = 30_000;

/** The marketplace's time has whole seconds. */
const CLOCK_STEP_MS = 1_000;

type IsHeldBy = (code: string) => boolean;

const REFUSED_HELD: IsHeldBy = (code) => code === "E_REFUSED_OPEN";
/** A similar product may have been listed before the row's own product. */
const UNKNOWN_HELD: IsHeldBy = (code) => UNKNOWN_CODES.has(code) || REFUSED_HELD(code);
const UNKNOWN_CODES: ReadonlySet<string> = new Set(["E_OUTCOME_UNKNOWN", "E_FOUND_SIMILAR"]);

const readHeld = async (
  { journal }: ReconcileOptions,
  isHeldBy: IsHeldBy,
): Promise<readonly Open[]> =>
  (await journal.readHeldAdds(MOST_ROWS)).filter(({ record }) =>
    record.issues.some(({ code }) => isHeldBy(code)),
  );

/** Looks up held adds: a found one is done, and one that may be sent again is ready. */
async function lookAgain(options: ReconcileOptions, isHeldBy: IsHeldBy): Promise<void> {
  const held = await readHeld(options, isHeldBy);
  const { missing, isLooked } = await settleFound(options, await withDoubts(options, held, "held"));
  // A finished run is not resumed, so a row that became ready in it would never be sent.
  const mine = missing.filter(
    ({ runId, doubt: { claim } }) =>
      runId === options.runId && (claim === "ready" || options.onUnknown === "resend"),
  );
  if (mine.length === 0) return;
  const visibility = await readDecidingVisibility(options);
  for (const row of await withDoubts(options, mine, "held")) {
    const { to, cause, rule } = decide(options, row, { visibility, isLooked });
    if (to !== "ready") continue;
    await settle(options, row, { to, cause, evidence: { rule }, issues: [] });
  }
}

interface Missing {
  readonly missing: readonly OpenAdd[];
  /** Whether the store could be searched, so that a missing product counts as absent. */
  readonly isLooked: boolean;
}

/** One lookup for all rows. Records the found ones, and returns the others. */
async function settleFound(options: ReconcileOptions, rows: readonly OpenAdd[]): Promise<Missing> {
  const { journal, marketplace, onUnknown = "hold", signal } = options;
  if (rows.length === 0) return { missing: rows, isLooked: true };
  const mayList = onUnknown === "hold" && rows.every(({ doubt }) => doubt.claim === undefined);
  const wanted = rows.map(({ record, doubt: { begunMs, claim } }) => ({
    code: record.code ?? "",
    variants: toAsked(record.code ?? "", options.way, onUnknown === "resend" || claim === "ready"),
    // Where an absent add may be sent again, only the filter by code is exact enough.
    begunMs: mayList ? begunMs : null,
  }));
  const shownFor = await lookUp(marketplace, wanted, signal);
  if (shownFor === undefined) return { missing: rows, isLooked: false };
  const missing: OpenAdd[] = [];
  for (const row of rows) {
    const match = judgeMatch(row.record, shownFor(row.record.code ?? ""), options);
    if (match.strength === "absent") {
      await journal.noteLook(row, { found: [], serverMs: toServerMs(marketplace) });
      missing.push(row);
    } else {
      await settleMatch(options, row, match);
    }
  }
  return { missing, isLooked: true };
}

async function settleMatch(options: ReconcileOptions, row: OpenAdd, match: Match): Promise<void> {
  const { ids } = match;
  const serverMs = toServerMs(options.marketplace);
  const evidence = { rule: "looked up by product code in every status", found: ids, serverMs };
  const { signature } = row.doubt;
  if (match.strength === "strong") {
    if (signature !== undefined) await options.journal.noteSignature(signature, "applied");
    const issues = row.state === "held" ? [] : undefined;
    await settle(options, row, {
      to: "done",
      cause: "lookup",
      productId: ids[0],
      evidence,
      issues,
    });
    return;
  }
  // A held row stays held.
  if (row.state === "held") return;
  const [code, cause] = UNCLEAR[match.strength];
  const issue = toIssue(code, place(options, row.record), ids.join(", "));
  const held = { to: "held", cause, evidence, issues: [issue], note: issue.message.en } as const;
  await settle(options, row, held);
}

const UNCLEAR = {
  different: ["E_FOUND_DIFFERENT", "lookup-different"],
  several: ["E_FOUND_TWICE", "lookup-several"],
  similar: ["E_FOUND_SIMILAR", "lookup-similar"],
  absent: ["E_OUTCOME_UNKNOWN", "not-found"],
} as const satisfies Record<string, readonly [FindingCode, Cause]>;

async function settleAbsent(
  options: ReconcileOptions,
  row: OpenAdd,
  seeing: Seeing,
): Promise<void> {
  const { to, cause, rule, isProven = false } = decide(options, row, seeing);
  const { signature, claim, words = { tr: "", en: "" } } = row.doubt;
  if (isProven && signature !== undefined) {
    await options.journal.noteSignature(signature, "not-applied");
  }
  const evidence = { rule, [PROVEN]: isProven };
  if (to === "ready") {
    await settle(options, row, { to, cause, evidence });
    return;
  }
  if (to === "held" && mayStayOpen(options, row)) return;
  const at = place(options, row.record);
  if (to === "rejected") {
    const issues = [toIssue("E_REJECTED", at, words)];
    const keepsCode = !isProven;
    await settle(options, row, { to, cause, evidence, issues, note: words.en, keepsCode });
    return;
  }
  const issue =
    claim === undefined ? toIssue("E_OUTCOME_UNKNOWN", at) : toIssue("E_REFUSED_OPEN", at, words);
  await settle(options, row, { to, cause, evidence, issues: [issue], note: issue.message.en });
}

/** Whether this store's listing can prove that a product is absent. */
interface Seeing {
  readonly visibility: Visibility;
  readonly isLooked: boolean;
}

function decide(
  { onUnknown: policy = "hold", quietMs = QUIET_MS }: ReconcileOptions,
  { doubt }: OpenAdd,
  { visibility, isLooked }: Seeing,
): ReturnType<typeof decideAbsence> {
  const mayDecide = isLooked || doubt.claim !== undefined;
  return mayDecide ? decideAbsence({ doubt, visibility, policy, quietMs }) : NOT_LOOKED;
}

/** Only adds that may be sent again are worth the calls that look up the last added product. */
async function readDecidingVisibility(options: ReconcileOptions): Promise<Visibility> {
  if (options.onUnknown === "resend") return await readVisibility(options);
  return judgeVisibility(await options.journal.readLagSamples());
}

async function withDoubts(
  { journal }: ReconcileOptions,
  rows: readonly Open[],
  state: RowState,
): Promise<readonly OpenAdd[]> {
  const adds: OpenAdd[] = [];
  for (const { runId, row, record } of rows) {
    const doubt = toDoubt(await journal.readEvents({ runId, row }));
    adds.push({ runId, row, record, doubt, state });
  }
  return adds;
}

async function settle(
  { journal }: ReconcileOptions,
  { runId, row, record }: Open,
  settlement: Settlement,
): Promise<void> {
  await journal.settle({ runId, row, from: record.state }, settlement);
}

function place({ sheet }: ReconcileOptions, record: RowRecord): Parameters<typeof toIssue>[1] {
  return { sheet, row: record.row, column: "", cell: "", value: record.code ?? "" };
}
