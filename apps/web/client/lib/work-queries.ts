/** What the screens of the other work read and change. */

import {
  keepPreviousData,
  type Query,
  type QueryClient,
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
import { formatParts, readQuery, useDebounced, useRead, useSend } from "./queries.ts";
import { requestJson } from "./requests.ts";

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

export interface RulesChange {
  /** The part of the address after `/api/rules`. */
  readonly path: "" | "/remove" | "/forget" | "/default/remove" | "/file";
  readonly body?: object;
  readonly file?: File;
}

export const useRulesChange = () =>
  useStoreChange<RulesChange, RulesView>("rules", ({ path, ...request }) => ({
    path: `/api/rules${path}`,
    ...request,
  }));

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

/** The feeds, read again and again, as schedules go on by themselves. */
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
  | { readonly act: "pause" | "resume" | "remove"; readonly id: string };

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
}

export const useFeedCheck = () =>
  useSend<FeedCheck, FeedSampleView>(({ source, options }) =>
    "id" in source
      ? { path: `${schedulePath(source.id)}/check`, body: { options } }
      : { path: "/api/feeds/check", body: { feed: source.feed, options } },
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
