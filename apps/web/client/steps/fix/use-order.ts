import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { RowFilter, RowSort } from "../../../src/api/index.ts";
import type { RowWindow } from "../../grid/row-window.ts";
import { usePage } from "../../lib/page.tsx";
import { orderPath, orderQuery } from "../../lib/queries.ts";
import { formatRowFilter } from "../../lib/query-text.ts";
import { requestNumbers } from "../../lib/requests.ts";

export interface Order {
  readonly order: Uint32Array | undefined;
  readonly error: Error | null;
  /** Whether changes may have moved rows out of the filter, or to another place. */
  readonly isStale: boolean;
  readonly refresh: () => void;
  readonly retry: () => void;
}

/** Which rows are shown, and in which order; `null` for that of the file. */
export interface ShownRows {
  readonly filter: RowFilter;
  readonly sort: RowSort | null;
}

const isChosen = ({ filter, sort }: ShownRows): boolean => formatRowFilter(filter, sort) !== "";

/**
 * The rows of a filter, sorted. They stay where they are while a person corrects them, and are asked
 * for again when the filter or the sorting changes or the person says so.
 */
export const useOrder = (
  draft: string,
  shown: ShownRows,
  rows: RowWindow,
  changes: number,
): Order => {
  const { lang } = usePage();
  const [takenAt, setTakenAt] = useState(0);
  const path = orderPath(draft, shown.filter, shown.sort);
  const query = useQuery({
    ...orderQuery(path, lang, takenAt),
    gcTime: 0,
    placeholderData: (earlier: Uint32Array | undefined) => earlier,
  });
  const [takenPath, setTakenPath] = useState(path);
  if (takenPath !== path) {
    setTakenPath(path);
    setTakenAt(changes);
  }
  const { data } = query;
  useEffect(() => {
    if (data !== undefined) rows.setOrder(data);
  }, [data, rows]);
  return {
    order: data,
    error: query.error,
    isStale: isChosen(shown) && changes > takenAt,
    refresh: () => setTakenAt(changes),
    retry: () => void query.refetch(),
  };
};

/** Reads the rows with errors when they are asked for, once for each version of the draft. */
export const useErrorRows = (draft: string, version: number): (() => Promise<Set<number>>) => {
  const { lang } = usePage();
  const client = useQueryClient();
  const path = orderPath(draft, { show: "errors" });
  return async () => {
    const numbers = await client.fetchQuery({
      queryKey: ["error-rows", path, version],
      queryFn: ({ signal }) => requestNumbers(path, { lang, signal }),
      staleTime: Infinity,
      gcTime: 10_000,
      structuralSharing: false,
    });
    return new Set(numbers);
  };
};
