/** From what a person typed to the request of an export. */

import type { ExportColumnView, ExportKindView } from "../../../src/api/index.ts";

/** The columns that can be chosen with these filters. */
export const columnsToChoose = (
  { columns }: ExportKindView,
  typed: Readonly<Record<string, string>>,
): readonly ExportColumnView[] =>
  columns.filter(({ isFurther }) => !isFurther || typed["template"] === "full");

/** The chosen keys in the order of the file; none where all are chosen. */
export function toColumns(
  columns: readonly ExportColumnView[],
  chosen: ReadonlySet<string>,
): readonly string[] {
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
