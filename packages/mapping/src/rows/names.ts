/** Resolves the fields and properties of a row that name something with an id on the marketplace. */

import { type PropertyChoice, type Id, idSchemas } from "@catalog/contract";
import { type Localized, quoteText } from "@catalog/i18n";

import type { ColumnMapping } from "../columns/column-mapping.ts";
import type { Column } from "../fields/fields.ts";
import type { TextKey } from "../issues/codes.ts";
import type { IssueParams } from "../issues/issue.ts";
import type { CategoryNode } from "../names/categories.ts";
import {
  DEFAULT_ID_PATTERN,
  hasIdSuffix,
  type NameIndex,
  type Resolution,
  labelOf,
} from "../names/name-index.ts";
import type { IndexedProperty, KnownList, KnownNames } from "../names/name-indexes.ts";
import { MAX_SUGGESTIONS } from "../names/suggester.ts";
import { cellText, type SourceRow } from "../source-row.ts";
import { fold } from "../text-keys.ts";
import { withJoinedCells } from "../variants/row-joiner.ts";
import type { Cell, PropertyColumn } from "./layout.ts";
import { type PropertyCell, refuseBroken, type RowWork } from "./row-work.ts";

/** An id; `unclear` when an issue was reported at the cell; `undefined` when the cell is empty. */
type RowId<Found> = Found | "unclear" | undefined;

/** Texts for a name that does not resolve to one thing. */
interface Wording<T> {
  readonly unknown: TextKey;
  readonly ambiguous: TextKey;
  /** Label in a list of choices; names that are not unique carry the end of their id. */
  readonly label: (item: T, isUnique: boolean) => string;
  /** Shown when no name is similar. */
  readonly others?: readonly T[];
  readonly params?: IssueParams;
  /** Text of an unknown name without any suggestion. @default `unknown` */
  readonly unlike?: TextKey;
  /** Whether the header names nothing, so that a rule for the cell's text would not help. */
  readonly isOfHeader?: boolean;
}

/** Returns the one thing that was found; otherwise reports an issue at the cell, with choices. */
function resolveName<T>(
  work: RowWork,
  cell: Cell,
  { resolution, wording }: { resolution: Resolution<T>; wording: Wording<T> },
): T | undefined {
  if (resolution.kind === "found") return resolution.item;
  const { label, others = [], isOfHeader = false } = wording;
  const isUnknown = resolution.kind === "unknown";
  const close = isUnknown ? resolution.suggestions : resolution.candidates;
  const shown = (close.length === 0 ? others : close).slice(0, MAX_SUGGESTIONS);
  const choices = shown.map((item) => label(item, isUnknown));
  const { unknown, unlike = unknown } = wording;
  const text = isUnknown ? (choices.length > 0 ? unknown : unlike) : wording.ambiguous;
  const names = quote(choices);
  const params = { ...wording.params, names, meant: askWhichIsMeant(names, choices.length) };
  work.report({ text, params, choices: isOfHeader ? undefined : choices }, cell);
  return undefined;
}

/** One name is no choice among several. */
const askWhichIsMeant = (names: string, count: number): Localized => ({
  tr:
    count === 0
      ? ""
      : `${count === 1 ? "Bunu mu demek istediniz" : "Bunlardan biri mi"}: ${names}?`,
  en: count === 0 ? "" : `Did you mean ${count === 1 ? "" : "one of these: "}${names}?`,
});

interface Resolver<R> {
  resolve(text: string): R;
}

/** Repeats a lookup on a renewed list, because a kept list may be older than the name. */
function resolveNewest<R extends { readonly kind: string }>(
  list: KnownList<Resolver<R>>,
  cell: Cell,
): R {
  const resolution = resolveCell(list.index, cell);
  if (resolution.kind === "unknown") list.renew();
  return resolution;
}

/**
 * Resolves a cell by the first of its spellings that names anything; where a rule has given its
 * meanings, by the first that names one thing, because each was given for a list of its own.
 */
function resolveCell<R extends { readonly kind: string }>(
  index: Resolver<R>,
  { text, others, isRuled }: Pick<Cell, "text" | "others" | "isRuled">,
): R {
  const first = index.resolve(text);
  if (first.kind === "found" || others.length === 0) return first;
  if (first.kind !== "unknown" && !isRuled) return first;
  const all = [first, ...others.map((other) => index.resolve(other))];
  const found = isRuled ? all.find(({ kind }) => kind === "found") : undefined;
  return found ?? all.find(({ kind }) => kind !== "unknown") ?? first;
}

const quote = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(", ");

/** Resolves category, brand and model, each within the one before, and the shipping template. */
export function applyNames(work: RowWork, known: KnownNames): RowId<Id<"category">> {
  const category = applyCategory(work, known);
  const brand = applyBrand(work, known, category);
  applyModel(work, known, { category, brand });
  applyTemplate(work, known);
  return category;
}

