/**
 * Decides the stored rows of a run of actions. It only reads from the marketplace: the stored
 * decisions are what applying the plan will send, row for row.
 */

import { isDeepStrictEqual } from "node:util";

import type { Clock } from "@catalog/clock";

import {
  type ActionCall,
  type ActionName,
  ACTIONS,
  type SubjectKind,
  type SubjectView,
} from "../ports/action.ts";
import { type Journal, type KnownAction, readAllRows } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { isBlocking, type IssueLocation, type RowIssue, toIssue } from "../row/issues.ts";
import type { FieldChange, RowDecision, RowRecord } from "../row/row-record.ts";
import { judgeView } from "./judge-view.ts";
import { type ExpectedEffects, readExpected } from "./learned-effects.ts";

/** A row whose cells have been turned into an action. */
export interface ActionCandidate {
  readonly row: number;
  /** Id of the subject, or the name of a template to create; `null` where the row names none. */
  readonly subject: string | null;
  readonly codeKey: string | null;
  /** `null` where the row asks for nothing. */
  readonly action: ActionName | null;
  readonly call: ActionCall | null;
  /**
   * What the action is to make of the subject, by field; `undefined` where only the marketplace
   * knows the value.
   */
  readonly wanted: Readonly<Record<string, unknown>>;
  readonly issues: readonly RowIssue[];
  /** Why a person must decide whether it is sent. @default nothing holds it */
  readonly hold?: RowIssue | undefined;
  /** Whether it asks for nothing because the store shows what it says. @default false */
  readonly isAsShown?: boolean | undefined;
  /** The cell that issues of the subject refer to. */
  readonly location: IssueLocation;
}

