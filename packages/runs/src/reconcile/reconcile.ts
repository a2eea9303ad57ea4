/**
 * Reconciles rows whose request may or may not have been carried out, by looking them up in the
 * store. An add is sent again only where the marketplace had refused it or the caller chose
 * `resend`, and no lookup has found it; an update sets absolute values, so it may be sent again.
 */

import { reconcileActions, reconcileHeldActions } from "../actions/reconcile-actions.ts";
import { toSearchedCodes } from "../plan/look-alikes.ts";
import { isAction } from "../ports/action.ts";
import { type IssueCode, toIssue, toRowLocation } from "../row/issues.ts";
import type { RowKey } from "../row/row-record.ts";
import type { Cause, RowState } from "../row/row-state.ts";
import {
  decideAbsence,
  isProvenAbsent,
  NOT_LOOKED_UP,
  proofWindowMs,
  PROVEN_ABSENT_KEY,
  SETTLE_TIME_MS,
} from "./decide-absent.ts";
import { findLostAdds } from "./find-products.ts";
import { matchProduct, type ProductMatch } from "./match-product.ts";
import {
  mayStayOpen,
  type OpenAdd,
  type OpenRow,
  type ReconcileOptions,
  reconcileUpdates,
  recordOutcome,
  unlessMoved,
  withHistories,
} from "./open-rows.ts";
import {
  judgeVisibility,
  readVisibility,
  sampleVisibility,
  toServerMs,
  type Visibility,
} from "./visibility.ts";

/** A request that was under way when its process died may still be carried out a moment later. */
const LOOKUP_DELAYS_MS: readonly number[] = [0, 1_000, 4_000, 10_000];

/** A refusal came with an answer, so its request is not under way any more. */
const REFUSAL_DELAYS_MS: readonly number[] = [0, 2_000];

/** Maximum number of rows in one pass; the circuit breaker keeps a run well below it. */
const MAX_ROWS = 1_000;

/** Reconciles every ambiguous row of the store. Returns how many there were. */
export async function reconcile(options: ReconcileOptions): Promise<number> {
  const rows = await options.journal.readAmbiguous(MAX_ROWS);
  await reconcileUpdates(
    { ...options, lookupDelaysMs: options.lookupDelaysMs ?? LOOKUP_DELAYS_MS },
    rows.filter(({ record }) => record.action === "update"),
  );
  await reconcileAdds(
    options,
    rows.filter(({ record }) => record.action === "add"),
  );
  await reconcileActions(
    options,
    rows.filter(({ record }) => isAction(record.action)),
  );
  return rows.length;
}

/**
 * Reconciles what earlier processes of the store left open: ambiguous rows, and adds that are held
 * because their outcome is unknown. Returns how many ambiguous rows there were.
 */
export async function reconcileOpen(options: ReconcileOptions): Promise<number> {
  await options.journal.recover();
  await sampleVisibility(options);
  const found = await reconcile(options);
  await lookUpHeld(options, UNKNOWN_HELD);
  await reconcileHeldActions(options);
  return found;
}

/** Reconciles a row whose refusal is not trusted yet, and returns its state. */
export async function reconcileRefusedRow(
  options: ReconcileOptions,
  key: RowKey,
): Promise<RowState> {
  const { journal } = options;
  const [record] = await journal.readRows(key.runId, { after: key.row - 1, limit: 1 });
  if (record?.row !== key.row) throw new Error(`run ${key.runId} has no row ${key.row}`);
  if (record.state !== "ambiguous") return record.state;
  await reconcileAdds(options, [{ ...key, record }]);
  const [reconciled] = await journal.readRows(key.runId, { after: key.row - 1, limit: 1 });
  return reconciled?.state ?? record.state;
}

async function reconcileAdds(options: ReconcileOptions, rows: readonly OpenRow[]): Promise<void> {
  const adds = await withHistories(options, rows, "ambiguous");
  const [refused, lost] = partition(adds, ({ history }) => history.impliedState !== undefined);
  await reconcileSearchedAdds(options, lost, options.lookupDelaysMs ?? LOOKUP_DELAYS_MS);
  const timely = await readDueHistories(options, refused);
  await reconcileSearchedAdds(options, timely, options.lookupDelaysMs ?? REFUSAL_DELAYS_MS);
}

async function reconcileSearchedAdds(
  options: ReconcileOptions,
  rows: readonly OpenAdd[],
  delaysMs: readonly number[],
): Promise<void> {
  const { clock, signal } = options;
  let open: readonly OpenRow[] = rows;
  for (const [n, delayMs] of delaysMs.entries()) {
    if (open.length === 0) return;
    if (delayMs > 0) await clock.sleep(delayMs, signal);
    const found = await recordFoundAdds(options, await withHistories(options, open, "ambiguous"));
    open = await reconcileMissingAdds(options, found, n === delaysMs.length - 1);
  }
}