const CATEGORY_WORDING: Wording<CategoryNode> = {
  unknown: "E_CATEGORY_UNKNOWN",
  unlike: "E_CATEGORY_UNKNOWN.unlike",
  ambiguous: "E_CATEGORY_AMBIGUOUS",
  label: (node) => node.path,
};

function applyCategory(work: RowWork, known: KnownNames): RowId<Id<"category">> {
  const cell = work.cells.get("category");
  if (cell === undefined) return work.given.has("category") ? "unclear" : undefined;
  const resolution = resolveNewest(known.categories(), cell);
  if (resolution.kind === "not-leaf") {
    const below = resolution.node.children.slice(0, MAX_SUGGESTIONS);
    const choices = below.map((node) => node.path);
    const params = { names: quote(choices) };
    work.report({ text: "E_CATEGORY_NOT_LEAF", params, choices }, cell);
    return "unclear";
  }
  const wording = { ...CATEGORY_WORDING, params: { search: quoteText(cell.text) } };
  const node = resolveName(work, cell, { resolution, wording });
  if (node === undefined) return "unclear";
  work.changes.category_id = node.category.id;
  work.names.category = node.category.name;
  return node.category.id;
}

function applyBrand(
  work: RowWork,
  known: KnownNames,
  category: RowId<Id<"category">>,
): RowId<Id<"brand">> {
  const cell = work.cells.get("brand");
  if (cell === undefined) return work.given.has("brand") ? "unclear" : undefined;
  // A wrong category is reported at its own cell; the brand depends on it.
  if (category === "unclear") return "unclear";
  if (category === undefined) return brandWithoutCategory(work, cell);
  const resolution = resolveNewest(known.brands(category), cell);
  const brand = resolveName(work, cell, {
    resolution,
    wording: {
      unknown: "E_BRAND_UNKNOWN",
      unlike: "E_BRAND_UNKNOWN.unlike",
      params: resolution.kind === "unknown" ? nameCategory(known, category) : {},
      ambiguous: "E_BRAND_AMBIGUOUS",
      label: ({ name, id }, isUnique) => labelOf(name, id, isUnique),
    },
  });
  if (brand === undefined) return "unclear";
  work.changes.brand_id = brand.id;
  work.names.brand = brand.name;
  return brand.id;
}

/** The category as a command takes it. */
export function nameCategory(
  known: Pick<KnownNames, "categories">,
  category: Id<"category">,
): { readonly category: string } {
  const found = known.categories().index.resolve(category);
  return { category: quoteText(found.kind === "found" ? found.item.path : category) };
}

/** An id is used without a list, unchecked. */
function brandWithoutCategory(work: RowWork, cell: Cell): RowId<Id<"brand">> {
  if (!DEFAULT_ID_PATTERN.test(cell.text)) {
    work.report({ text: "E_BRAND_NEEDS_CATEGORY" }, cell);
    return "unclear";
  }
  const id = idSchemas.brand.parse(cell.text);
  work.changes.brand_id = id;
  return id;
}

interface ParentNames {
  readonly category: RowId<Id<"category">>;
  readonly brand: RowId<Id<"brand">>;
}

/**
 * A model that is not listed is sent as free text, which the specification allows (section
 * Products, add), with a warning where a listed model is near. Because free text is common, an
 * unknown model does not renew the list.
 */
function applyModel(work: RowWork, known: KnownNames, above: ParentNames): void {
  const cell = work.cells.get("brand_model");
  if (cell === undefined) return;
  const { category, brand } = above;
  if (category === "unclear" || brand === "unclear") return;
  if (category === undefined || brand === undefined) {
    work.changes.brand_model = cell.text;
    return;
  }
  const others = cell.isRuled ? cell.others : [];
  const { text, isRuled } = cell;
  const resolution = resolveCell(known.models(category, brand).index, { text, others, isRuled });
  const free = [text, ...others].find((each) => !(isRuled ? isOfList : isId)(each));
  if (resolution.kind === "unknown" && free !== undefined) {
    work.changes.brand_model = free;
    warnOfNearModel(work, cell, resolution.nearest?.());
    return;
  }
  const model = resolveName(work, cell, {
    resolution,
    wording: {
      unknown: "E_MODEL_UNKNOWN",
      ambiguous: "E_MODEL_AMBIGUOUS",
      label: ({ name, id }, isUnique) => labelOf(name, id, isUnique),
    },
  });
  if (model === undefined) return;
  work.changes.brand_model = model.id;
  work.names.brandModel = model.name;
}

const isId = (text: string): boolean => DEFAULT_ID_PATTERN.test(text);

