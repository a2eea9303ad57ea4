/** What the screen of syncs reads and changes. */

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type {
  FeedAlarmView,
  FeedDoubt,
  FeedOptions,
  FeedSampleView,
  FeedView,
  FolderView,
  NewScheduleBody,
  ScheduleBody,
  TimesBody,
  TimesView,
} from "../../src/api/index.ts";
import { usePage } from "./page.tsx";
import { requestJson } from "./requests.ts";
import { useDebounced } from "./use-debounced.ts";

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