/**
 * After the last lookup all rows are decided; before it, those that more lookups would not help.
 */
async function reconcileMissingAdds(
  options: ReconcileOptions,
  { missing, wasLookedUp }: LookupResult,
  isLastDelay: boolean,
): Promise<readonly OpenAdd[]> {
  const isLast = isLastDelay || !wasLookedUp;
  const isRefused = missing.some(({ history }) => history.impliedState !== undefined);
  if (missing.length === 0 || !(isLast || isRefused)) return missing;
  const visibility = await readDecidingVisibility(options);
  const rows = await withHistories(options, missing, "ambiguous");
  const isOver = ({ history }: OpenAdd): boolean =>
    isLast ||
    (history.impliedState !== undefined && isProvenAbsent(history, visibility, history.lookedUpMs));
  const [over, open] = partition(rows, isOver);
  for (const row of over) await recordAbsence(options, row, { visibility, wasLookedUp });
  return open;
}

const partition = <T>(items: readonly T[], is: (item: T) => boolean): readonly [T[], T[]] => [
  items.filter(is),
  items.filter((item) => !is(item)),
];

/**
 * Refused adds to look up now: where the others may wait, only those whose absence can be proven.
 */
async function readDueHistories(
  options: ReconcileOptions,
  rows: readonly OpenAdd[],
): Promise<readonly OpenAdd[]> {
  if (rows.length === 0 || options.mayWait !== true) return rows;
  const visibility = judgeVisibility(await options.journal.readLagSamples());
  const nowMs = toServerMs(options.marketplace);
  const isTimely = (row: OpenAdd): boolean =>
    row.history.lookups === 0 ||
    !mayStayOpen(options, row) ||
    isProvenAbsent(row.history, visibility, nowMs);
  return rows.filter(isTimely);
}

/**
 * Reconciles the refused adds of a run that has nothing else to send: waits for a proof of absence
 * where it is due soon, and holds the adds that cannot be proven.
 */
export async function reconcileRefusals(options: ReconcileOptions): Promise<void> {
  const { journal, clock, signal, marketplace, runId } = options;
  const open = (await journal.readAmbiguous(MAX_ROWS)).filter(
    ({ runId: of, record }) => of === runId && !isAction(record.action),
  );
  const held = await readHeld(options, REFUSED_HELD);
  if (open.length + held.length === 0) return;
  await sampleVisibility(options);
  const visibility = judgeVisibility(await journal.readLagSamples());
  const nowMs = toServerMs(marketplace);
  const waits = (await withHistories(options, open, "ambiguous")).map(({ history }) => {
    const windowMs = proofWindowMs(history, visibility);
    const isKnown = nowMs !== null && history.endedMs !== null && windowMs !== undefined;
    return isKnown ? history.endedMs + windowMs - nowMs : 0;
  });
  const waitMs = Math.max(0, ...waits.filter((ms) => ms <= MAX_PROOF_WAIT_MS));
  if (waitMs > 0) await clock.sleep(waitMs + CLOCK_STEP_MS, signal);
  await reconcile({ ...options, mayWait: false });
  await lookUpHeld(options, REFUSED_HELD);
}

/** Longest wait for a proof, in milliseconds; a later proof is left to a later start. */
const MAX_PROOF_WAIT_MS = 30_000;

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
): Promise<readonly OpenRow[]> =>
  (await journal.readHeldAdds(MAX_ROWS)).filter(({ record }) =>
    record.issues.some(({ code }) => isHeldBy(code)),
  );

/** Looks up held adds: a found one is done, and one that may be sent again is ready. */
async function lookUpHeld(options: ReconcileOptions, isHeldBy: IsHeldBy): Promise<void> {
  const held = await readHeld(options, isHeldBy);
  const { missing, wasLookedUp } = await recordFoundAdds(
    options,
    await withHistories(options, held, "held"),
  );
  // A finished run is not resumed, so a row that became ready in it would never be sent.
  const mine = missing.filter(
    ({ runId, history: { impliedState } }) =>
      runId === options.runId && (impliedState === "ready" || options.onUnknown === "resend"),
  );
  if (mine.length === 0) return;
  const visibility = await readDecidingVisibility(options);
  for (const row of await withHistories(options, mine, "held")) {
    const { to, cause, rule } = decideOpenAdd(options, row, { visibility, wasLookedUp });
    if (to !== "ready") continue;
    await recordOutcome(options, row, { to, cause, evidence: { rule }, issues: [] });
  }
}

/** What one lookup left. */
interface LookupResult {
  readonly missing: readonly OpenAdd[];
  /** Whether the store could be searched, so that a missing product counts as absent. */
  readonly wasLookedUp: boolean;
}

