/** Looks open adds up in the store, and records what was found and what was not. */

import { toSearchedCodes } from "../plan/codes/code-normalization.ts";
import type { Cause } from "../row/cause.ts";
import { type IssueCode, toIssue } from "../row/issue-texts.ts";
import {
  decideAbsence,
  NOT_LOOKED_UP,
  PROVEN_ABSENT_KEY,
  SETTLE_TIME_MS,
} from "./decide-absent.ts";
import { findLostAdds } from "./find-lost-adds.ts";
import { matchProduct, type ProductMatch } from "./match-product.ts";
import {
  locationOf,
  mayStayOpen,
  type OpenAdd,
  type ReconcileOptions,
  recordOutcome,
  unlessMoved,
} from "./open-add.ts";
import { readVisibility } from "./visibility/read-visibility.ts";
import { judgeVisibility, toServerMs, type Visibility } from "./visibility/visibility.ts";

/** What one lookup left. */
export interface LookupResult {
  readonly missing: readonly OpenAdd[];
  /** Whether the store could be searched, so that a missing product counts as absent. */
  readonly wasLookedUp: boolean;
}

/** One lookup for all rows. Records the found ones, and returns the others. */
export async function recordFoundAdds(
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
  const issue = toIssue(code, locationOf(options, row.record), ids.join(", "));
  const held = { to: "held", cause, evidence, issues: [issue], note: issue.message.en } as const;
  await recordOutcome(options, row, held);
}

const UNCLEAR = {
  different: ["E_FOUND_DIFFERENT", "lookup-different"],
  several: ["E_FOUND_TWICE", "lookup-several"],
  similar: ["E_FOUND_SIMILAR", "lookup-similar"],
  absent: ["E_OUTCOME_UNKNOWN", "not-found"],
} as const satisfies Record<string, readonly [IssueCode, Cause]>;

export async function recordAbsence(
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
  const at = locationOf(options, row.record);
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
export interface AbsenceView {
  readonly visibility: Visibility;
  readonly wasLookedUp: boolean;
}

export function decideOpenAdd(
  { onUnknown: policy = "hold", quietMs = SETTLE_TIME_MS }: ReconcileOptions,
  { history }: OpenAdd,
  { visibility, wasLookedUp }: AbsenceView,
): ReturnType<typeof decideAbsence> {
  const mayDecide = wasLookedUp || history.impliedState !== undefined;
  return mayDecide ? decideAbsence({ history, visibility, policy, quietMs }) : NOT_LOOKED_UP;
}

/** Only adds that may be sent again are worth the calls that look up the last added product. */
export async function readDecidingVisibility(options: ReconcileOptions): Promise<Visibility> {
  if (options.onUnknown === "resend") return await readVisibility(options);
  return judgeVisibility(await options.journal.readLagSamples());
}
