/** Names for tests: plain lists in place of a marketplace. */

import {
  type Brand,
  type BrandModel,
  type Category,
  type CategoryProperty,
  type ShippingTemplate,
} from "@catalog/contract";

import { type NameSource } from "./names/name-source.ts";

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
}

/** A name source over plain lists, which also says what it was asked. */
export interface FakeNames extends NameSource {
  /** Such as `brands c1`, in the order of asking. */
  readonly calls: readonly string[];
}

/** A name source that answers from the given lists at once. */
export function createFakeNames(data: FakeNamesData = {}): FakeNames {
  const calls: string[] = [];
  const answer = async <T>(call: string, list: readonly T[] | undefined): Promise<readonly T[]> => {
    calls.push(call);
    return list ?? [];
  };
  return {
    calls,
    categories: () => answer("categories", data.categories),
    brands: (category) => answer(`brands ${category}`, data.brands?.[category]),
    models: (category, brand) =>
      answer(`models ${category}/${brand}`, data.models?.[`${category}/${brand}`]),
    properties: (category) => answer(`properties ${category}`, data.properties?.[category]),
    shippingTemplates: () => answer("templates", data.shippingTemplates),
  };
}
