import { compactFold } from "../fold.ts";
import type { IssueParams } from "../issues/issue.ts";
import { columnLetter } from "../rows/source-row.ts";
import { RANK } from "./fields/field.ts";
import { getField } from "./fields/fields.ts";
import type { ColumnTarget, HeaderMatch } from "./header-matcher.ts";
import type { ReportHeader } from "./header-report.ts";

export interface ChooseColumnsOptions {
  readonly matches: readonly HeaderMatch[];
  /** Columns that an issue has ruled out already. */
  readonly refused: ReadonlySet<number>;
  readonly report: ReportHeader;
}

/** A column whose field is given by another column of lower rank. */
export interface BeatenColumn {
  readonly index: number;
  readonly winner: number;
}

/** The target of every column, and the columns that are not used because of another one. */
export interface ChosenColumns {
  readonly targets: readonly ColumnTarget[];
  readonly beaten: readonly BeatenColumn[];
  /** Columns that may make up a field together with others, for a person to decide. */
  readonly parts: readonly number[];
}

/**
 * Chooses one column for each field: the one with the lowest rank. Two columns of equal rank are an
 * error at the second one, and a column of higher rank is left out. Discounts of different kinds may
 * stand in several columns, and so may a stock whose columns a person has named.
 */
export function chooseColumns(options: ChooseColumnsOptions): ChosenColumns {
  const { matches, refused } = options;
  const targets: ColumnTarget[] = matches.map(({ target }, index) =>
    refused.has(index) ? { kind: "unused" } : target,
  );

  const rivals = new Map<string, number[]>();
  for (const [index, target] of targets.entries()) {
    const subject = subjectOf(target);
    if (subject === undefined) continue;
    const others = rivals.get(subject) ?? [];
    rivals.set(subject, [...others, index]);
  }
  const beaten: BeatenColumn[] = [];
  const open: number[] = [];
  for (const indexes of rivals.values()) {
    const parts = indexes.filter((index) => isPart(matches[index]));
    const isSum = parts.length > 1;
    if (isSum) open.push(...parts.filter((index) => matches[index]?.rank !== RANK.chosen));
    const losers = isSum ? indexes.filter((index) => !parts.includes(index)) : [];
    const [winner = 0] = parts;
    for (const index of losers) beaten.push({ index, winner });
    const left = isSum ? losers : chooseAmong(indexes, options, beaten);
    for (const loser of left) targets[loser] = { kind: "unused" };
  }
  for (const index of open) targets[index] = toOpen(targets[index]);
  return { targets, beaten, parts: open };
}

/** A person who names several columns of stocks wants them added up. */
const isPart = (match: HeaderMatch | undefined): boolean =>
  match?.isPart === true ||
  (match?.rank === RANK.chosen && match.target.kind === "field" && match.target.field === "stock");

const toOpen = (target: ColumnTarget | undefined): ColumnTarget =>
  target?.kind === "field" ? { kind: "unknown", suggestion: target.field } : { kind: "unknown" };

function subjectOf(target: ColumnTarget): string | undefined {
  if (target.kind === "field") return target.field;
  return target.kind === "property" ? `property:${compactFold(target.name)}` : undefined;
}

/** Records the columns that lose their field, and returns them. */
function chooseAmong(
  indexes: readonly number[],
  { matches, report }: ChooseColumnsOptions,
  beaten: BeatenColumn[],
): readonly number[] {
  const rank = (index: number): number => matches[index]?.rank ?? Number.POSITIVE_INFINITY;
  const winner = indexes.reduce((best, index) => (rank(index) < rank(best) ? index : best));
  const losers = indexes.filter(
    (index) =>
      index !== winner &&
      !isOtherDiscount(matches[index], matches[winner]) &&
      !areImages(matches[index], matches[winner]),
  );
  for (const index of losers) {
    if (rank(index) === rank(winner)) {
      const field = fieldText(matches[index]?.target);
      const [first, second] = [columnLetter(winner), columnLetter(index)];
      report("E_COLUMN_TWICE", index, { field, first, second });
    } else beaten.push({ index, winner });
  }
  return losers;
}

/** Whether a platform writes images into both columns. */
const areImages = (...pair: readonly (HeaderMatch | undefined)[]): boolean =>
  pair.every(
    (match) =>
      match?.target.kind === "field" &&
      match.target.field === "images" &&
      Math.floor(match.rank) === RANK.platform,
  );

/** Whether two columns of equal rank hold discounts of two kinds, of which a row gives one. */
function isOtherDiscount(one: HeaderMatch | undefined, other: HeaderMatch | undefined): boolean {
  const [first, second] = [one, other].map((match) =>
    match?.target.kind === "field" ? match.target.discountType : undefined,
  );
  const areKinds = first !== undefined && second !== undefined && first !== second;
  return areKinds && one?.rank === other?.rank;
}

const fieldText = (target: ColumnTarget | undefined): IssueParams[string] => {
  if (target?.kind === "field") return getField(target.field).header;
  return target?.kind === "property" ? target.name : "";
};
