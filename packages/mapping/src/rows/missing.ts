import { endpoints, type ProductAdd } from "@catalog/contract";

import type { FieldDefinition, FieldKey } from "../columns/fields/field.ts";
import { FIELDS } from "../columns/fields/fields.ts";
import { adviseOnAbsent } from "../columns/missing-columns.ts";
import { createIssue, type Issue } from "../issues/issue.ts";
import { fieldLocation, type Layout } from "./layout.ts";
import type { MappedRow } from "./row-mapper.ts";
import { cellAddress } from "./source-row.ts";

const REQUIRED: readonly FieldDefinition[] = FIELDS.filter((field) => field.requiredForAdd);

/**
 * Lists what a row lacks for a new product: an issue for each empty cell, and one for all missing
 * columns.
 */
export function listMissing(layout: Layout, mapped: MappedRow): readonly Issue[] {
  // The parent has what the row lacks.
  if (mapped.issues.some(({ code }) => code === "E_VARIANT_PARENT")) return [];
  const given = new Set<FieldKey>(mapped.given);
  const reported = new Set(mapped.issues.map((issue) => issue.cell));
  const issues: Issue[] = [];
  const absent: FieldDefinition[] = [];
  for (const field of REQUIRED) {
    if (isGiven(field.key, given) || layout.mapping.defaults.has(field.key)) continue;
    const location = locationToFill(layout, field.key, mapped.row);
    if (location === undefined) absent.push(field);
    else if (!reported.has(location.cell)) {
      const empty = { text: "E_REQUIRED", params: { example: field.example } } as const;
      issues.push(findAddIssue(mapped, field.key) ?? createIssue(empty, location));
    }
  }
  if (absent.length > 0) issues.push(missingColumns(layout, absent, mapped.row));
  return issues;
}

const findAddIssue = ({ addIssues }: MappedRow, key: FieldKey): Issue | undefined =>
  addIssues?.find(({ field }) => field === key)?.issue;

const isImage = (key: FieldKey): boolean => key.startsWith("image");

/** Any one image is enough. */
function isGiven(key: FieldKey, given: ReadonlySet<FieldKey>): boolean {
  return isImage(key) ? [...given].some((other) => isImage(other)) : given.has(key);
}

function locationToFill(
  layout: Layout,
  key: FieldKey,
  row: number,
): ReturnType<typeof fieldLocation> {
  const location = fieldLocation(layout, key, row);
  if (location !== undefined || !isImage(key)) return location;
  const column = layout.fields.find(({ field }) => isImage(field))?.field;
  return column === undefined ? undefined : fieldLocation(layout, column, row);
}

function missingColumns(layout: Layout, absent: readonly FieldDefinition[], row: number): Issue {
  const names = {
    tr: absent.map((field) => `“${field.header.tr}”`).join(", "),
    en: absent.map((field) => `“${field.header.en}”`).join(", "),
  };
  const advice = adviseOnAbsent(absent, layout.mapping.likely);
  const location = { sheet: layout.sheet, row, column: "", cell: cellAddress(0, row), value: "" };
  return createIssue({ text: "E_COLUMN_MISSING", params: { names, advice } }, location);
}

/**
 * Makes the body that adds the row's product, without a discount where the row gives none.
 * `undefined` when the row has issues or lacks a required field.
 */
export function completeAdd(mapped: MappedRow): ProductAdd | undefined {
  if (mapped.issues.length > 0) return undefined;
  const body = { has_discount: false, ...mapped.changes };
  const parsed = endpoints.product.add.input.safeParse(body);
  return parsed.success ? parsed.data : undefined;
}