/** One lookup for all rows. Records the found ones, and returns the others. */
async function recordFoundAdds(
  options: ReconcileOptions,
  rows: readonly OpenAdd[],
): Promise<LookupResult> {
  const { journal, marketplace, onUnknown = "hold", signal } = options;
  if (rows.length === 0) return { missing: rows, wasLookedUp: true };
  const mayList =
    onUnknown === "hold" && rows.every(({ history }) => history.impliedState === undefined);
  const wanted = rows.map(({ record, history: { startedMs, impliedState } }) => ({
    code: record.code ?? "",
    variants: toSearchedCodes(
      record.code ?? "",
      options.normalization,
      onUnknown === "resend" || impliedState === "ready",
    ),
    // Where an absent add may be sent again, only the filter by code is exact enough.
    startedMs: mayList ? startedMs : null,
  }));
  const shownFor = await findLostAdds(marketplace, wanted, signal);
  if (shownFor === undefined) return { missing: rows, wasLookedUp: false };
  const missing: OpenAdd[] = [];
  for (const row of rows) {
    const match = matchProduct(row.record, shownFor(row.record.code ?? ""), options);
    if (match.strength === "absent") {
      const evidence = { found: [], serverMs: toServerMs(marketplace) };
      if (await unlessMoved(journal.recordLookup(row, evidence))) missing.push(row);
    } else {
      await recordMatch(options, row, match);
    }
  }
  return { missing, wasLookedUp: true };
}

async function recordMatch(
  options: ReconcileOptions,
  row: OpenAdd,
  match: ProductMatch,
): Promise<void> {
  const { ids } = match;
  const serverMs = toServerMs(options.marketplace);
  const evidence = { rule: "looked up by product code in every status", found: ids, serverMs };
  const { signature } = row.history;
  if (match.strength === "strong") {
    if (signature !== undefined) await options.journal.recordSignature(signature, "applied");
    const issues = row.state === "held" ? [] : undefined;
    await recordOutcome(options, row, {
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
  const issue = toIssue(code, toRowLocation(options.sheet, row.record), ids.join(", "));
  const held = { to: "held", cause, evidence, issues: [issue], note: issue.message.en } as const;
  await recordOutcome(options, row, held);
}

const UNCLEAR = {
  different: ["E_FOUND_DIFFERENT", "lookup-different"],
  several: ["E_FOUND_TWICE", "lookup-several"],
  similar: ["E_FOUND_SIMILAR", "lookup-similar"],
  absent: ["E_OUTCOME_UNKNOWN", "not-found"],
} as const satisfies Record<string, readonly [IssueCode, Cause]>;

async function recordAbsence(
  options: ReconcileOptions,
  row: OpenAdd,
  seeing: AbsenceView,
): Promise<void> {
  const { to, cause, rule, isProven = false } = decideOpenAdd(options, row, seeing);
  const { signature, impliedState, text = { tr: "", en: "" } } = row.history;
  if (isProven && signature !== undefined) {
    await options.journal.recordSignature(signature, "not-applied");
  }
  const evidence = { rule, [PROVEN_ABSENT_KEY]: isProven };
  if (to === "ready") {
    await recordOutcome(options, row, { to, cause, evidence });
    return;
  }
  if (to === "held" && mayStayOpen(options, row)) return;
  const at = toRowLocation(options.sheet, row.record);
  if (to === "rejected") {
    const issues = [toIssue("E_REJECTED", at, text)];
    const keepsCode = !isProven;
    await recordOutcome(options, row, { to, cause, evidence, issues, note: text.en, keepsCode });
    return;
  }
  const issue =
    impliedState === undefined
      ? toIssue("E_OUTCOME_UNKNOWN", at)
      : toIssue("E_REFUSED_OPEN", at, text);
  await recordOutcome(options, row, {
    to,
    cause,
    evidence,
    issues: [issue],
    note: issue.message.en,
  });
}

/** Whether this store's listing can prove that a product is absent. */
interface AbsenceView {
  readonly visibility: Visibility;
  readonly wasLookedUp: boolean;
}

function decideOpenAdd(
  { onUnknown: policy = "hold", quietMs = SETTLE_TIME_MS }: ReconcileOptions,
  { history }: OpenAdd,
  { visibility, wasLookedUp }: AbsenceView,
): ReturnType<typeof decideAbsence> {
  const mayDecide = wasLookedUp || history.impliedState !== undefined;
  return mayDecide ? decideAbsence({ history, visibility, policy, quietMs }) : NOT_LOOKED_UP;
}

/** Only adds that may be sent again are worth the calls that look up the last added product. */
async function readDecidingVisibility(options: ReconcileOptions): Promise<Visibility> {
  if (options.onUnknown === "resend") return await readVisibility(options);
  return judgeVisibility(await options.journal.readLagSamples());
}
