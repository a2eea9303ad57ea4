/** Which columns need a person, and what was chosen for all. */

import type { ColumnView } from "../../../src/api/index.ts";

export type DecimalSign = "comma" | "point";

/** Whether a person should look at the column first. */
export const needsDecision = (column: ColumnView): boolean =>
  column.problem !== null ||
  column.unclear?.answer === null ||
  (column.confidence === "open" && column.field === null);

/** Field by header, of the columns that a person chose; a request replaces all of them. */
export const toChosenFields = (columns: readonly ColumnView[]): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap((column) =>
      column.field === null || !column.isChosen || isLeftOut(column, columns)
        ? []
        : [[column.header, column.field] as const],
    ),
  );

/** The answer for one column besides those for others; a request replaces all of them. */
export const toDecimals = (
  columns: readonly ColumnView[],
  { header }: Pick<ColumnView, "header">,
  sign: DecimalSign,
): Readonly<Record<string, DecimalSign>> => {
  const given = columns.flatMap(({ header: other, unclear }) =>
    unclear?.answer == null ? [] : [[other, unclear.answer] as const],
  );
  return { ...Object.fromEntries(given), [header]: sign };
};

/** The other columns with the header of a column. */
export const findTwins = (
  { index, header }: Pick<ColumnView, "index" | "header">,
  columns: readonly ColumnView[],
): readonly ColumnView[] =>
  header === "" ? [] : columns.filter((one) => one.header === header && one.index !== index);

const isLeftOut = (column: ColumnView, columns: readonly ColumnView[]): boolean =>
  column.field === "-" && column.isChosen && findTwins(column, columns).length > 0;

/** Whether the column is one of several with its header, and not the one that a person took. */
export const canTake = (column: ColumnView, columns: readonly ColumnView[]): boolean => {
  const twins = findTwins(column, columns);
  const isTaken = !isLeftOut(column, columns) && twins.every((twin) => isLeftOut(twin, columns));
  return twins.length > 0 && !isTaken;
};

/** Columns that are not read so that `taken` is, and those that were left out before. */
export const toLeftOut = (
  taken: ColumnView | null,
  columns: readonly ColumnView[],
): readonly number[] => {
  const twins = new Set(taken === null ? [] : findTwins(taken, columns).map(({ index }) => index));
  return columns
    .filter((column) => twins.has(column.index) || isLeftOut(column, columns))
    .map(({ index }) => index)
    .filter((index) => index !== taken?.index);
};

/** The fields that unknown headers may be, by header. */
export const toGuesses = (columns: readonly ColumnView[]): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap(({ header, field, guess }) =>
      field === null && guess !== null ? [[header, guess] as const] : [],
    ),
  );
