/** The way from one error of the view to the next. */

/** The next position whose row is among the rows with errors, around the end; `null` for none. */
export const findErrorPosition = (
  order: Uint32Array,
  errorRows: ReadonlySet<number>,
  from: number,
  step: 1 | -1,
): number | null => {
  const { length } = order;
  for (let n = 1; n <= length; n += 1) {
    const position = (((from + n * step) % length) + length) % length;
    const row = order[position];
    if (row !== undefined && errorRows.has(row)) return position;
  }
  return null;
};

/** The next of some columns after one, in the direction; `null` where there is none. */
export const findErrorColumn = (
  columns: readonly number[],
  from: number,
  step: 1 | -1,
): number | null => {
  const sorted = columns.toSorted((left, right) => left - right);
  const found =
    step === 1
      ? sorted.find((column) => column > from)
      : sorted.findLast((column) => column < from);
  return found ?? null;
};
