/** What the screens of drafts and runs read from the server, and change. */

import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationOptions,
} from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type {
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
import { requestJson, requestNumbers, type RequestOptions, useAction } from "./requests.ts";

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

export const formatRunsQuery = ({ kind, text, after }: RunsQuery): string =>
  formatQuery([
    ["kind", kind],
    ["text", text?.trim()],
    ["after", after],
  ]);

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

/** Reads a document of the server in the language of the page. */
export const readQuery = <Value>(queryKey: readonly unknown[], path: string, lang: Lang) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => requestJson<Value>(path, { lang, signal }),
  });

/** Reads what other screens and commands change, anew for each screen. */
export const useRead = <Value>(name: string, path: string) => {
  const { lang } = usePage();
  return useQuery({ ...readQuery<Value>([name, lang], path, lang), staleTime: 0 });
};

interface SentRequest extends Omit<RequestOptions, "lang" | "signal"> {
  readonly path: string;
}

/** Sends a change, with POST unless the request says otherwise. */
export const useSend = <Variables, Answer>(
  toRequest: (variables: Variables) => SentRequest,
  after: Pick<
    UseMutationOptions<Answer, Error, Variables>,
    "onSuccess" | "onError" | "onSettled"
  > = {},
) => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: (variables: Variables) => {
      const { path, ...request } = toRequest(variables);
      return requestJson<Answer>(path, { lang, method: "POST", ...request });
    },
    ...after,
  });
};

export const draftPath = (id: string): string => `/api/drafts/${encodeURIComponent(id)}`;
export const runPath = (id: string): string => `/api/runs/${encodeURIComponent(id)}`;

export const draftQuery = (id: string, lang: Lang) =>
  readQuery<DraftView>(["draft", id, lang], draftPath(id), lang);

export const runQuery = (id: string, lang: Lang) =>
  readQuery<RunView>(["run", id, lang], runPath(id), lang);

export const meQuery = (lang: Lang) => readQuery<Me>(["me"], "/api/me", lang);

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

/** The newest progress of a run that events have told of; `undefined` before the first. */
export const progressKey = (id: string): readonly string[] => ["progress", id];

export const useDraft = (id: string, isEnabled = true) =>
  useQuery({ ...draftQuery(id, usePage().lang), enabled: isEnabled });

export const useRun = (id: string) => useQuery(runQuery(id, usePage().lang));

export const useProgress = (id: string): RunProgress | undefined =>
  useQuery<RunProgress>({ queryKey: progressKey(id), enabled: false }).data;

/** What goes on with a run, by the newest that is known. */
export const useActivity = (run: RunView): RunActivity => useProgress(run.id) ?? run;

export const useRuns = (filter: RunsFilter) => {
  const { lang } = usePage();
  return useInfiniteQuery({
    queryKey: ["runs", lang, filter],
    queryFn: ({ pageParam, signal }) => {
      const path = `/api/runs${formatRunsQuery({ ...filter, after: pageParam })}`;
      return requestJson<RunList>(path, { lang, signal });
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    staleTime: 0,
  });
};

export const useNames = (draft: string, version: number) => {
  const { lang } = usePage();
  const key = ["names", draft, lang, version];
  return useQuery({
    ...readQuery<readonly NameView[]>(key, `${draftPath(draft)}/names`, lang),
    placeholderData: keepPreviousData,
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
  const path = `${draftPath(draft)}/lookup${formatParts({ ...place, text: settled })}`;
  return useQuery({
    ...readQuery<readonly LookupView[]>(["lookup", draft, place, settled], path, lang),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
};

const runRowsPath = (run: string, filter: RunRowFilter, after: number): string =>
  `${runPath(run)}/rows${formatRunRowFilter(filter, after)}`;

export const useRunRows = (run: string, filter: RunRowFilter) => {
  const { lang } = usePage();
  return useInfiniteQuery({
    queryKey: ["run-rows", run, lang, filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson<RunRows>(runRowsPath(run, filter, pageParam), { lang, signal }),
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
    const page: RunRows = await requestJson<RunRows>(runRowsPath(run, filter, after), { lang });
    for (const row of page.rows) rows.push(row);
    after = page.next;
  }
  return rows;
};

/** A change of a draft whose answer is the draft; everything else that rests on it is read anew. */
export const useDraftChange = (id: string) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useSend<SentRequest, DraftView>(
    ({ path, ...request }) => ({ path: draftPath(id) + path, ...request }),
    {
      onSuccess: (draft) => client.setQueryData(draftQuery(id, lang).queryKey, draft),
      onError: () => client.invalidateQueries({ queryKey: ["draft", id] }),
    },
  );
};

export const useRemoveDraft = (onDone: () => void) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useAction(async (id: string) => {
    await requestJson(draftPath(id), { lang, method: "DELETE" });
    await client.invalidateQueries({ queryKey: ["drafts"] });
    onDone();
  });
};

/** Shows the run that an action has answered with, before the next event tells of it. */
export const useTakeRun = (): ((run: RunView) => void) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return (run) => {
    client.setQueryData(runQuery(run.id, lang).queryKey, run);
    const { state, stateText, isPaused, isByWorker, preparing, counts, problem } = run;
    client.setQueryData<RunProgress>(
      progressKey(run.id),
      (known) =>
        known && { ...known, state, stateText, isPaused, isByWorker, preparing, counts, problem },
    );
  };
};

/** An action on a run; the run, its rows and what goes on in the store are read anew. */
export const useRunChange = <Answer>(id: string) => {
  const client = useQueryClient();
  return useSend<SentRequest, Answer>(
    ({ path, body = {} }) => ({ path: runPath(id) + path, body }),
    {
      onSettled: () => {
        for (const queryKey of [["run", id], ["run-rows", id], ["runs"], ["me"]]) {
          void client.invalidateQueries({ queryKey });
        }
      },
    },
  );
};
