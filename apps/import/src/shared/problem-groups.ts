/** Gathers issues by kind, so that a frequent kind hides no rare one. */

import type { RowIssue } from "@catalog/runs";

/** An issue that stands for all like it. */
export interface IssueGroup {
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
