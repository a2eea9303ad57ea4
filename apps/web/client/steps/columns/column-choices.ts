/** Which columns and fields need a person, and what a request stores of the answers. */

import type { ColumnsView, ColumnView } from "../../../src/api/index.ts";

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

/**
 * Which products a value is for: new ones of this file (`file`), new ones of this and later files
 * (`store`), or every row of this file (`all`).
 */
export type Scope = "file" | "store" | "all";

/** A value for products whose cell is empty or missing. */
export interface GivenValue {
  readonly field: string;
  /** Empty for none. */
  readonly text: string;
  readonly scope: Scope;
}

/** The texts of this file and the defaults of the store that a change stores. */
interface GivenChange {
  readonly constants?: Record<string, string>;
  readonly forNew?: Record<string, string>;
  readonly defaults?: Record<string, string>;
}

type Given = Pick<ColumnsView, "constants" | "defaults" | "forNew">;

/** Which products the value that a field has now is for; `undefined` where it has none. */
export const scopeOf = (
  { constants, defaults, forNew }: Given,
  field: string,
): Scope | undefined => {
  if (field in constants) return "all";
  if (field in forNew) return "file";
  return field in defaults ? "store" : undefined;
};

/** Where a value is meant for other products than before, it is taken from where it stood. */
export function toGivenChange(view: Given, { field, text, scope }: GivenValue): GivenChange {
  const before = scopeOf(view, field);
  const { [field]: _constant, ...constants } = view.constants;
  const { [field]: _forNew, ...forNew } = view.forNew;
  const own = text === "" ? {} : { [field]: text };
  const isMoved = before === "store" && scope !== "store" && view.defaults[field] === text;
  return {
    ...(scope === "all" && { constants: { ...constants, ...own } }),
    // A text for all rows would come before the default.
    ...(scope !== "all" && before === "all" && { constants }),
    ...(scope === "file" && { forNew: { ...forNew, ...own } }),
    ...(scope !== "file" && field in view.forNew && { forNew }),
    ...(scope === "store" && { defaults: { [field]: text } }),
    ...(isMoved && { defaults: { [field]: "" } }),
  };
}

/** `isUpdate` is whether a person chose that the file adds no product. */
export function listMissing(
  view: Pick<ColumnsView, "fields" | "missing" | "constants">,
  isUpdate: boolean,
) {
  const missing = new Set(view.missing.map(({ key }) => key));
  const shown = view.fields.filter(({ key }) => missing.has(key) || key in view.constants);
  const givable = shown.filter(
    ({ key, isForAll, isForNew }) => isForAll || isForNew || key in view.constants,
  );
  const own = shown.filter((field) => !givable.includes(field));
  return {
    /** Fields in which products differ; without their columns the file can add no product. */
    own,
    /** Fields that may have one value for all, or for new products. */
    givable,
    /** Whether the file only updates products, so that the others are not asked for. */
    isFolded: isUpdate || own.length > 0,
  };
}
