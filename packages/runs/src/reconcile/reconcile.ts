/**
 * Settles rows whose request may or may not have been carried out, by looking in the store. An add
 * is never sent again from here unless the marketplace had refused it or the caller chose `resend`,
 * and no look has found it; an update carries absolute values, so it may be sent again.
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

/** What {@link reconcile} settles, and how long it looks. */
export interface ReconcileOptions extends CodeKeys {
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy | undefined;
  /** Run that is gone on with: only of this one held adds may be sent again. @default none */
  readonly runId?: string | undefined;
  /** Waits before each look, in milliseconds; after the last one a row is given up for now. */
  readonly lookDelaysMs?: readonly number[] | undefined;
  /** Shortest time over which an add is looked for before it goes out again. @default 15 minutes */
  readonly quietMs?: number | undefined;
  /**
   * Refused adds of the run of which nothing is proven stay open: the run goes on, and its other
   * products may tell more. @default false
   */
  readonly mayWait?: boolean | undefined;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly signal?: AbortSignal | undefined;
}

/** A request that was on its way when its process died may still be carried out a moment later. */
export const LOOK_DELAYS_MS: readonly number[] = [0, 1_000, 4_000, 10_000];

/** A refusal came with an answer, so nothing of its request is still on its way. */
const REFUSAL_DELAYS_MS: readonly number[] = [0, 2_000];

/** Rows settled in one pass; a breaker keeps them far fewer than this. */
const MOST_ROWS = 1_000;

type Open = RowKey & { readonly record: RowRecord };

/** An add with what its events tell. */
type OpenAdd = Open & { readonly doubt: Doubt; readonly state: RowState };

/** Settles every ambiguous row of the store. Says how many there were. */
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
 * Settles what earlier processes of the store left open: requests that were on their way, and adds
 * that are held because nobody could tell. Says how many of the former there were.
 */
export async function settleOpen(options: ReconcileOptions): Promise<number> {
  await options.journal.recover();
  await lookForSamples(options);
  const found = await reconcile(options);
  await lookAgain(options, UNKNOWN_HELD);
  return found;
}

/** Settles a row whose refusal is not to be believed yet, and says where it is now. */
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

/** After the last look all are settled; before it, those that more looks would tell nothing of. */
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

/** Refused adds that are worth a look: where they may wait, only those that it could prove absent. */
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
 * Settles the refused adds of a run that has nothing else to send: waits until a look proves them
 * absent where that is soon, and holds those that nobody can be sure of.
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

/** A proof that takes longer is left to a later start. */
const MOST_PROOF_WAIT_MS = 30_000;

/** The marketplace tells its time in whole seconds. */
const CLOCK_STEP_MS = 1_000;

type IsHeldBy = (code: string) => boolean;

const REFUSED_HELD: IsHeldBy = (code) => code === "E_REFUSED_OPEN";
/** What only looked like the row's product may have been shown before the product itself. */
const UNKNOWN_HELD: IsHeldBy = (code) => UNKNOWN_CODES.has(code) || REFUSED_HELD(code);
const UNKNOWN_CODES: ReadonlySet<string> = new Set(["E_OUTCOME_UNKNOWN", "E_FOUND_SIMILAR"]);

const readHeld = async (
  { journal }: ReconcileOptions,
  isHeldBy: IsHeldBy,
): Promise<readonly Open[]> =>
  (await journal.readHeldAdds(MOST_ROWS)).filter(({ record }) =>
    record.issues.some(({ code }) => isHeldBy(code)),
  );

/** A held add that has come to light is done; one that may go is sent again. */
async function lookAgain(options: ReconcileOptions, isHeldBy: IsHeldBy): Promise<void> {
  const held = await readHeld(options, isHeldBy);
  const { missing, isLooked } = await settleFound(options, await withDoubts(options, held, "held"));
  // Nobody would go on with a run that has ended: what becomes ready there would stay behind.
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
  /** The store could be looked through, so that what is missing was not there. */
  readonly isLooked: boolean;
}

/** One look for all of the rows. Settles those that it finds, and returns the others. */
async function settleFound(options: ReconcileOptions, rows: readonly OpenAdd[]): Promise<Missing> {
  const { journal, marketplace, onUnknown = "hold", signal } = options;
  if (rows.length === 0) return { missing: rows, isLooked: true };
  const mayList = onUnknown === "hold" && rows.every(({ doubt }) => doubt.claim === undefined);
  const wanted = rows.map(({ record, doubt: { begunMs, claim } }) => ({
    code: record.code ?? "",
    variants: toAsked(record.code ?? "", options.way, onUnknown === "resend" || claim === "ready"),
    // Where an absent add may go out again, no filter but the code's own is good enough.
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
  // It is held already, and stays so.
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

/** What the looks can tell in this store. */
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

/** Only what may go out again is worth the calls that look for the product added last. */
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
