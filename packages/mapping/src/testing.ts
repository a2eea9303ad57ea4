/** A name source for tests: plain lists in place of a marketplace. */

import type {
  Brand,
  BrandModel,
  Category,
  CategoryProperty,
  ShippingTemplate,
} from "@catalog/contract";

import type { ListOptions, NameSource } from "./names/name-indexes.ts";

/** What a fake name source answers; a list that is not given is empty. */
export interface FakeNamesData {
  readonly categories?: readonly Category[];
  /** By category id. */
  readonly brands?: Readonly<Record<string, readonly Brand[]>>;
  /** By category id, a slash and brand id. */
  readonly models?: Readonly<Record<string, readonly BrandModel[]>>;
  /** By category id. */
  readonly properties?: Readonly<Record<string, readonly CategoryProperty[]>>;
  readonly shippingTemplates?: readonly ShippingTemplate[];
  /** Lists that are returned when a fresh one is asked for. @default the same lists */
  readonly newer?: FakeNamesData;
}

/** A name source over plain lists that also records its calls. */
export interface FakeNames extends NameSource {
  /** Such as `brands c1`, in the order of the calls. */
  readonly calls: readonly string[];
}

/** A name source that answers from the given lists at once. */
export function createFakeNames(data: FakeNamesData = {}): FakeNames {
  const calls: string[] = [];
  const answer = async <T>(
    call: string,
    pick: (from: FakeNamesData) => readonly T[] | undefined,
    { fresh = false }: ListOptions = {},
  ): Promise<readonly T[]> => {
    const isNewer = fresh && data.newer !== undefined;
    if (!fresh || isNewer) calls.push(isNewer ? `${call} fresh` : call);
    return pick(isNewer ? data.newer : data) ?? [];
  };
  return {
    calls,
    categories: (how) => answer("categories", ({ categories }) => categories, how),
    brands: (category, how) =>
      answer(`brands ${category}`, ({ brands }) => brands?.[category], how),
    models: (category, brand) =>
      answer(`models ${category}/${brand}`, ({ models }) => models?.[`${category}/${brand}`]),
    properties: (category, how) =>
      answer(`properties ${category}`, ({ properties }) => properties?.[category], how),
    shippingTemplates: (how) =>
      answer("templates", ({ shippingTemplates }) => shippingTemplates, how),
  };
}
