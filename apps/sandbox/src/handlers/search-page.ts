/** Listings with a search by id and by name. */

import type { Page, PageQuery } from "@catalog/contract";

import { containsName } from "../catalog/name-search.ts";
import { toPage } from "../http/paging.ts";

export interface SearchQuery extends PageQuery {
  readonly ids?: readonly string[] | undefined;
  readonly search?: string | undefined;
}

/**
 * A page of the items that have one of the ids and a name containing the text, where these are
 * given.
 */
export function searchPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  query: SearchQuery,
  nameOf: (item: Item) => string,
): Page<Item> {
  const { ids, search: text = "" } = query;
  const found = items.filter(
    (item) => (ids?.includes(item.id) ?? true) && containsName(nameOf(item), text),
  );
  return toPage(found, query);
}
