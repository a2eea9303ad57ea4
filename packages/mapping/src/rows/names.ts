/** Resolves the fields of a row that name something with an id on the marketplace. */

import type { BrandId, CategoryId } from "@catalog/contract";
import { type Localized, quoteText } from "@catalog/i18n";

import { fold } from "../fold.ts";
import type { TextKey } from "../issues/codes.ts";
import type { IssueParams } from "../issues/issue.ts";
import { type CategoryNode, formatPath } from "../names/category-tree.ts";
import type { KnownList, KnownNames } from "../names/known-names.ts";
import type { Resolution } from "../names/name-index.ts";
import { labelOf } from "../names/name-labels.ts";
import { MAX_SUGGESTIONS } from "../names/suggester.ts";
import type { Cell } from "./layout.ts";
import type { RowWork } from "./row-work.ts";

/** An id; `unclear` when an issue was reported at the cell; `undefined` when the cell is empty. */
export type RowId<Id> = Id | "unclear" | undefined;

/** Texts for a name that does not resolve to one thing. */
export interface Wording<T> {
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
export function resolveName<T>(
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

/** Resolves a cell by the first of its spellings that names anything. */
export function resolveCell<R extends { readonly kind: string }>(
  index: Resolver<R>,
  { text, others }: Pick<Cell, "text" | "others">,
): R {
  const first = index.resolve(text);
  if (first.kind !== "unknown" || others.length === 0) return first;
  const further = others.map((other) => index.resolve(other));
  return further.find(({ kind }) => kind !== "unknown") ?? first;
}

const quote = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(", ");

/** Resolves category, brand and model, each within the one before, and the shipping template. */
export function applyNames(work: RowWork, known: KnownNames): RowId<CategoryId> {
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
  label: (node) => formatPath(node.parts),
};

function applyCategory(work: RowWork, known: KnownNames): RowId<CategoryId> {
  const cell = work.cells.get("category");
  if (cell === undefined) return work.given.has("category") ? "unclear" : undefined;
  const resolution = resolveNewest(known.categories(), cell);
  if (resolution.kind === "not-leaf") {
    const below = resolution.node.children.slice(0, MAX_SUGGESTIONS);
    const choices = below.map((node) => formatPath(node.parts));
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

function applyBrand(work: RowWork, known: KnownNames, category: RowId<CategoryId>): RowId<BrandId> {
  const cell = work.cells.get("brand");
  if (cell === undefined) return work.given.has("brand") ? "unclear" : undefined;
  // A wrong category is reported at its own cell; the brand depends on it.
  if (category === "unclear") return "unclear";
  if (category === undefined) return brandWithoutCategory(work, known, cell);
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
  category: CategoryId,
): { readonly category: string } {
  const found = known.categories().index.resolve(category);
  return { category: quoteText(found.kind === "found" ? formatPath(found.item.parts) : category) };
}

/** An id is used without a list, unchecked. */
function brandWithoutCategory(work: RowWork, known: KnownNames, cell: Cell): RowId<BrandId> {
  const id = known.readBrandId(cell.text);
  if (id === undefined) {
    work.report({ text: "E_BRAND_NEEDS_CATEGORY" }, cell);
    return "unclear";
  }
  work.changes.brand_id = id;
  return id;
}

interface ParentNames {
  readonly category: RowId<CategoryId>;
  readonly brand: RowId<BrandId>;
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
  const resolution = known.models(category, brand).index.resolve(cell.text);
  if (resolution.kind === "unknown" && !known.isId(cell.text)) {
    work.changes.brand_model = cell.text;
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
