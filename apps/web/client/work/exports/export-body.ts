/** From what a person typed to the request of an export. */

import type { ExportKindView } from "../../../src/api/index.ts";

/** Headers that are separated by commas, semicolons or lines; each once. */
export const parseColumns = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[,;\n]/u)
      .map((header) => header.trim())
      .filter((header) => header !== ""),
  ),
];

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
