/** Selects products for the listing by the indexes of the store. */

import type { Page, StoreProductQuery } from "@catalog/contract";

import type { Behavior } from "../behavior/behavior-settings.ts";
import { DEFAULT_BEHAVIOR } from "../behavior/profile.ts";
import { foldName } from "../catalog/name-search.ts";
import { type Items, toPage } from "../http/paging.ts";
import { createTextFold } from "./folded-text.ts";
import type { ListedProducts } from "./product-index.ts";
import type { SandboxProduct } from "./product-state.ts";
import { byAddition, findFirst } from "./sorted-places.ts";

/** The settings that the filters of the listing follow. */
export type FilterBehavior = Pick<Behavior, "code-filter" | "ids-filter" | "date-filter">;

export interface ProductSelection {
  /** The page of the products that match the query, in its order. */
  page(listed: ListedProducts, query: StoreProductQuery): Page<SandboxProduct>;
}

/** Places `from` up to `to` of an ascending list. */
interface Found {
  readonly places: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Creates the selection of one store, which remembers what its last filter found. */
export function createProductSelection(
  behavior: FilterBehavior = DEFAULT_BEHAVIOR,
): ProductSelection {
  const foldTitle = createTextFold(({ title }) => title);
  let last: { readonly key: string; readonly version: number; readonly found: Found } | undefined;

  /** Pages of one listing are asked for one after the other, so that one answer is worth keeping. */
  const findOnce = (listed: ListedProducts, query: StoreProductQuery): Found => {
    const { version } = listed;
    const { page: _, limit: _limit, sort_by_date: _sort, ...filters } = query;
    const key = JSON.stringify(filters);
    if (last?.key !== key || last.version !== version) {
      const fits = createTest(query, behavior, foldTitle);
      last = { key, version, found: findAmongCandidates(listed, { query, behavior, fits }) };
    }
    return last.found;
  };

  return {
    page(listed, query) {
      const isPlain = query.ids === undefined && query.product_code === undefined;
      const byDate = isPlain && !query.title ? findByDate(listed, query, behavior) : undefined;
      const found = byDate ?? findOnce(listed, query);
      return toPage(toItems(listed, found, query.sort_by_date), query);
    },
  };
}

/** Found products in the order of the query, of which only a page is read. */
function toItems(
  listed: ListedProducts,
  { places, from, to }: Found,
  order: StoreProductQuery["sort_by_date"] = "descending",
): Items<SandboxProduct> {
  return {
    length: to - from,
    slice(start, end) {
      const page =
        order === "ascending"
          ? places.slice(from + start, Math.min(from + end, to))
          : places.slice(Math.max(to - end, from), Math.max(to - start, from)).toReversed();
      return page.map((place) => listed.at(place));
    },
  };
}

/** The products of the status that were added in the period; undefined where that needs a search. */
function findByDate(
  listed: ListedProducts,
  query: StoreProductQuery,
  { "date-filter": filter }: FilterBehavior,
): Found | undefined {
  const { status = "approved", start_date: start, end_date: end } = query;
  const places = listed.inStatus(status);
  const isUndated = start === undefined && end === undefined;
  if (isUndated || filter === "ignored") return { places, from: 0, to: places.length };
  if (filter === "useless") return { places, from: 0, to: 0 };
  if (!listed.isChronological) return undefined;
  const secondsAt = (index: number): number => addedAtSeconds(listed.at(places[index] ?? 0));
  const from = findFirst(places.length, (index) => secondsAt(index) >= (start ?? -Infinity));
  const to = findFirst(places.length, (index) => secondsAt(index) > (end ?? Infinity), from);
  return { places, from, to };
}

interface Search {
  readonly query: StoreProductQuery;
  readonly behavior: FilterBehavior;
  readonly fits: (product: SandboxProduct) => boolean;
}

function findAmongCandidates(listed: ListedProducts, { query, behavior, fits }: Search): Found {
  const { status = "approved" } = query;
  const candidates =
    candidatesById(listed, query, behavior) ??
    candidatesByCode(listed, query, behavior) ??
    listed.inStatus(status);
  const places = [...new Set(candidates)].filter(
    (place) => listed.isListed(place) && fits(listed.at(place)),
  );
  return { places: places.toSorted(byAddition), from: 0, to: places.length };
}

/** Places among which the products with the ids are; undefined where the ids select nothing. */
function candidatesById(
  listed: ListedProducts,
  { ids }: StoreProductQuery,
  { "ids-filter": filter }: FilterBehavior,
): readonly number[] | undefined {
  if (ids === undefined || filter === "ignored") return undefined;
  const asked = { all: ids, first: ids.slice(0, 1), useless: [] }[filter];
  return asked.map((id) => listed.placeOf(id)).filter((place) => place !== undefined);
}

/** Places among which the products with the code are; undefined where the code selects nothing. */
function candidatesByCode(
  listed: ListedProducts,
  { product_code: code }: StoreProductQuery,
  { "code-filter": filter }: FilterBehavior,
): readonly number[] | undefined {
  if (code === undefined || filter === "ignored") return undefined;
  if (filter === "useless") return [];
  return filter === "prefix" ? listed.withPrefix(code) : listed.withCode(code);
}

const CODE_TESTS: Readonly<
  Record<Behavior["code-filter"], (code: string, asked: string) => boolean>
> = {
  exact: (code, asked) => code === asked,
  prefix: (code, asked) => code.startsWith(asked),
  "case-insensitive": (code, asked) => code.toLowerCase() === asked.toLowerCase(),
  ignored: () => true,
  useless: () => false,
};

const DATE_TESTS: Readonly<
  Record<Behavior["date-filter"], (product: SandboxProduct, asked: StoreProductQuery) => boolean>
> = {
  obeyed: isAddedWithin,
  ignored: () => true,
  useless: (_product, { start_date: start, end_date: end }) =>
    start === undefined && end === undefined,
};

/** Whether a candidate matches the query; its ids are compared before. */
function createTest(
  query: StoreProductQuery,
  behavior: FilterBehavior,
  foldTitle: (product: SandboxProduct) => string,
): Search["fits"] {
  const { status = "approved", product_code: code, title } = query;
  const hasCode = CODE_TESTS[behavior["code-filter"]];
  const hasDate = DATE_TESTS[behavior["date-filter"]];
  const folded = title ? foldName(title) : undefined;
  return (product) =>
    product.status === status &&
    (code === undefined || hasCode(product.product_code, code)) &&
    (folded === undefined || foldTitle(product).includes(folded)) &&
    hasDate(product, query);
}

/** Whether a product was added in the period, in whole seconds, both ends included. */
function isAddedWithin(
  product: SandboxProduct,
  { start_date: start = -Infinity, end_date: end = Infinity }: StoreProductQuery,
): boolean {
  const addedAt = addedAtSeconds(product);
  return addedAt >= start && addedAt <= end;
}

const addedAtSeconds = ({ addedAtMs }: SandboxProduct): number => Math.floor(addedAtMs / 1000);
