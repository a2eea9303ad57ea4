import { headerKey } from "../columns/header-key.ts";

/** The mark at the end of a pattern that stands for all headers that begin like it. */
export const REST = "…";

const toStart = (text: string): string => text.trim().normalize("NFKC").toLocaleLowerCase("tr");

/** Looks values up by header. */
export interface HeaderTable<Value> {
  find(header: string): Value | undefined;
}

/**
 * Makes a table of header patterns. A header is compared by its header key, a pattern that ends
 * with `…` by its beginning; of two patterns for one header the first counts.
 */
export function createHeaderTable<Value>(
  entries: Iterable<readonly [pattern: string, value: Value]>,
): HeaderTable<Value> {
  const whole = new Map<string, Value>();
  const starts: (readonly [start: string, value: Value])[] = [];
  for (const [pattern, value] of entries) {
    const key = headerKey(pattern);
    if (pattern.endsWith(REST)) starts.push([toStart(pattern.slice(0, -REST.length)), value]);
    else if (!whole.has(key)) whole.set(key, value);
  }
  return {
    find(header) {
      const exact = whole.get(headerKey(header));
      if (exact !== undefined || starts.length === 0) return exact;
      const text = toStart(header);
      return starts.find(([start]) => text.startsWith(start))?.[1];
    },
  };
}