/** A meaning with an id was chosen from the list of another category, and is no text to send. */
const isOfList = (text: string): boolean => isId(text) || hasIdSuffix(text);

/**
 * Warns where the text is a listed model but for a slip. It stays free text, because a person may
 * mean a model that the marketplace does not have.
 */
function warnOfNearModel(work: RowWork, cell: Cell, closest: string | undefined): void {
  if (closest === undefined || letteringOf(closest) !== letteringOf(cell.text)) return;
  work.names.nearModel = closest;
  work.warn({ text: "W_MODEL_UNKNOWN", params: { closest } }, cell);
}

/** The short words, which tell models apart as their digits do: a Model S is no Model X. */
const letteringOf = (name: string): string =>
  fold(name)
    .split(" ")
    .filter((word) => word.length <= MAX_LETTERING_CHARS)
    .toSorted()
    .join(" ");

const MAX_LETTERING_CHARS = 2;

function applyTemplate(work: RowWork, known: KnownNames): void {
  const cell = work.cells.get("shipping_template");
  if (cell === undefined) return;
  const list = known.templates();
  const resolution = resolveNewest(list, cell);
  const template = resolveName(work, cell, {
    resolution,
    wording: {
      unknown: "E_TEMPLATE_UNKNOWN",
      ambiguous: "E_TEMPLATE_AMBIGUOUS",
      label: (item, isUnique) => labelOf(item.template_name, item.id, isUnique),
      others: list.index.items,
    },
  });
  if (template === undefined) return;
  work.changes.shipping_template_id = template.id;
  work.names.shippingTemplate = template.template_name;
}

/** Called for a column that holds options, with its property. */
type OnUsed = (column: PropertyColumn, property: string) => void;

/**
 * Resolves the property columns of a row within its category. A column with an unknown header
 * counts only where the category has a property of that name, and is no issue elsewhere.
 */
export function applyProperties(
  work: RowWork,
  known: KnownNames,
  options: { readonly category: RowId<Id<"category">>; readonly onUsed: OnUsed },
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
  category: RowId<Id<"category">>,
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
  category: Id<"category">,
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

const NAME_FIELDS = ["action", "category", "brand", "brand_model", "shipping_template"] as const;

/** Compares rows by the names that they hold, as the mapper reads them. */
export interface NamesKey {
  /**
   * Key of a row: equal for rows whose names and named properties are equal and displayed alike.
   */
  readonly keyOf: (row: SourceRow) => string;
  /** Whether a column that may turn out to be a property is filled in this row. */
  readonly hasLoose: (row: SourceRow) => boolean;
  /**
   * A copy of the row with the cells of its names and of columns that may be properties; the others
   * are empty, as a row may have long texts.
   */
  readonly namesOf: (row: SourceRow) => SourceRow;
  /** The title of the row; empty for none. */
  readonly titleOf: (row: SourceRow) => string;
}

/**
 * Makes the key of a sheet's rows. A column with an unknown header counts only where `loose` names
 * it, because it is usually a note of the seller and different in every row.
 */
export function createNamesKey(
  { columns }: Pick<ColumnMapping, "columns">,
  loose: ReadonlySet<number> = new Set(),
): NamesKey {
  const names = NAME_FIELDS.map((field) => columns.find((column) => isField(column, field))?.index);
  const explicit = columns.filter(({ target }) => target.kind === "property");
  const keyed = [...names, ...explicit.map(({ index }) => index), ...loose];
  const unknown = columns.filter(
    ({ target, header }) => target.kind === "unknown" && header !== "",
  );
  const title = columns.find((column) => isField(column, "title"))?.index;
  const kept = new Set([...keyed, ...unknown.map(({ index }) => index)]);
  const toKey = ({ cells, traits, formats }: SourceRow): string =>
    traits === undefined && formats === undefined
      ? JSON.stringify(keyed.map((at) => cells[at ?? -1]))
      : JSON.stringify([cells, traits, formats].map((of) => of && keyed.map((at) => of[at ?? -1])));
  return {
    keyOf: (row) => toKey(withJoinedCells(row)),
    hasLoose: (row) => {
      const { cells } = withJoinedCells(row);
      return unknown.some(({ index }) => cellText(cells[index]) !== "");
    },
    // The texts are copied, because a text cut out of a larger one keeps all of that in memory.
    namesOf(row) {
      const alone = withJoinedCells(row);
      const cells = alone.cells.map((cell, index) => (kept.has(index) ? cell : null));
      return structuredClone({ ...alone, cells });
    },
    titleOf: (row) => (title === undefined ? "" : cellText(withJoinedCells(row).cells[title])),
  };
}

const isField = ({ target }: Column, field: string): boolean =>
  target.kind === "field" && target.field === field;
