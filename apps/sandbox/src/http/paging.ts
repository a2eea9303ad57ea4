import { DEFAULT_PAGE_SIZE, type Page, type PageQuery } from "@catalog/contract";

/** Items of which a part is read; every array is one. */
export interface Items<Item> {
  readonly length: number;
  slice(start: number, end: number): readonly Item[];
}

/** Returns the requested page; one after the last is empty and has the right total. */
export function toPage<Item>(items: Items<Item>, query: PageQuery): Page<Item> {
  const { limit = DEFAULT_PAGE_SIZE, page = 1 } = query;
  const start = (page - 1) * limit;
  return { total: items.length, result: items.slice(start, start + limit) };
}
