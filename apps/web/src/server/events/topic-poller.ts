/** Reads each watched document at most once a second, however many pages watch it. */

import type { Clock } from "@catalog/clock";
import type { Lang } from "@catalog/i18n";

import type { Topic } from "../site.ts";

/** What is watched. */
export interface Watched {
  readonly topic: Topic;
  readonly id: string;
  readonly lang: Lang;
}

export interface TopicPoller {
  /**
   * Calls the listener with the document as JSON, at once and after each change, until the returned
   * function is called.
   */
  watch(watched: Watched, listener: (json: string) => void): () => void;
  /** Has each document told once more, as if it had changed. */
  tellAgain(): void;
  /** Ends all reading. */
  close(): void;
}

export interface TopicPollerOptions {
  readonly clock: Clock;
  /** Takes the first error of a reader, which is tried again. */
  readonly onError: (error: unknown) => void;
}

const EVERY_MS = 1_000;

interface Poll {
  readonly listeners: Set<(json: string) => void>;
  readonly end: AbortController;
  /** The document that was told last; another object where it is to be told again. */
  told: { json?: string };
  hasFailed: boolean;
}

export function createTopicPoller({ clock, onError }: TopicPollerOptions): TopicPoller {
  const polls = new Map<string, Poll>();

  const readOnce = async ({ topic, id, lang }: Watched, poll: Poll): Promise<void> => {
    const { told } = poll;
    try {
      const json = JSON.stringify(await topic.read(id, lang));
      if (json === undefined || json === told.json || poll.end.signal.aborted) return;
      // A reading that began before a change may not know of it.
      if (poll.told !== told) return;
      told.json = json;
      for (const listener of poll.listeners) listener(json);
    } catch (error) {
      if (!poll.hasFailed) onError(error);
      poll.hasFailed = true;
    }
  };

  const run = async (watched: Watched, poll: Poll): Promise<void> => {
    while (!poll.end.signal.aborted) {
      await readOnce(watched, poll);
      // Rejects when nobody watches any more.
      await clock.sleep(EVERY_MS, poll.end.signal).catch(() => undefined);
    }
  };

  return {
    watch(watched, listener) {
      const key = [watched.topic.name, watched.id, watched.lang].join(" ");
      const poll = polls.get(key) ?? startPoll(polls, key);
      poll.listeners.add(listener);
      if (poll.told.json !== undefined) listener(poll.told.json);
      if (poll.listeners.size === 1) void run(watched, poll);
      return () => {
        poll.listeners.delete(listener);
        if (poll.listeners.size > 0) return;
        poll.end.abort(new Error("nobody watches"));
        if (polls.get(key) === poll) polls.delete(key);
      };
    },
    tellAgain() {
      for (const poll of polls.values()) poll.told = {};
    },
    close() {
      for (const { end } of polls.values()) end.abort(new Error("closed"));
      polls.clear();
    },
  };
}

function startPoll(polls: Map<string, Poll>, key: string): Poll {
  const end = new AbortController();
  const poll: Poll = { listeners: new Set(), end, told: {}, hasFailed: false };
  polls.set(key, poll);
  return poll;
}
