/** Finds the columns that sellers use in place of the one that a platform has for a field. */

import { createHeaderTable } from "../platforms/header-patterns.ts";
import type { PlatformProfile } from "../platforms/platform.ts";
import type { FieldKey } from "./fields/field.ts";
import { FIELDS } from "./fields/fields.ts";
import type { ColumnTarget } from "./header-matcher.ts";

/** A column that may hold a field better than the column that is used. */
export interface AlternativeColumn {
  readonly field: FieldKey;
  /** As it stands in the file. */
  readonly header: string;
}

/** The unknown columns that the profile names; for a person to decide. */
export function findAlternatives(
  columns: readonly { readonly header: string; readonly target: ColumnTarget }[],
  profile: Pick<PlatformProfile, "alternatives"> | undefined,
): readonly AlternativeColumn[] {
  const patterns = FIELDS.flatMap(({ key }) =>
    (profile?.alternatives?.[key] ?? []).map((header) => [header, key] as const),
  );
  const table = createHeaderTable(patterns);
  return columns.flatMap(({ header, target }) => {
    const field = target.kind === "unknown" ? table.find(header) : undefined;
    return field === undefined ? [] : [{ field, header }];
  });
}
