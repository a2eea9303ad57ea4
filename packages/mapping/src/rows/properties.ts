import type { CategoryId, PropertyChoice } from "@catalog/contract";

import type { KnownNames } from "../names/known-names.ts";
import type { NameIndex } from "../names/name-index.ts";
import type { IndexedProperty } from "../names/name-indexes.ts";
import { labelOf } from "../names/name-labels.ts";
import type { PropertyColumn } from "./layout.ts";
import { resolveCell, type RowId, resolveName } from "./names.ts";
import { type PropertyCell, refuseBroken, type RowWork } from "./row-work.ts";

/** Called for a column that holds options, with its property. */
type OnUsed = (column: PropertyColumn, property: string) => void;

/**
 * Resolves the property columns of a row within its category. A column with an unknown header
 * counts only where the category has a property of that name, and is no issue elsewhere.
 */
export function applyProperties(
  work: RowWork,
  known: KnownNames,
  options: { readonly category: RowId<CategoryId>; readonly onUsed: OnUsed },
): void {
  const { category, onUsed } = options;
  if (category === "unclear" || !work.hasProperties()) return;
  if (category === undefined) {
    reportWithoutCategory(work);
    return;
  }
  const index = readProperties(work, known, category);
  const chosen = new Map<IndexedProperty, ChosenProperty>();
  for (const item of work.readProperties(countingColumns(work, index))) {
    const found = findProperty(work, item, index);
    if (found === undefined) continue;
    onUsed(item.column, found.property.name);
    const choice = choose(work, item, found);
    if (choice !== undefined) addChoice(work, chosen, { item, found, choice });
  }
  const choices = [...chosen.values()].map(({ choice }) => choice);
  if (choices.length > 0) work.changes.properties = choices;
}

interface ChosenProperty {
  readonly item: PropertyCell;
  readonly found: IndexedProperty;
  readonly choice: PropertyChoice;
}

/** Adds an option. Two columns may give one property, by name and by id; they must agree. */
function addChoice(
  work: RowWork,
  chosen: Map<IndexedProperty, ChosenProperty>,
  next: ChosenProperty,
): void {
  const first = chosen.get(next.found);
  if (first === undefined) chosen.set(next.found, next);
  else if (first.choice.option_id !== next.choice.option_id) {
    const letters = {
      first: first.item.column.column.letter,
      second: next.item.column.column.letter,
    };
    const params = { field: next.found.property.name, ...letters };
    work.report({ text: "E_COLUMN_TWICE", params }, next.item.cell);
  }
}

/** Columns with an unknown header that are a property in the row's category. */
export function looseColumns(
  work: RowWork,
  known: KnownNames,
  category: RowId<CategoryId>,
): readonly number[] {
  if (category === "unclear" || category === undefined) return [];
  const { index } = known.properties(category);
  return countingColumns(work, index)
    .filter(({ isExplicit }) => !isExplicit)
    .map(({ column }) => column.index);
}

/** Renews the list where it lacks a property of a header or an option of a cell. */
function readProperties(
  work: RowWork,
  known: KnownNames,
  category: CategoryId,
): NameIndex<IndexedProperty> {
  const list = known.properties(category);
  const { index } = list;
  const cells = work.readProperties(countingColumns(work, index));
  const lacks = cells.some(({ column, cell }) => {
    const found = index.resolve(column.name);
    if (found.kind !== "found") return column.isExplicit;
    return resolveCell(found.item.options, cell).kind === "unknown";
  });
  if (lacks) list.renew();
  return index;
}

/** The columns of each list of properties, as rows of one category follow one another. */
const COUNTING = new WeakMap<object, WeakMap<object, readonly PropertyColumn[]>>();

/**
 * Columns that give properties in a category; an unknown header is usually a note of the seller.
 */
function countingColumns(
  { layout: { properties } }: RowWork,
  index: NameIndex<IndexedProperty>,
): readonly PropertyColumn[] {
  const ofIndex = COUNTING.get(index) ?? new WeakMap<object, readonly PropertyColumn[]>();
  COUNTING.set(index, ofIndex);
  const known = ofIndex.get(properties);
  if (known !== undefined) return known;
  const counting = properties.filter(
    ({ name, isExplicit }) => isExplicit || index.resolve(name).kind === "found",
  );
  ofIndex.set(properties, counting);
  return counting;
}

function reportWithoutCategory(work: RowWork): void {
  const explicit = work.layout.properties.filter(({ isExplicit }) => isExplicit);
  for (const { column, cell } of work.readProperties(explicit)) {
    const params = { property: column.name };
    work.report({ text: "E_PROPERTY_NEEDS_CATEGORY", params }, cell);
  }
}

function findProperty(
  work: RowWork,
  { column, cell }: PropertyCell,
  index: NameIndex<IndexedProperty>,
): IndexedProperty | undefined {
  const resolution = index.resolve(column.name);
  if (resolution.kind === "found") return resolution.item;
  if (!column.isExplicit) return undefined;
  return resolveName(work, cell, {
    resolution,
    wording: {
      unknown: "E_PROPERTY_UNKNOWN",
      ambiguous: "E_PROPERTY_AMBIGUOUS",
      label: ({ property }, isUnique) => labelOf(property.name, property.id, isUnique),
      params: { property: column.name },
      isOfHeader: true,
    },
  });
}

function choose(
  work: RowWork,
  { cell }: PropertyCell,
  { property, options }: IndexedProperty,
): PropertyChoice | undefined {
  if (refuseBroken(cell, work)) return undefined;
  const option = resolveName(work, cell, {
    resolution: resolveCell(options, cell),
    wording: {
      unknown: "E_OPTION_UNKNOWN",
      ambiguous: "E_OPTION_AMBIGUOUS",
      label: (item, isUnique) => labelOf(item.display_name, item.id, isUnique),
      others: options.items,
      params: { property: property.name },
    },
  });
  return option === undefined ? undefined : { property_id: property.id, option_id: option.id };
}
