import { useQuery } from "@tanstack/react-query";

import type { LookupView } from "../../src/api/index.ts";
import { usePage } from "./page.tsx";
import { draftPath } from "./queries.ts";
import { formatParts } from "./query-text.ts";
import { requestJson } from "./requests.ts";
import { useDebounced } from "./use-debounced.ts";

interface LookupPlace {
  readonly column: number;
  readonly row: number;
  readonly text: string;
  /** @default true */
  readonly isOpen?: boolean;
}

/** Names of the store that a cell may take, as one types. */
export const useLookup = (draft: string, { column, row, text, isOpen = true }: LookupPlace) => {
  const { lang } = usePage();
  const settled = useDebounced(text, 150);
  return useQuery({
    queryKey: ["lookup", draft, row, column, settled],
    queryFn: ({ signal }) =>
      requestJson<readonly LookupView[]>(
        `${draftPath(draft)}/lookup${formatParts({ column, row, text: settled })}`,
        { lang, signal },
      ),
    enabled: isOpen,
    placeholderData: (earlier) => earlier,
  });
};
