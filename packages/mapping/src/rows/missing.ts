import { endpoints, type ProductAdd } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { FieldDefinition, FieldKey } from "../columns/fields/field.ts";
import { FIELDS } from "../columns/fields/fields.ts";
import { adviseOnAbsent } from "../columns/missing-columns.ts";
import { PLACEHOLDER } from "../columns/placeholder.ts";
import { createIssue, type Issue, type Problem } from "../issues/issue.ts";
import type { KnownNames } from "../names/known-names.ts";
import { MAX_SUGGESTIONS } from "../names/suggester.ts";
import { fieldLocation, type Layout } from "./layout.ts";
import { nameCategory } from "./names.ts";
import type { MappedRow } from "./row-mapper.ts";
import { cellAddress } from "./source-row.ts";

const REQUIRED: readonly FieldDefinition[] = FIELDS.filter((field) => field.requiredForAdd);

/**
 * Lists what a row lacks for a new product: an issue for each empty cell, and one for all missing
 * columns.
 */
export function listMissing(
  layout: Layout,
  mapped: MappedRow,
  known: KnownNames,
): readonly Issue[] {
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
      const empty = (): Issue => createIssue(describeEmpty(field, mapped, known), location);
      issues.push(findAddIssue(mapped, field.key) ?? empty());
    }
  }
  if (absent.length > 0) issues.push(missingColumns(layout, absent, mapped.row));
  return issues;
}

/** An example of a name has to exist in this store. */
function describeEmpty(
  { key, example }: FieldDefinition,
  mapped: MappedRow,
  known: KnownNames,
): Problem {
  const advice = adviseOnName(key, mapped, known);
  return advice === undefined
    ? { text: "E_REQUIRED", params: { example } }
    : { text: "E_REQUIRED.listed", params: { advice } };
}

/** Where the names of a field are; `undefined` for a field that takes any text. */
function adviseOnName(
  key: FieldKey,
  { changes }: MappedRow,
  known: KnownNames,
): Localized | undefined {
  if (key === "category") {
    return {
      tr: "Mağazadaki kategorilerden biri: catalog lookup categories",
      en: "One of the store's categories: catalog lookup categories",
    };
  }
  if (key === "brand") {
    const { category } =
      changes.category_id === undefined
        ? { category: `"${PLACEHOLDER}"` }
        : nameCategory(known, changes.category_id);
    return {
      tr: `Kategorinin markalarından biri: catalog lookup brands --category ${category}`,
      en: `One of the category's brands: catalog lookup brands --category ${category}`,
    };
  }
  return key === "shipping_template" ? adviseOnTemplate(known) : undefined;
}

function adviseOnTemplate(known: KnownNames): Localized {
  const names = known
    .knownTemplates()
    .slice(0, MAX_SUGGESTIONS)
    .map(({ template_name: name }) => `“${name}”`)
    .join(", ");
  return {
    tr: `${names && `Örneğin: ${names}. `}Mağazadaki şablonların hepsi: catalog lookup templates`,
    en: `${names && `For example: ${names}. `}All templates of the store: catalog lookup templates`,
  };
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
