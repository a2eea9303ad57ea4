/**
 * Reconciles actions whose answer was lost or is not trusted, by looking at their subjects. What the
 * store shows as done is done; what it shows as not done is held for a person, unless it was refused
 * or the caller chose `resend`; what it does not show can't be told.
 */

import { ACTIONS, isAction, type SubjectView } from "../ports/action.ts";
import { type AddHistory, SETTLE_TIME_MS, toAddHistory } from "../reconcile/decide-absent.ts";
import {
  type OpenRow,
  type ReconcileOptions,
  recordOutcome,
  unlessMoved,
} from "../reconcile/open-rows.ts";
import { toServerMs } from "../reconcile/visibility.ts";
import { type IssueCode, toIssue, toRowLocation } from "../row/issues.ts";
import type { RowOutcome } from "../row/row-record.ts";
import { describeMoved, judgeView, toReached } from "./judge-view.ts";
import { type ExpectedEffects, readExpected } from "./learned-effects.ts";

/** Waits before each look, in milliseconds: a request may still be carried out a moment later. */
const LOOKUP_DELAYS_MS: readonly number[] = [0, 1_000, 4_000];

/** An action is sent twice at most, and only after this number of looks. */
const MAX_SENT = 2;
const MIN_LOOKUPS = 3;

/** Maximum number of held rows that are looked at again. */
const MAX_ROWS = 1_000;

/** Looks up all lost or refused actions together; leaves them where nothing can be read. */
export async function reconcileActions(
  options: ReconcileOptions,
  rows: readonly OpenRow[],
): Promise<void> {
  const delays = options.lookupDelaysMs ?? LOOKUP_DELAYS_MS;
  let open = rows;
  for (const [n, delayMs] of delays.entries()) {
    if (open.length === 0) return;
    if (delayMs > 0) await options.clock.sleep(delayMs, options.signal);
    open = await lookOnce(options, open, n === delays.length - 1);
  }
}

/** Codes of rows that are held because nobody knows what became of their request. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set<IssueCode>([
  "E_ACTION_UNKNOWN",
  "E_ACTION_UNCLEAR",
]);

/** Looks at held actions of an unknown outcome: one that the store shows as done is done. */
export async function reconcileHeldActions(options: ReconcileOptions): Promise<void> {
  const held = (await options.journal.readHeldActions(MAX_ROWS)).filter(({ record }) =>
    record.issues.some(({ code }) => UNKNOWN_CODES.has(code)),
  );
  if (held.length > 0) await lookOnce(options, held, true);
}

/** One look at all rows. Returns those that are still open. */
async function lookOnce(
  options: ReconcileOptions,
  rows: readonly OpenRow[],
  isLast: boolean,
): Promise<readonly OpenRow[]> {
  const { actions } = options.marketplace;
  if (actions === undefined) return rows;
  const open: OpenRow[] = [];
  const expected = await readExpected(actions);
  for (const [kind, of] of Map.groupBy(rows, subjectKind)) {
    const ids = of.map(({ record }) => record.code ?? "");
    const { views } = await actions.readSubjects(kind, ids, options.signal);
    for (const given of of) {
      const row = complete(given, expected);
      const view = views.get(row.record.code ?? "");
      if (!(await settle(options, { row, view, isLast }))) open.push(row);
    }
  }
  return open;
}

/** The row, with what is expected of its action by now. */
function complete(row: OpenRow, expected: ExpectedEffects): OpenRow {
  const { action, changes } = row.record;
  if (!isAction(action)) return row;
  return { ...row, record: { ...row.record, changes: expected.complete(action, changes) } };
}

function subjectKind({ record: { action } }: OpenRow) {
  if (!isAction(action)) throw new Error(`a row with ${action} has no subject`);
  return ACTIONS[action].subject;
}

interface Looked {
  readonly row: OpenRow;
  readonly view: SubjectView | undefined;
  /** Whether the row is decided by this look, whatever it shows. */
  readonly isLast: boolean;
}

