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

import { nameHeldFile } from "./held-file.ts";
import { createProblemGroups, type IssueGroup } from "./problem-groups.ts";
import { MAX_SHOWN, type Problems, type ShownIssue } from "./report-texts.ts";

/** States of rows that a person corrects in the sheet. */
const TO_FIX: readonly RowState[] = ["invalid", "duplicate", "rejected"];

/**
 * The problems of a run, in the order of the sheet: rows to fix and rows that wait. Advice names
 * the workbook of held rows by `held`, the path of a person.
 */
export async function readAllProblems(
  connection: Connection,
  run: RunRecord,
  held: string | null,
): Promise<readonly Problems[]> {
  return [
    { kind: "fix", ...(await readProblems(connection, run, { states: TO_FIX, held })) },
    { kind: "wait", ...(await readProblems(connection, run, { states: ["held"], held })) },
  ];
}

interface NewProblemsOptions {
  /** The run before it was sent. */
  readonly planned: Pick<RunRecord, "facts">;
  readonly held: string | null;
}

/**
 * Problems found while sending. Rows held by guards were shown with the plan, unless the unit of
 * prices was unknown then.
 */
export async function readNewProblems(
  connection: Connection,
  run: RunRecord,
  { planned, held }: NewProblemsOptions,
): Promise<readonly Problems[]> {
  const isLate = plannedPriceUnit(planned.facts) === "unknown";
  const isShown = isLate ? isUnitKnown : isUnguarded;
  const waiting = { states: ["held"], held, isShown } as const;
  return [
    { kind: "fix", ...(await readProblems(connection, run, { states: ["rejected"], held })) },
    { kind: "wait", ...(await readProblems(connection, run, waiting)) },
  ];
}

const isUnguarded = ({ issues }: RowRecord): boolean =>
  !issues.some((issue) => guardOf(issue) !== undefined);

/** Rows that wait for the unit of prices were shown with the plan. */
const isUnitKnown = ({ issues }: RowRecord): boolean =>
  !issues.some(({ code }) => code === PRICE_UNIT_CODE);

/**
 * Rows that are grouped for the terminal; further ones are counted alone, because a sheet with so many
 * problems has the same ones on most rows.
 */
const MAX_GROUPED = 20_000;

interface ProblemQuery {
  readonly states: readonly RowState[];
  readonly held: string | null;
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
  let unread = 0;
  const { states, held, isShown = () => true } = wanted;
  for await (const batch of readAllRows(connection.journal, run.id, { states })) {
    const shown = batch.filter(isShown);
    rows += shown.length;
    for (const { issues } of shown)
      for (const issue of issues.filter(isBlocking)) groups.note(issue);
    if (wanted.isShown !== undefined || rows < MAX_GROUPED) continue;
    unread = (await countIn(connection, run, states)) - rows;
    break;
  }
  const found = groups.list();
  const issues = found.groups.map((group) => toShown(group, run, held));
  return { rows: rows + unread, issues, more: found.more + unread };
}

async function countIn(
  { journal }: Pick<Connection, "journal">,
  { id }: Pick<RunRecord, "id">,
  states: readonly RowState[],
): Promise<number> {
  const counted = await journal.countRows(id);
  return counted.reduce((sum, { state, rows }) => sum + (states.includes(state) ? rows : 0), 0);
}

function toShown(
  { issue: stored, rows, others }: IssueGroup,
  { id, facts, file }: RunRecord,
  held: string | null,
): ShownIssue {
  const located = others.map((other) => locateIssue(file, other));
  const named = nameHeldFile(locateIssue(file, stored, id), held);
  const issue = { ...named, sameRows: rows, others: located };
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
