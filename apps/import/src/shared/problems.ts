/** Finds the problems of a run to show, each kind once. */

import type { Connection } from "@catalog/connection";
import { listCommand, ruleCommand, type RuledName } from "@catalog/report";
import {
  guardOf,
  isBlocking,
  locateIssue,
  plannedPriceUnit,
  PRICE_UNIT_CODE,
  readAllRows,
  type RowIssue,
  type RowRecord,
  type RowState,
  type RunRecord,
} from "@catalog/runs";

import { createProblemGroups, type IssueGroup } from "./problem-groups.ts";
import { MAX_SHOWN, type Problems, type ShownIssue } from "./report-texts.ts";

/** States of rows that a person corrects in the sheet. */
const TO_FIX: readonly RowState[] = ["invalid", "duplicate", "rejected"];

/** The problems of a run, in the order of the sheet: rows to fix and rows that wait. */
export async function readAllProblems(
  connection: Connection,
  run: RunRecord,
): Promise<readonly Problems[]> {
  return [
    { kind: "fix", ...(await readProblems(connection, run, { states: TO_FIX })) },
    { kind: "wait", ...(await readProblems(connection, run, { states: ["held"] })) },
  ];
}

/**
 * Problems found while sending. Rows held by guards were shown with the plan, unless the unit of
 * prices was unknown then.
 */
export async function readNewProblems(
  connection: Connection,
  run: RunRecord,
  planned: Pick<RunRecord, "facts">,
): Promise<readonly Problems[]> {
  const isLate = plannedPriceUnit(planned.facts) === "unknown";
  const isShown = isLate ? isUnitKnown : isUnguarded;
  const waiting = { states: ["held"], isShown } as const;
  return [
    { kind: "fix", ...(await readProblems(connection, run, { states: ["rejected"] })) },
    { kind: "wait", ...(await readProblems(connection, run, waiting)) },
  ];
}

const isUnguarded = ({ issues }: RowRecord): boolean =>
  !issues.some((issue) => guardOf(issue) !== undefined);

/** Rows that wait for the unit of prices were shown with the plan. */
const isUnitKnown = ({ issues }: RowRecord): boolean =>
  !issues.some(({ code }) => code === PRICE_UNIT_CODE);

interface ProblemQuery {
  readonly states: readonly RowState[];
  /** @default all rows */
  readonly isShown?: (row: RowRecord) => boolean;
}

async function readProblems(
  connection: Connection,
  run: RunRecord,
  wanted: ProblemQuery,
): Promise<Omit<Problems, "kind">> {
  const groups = createProblemGroups(MAX_SHOWN);
  let rows = 0;
  const { states, isShown = () => true } = wanted;
  for await (const batch of readAllRows(connection.journal, run.id, { states })) {
    const shown = batch.filter(isShown);
    rows += shown.length;
    for (const { issues } of shown)
      for (const issue of issues.filter(isBlocking)) groups.note(issue);
  }
  const found = groups.list();
  return { rows, issues: found.groups.map((group) => toShown(group, run)), more: found.more };
}

function toShown(
  { issue: stored, rows, others }: IssueGroup,
  { id, facts, file }: RunRecord,
): ShownIssue {
  const located = others.map((other) => locateIssue(file, other));
  const issue = { ...locateIssue(file, stored, id), sameRows: rows, others: located };
  const name = facts?.reading?.openNames.find(
    ({ column, value }) => column === issue.column && value === issue.value,
  );
  if (name === undefined) return issue;
  const rule = { tr: ruleCommand(name, "tr"), en: ruleCommand(name, "en") };
  return { ...issue, rule, list: findUnsaidList(issue, name) };
}

/** The command that lists the names, where the issue names neither such a command nor choices. */
const findUnsaidList = ({ suggestion }: RowIssue, name: RuledName): string | undefined =>
  name.choices.length > 0 || suggestion?.en.includes("catalog lookup") === true
    ? undefined
    : listCommand(name);
