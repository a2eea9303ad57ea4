/** The mistakes of a run for the terminal, grouped by what a person does about them, and where its held rows are decided. */

import { existsSync } from "node:fs";

import type { Connection } from "@catalog/connection";
import { findNameRule, heldPathOf, nameIssueCommands } from "@catalog/report";
import {
  atRecord,
  guardOf,
  isBlocking,
  locateIssue,
  PRICE_UNIT_CODE,
  readAllRows,
  type RowIssue,
  type RowRecord,
  type RowState,
  type RunRecord,
} from "@catalog/runs";

import type { CommandContext } from "./context.ts";
import { MAX_SHOWN, type Problems, type ShownIssue } from "./report-texts.ts";

type Shell = Pick<CommandContext, "terminal">;

/** The path of the workbook, which the command writes before it ends. */
export const plannedHeldFile = ({ terminal }: Shell, run: RunRecord): string =>
  terminal.shown(heldPathOf(run));

/** The path of the workbook; `null` where it is not there. */
export const findHeldFile = (shell: Shell, run: RunRecord): string | null =>
  existsSync(heldPathOf(run)) ? plannedHeldFile(shell, run) : null;

/** The issue whose advice names this workbook; the terminal itself names the program. */
export const nameHeldFile = <Issue extends RowIssue>(issue: Issue, held: string | null): Issue =>
  nameIssueCommands(issue, { program: "catalog", held });

/** An issue that stands for all like it. */
interface IssueGroup {
  readonly issue: RowIssue;
  /** Number of issues, including the first; those of one cell, which rows share, count once. */
  readonly rows: number;
  /** The issues after the first, of which only some are kept. */
  readonly others: readonly RowIssue[];
}

export interface ProblemGroups {
  note(issue: RowIssue): void;
  /** At most `max` groups in the order of the sheet, and the number of issues in no group. */
  list(): { readonly groups: readonly IssueGroup[]; readonly more: number };
}

/** Other issues of a group that are kept, to be named by their cells. */
const MAX_OTHERS = 6;

/** Codes of issues about a name: each name is resolved by a rule of its own. */
const NAMES =
  /^E_(?:RULE_TARGET|(?:BRAND|CATEGORY|MODEL|OPTION|PROPERTY|TEMPLATE)_(?:UNKNOWN|AMBIGUOUS|NOT_LEAF))$/u;

interface Group {
  readonly issue: RowIssue;
  readonly order: number;
  readonly others: RowIssue[];
  rows: number;
  /** The cell that was noted last. */
  last: RowIssue;
}

/** Issues of one code in one column: a group for each text or, for names, for each name. */
interface Kind {
  readonly groups: Map<string, Group>;
  /** Issues beyond the groups that are kept. */
  beyond: number;
}

export function createProblemGroups(max: number): ProblemGroups {
  const kinds = new Map<string, Kind>();
  let order = 0;
  return {
    note(issue) {
      const kind = getOrAdd(kinds, `${issue.code} ${issue.column}`, () => ({
        groups: new Map(),
        beyond: 0,
      }));
      const key = keyOf(issue);
      const group = kind.groups.get(key);
      if (group !== undefined) {
        if (isNoted(group, issue)) return;
        group.last = issue;
        group.rows += 1;
        if (group.others.length < MAX_OTHERS) group.others.push(issue);
      } else if (kind.groups.size < max) {
        kind.groups.set(key, { issue, order, others: [], rows: 1, last: issue });
        order += 1;
      } else {
        kind.beyond += 1;
      }
    },
    list() {
      const all = takeTurns([...kinds.values()].map(({ groups }) => Array.from(groups.values())));
      const groups = all.slice(0, max).toSorted((a, b) => a.order - b.order);
      const unshown = all.slice(max).reduce((sum, { rows }) => sum + rows, 0);
      const beyond = [...kinds.values()].reduce((sum, kind) => sum + kind.beyond, 0);
      return { groups, more: unshown + beyond };
    },
  };
}

/** Whether the issue is about a cell of the group that several rows take, such as variants. */
const isNoted = ({ issue, others, last }: Group, { sheet, cell, value }: RowIssue): boolean =>
  cell !== "" &&
  [issue, ...others, last].some(
    (known) => known.cell === cell && known.sheet === sheet && known.value === value,
  );

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

/** The first of each list, then the second of each, and so on. */
function takeTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

const keyOf = ({ code, value, message, suggestion }: RowIssue): string =>
  NAMES.test(code)
    ? JSON.stringify([value, message.en])
    : JSON.stringify([withoutValues(message.en), withoutValues(suggestion?.en ?? "")]);

/** The text without what differs from row to row: quoted values and numbers. */
const withoutValues = (text: string): string =>
  text.replaceAll(/[“"][^“”"]*[”"]/gu, "“”").replaceAll(/\p{N}+(?:[.,]\p{N}+)*/gu, "0");

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
 * Problems found while sending. Rows that the plan holds were shown with it, unless the unit of prices
 * was unknown then.
 */
export async function readNewProblems(
  connection: Connection,
  run: RunRecord,
  { planned, held }: NewProblemsOptions,
): Promise<readonly Problems[]> {
  const isOfProducts = run.progress.actions === undefined;
  const isLate = isOfProducts && (planned.facts?.priceUnit ?? "unknown") === "unknown";
  const isShown = isLate ? isUnitKnown : isHeldLate;
  const waiting = { states: ["held"], held, isShown } as const;
  const fix = await readProblems(connection, run, { states: ["rejected"], held });
  const problems: readonly Problems[] = [{ kind: "fix", ...fix }];
  // Sending releases no held row, so as many as were planned are the same ones.
  const isKnown = (await countIn(connection, run, ["held"])) === planned.facts?.planned.held;
  if (isKnown && !isLate) return problems;
  return [...problems, { kind: "wait", ...(await readProblems(connection, run, waiting)) }];
}

/** What a plan alone holds an action for. */
const PLANNED_HOLDS: ReadonlySet<string> = new Set([
  "E_ANSWERED",
  "E_ACTION_FILLED",
  "E_TEMPLATE_EXISTS",
  "E_TEMPLATE_MADE",
  "E_TEMPLATE_RENAME",
  "E_TEMPLATE_SINCE",
]);

const isHeldLate = ({ issues }: RowRecord): boolean =>
  !issues.some((issue) => guardOf(issue) !== undefined || PLANNED_HOLDS.has(issue.code));

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
    for (const row of shown)
      for (const issue of row.issues.filter(isBlocking)) groups.note(atRecord(issue, row));
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
  run: RunRecord,
  held: string | null,
): ShownIssue {
  const located = others.map((other) => locateIssue(run.file, other));
  const named = nameHeldFile(locateIssue(run.file, stored, run.id), held);
  return { ...named, sameRows: rows, others: located, ...findNameRule(run, named) };
}
