/** What the screens of the other work read and change. */

import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";

import type {
  CheckView,
  ExportBody,
  ExportKindView,
  ExportView,
  FeedAlarmView,
  FeedDoubt,
  FeedOptions,
  FeedSampleView,
  FeedView,
  FolderView,
  LimitsBody,
  LookupView,
  MadeFile,
  NewScheduleBody,
  PriceUnitBody,
  RulesView,
  ScheduleBody,
  SettingsView,
  TemplateBody,
  TimesBody,
  TimesView,
} from "../../src/api/index.ts";
import { usePage } from "./page.tsx";
import { formatParts, useDebounced } from "./queries.ts";
import { requestJson } from "./requests.ts";

const POLL_MS = 1_500;

const useRead = <Value>(name: string, path: string) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: [name, lang],
    queryFn: ({ signal }) => requestJson<Value>(path, { lang, signal }),
    // Other screens and commands change what is read here.
    staleTime: 0,
  });
};

export const useExportKinds = () =>
  useRead<readonly ExportKindView[]>("export-kinds", "/api/exports/kinds");
export const useSettings = () => useRead<SettingsView>("settings", "/api/settings");
export const useRules = () => useRead<RulesView>("rules", "/api/rules");

/** Exports, read again and again while one is being made. */
export const useExports = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["exports", lang],
    queryFn: ({ signal }) => requestJson<readonly ExportView[]>("/api/exports", { lang, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.state === "running") === true ? POLL_MS : false,
  });
};

export const useStartExport = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ExportBody) =>
      requestJson<ExportView>("/api/exports", { lang, method: "POST", body }),
    onSettled: () => client.invalidateQueries({ queryKey: ["exports"] }),
  });
};

export const useRemoveExport = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      requestJson(`/api/exports/${encodeURIComponent(id)}`, { lang, method: "DELETE" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["exports"] }),
  });
};

/** A plan that was made with other rules or settings is out of date. */
async function forgetPlans(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["draft"] });
  await client.invalidateQueries({ queryKey: ["run"] });
}

interface RulesChange {
  /** The part of the address after `/api/rules`. */
  readonly path: "" | "/remove" | "/forget" | "/default/remove" | "/file";
  readonly body?: object;
  readonly file?: File;
}

/** A change of what is remembered, whose answer is all that is remembered then. */
export const useRulesChange = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, body, file }: RulesChange) =>
      requestJson<RulesView>(`/api/rules${path}`, { lang, method: "POST", body, file }),
    onSuccess: async (rules) => {
      client.setQueryData(["rules", lang], rules);
      await forgetPlans(client);
    },
  });
};

export const useMakeTemplate = () => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: (body: TemplateBody) =>
      requestJson<MadeFile>("/api/templates", { lang, method: "POST", body }),
  });
};

export const useCheck = () => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: () =>
      requestJson<readonly CheckView[]>("/api/settings/check", { lang, method: "POST", body: {} }),
  });
};

const useSettingsChange = <Body extends object>(path: string) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) =>
      requestJson<SettingsView>(`/api/settings/${path}`, { lang, method: "PUT", body }),
    onSuccess: async (settings) => {
      client.setQueryData(["settings", lang], settings);
      await forgetPlans(client);
    },
  });
};

export const useSaveLimits = () => useSettingsChange<LimitsBody>("limits");
export const useSavePriceUnit = () => useSettingsChange<PriceUnitBody>("price-unit");

/** Categories whose path has the text. */
export const useCategories = (text: string) => {
  const { lang } = usePage();
  const settled = useDebounced(text.trim(), 200);
  return useQuery({
    queryKey: ["categories", lang, settled],
    queryFn: ({ signal }) =>
      requestJson<readonly LookupView[]>(
        `/api/lookup/categories${formatParts({ text: settled })}`,
        { lang, signal },
      ),
    enabled: settled !== "",
    placeholderData: (earlier) => earlier,
  });
};

const RUNNING_POLL_MS = 1_500;
const IDLE_POLL_MS = 10_000;

/** The feeds, read again and again, as schedules go on by themselves. */
export const useFeeds = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["feeds", lang],
    queryFn: ({ signal }) => requestJson<readonly FeedView[]>("/api/feeds", { lang, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some(({ schedule }) => schedule?.isRunning === true) === true
        ? RUNNING_POLL_MS
        : IDLE_POLL_MS,
  });
};

/** A change of a schedule. */
export type FeedChange =
  | { readonly act: "add"; readonly body: NewScheduleBody }
  | { readonly act: "change"; readonly id: string; readonly body: ScheduleBody }
  | { readonly act: "run"; readonly id: string; readonly allow?: FeedDoubt }
  | { readonly act: "pause" | "resume" | "remove"; readonly id: string };

const toRequest = (change: FeedChange) => {
  if (change.act === "add") {
    return { path: "/api/schedules", method: "POST", body: change.body } as const;
  }
  const path = `/api/schedules/${encodeURIComponent(change.id)}`;
  if (change.act === "change") return { path, method: "PUT", body: change.body } as const;
  if (change.act === "remove") return { path, method: "DELETE", body: undefined } as const;
  const body = change.act === "run" ? { allow: change.allow } : {};
  return { path: `${path}/${change.act}`, method: "POST", body } as const;
};

/** Makes a change, whose answer is the whole list. */
export const useFeedChange = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: FeedChange) => {
      const { path, ...request } = toRequest(change);
      return requestJson<readonly FeedView[]>(path, { lang, ...request });
    },
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
}

/** Reads the beginning of a feed. */
export const useFeedCheck = () => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: ({ source, options }: FeedCheck) => {
      const isKnown = "id" in source;
      const path = isKnown
        ? `/api/schedules/${encodeURIComponent(source.id)}/check`
        : "/api/feeds/check";
      const body = isKnown ? { options } : { feed: source.feed, options };
      return requestJson<FeedSampleView>(path, { lang, method: "POST", body });
    },
  });
};

/** A folder of this computer; an empty path is the folder of the file that was used last. */
export const useFolder = (folder: string) => {
  const { lang } = usePage();
  const path = `/api/feeds/folder?folder=${encodeURIComponent(folder)}`;
  return useQuery({
    queryKey: ["folder", lang, folder],
    queryFn: ({ signal }) => requestJson<FolderView>(path, { lang, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
};

const ALARM_POLL_MS = 60_000;

/** Number of syncs that no longer do their job, for the navigation. */
export const useFeedAlarm = (): number => {
  const { lang } = usePage();
  const { data } = useQuery({
    queryKey: ["feed-alarm"],
    queryFn: ({ signal }) => requestJson<FeedAlarmView>("/api/feeds/alarm", { lang, signal }),
    refetchInterval: ALARM_POLL_MS,
  });
  return data?.unhealthy ?? 0;
};

/** The first times of a pattern, once its typing rests. */
export const useTimes = ({ cron, timeZone }: TimesBody) => {
  const { lang } = usePage();
  const settled = useDebounced(cron.trim(), 300);
  return useQuery({
    queryKey: ["times", lang, settled, timeZone],
    queryFn: ({ signal }) =>
      requestJson<TimesView>("/api/feeds/times", {
        lang,
        signal,
        method: "POST",
        body: { cron: settled, timeZone },
      }),
    enabled: settled !== "",
    retry: false,
  });
};