export interface PlanActionsOptions {
  readonly runId: string;
  readonly journal: Pick<Journal, "readRows" | "readActions" | "saveDecisions">;
  readonly actions: NonNullable<Marketplace["actions"]>;
  readonly clock: Pick<Clock, "now">;
  /** Converts stored rows to candidates; called twice for each row. */
  readonly toCandidates: (rows: readonly RowRecord[]) => readonly ActionCandidate[];
  /** Names a row for people. */
  readonly nameRow: (row: number) => string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Rows decided at a time. */
const BATCH_ROWS = 200;

/** Decides every parsed row of the run. Returns the subjects as they were shown. */
export async function planActions(
  options: PlanActionsOptions,
): Promise<ReadonlyMap<string, SubjectView>> {
  const { runId, journal, actions, signal } = options;
  const wishes = await readWishes(options);
  const views = new Map<string, SubjectView>();
  for (const [kind, ids] of listSubjects(wishes)) {
    const read = await actions.readSubjects(kind, ids, signal);
    for (const [id, view] of read.views) views.set(id, view);
  }
  const expected = await readExpected(actions);
  let done = 0;
  for await (const rows of readAllRows(journal, runId, { states: ["parsed"] }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    const candidates = options.toCandidates(rows);
    const keys = candidates.flatMap(({ codeKey }) => (codeKey === null ? [] : [codeKey]));
    const known = Map.groupBy(await journal.readActions(keys), ({ subjectKey }) => subjectKey);
    const facts = { wishes, views, known, expected, nameRow: options.nameRow };
    await journal.saveDecisions(
      runId,
      candidates.map((candidate) => decideAction(candidate, facts)),
    );
    done += rows.length;
    options.onProgress?.(done);
  }
  return views;
}

/** What the rows of a file want of one subject. */
interface Wish {
  readonly subject: string;
  /** What the first row wants. */
  readonly action: ActionName;
  readonly call: ActionCall;
  readonly rows: readonly number[];
  /** Whether all rows want the same, so that the first can stand for all. */
  readonly isOne: boolean;
}

/** Reads what is wanted of each subject, by its key. Rows that ask for nothing don't count. */
async function readWishes({
  runId,
  journal,
  toCandidates,
  signal,
}: PlanActionsOptions): Promise<ReadonlyMap<string, Wish>> {
  const wishes = new Map<string, Wish>();
  for await (const rows of readAllRows(journal, runId, { states: ["parsed"] }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    for (const { row, subject, codeKey, action, call } of toCandidates(rows)) {
      if (subject === null || codeKey === null || action === null || call === null) continue;
      const before = wishes.get(codeKey);
      const isSame = before?.action === action && isDeepStrictEqual(before.call, call);
      wishes.set(
        codeKey,
        before === undefined
          ? { subject, action, call, rows: [row], isOne: true }
          : { ...before, rows: [...before.rows, row], isOne: before.isOne && isSame },
      );
    }
  }
  return wishes;
}

function listSubjects(
  wishes: ReadonlyMap<string, Wish>,
): ReadonlyMap<SubjectKind, readonly string[]> {
  const byKind = Map.groupBy(wishes.values(), ({ action }) => ACTIONS[action].subject);
  return new Map(
    [...byKind].map(([kind, of]) => [kind, of.map(({ subject }) => subject)] as const),
  );
}

interface ActionFacts {
  readonly wishes: ReadonlyMap<string, Wish>;
  readonly views: ReadonlyMap<string, SubjectView>;
  readonly known: ReadonlyMap<string, readonly KnownAction[]>;
  readonly expected: ExpectedEffects;
  readonly nameRow: (row: number) => string;
}

function decideAction(candidate: ActionCandidate, facts: ActionFacts): RowDecision {
  if (candidate.issues.some(isBlocking)) return toDecision(candidate, "invalid");
  const asked = toAsked(candidate);
  if (asked === undefined) {
    return toDecision(candidate, candidate.isAsShown === true ? "unchanged" : "skipped");
  }
  return decideInFile(asked, facts) ?? decideInStore(asked, facts);
}

/** A row that asks for something. */
type Asked = ActionCandidate & {
  readonly subject: string;
  readonly codeKey: string;
  readonly action: ActionName;
  readonly call: ActionCall;
};

function toAsked(candidate: ActionCandidate): Asked | undefined {
  const { subject, codeKey, action, call } = candidate;
  return subject === null || codeKey === null || action === null || call === null
    ? undefined
    : { ...candidate, subject, codeKey, action, call };
}

/** A row of which nothing is sent, for the reasons given. */
const toDecision = (
  { row, issues }: ActionCandidate,
  state: RowDecision["state"],
  further: readonly RowIssue[] = [],
): RowDecision => ({
  row,
  state,
  action: null,
  productId: null,
  payload: null,
  changes: [],
  issues: [...issues, ...further],
});

/** Decides on a row whose subject other rows name, too; `undefined` where the row stands for all. */
function decideInFile(asked: Asked, { wishes, nameRow }: ActionFacts): RowDecision | undefined {
  const { row, codeKey, location } = asked;
  const { rows, isOne } = wishes.get(codeKey) ?? { rows: [row], isOne: true };
  if (!isOne) {
    const names = rows.map(nameRow).join(", ");
    return toDecision(asked, "duplicate", [toIssue("E_ACTION_TWICE", location, names)]);
  }
  const [first = row] = rows;
  if (first === row) return undefined;
  return toDecision(asked, "skipped", [toIssue("W_ACTION_SAME", location, nameRow(first))]);
}

function decideInStore(asked: Asked, { views, known, expected }: ActionFacts): RowDecision {
  const { subject, codeKey, action, call, location } = asked;
  const view = views.get(subject);
  const wanted = Object.entries(asked.wanted).map(([field, value]): FieldChange => ({
    field,
    old: view === undefined ? null : view.fields[field],
    new: value,
  }));
  const changes = expected.complete(action, wanted);
  const found = judgeView({ action, changes }, view);
  if (found === "gone") {
    return toDecision(asked, "invalid", [toIssue("E_SUBJECT_UNKNOWN", location, subject)]);
  }
  if (found === "reached") return toDecision(asked, "unchanged", describeReached(asked, changes));
  const others = known.get(codeKey) ?? [];
  const open = others.find(({ state }) => state !== "done");
  const before = others.find((one) => one.action === action);
  if (open === undefined && before !== undefined && isDoneByIt(asked, changes)) {
    const issue = toIssue("W_ACTION_BEFORE", location, before.runId);
    return toDecision(asked, "unchanged", [issue]);
  }
  const sent = { action, call, changes };
  const issue =
    open === undefined
      ? (findMade(asked, view, before) ?? asked.hold ?? findPresent(asked, changes))
      : toIssue("E_ACTION_OPEN", location, open.runId);
  if (issue !== undefined) return { ...toDecision(asked, "held", [issue]), ...sent };
  return { ...toDecision(asked, "ready"), ...sent };
}

/** Whether an earlier run has done all that the row asks for; another answer is not given yet. */
function isDoneByIt(asked: Asked, changes: readonly FieldChange[]): boolean {
  const isOther = asked.action === "reply" && findPresent(asked, changes) !== undefined;
  return ACTIONS[asked.action].isOnce && !isOther;
}

/** The store may show a template that was created late, or under another name by now. */
function findMade(
  { action, location }: Asked,
  view: SubjectView | undefined,
  before: KnownAction | undefined,
): RowIssue | undefined {
  const isMade = action === "create-template" && view === undefined && before !== undefined;
  return isMade ? toIssue("E_TEMPLATE_MADE", location, before.runId) : undefined;
}

/** A status that says it by assumption, or a company without a code, is named; an answer is not. */
function describeReached(
  { action, location }: Asked,
  changes: readonly FieldChange[],
): readonly RowIssue[] {
  if (changes.some(({ isAssumed }) => isAssumed)) return [toIssue("W_ACTION_ALREADY", location)];
  const code = changes.find(({ field }) => field === "shipping_code");
  return action === "shipping-code" && code?.old === null
    ? [toIssue("W_ACTION_COMPANY", location)]
    : [];
}

/** What somebody else has answered or made is never followed by another one. */
function findPresent(
  { action, location }: Asked,
  changes: readonly FieldChange[],
): RowIssue | undefined {
  const [present] = changes.flatMap(({ old }) =>
    typeof old === "string" && old !== "" ? [old] : [],
  );
  if (present === undefined) return undefined;
  if (action === "reply") return toIssue("E_ANSWERED", location, present);
  const { isFilled = false } = ACTIONS[action];
  return isFilled ? toIssue("E_ACTION_FILLED", location, present) : undefined;
}
