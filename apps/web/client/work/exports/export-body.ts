/** From what a person typed to the request of an export. */

import type { ExportColumnView, ExportKindView } from "../../../src/api/index.ts";

/** The columns that can be chosen with these filters. */
export const columnsToChoose = (
  { columns }: ExportKindView,
  typed: Readonly<Record<string, string>>,
): readonly ExportColumnView[] =>
  columns.filter(({ isFurther }) => !isFurther || typed["template"] === "full");

/** Keys of the columns that are ticked; `null` for all. */
export type ChosenColumns = ReadonlySet<string> | null;

export const isChosen = (chosen: ChosenColumns, key: string): boolean =>
  chosen === null || chosen.has(key);

/** The columns after one was ticked or unticked. */
export function tickColumn(
  columns: readonly ExportColumnView[],
  chosen: ChosenColumns,
  [key, isTicked]: readonly [key: string, isTicked: boolean],
): ChosenColumns {
  const keys = columns.map((column) => column.key);
  const next = keys.filter((each) => (each === key ? isTicked : isChosen(chosen, each)));
  return next.length === keys.length ? null : new Set(next);
}

/** The chosen keys in the order of the file; none where all are chosen. */
export function toColumns(
  columns: readonly ExportColumnView[],
  chosen: ChosenColumns,
): readonly string[] {
  if (chosen === null) return [];
  const keys = columns.map(({ key }) => key).filter((key) => chosen.has(key));
  return keys.length === columns.length ? [] : keys;
}

/** The filled filters that the kind has; those of a kind chosen before are left out. */
export const toFilters = (
  kind: ExportKindView,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    kind.filters.flatMap(({ key }) => {
      const value = (typed[key] ?? "").trim();
      return value === "" ? [] : [[key, value] as const];
    }),
  );