/** Records what a look has shown; returns whether the row is settled. */
async function settle(options: ReconcileOptions, { row, view, isLast }: Looked): Promise<boolean> {
  const { record } = row;
  const found = judgeView(record, view);
  const evidence = { rule: "looked at the subject", found, shown: view?.fields ?? null };
  if (found === "reached") {
    const changes = toReached(record.changes, view?.fields ?? {});
    const issues = record.state === "held" ? [] : undefined;
    const done = { to: "done", cause: "lookup", changes, issues, evidence } as const;
    await recordOutcome(options, row, done);
    return true;
  }
  if (found === "before") {
    const serverMs = toServerMs(options.marketplace);
    const key = { ...row, state: record.state };
    const isOurs = await unlessMoved(options.journal.recordLookup(key, { ...evidence, serverMs }));
    if (!isOurs) return true;
  }
  if (!isLast) return false;
  const outcome = await decide(options, { row, view, isLast }, evidence);
  if (outcome !== undefined) await recordOutcome(options, row, outcome);
  return true;
}

/** Decides on a row that the store does not show as done; `undefined` where it stays as it is. */
async function decide(
  options: ReconcileOptions,
  { row, view }: Looked,
  evidence: Readonly<Record<string, unknown>>,
): Promise<RowOutcome | undefined> {
  const { record } = row;
  const found = judgeView(record, view);
  let undone: RowOutcome | undefined;
  if (found === "before") undone = await decideUndone(options, row, evidence);
  else if (found === "hidden") undone = await decideUnseen(options, row, evidence);
  // A held row stays held until it is known what became of it.
  if (undone !== undefined || record.state === "held") return undone;
  const at = toRowLocation(options.sheet, record);
  const isMoved = found === "moved";
  const issue = isMoved
    ? toIssue("E_ACTION_UNCLEAR", at, describeMoved(record, view))
    : toIssue("E_ACTION_UNKNOWN", at);
  const cause = isMoved ? "lookup-different" : "not-found";
  return { to: "held", cause, issues: [issue], note: issue.message.en, evidence };
}

/** What follows from the store showing that a request was not carried out, or not yet. */
async function decideUndone(
  options: ReconcileOptions,
  row: OpenRow,
  evidence: Readonly<Record<string, unknown>>,
): Promise<RowOutcome | undefined> {
  const { journal, sheet, runId } = options;
  const { record } = row;
  // A subject that was seen to have changed may be changed back.
  if (record.issues.some(({ code }) => code === "E_ACTION_UNCLEAR")) return undefined;
  const history = toAddHistory(await journal.readEvents(row));
  const { impliedState, text = { tr: "", en: "" } } = history;
  if (impliedState === "rejected" && record.state === "ambiguous") {
    const issues = [toIssue("E_ACTION_REJECTED", toRowLocation(sheet, record), text)];
    return { to: "rejected", cause: "refused-and-absent", issues, note: text.en, evidence };
  }
  // A finished run is not resumed, so a row that became ready in it would never be sent.
  const isMine = row.runId === runId;
  if (impliedState === "ready" && (isMine || record.state === "ambiguous")) {
    return { to: "ready", cause: "refused-and-absent", evidence };
  }
  return isMine && (mayRepeat(options, history) || maySetAgain(record, history))
    ? { to: "ready", cause: "not-found-resend", issues: [], evidence }
    : undefined;
}

/**
 * Where no look can tell, a refusal that comes before anything is carried out, such as that of a
 * limit of calls, is believed.
 */
async function decideUnseen(
  { journal }: ReconcileOptions,
  row: OpenRow,
  evidence: Readonly<Record<string, unknown>>,
): Promise<RowOutcome | undefined> {
  if (row.record.state !== "ambiguous") return undefined;
  const { impliedState } = toAddHistory(await journal.readEvents(row));
  return impliedState === "ready"
    ? { to: "ready", cause: "refused-and-absent", evidence }
    : undefined;
}

/** Setting the same values twice does no harm. */
const maySetAgain = ({ action, state }: OpenRow["record"], { sentCount }: AddHistory): boolean =>
  isAction(action) &&
  ACTIONS[action].isSetting === true &&
  state === "ambiguous" &&
  sentCount < MAX_SENT;

const mayRepeat = (
  { onUnknown, quietMs = SETTLE_TIME_MS }: ReconcileOptions,
  { sentCount, lookups, spreadMs }: AddHistory,
): boolean =>
  onUnknown === "resend" && sentCount < MAX_SENT && lookups >= MIN_LOOKUPS && spreadMs >= quietMs;
