import { useQuery } from "@tanstack/react-query";

import type { LookupView } from "../../src/api/index.ts";
import { usePage } from "./page.tsx";
import { draftPath } from "./queries.ts";
import { formatParts } from "./query-text.ts";
import { requestJson } from "./requests.ts";
import { useDebounced } from "./use-debounced.ts";

/** A cell, or a field that has no column. */
type LookupPlace = (
  | { readonly column: number; readonly row: number }
  | { readonly field: string }
) & {
  readonly text: string;
  /** @default true */
  readonly isOpen?: boolean;
};

/** Names of the store that a place may take, as one types. */
export const useLookup = (draft: string, { text, isOpen = true, ...place }: LookupPlace) => {
  const { lang } = usePage();
  const settled = useDebounced(text, 150);
  return useQuery({
    queryKey: ["lookup", draft, place, settled],
    queryFn: ({ signal }) =>
      requestJson<readonly LookupView[]>(
        `${draftPath(draft)}/lookup${formatParts({ ...place, text: settled })}`,
        { lang, signal },
      ),
    enabled: isOpen,
    placeholderData: (earlier) => earlier,
  });
};
