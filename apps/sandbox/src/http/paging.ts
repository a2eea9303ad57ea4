import { DEFAULT_PAGE_SIZE, type Page, type PageQuery } from "@catalog/contract";

/** Returns the requested page; one after the last is empty and has the right total. */
export function toPage<Item>(items: readonly Item[], query: PageQuery): Page<Item> {
  const { limit = DEFAULT_PAGE_SIZE, page = 1 } = query;
  const start = (page - 1) * limit;
  return { total: items.length, result: items.slice(start, start + limit) };
}
