/** What the screen of syncs reads and changes. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type {
  FeedCheckBody,
  FeedSampleView,
  FeedView,
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
  | { readonly act: "pause" | "resume" | "run" | "remove"; readonly id: string };

const toRequest = (change: FeedChange) => {
  if (change.act === "add") {
    return { path: "/api/schedules", method: "POST", body: change.body } as const;
  }
  const path = `/api/schedules/${encodeURIComponent(change.id)}`;
  if (change.act === "change") return { path, method: "PUT", body: change.body } as const;
  if (change.act === "remove") return { path, method: "DELETE", body: undefined } as const;
  return { path: `${path}/${change.act}`, method: "POST", body: {} } as const;
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
    onSuccess: (feeds) => client.setQueryData(["feeds", lang], feeds),
  });
};

/** Reads the beginning of a feed. */
export const useFeedCheck = () => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: (body: FeedCheckBody) =>
      requestJson<FeedSampleView>("/api/feeds/check", { lang, method: "POST", body }),
  });
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
