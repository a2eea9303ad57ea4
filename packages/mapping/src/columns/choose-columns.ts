import { compactFold } from "../fold.ts";
import { columnLetter } from "../rows/source-row.ts";
import { getField } from "./fields.ts";
import { type ColumnTarget, type HeaderMatch } from "./header-matcher.ts";
import { type ReportHeader } from "./header-report.ts";

export interface ChooseColumnsOptions {
  readonly matches: readonly HeaderMatch[];
  readonly headers: readonly string[];
  /** Columns that an issue has ruled out already. */
  readonly refused: ReadonlySet<number>;
  readonly report: ReportHeader;
}

/**
 * One column for each field: the surest. Two that are equally sure are an error at the second, and
 * a less sure one is left out with a warning.
 */
export function chooseColumns(options: ChooseColumnsOptions): readonly ColumnTarget[] {
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
  for (const indexes of rivals.values()) {
    for (const loser of settle(indexes, options)) targets[loser] = { kind: "unused" };
  }
  return targets;
}

function subjectOf(target: ColumnTarget): string | undefined {
  if (target.kind === "field") return target.field;
  return target.kind === "property" ? `property:${compactFold(target.name)}` : undefined;
}

/** Reports the columns that lose their field, and returns them. */
function settle(indexes: readonly number[], options: ChooseColumnsOptions): readonly number[] {
  const { matches, report } = options;
  const rank = (index: number): number => matches[index]?.rank ?? Number.POSITIVE_INFINITY;
  const winner = indexes.reduce((best, index) => (rank(index) < rank(best) ? index : best));
  const losers = indexes.filter((index) => index !== winner);
  for (const index of losers) {
    const field = fieldText(matches[index]?.target);
    const key = keyText(matches[index]?.target);
    if (rank(index) === rank(winner)) {
      const [first, second] = [columnLetter(winner), columnLetter(index)];
      report("E_COLUMN_TWICE", index, { field, first, second });
    } else {
      const other = `“${options.headers[winner] ?? ""}” (${columnLetter(winner)})`;
      report("W_COLUMN_UNUSED", index, { field, key, other });
    }
  }
  return losers;
}

const fieldText = (target: ColumnTarget | undefined): string | { tr: string; en: string } => {
  if (target?.kind === "field") return getField(target.field).header;
  return target?.kind === "property" ? target.name : "";
};

const keyText = (target: ColumnTarget | undefined): string =>
  target?.kind === "field" ? target.field : "";
