/** Finds the problems of a run to show; a problem that rows share is shown once. */

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

import { MAX_SHOWN, type Problems, type ShownIssue } from "./report-texts.ts";

/** States of rows that a person corrects in the sheet. */
const TO_FIX: readonly RowState[] = ["invalid", "duplicate", "rejected"];

/** Codes of problems that one correction resolves for all rows. */
const SHARED =
  /^E_(?:COLUMN_MISSING|RULE_TARGET|VALUE_UNKNOWN|(?:BRAND|CATEGORY|MODEL|OPTION|PROPERTY|TEMPLATE)_\w+)$/u;

interface Group {
  readonly issue: RowIssue;
  rows: number;
}

/** The first problems of a run, in the order of the sheet: rows to fix and rows that wait. */
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
  const groups = new Map<string, Group>();
  let others = 0;
  let rows = 0;
  const { states, isShown = () => true } = wanted;
  for await (const batch of readAllRows(connection.journal, run.id, { states })) {
    const shown = batch.filter(isShown);
    rows += shown.length;
    for (const issue of shown.flatMap(({ issues }) => issues).filter(isBlocking)) {
      const key = keyOf(issue);
      const known = groups.get(key);
      if (known !== undefined) known.rows += 1;
      else if (groups.size < MAX_SHOWN || SHARED.test(issue.code))
        groups.set(key, { issue, rows: 1 });
      else others += 1;
    }
  }
  const all = [...groups.values()];
  return {
    rows,
    issues: all.slice(0, MAX_SHOWN).map((group) => toShown(group, run)),
    more: Math.max(0, all.length - MAX_SHOWN) + others,
  };
}

const keyOf = ({ code, row, column, cell, value, message }: RowIssue): string =>
  SHARED.test(code)
    ? JSON.stringify([code, column, value, message.en])
    : JSON.stringify([row, cell, code, message.en]);

function toShown({ issue: stored, rows }: Group, { facts, file }: RunRecord): ShownIssue {
  const issue = locateIssue(file, stored);
  const name = facts?.reading?.openNames.find(
    ({ column, value }) => column === issue.column && value === issue.value,
  );
  if (name === undefined) return rows === 1 ? issue : { ...issue, sameRows: rows };
  return { ...issue, sameRows: rows, rule: ruleCommand(name), list: findUnsaidList(issue, name) };
}

/** The command that lists the names, where the issue does not name it already. */
function findUnsaidList({ suggestion }: RowIssue, name: RuledName): string | undefined {
  const list = listCommand(name);
  return list !== undefined && suggestion?.en.includes(list) === true ? undefined : list;
}
