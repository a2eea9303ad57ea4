/**
 * News of a draft and a run. Each event is the whole state, so that a lost one does no harm; where
 * the stream does not hold, the page asks every two seconds instead.
 */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { DatabaseView, DraftView, RunProgress } from "../../src/api/index.ts";
import type { Lang } from "./format.ts";
import { usePage } from "./page.tsx";
import { inStore } from "./place.ts";
import { draftQuery, formatParts, progressKey, runPath } from "./queries.ts";
import {
  isReachable,
  NoAnswerError,
  noteAnswer,
  parseAnswer,
  RefusedError,
  requestJson,
  waitsFor,
} from "./requests.ts";

const POLL_MS = 2_000;
/**
 * Tabs that may hold a stream at once. A browser opens six connections to a host for all its tabs,
 * and each stream takes one for as long as its tab is open; the other tabs ask.
 */
const MAX_STREAMS = 2;
const MAX_FAILURES = 2;

interface Topics {
  readonly draft?: string | undefined;
  readonly run?: string | undefined;
}

const textOf = (event: Event): string | null =>
  event instanceof MessageEvent && typeof event.data === "string" ? event.data : null;

/** Takes a draft that is as new as the one that is shown, or newer. */
const takeDraft = (client: QueryClient, lang: Lang, draft: DraftView): void => {
  client.setQueryData(draftQuery(draft.id, lang).queryKey, (shown) =>
    shown !== undefined && shown.version > draft.version ? shown : draft,
  );
};

/**
 * Reads a query anew, also while its first reading is under way, which an invalidation lets finish:
 * what it answers may be older than the event, and no further event comes.
 */
const readAnew = async (client: QueryClient, queryKey: readonly string[]): Promise<void> => {
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
};

/** Takes what an event says of a run, and reads the run anew once it is in another state. */
export const takeProgress = (client: QueryClient, progress: RunProgress): void => {
  const key = progressKey(progress.id);
  const shown = client.getQueryData<RunProgress>(key);
  client.setQueryData(key, progress);
  if (shown?.state === progress.state && shown.preparing === progress.preparing) return;
  void readAnew(client, ["run", progress.id]);
  void readAnew(client, ["run-rows", progress.id]);
  // The bar at the top tells what is happening in the store.
  void readAnew(client, ["me"]);
};

interface Listening {
  readonly client: QueryClient;
  readonly lang: Lang;
  readonly topics: Topics;
}

const pollRun = async ({ client, lang }: Listening, run: string): Promise<void> => {
  try {
    const path = `${runPath(run)}/progress`;
    takeProgress(client, await requestJson<RunProgress>(path, { lang }));
  } catch (error) {
    // It is asked again; the banner of the page says that nothing answers.
    if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error;
  }
};

const poll = (listening: Listening): void => {
  const { client, topics } = listening;
  if (topics.draft !== undefined) {
    void client.invalidateQueries({ queryKey: ["draft", topics.draft] });
  }
  if (topics.run !== undefined) void pollRun(listening, topics.run);
};

/** Calls `open` once this tab is among those that may hold a stream, until the signal aborts. */
const awaitTurn = (signal: AbortSignal, open: () => void): void => {
  // Browsers have no locks for a page that comes without encryption from another machine.
  if (!("locks" in navigator)) {
    open();
    return;
  }
  const asking = new AbortController();
  signal.addEventListener("abort", () => asking.abort());
  for (let place = 0; place < MAX_STREAMS; place += 1) {
    const hold = async (): Promise<void> => {
      if (asking.signal.aborted) return;
      asking.abort();
      open();
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
      });
    };
    navigator.locks
      .request(`catalog-events-${place}`, { signal: asking.signal }, hold)
      // Another place was free, or the tab listens no more.
      .catch(() => undefined);
  }
};

const listen = (listening: Listening): (() => void) => {
  const ended = new AbortController();
  const waiting = setInterval(() => poll(listening), POLL_MS);
  let close: (() => void) | undefined;
  awaitTurn(ended.signal, () => {
    clearInterval(waiting);
    close = openStream(listening);
  });
  return () => {
    clearInterval(waiting);
    close?.();
    ended.abort();
  };
};

const openStream = (listening: Listening): (() => void) => {
  const { client, lang, topics } = listening;
  const parts: Record<string, string> = { lang };
  if (topics.draft !== undefined) parts["draft"] = topics.draft;
  if (topics.run !== undefined) parts["run"] = topics.run;
  const source = new EventSource(inStore(`/api/events${formatParts(parts)}`));
  let failures = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stopPolling = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  source.addEventListener("open", () => {
    if (failures > 0) poll(listening);
    failures = 0;
    stopPolling();
    if (waitsFor.get() === null) isReachable.set(true);
  });
  source.addEventListener("error", () => {
    failures += 1;
    if (failures < MAX_FAILURES && source.readyState !== EventSource.CLOSED) return;
    timer ??= setInterval(() => poll(listening), POLL_MS);
  });
  source.addEventListener("draft", (event) => {
    const text = textOf(event);
    if (text !== null) takeDraft(client, lang, parseAnswer<DraftView>(text));
  });
  source.addEventListener("run", (event) => {
    const text = textOf(event);
    if (text !== null) takeProgress(client, parseAnswer<RunProgress>(text));
  });
  source.addEventListener("database", (event) => {
    const text = textOf(event);
    if (text !== null) noteAnswer(parseAnswer<DatabaseView>(text).waitsFor);
  });
  return () => {
    stopPolling();
    source.close();
  };
};

/** Keeps the draft and the run of a screen up to date while it is shown. */
export const useEvents = ({ draft, run }: Topics): void => {
  const client = useQueryClient();
  const { lang } = usePage();
  useEffect(() => listen({ client, lang, topics: { draft, run } }), [client, lang, draft, run]);
};
