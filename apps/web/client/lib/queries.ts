/** What the screens of drafts and runs read from the server, and change. */

import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type {
  DraftSummary,
  DraftView,
  LookupView,
  Me,
  NameView,
  RowFilter,
  RowSort,
  RunActivity,
  RunList,
  RunProgress,
  RunRowFilter,
  RunRows,
  RunRowView,
  RunsFilter,
  RunsQuery,
  RunView,
} from "../../src/api/index.ts";
import type { Lang } from "./format.ts";
import { usePage } from "./page.tsx";
import { requestJson, requestNumbers, type RequestOptions } from "./requests.ts";

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

/** A value that follows once it has not changed for a while. */
export const useDebounced = <Value>(value: Value, delayMs: number): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
};

export const draftPath = (id: string): string => `/api/drafts/${encodeURIComponent(id)}`;
export const runPath = (id: string): string => `/api/runs/${encodeURIComponent(id)}`;

export const draftQuery = (id: string, lang: Lang) =>
  queryOptions({
    queryKey: ["draft", id, lang],
    queryFn: ({ signal }) => requestJson<DraftView>(draftPath(id), { lang, signal }),
  });

export const runQuery = (id: string, lang: Lang) =>
  queryOptions({
    queryKey: ["run", id, lang],
    queryFn: ({ signal }) => requestJson<RunView>(runPath(id), { lang, signal }),
  });

export const orderPath = (draft: string, filter: RowFilter, sort?: RowSort | null): string =>
  `${draftPath(draft)}/order${formatRowFilter(filter, sort)}`;

export const rowsPath = (draft: string, rows: readonly number[]): string =>
  `${draftPath(draft)}/rows?n=${rows.join(",")}`;

/** Numbers of the rows of a path of {@link orderPath}, as they were after so many changes. */
export const orderQuery = (path: string, lang: Lang, takenAt: number) =>
  queryOptions({
    queryKey: ["order", path, takenAt],
    queryFn: ({ signal }) => requestNumbers(path, { lang, signal }),
    staleTime: Infinity,
    structuralSharing: false,
  });

export const meQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ["me"],
    queryFn: ({ signal }) => requestJson<Me>("/api/me", { lang, signal }),
  });

/** The newest progress of a run that events have told of; `undefined` before the first. */
export const progressKey = (id: string): readonly string[] => ["progress", id];

export const useDraft = (id: string, isEnabled = true) =>
  useQuery({ ...draftQuery(id, usePage().lang), enabled: isEnabled });
export const useRun = (id: string) => useQuery(runQuery(id, usePage().lang));

export const useProgress = (id: string): RunProgress | undefined => {
  const key = progressKey(id);
  return useQuery<RunProgress>({ queryKey: key, enabled: false }).data;
};

/** What goes on with a run, by the newest that is known. */
export const useActivity = (run: RunView): RunActivity => useProgress(run.id) ?? run;

export const useDrafts = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["drafts", lang],
    queryFn: ({ signal }) => requestJson<readonly DraftSummary[]>("/api/drafts", { lang, signal }),
    staleTime: 0,
  });
};

/** The history, page by page. */
export const useRuns = (filter: RunsFilter) => {
  const { lang } = usePage();
  return useInfiniteQuery({
    queryKey: ["runs", lang, filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson<RunList>(`/api/runs${formatRunsQuery({ ...filter, after: pageParam })}`, {
        lang,
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    staleTime: 0,
  });
};

export const useNames = (draft: string, version: number) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["names", draft, lang, version],
    queryFn: ({ signal }) =>
      requestJson<readonly NameView[]>(`${draftPath(draft)}/names`, { lang, signal }),
    placeholderData: (earlier) => earlier,
  });
};

/** Rows of a run, page by page. */
export const useRunRows = (run: string, filter: RunRowFilter) => {
  const { lang } = usePage();
  return useInfiniteQuery({
    queryKey: ["run-rows", run, lang, filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson<RunRows>(`${runPath(run)}/rows${formatRunRowFilter(filter, pageParam)}`, {
        lang,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next,
  });
};

/** Every row of a filter, with as many requests as it takes. */
export const readAllRunRows = async (
  run: string,
  filter: RunRowFilter,
  lang: Lang,
): Promise<readonly RunRowView[]> => {
  const rows: RunRowView[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const path: string = `${runPath(run)}/rows${formatRunRowFilter(filter, after)}`;
    const page: RunRows = await requestJson<RunRows>(path, { lang });
    for (const row of page.rows) rows.push(row);
    after = page.next;
  }
  return rows;
};

interface Change<Body> {
  readonly path: string;
  readonly body?: Body;
  readonly method?: RequestOptions["method"];
}

/** A change of a draft whose answer is the draft; everything else that rests on it is read anew. */
export const useDraftChange = (id: string) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change<unknown>) =>
      requestJson<DraftView>(`${draftPath(id)}${change.path}`, {
        lang,
        method: change.method ?? "POST",
        body: change.body,
      }),
    onSuccess: (draft) => client.setQueryData(draftQuery(id, lang).queryKey, draft),
    onError: () => client.invalidateQueries({ queryKey: ["draft", id] }),
  });
};

/** Shows the run that an action has answered with, before the next event tells of it. */
export const useTakeRun = (): ((run: RunView) => void) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return (run) => {
    client.setQueryData(runQuery(run.id, lang).queryKey, run);
    const { state, stateText, isPaused, isByWorker, preparing, counts, problem } = run;
    client.setQueryData<RunProgress>(progressKey(run.id), (known) =>
      known === undefined
        ? undefined
        : { ...known, state, stateText, isPaused, isByWorker, preparing, counts, problem },
    );
  };
};

/** An action on a run; the run, its rows and what goes on in the store are read anew. */
export const useRunChange = <Answer>(id: string) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change<unknown>) =>
      requestJson<Answer>(`${runPath(id)}${change.path}`, {
        lang,
        method: "POST",
        body: change.body ?? {},
      }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["run", id] });
      void client.invalidateQueries({ queryKey: ["run-rows", id] });
      void client.invalidateQueries({ queryKey: ["runs"] });
      void client.invalidateQueries({ queryKey: ["me"] });
    },
  });
};

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
