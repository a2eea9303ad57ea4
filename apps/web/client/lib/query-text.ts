/** Filters as the query of an address. */

import type { RowFilter, RowSort, RunRowFilter, RunsQuery } from "../../src/api/index.ts";

const formatQuery = (
  parts: readonly (readonly [string, string | number | undefined])[],
): string => {
  const query = new URLSearchParams();
  for (const [name, value] of parts) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
};

/** The filter and the order of the rows of a draft; a text of blanks filters nothing. */
export const formatRowFilter = (filter: RowFilter, sort: RowSort | null = null): string =>
  formatQuery([
    ["show", filter.show],
    ["code", filter.code],
    ["text", filter.text?.trim()],
    ["sort", sort?.column],
    ["direction", sort?.isDescending === true ? "down" : undefined],
  ]);

/** The filter and the page of the rows of a run. */
export const formatRunRowFilter = (filter: RunRowFilter, after: number): string =>
  formatQuery([
    ["show", filter.show],
    ["guard", filter.guard],
    ["field", filter.field],
    ["code", filter.code],
    ["text", filter.text?.trim()],
    ["sort", filter.sort],
    ["after", after === 0 ? undefined : after],
  ]);

/** The filter and the page of the history. */
export const formatRunsQuery = ({ kind, text, after }: RunsQuery): string =>
  formatQuery([
    ["kind", kind],
    ["text", text?.trim()],
    ["after", after],
  ]);

/** Any other query. */
export const formatParts = (parts: Readonly<Record<string, string | number>>): string =>
  formatQuery(Object.entries(parts));
