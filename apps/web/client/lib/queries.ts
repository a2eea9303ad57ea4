/** What the screens read from the server, and change. */

import {
  keepPreviousData,
  type Query,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  type UseMutationOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import type {
  AlertBody,
  AlertChannelView,
  AlertNameBody,
  CheckView,
  DraftView,
  ExportBody,
  ExportKindView,
  ExportView,
  FeedAlarmView,
  FeedDoubt,
  FeedLoginBody,
  FeedOptions,
  FeedSampleView,
  FeedView,
  FolderView,
  LimitsBody,
  LookupView,
  MadeFile,
  Me,
  NamesBelowView,
  NamesView,
  NewScheduleBody,
  PriceUnitBody,
  ProductDetails,
  ProductTalk,
  RowFilter,
  RowSort,
  RulesView,
  TriedRulesView,
  RunActivity,
  RunList,
  RunProgress,
  RunRowFilter,
  RunRowSort,
  RunRowView,
  RunsFilter,
  RunsQuery,
  RunView,
  ScheduleBody,
  SearchedNames,
  SettingsView,
  TemplateBody,
  TimesBody,
  TimesView,
} from "../../src/api/index.ts";
import type { Lang } from "./format.ts";
import { usePage } from "./page.tsx";
import { requestJson, requestNumbers, type RequestOptions, useAction } from "./requests.ts";
import { countUncompared } from "./runs.ts";

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

/** The filter and the order of the rows of a run; without a sort they stand as in the sheet. */
export const formatRunRowFilter = (filter: RunRowFilter, sort: RunRowSort | null = null): string =>
  formatQuery([
    ["show", filter.show],
    ["guard", filter.guard],
    ["field", filter.field],
    ["code", filter.code],
    ["text", filter.text?.trim()],
    ["can", filter.can],
    ["sort", sort?.column],
    ["direction", sort?.isDescending === true ? "down" : undefined],
  ]);

export const formatRunsQuery = ({ kind, text, from, to, after }: RunsQuery): string =>
  formatQuery([
    ["kind", kind],
    ["text", text?.trim()],
    ["from", from],
    ["to", to],
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
const readQuery = <Value>(queryKey: readonly unknown[], path: string, lang: Lang) =>
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
const useSend = <Variables, Answer>(
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

/** Numbers of the rows of a path of {@link orderPath}, as they were after this many changes. */
export const orderQuery = (path: string, lang: Lang, takenAt: number) =>
  queryOptions({
    queryKey: ["order", path, takenAt],
    queryFn: ({ signal }) => requestNumbers(path, { lang, signal }),
    staleTime: Infinity,
    structuralSharing: false,
  });

/** The newest progress of a run that events have reported; `undefined` before the first. */
export const progressKey = (id: string): readonly string[] => ["progress", id];

export const useDraft = (id: string, isEnabled = true) =>
  useQuery({ ...draftQuery(id, usePage().lang), enabled: isEnabled });

/** Another person may choose the unit that a plan waits for; it is an old plan from then on. */
const POLL_UNIT_MS = 5_000;

export const useRun = (id: string) => {
  const { lang } = usePage();
  return useQuery({
    ...runQuery(id, lang),
    refetchInterval: ({ state: { data } }: Query<RunView>) =>
      data !== undefined && data.state === "planned" && countUncompared(data) > 0
        ? POLL_UNIT_MS
        : false,
  });
};

export const useProgress = (id: string): RunProgress | undefined =>
  useQuery<RunProgress>({ queryKey: progressKey(id), enabled: false }).data;

/** What is happening to a run, by the newest that is known. */
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

export const namesKey = (draft: string, lang: Lang, version: number) => [
  "names",
  draft,
  lang,
  version,
];

/** The names of a draft; a list without suggestions is there first, which takes seconds less. */
export const useNames = (draft: string, version: number) => {
  const { lang } = usePage();
  const client = useQueryClient();
  const key = namesKey(draft, lang, version);
  const path = `${draftPath(draft)}/names`;
  const hasBegun = useRef(false);
  hasBegun.current ||= client.getQueryData(key) !== undefined;
  const quick = useQuery({
    ...readQuery<NamesView>([...key, "quick"], `${path}?quick=1`, lang),
    enabled: !hasBegun.current,
    retry: false,
  });
  hasBegun.current ||= quick.isFetched;
  const whole = useQuery({
    ...readQuery<NamesView>(key, path, lang),
    enabled: hasBegun.current,
    placeholderData: keepPreviousData,
  });
  const isQuick = whole.data === undefined && quick.data !== undefined;
  return { query: isQuick ? quick : whole, isQuick };
};

/** Searches the marketplace for what open names may mean; the list is read again with what it found. */
export const useNameSearch = (draft: string) => {
  const client = useQueryClient();
  return useSend<void, SearchedNames>(
    () => ({ path: `${draftPath(draft)}/names/search`, body: {} }),
    { onSettled: () => client.invalidateQueries({ queryKey: ["names", draft] }) },
  );
};

/** What the names below a category of the file mean within one of the store. */
export const useNamesBelow = (
  draft: string,
  version: number,
  below: { readonly from: string; readonly to: string | null },
) => {
  const { lang } = usePage();
  const { from, to } = below;
  const path = `${draftPath(draft)}/names/below${formatParts({ from, to: to ?? "" })}`;
  return useQuery({
    ...readQuery<NamesBelowView>(["names-below", draft, version, from, to], path, lang),
    enabled: to !== null,
    retry: false,
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

const runOrderPath = (run: string, filter: RunRowFilter, sort: RunRowSort | null): string =>
  `${runPath(run)}/order${formatRunRowFilter(filter, sort)}`;

const runRowsPath = (run: string, rows: readonly number[]): string =>
  `${runPath(run)}/rows?n=${rows.join(",")}`;

/** The numbers of the rows of a filter, in the order of the sheet. */
export const readRunOrder = async (
  run: string,
  filter: RunRowFilter,
  lang: Lang,
): Promise<Uint32Array> => await requestNumbers(runOrderPath(run, filter, null), { lang });

/** The numbers of the rows of a filter; those of the filter before until they are read. */
export const useRunOrder = (
  run: string,
  filter: RunRowFilter,
  sort: RunRowSort | null = null,
  isEnabled = true,
) => {
  const { lang } = usePage();
  const path = runOrderPath(run, filter, sort);
  return useQuery({
    queryKey: ["run-rows", run, "order", path],
    queryFn: ({ signal }) => requestNumbers(path, { lang, signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
};

/** Rows of a run by their numbers, at most 500. */
export const readRunRows = async (
  run: string,
  rows: readonly number[],
  lang: Lang,
): Promise<readonly RunRowView[]> =>
  rows.length === 0
    ? []
    : await requestJson<readonly RunRowView[]>(runRowsPath(run, rows), { lang });

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

/** Shows the run that an action has answered with, before the next event reports it. */
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

/** An action on a run; the run, its rows and what is happening in the store are read anew. */
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

/** What is done with one product of the list: reading it again, taking changes back, a draft of it. */
export const useProductChange = <Answer>(number: string) => {
  const client = useQueryClient();
  return useSend<SentRequest, Answer>((request) => request, {
    onSettled: () => {
      for (const queryKey of [["product", number], ["runs"], ["me"]]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
};

/** One product of the list, as far as it is known without a call to the marketplace. */
export const useProduct = (number: string) => {
  const { lang } = usePage();
  const path = `/api/products/${number}`;
  return useQuery({
    ...readQuery<ProductDetails>(["product", number, lang], path, lang),
    staleTime: 0,
  });
};

/** What buyers say of a product, which takes calls: it is read once while the screen is open. */
export const useProductTalk = (number: string) => {
  const { lang } = usePage();
  const path = `/api/products/${number}/talk`;
  return useQuery({
    ...readQuery<ProductTalk>(["product-talk", number, lang], path, lang),
    refetchOnWindowFocus: false,
  });
};

const RUNNING_POLL_MS = 1_500;
const IDLE_POLL_MS = 10_000;
const ALARM_POLL_MS = 60_000;

export const useExportKinds = () =>
  useRead<readonly ExportKindView[]>("export-kinds", "/api/exports/kinds");

export const useSettings = () => useRead<SettingsView>("settings", "/api/settings");

export const useRules = () => useRead<RulesView>("rules", "/api/rules");

export const useExports = () => {
  const { lang } = usePage();
  return useQuery({
    ...readQuery<readonly ExportView[]>(["exports", lang], "/api/exports", lang),
    staleTime: 0,
    refetchInterval: ({ state }: Query<readonly ExportView[]>) =>
      state.data?.some((one) => one.state === "running") === true ? RUNNING_POLL_MS : false,
  });
};

const useExportChange = <Variables>(
  toRequest: Parameters<typeof useSend<Variables, ExportView>>[0],
) => {
  const client = useQueryClient();
  return useSend<Variables, ExportView>(toRequest, {
    onSettled: () => client.invalidateQueries({ queryKey: ["exports"] }),
  });
};

export const useStartExport = () =>
  useExportChange<ExportBody>((body) => ({ path: "/api/exports", body }));

export const useRemoveExport = () =>
  useExportChange<string>((id) => ({
    path: `/api/exports/${encodeURIComponent(id)}`,
    method: "DELETE",
  }));

/** A plan that was made with other rules or settings is out of date. */
async function forgetPlans(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["draft"] });
  await client.invalidateQueries({ queryKey: ["products"] });
  await client.invalidateQueries({ queryKey: ["run"] });
}

/** A change of rules or settings, whose answer is all of them. */
const useStoreChange = <Variables, Answer>(
  name: "rules" | "settings",
  toRequest: Parameters<typeof useSend<Variables, Answer>>[0],
) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useSend<Variables, Answer>(toRequest, {
    onSuccess: async (answer) => {
      client.setQueryData([name, lang], answer);
      await forgetPlans(client);
    },
  });
};

interface RulesChange {
  /** The part of the address after `/api/rules`. */
  readonly path:
    | ""
    | "/remove"
    | "/forget"
    | "/default/remove"
    | "/share"
    | "/unshare"
    | "/file"
    | "/prices/file"
    | "/prices/remove"
    | "/costs/file";
  readonly body?: object;
  readonly file?: File;
}

export const useRulesChange = () =>
  useStoreChange<RulesChange, RulesView>("rules", ({ path, ...request }) => ({
    path: `/api/rules${path}`,
    ...request,
  }));

/** Tries the price rules on a file; nothing is changed. */
export const useTryRules = () =>
  useSend<File, TriedRulesView>((file) => ({ path: "/api/rules/prices/try", file }));

export const useSaveLimits = () =>
  useStoreChange<LimitsBody, SettingsView>("settings", (body) => ({
    path: "/api/settings/limits",
    method: "PUT",
    body,
  }));

export const useSavePriceUnit = () =>
  useStoreChange<PriceUnitBody, SettingsView>("settings", (body) => ({
    path: "/api/settings/price-unit",
    method: "PUT",
    body,
  }));

export const useAlerts = () => useRead<readonly AlertChannelView[]>("alerts", "/api/alerts");

/** Adds, tries or removes a channel; the answer is all of them. */
export const useAlertChange = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useSend<
    { readonly path: "" | "/test" | "/remove"; readonly body: AlertBody | AlertNameBody },
    readonly AlertChannelView[]
  >(({ path, body }) => ({ path: `/api/alerts${path}`, body }), {
    onSuccess: (answer) => void client.setQueryData(["alerts", lang], answer),
  });
};

export const useCheck = () =>
  useSend<void, readonly CheckView[]>(() => ({ path: "/api/settings/check", body: {} }));

export const useMakeTemplate = () =>
  useSend<TemplateBody, MadeFile>((body) => ({ path: "/api/templates", body }));

export const useCategories = (text: string) => {
  const { lang } = usePage();
  const settled = useDebounced(text.trim(), 200);
  const path = `/api/lookup/categories${formatParts({ text: settled })}`;
  return useQuery({
    ...readQuery<readonly LookupView[]>(["categories", lang, settled], path, lang),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
  });
};

/** The feeds, read again and again, as schedules run by themselves. */
export const useFeeds = () => {
  const { lang } = usePage();
  return useQuery({
    ...readQuery<readonly FeedView[]>(["feeds", lang], "/api/feeds", lang),
    staleTime: 0,
    refetchInterval: ({ state }: Query<readonly FeedView[]>) =>
      state.data?.some(({ schedule }) => schedule?.isRunning === true) === true
        ? RUNNING_POLL_MS
        : IDLE_POLL_MS,
  });
};

export type FeedChange =
  | { readonly act: "add"; readonly body: NewScheduleBody }
  | { readonly act: "change"; readonly id: string; readonly body: ScheduleBody }
  | { readonly act: "run"; readonly id: string; readonly allow?: FeedDoubt }
  | { readonly act: "pause" | "resume" | "remove" | "live"; readonly id: string };

const schedulePath = (id: string): string => `/api/schedules/${encodeURIComponent(id)}`;

const toRequest = (change: FeedChange) => {
  if (change.act === "add") return { path: "/api/schedules", body: change.body };
  const path = schedulePath(change.id);
  if (change.act === "change") return { path, method: "PUT", body: change.body } as const;
  if (change.act === "remove") return { path, method: "DELETE" } as const;
  return {
    path: `${path}/${change.act}`,
    body: change.act === "run" ? { allow: change.allow } : {},
  };
};

export const useFeedChange = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useSend<FeedChange, readonly FeedView[]>(toRequest, {
    onSuccess: async (feeds) => {
      client.setQueryData(["feeds", lang], feeds);
      await client.invalidateQueries({ queryKey: ["feed-alarm"] });
    },
  });
};

/** A feed: a new one by its path or address, a known one by the id of its schedule. */
export type FeedSource = { readonly feed: string } | { readonly id: string };

interface FeedCheck {
  readonly source: FeedSource;
  readonly options: FeedOptions;
  /** @default the stored login */
  readonly login: FeedLoginBody | null;
}

export const useFeedCheck = () =>
  useSend<FeedCheck, FeedSampleView>(({ source, options, login }) =>
    "id" in source
      ? { path: `${schedulePath(source.id)}/check`, body: { options, login } }
      : { path: "/api/feeds/check", body: { feed: source.feed, options, login } },
  );

/** A folder of this computer; an empty path is the folder of the file that was used last. */
export const useFolder = (folder: string) => {
  const { lang } = usePage();
  const path = `/api/feeds/folder?folder=${encodeURIComponent(folder)}`;
  return useQuery({
    ...readQuery<FolderView>(["folder", lang, folder], path, lang),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
};

export const useFeedAlarm = (): number => {
  const { lang } = usePage();
  const { data } = useQuery({
    ...readQuery<FeedAlarmView>(["feed-alarm"], "/api/feeds/alarm", lang),
    refetchInterval: ALARM_POLL_MS,
  });
  return data?.unhealthy ?? 0;
};

/** The first times of a pattern, once its typing rests. */
export const useTimes = ({ cron, timeZone }: TimesBody) => {
  const { lang } = usePage();
  const settled = useDebounced(cron.trim(), 300);
  const body = { cron: settled, timeZone };
  return useQuery({
    queryKey: ["times", lang, settled, timeZone],
    queryFn: ({ signal }) =>
      requestJson<TimesView>("/api/feeds/times", { lang, signal, method: "POST", body }),
    enabled: settled !== "",
    retry: false,
  });
};
