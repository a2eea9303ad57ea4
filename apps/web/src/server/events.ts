/**
 * The stream of events of a page. Each event is a whole document, which is read at most once a second,
 * however many pages watch it.
 */

import type { ServerResponse } from "node:http";

import type { Clock } from "@catalog/clock";
import type { Lang } from "@catalog/i18n";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";

import { needs } from "./needs.ts";
import { parseId, parseInput, requestLang, type Topic } from "./site.ts";

/** A document of a topic, in a language. */
export interface Watched {
  readonly topic: Topic;
  readonly id: string;
  readonly lang: Lang;
}

const EVERY_MS = 1_000;

interface Poll {
  readonly listeners: Set<(json: string) => void>;
  readonly end: AbortController;
  /** The document that was sent last; another object where it is to be sent again. */
  told: { json?: string };
  hasFailed: boolean;
}

function createTopicPoller({ clock, onError }: StreamOptions) {
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
    /**
     * Calls the listener with the document as JSON, at once and after each change, until the returned
     * function is called.
     */
    watch(watched: Watched, listener: (json: string) => void): () => void {
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
    /** Sends each document once more, as if it had changed. */
    tellAgain(): void {
      for (const poll of polls.values()) poll.told = {};
    },
    close(): void {
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

/** The browser connects again so long after the stream was cut. */
const RETRY_MS = 2_000;
/** Comments keep the stream open where nothing changes. */
const COMMENT_MS = 15_000;

/** Streams of events, each of which sends some documents whenever they have changed. */
interface EventStreams {
  /** Takes over the answer. */
  open(reply: FastifyReply, watched: readonly Watched[]): void;
  /** Sends each document once more, as if it had changed. */
  tellAgain(): void;
  close(): void;
}

export function createEventStreams({ clock, onError }: StreamOptions): EventStreams {
  const open = new Set<ServerResponse>();
  const poller = createTopicPoller({ clock, onError });
  return {
    open(reply, watched) {
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      reply.hijack();
      const stream = openStream(reply.raw);
      open.add(stream);
      const ends = watched.map((each) =>
        poller.watch(each, (json) => {
          stream.write(`event: ${each.topic.name}\ndata: ${json}\n\n`);
        }),
      );
      const closed = new AbortController();
      void comment(stream, clock, closed.signal);
      stream.on("close", () => {
        closed.abort(new Error("closed"));
        open.delete(stream);
        for (const end of ends) end();
      });
    },
    tellAgain: () => poller.tellAgain(),
    close() {
      poller.close();
      for (const stream of open) stream.end();
    },
  };
}

const querySchema = z.record(z.string(), z.string().max(200));

interface StreamOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

interface EventRouteOptions extends StreamOptions {
  readonly topics: readonly Topic[];
  /** What is sent to every page; it has no id. */
  readonly shared: Topic;
}

export function addEventRoute(
  app: FastifyInstance,
  { topics, shared, ...options }: EventRouteOptions,
): void {
  const streams = createEventStreams(options);
  app.addHook("preClose", async () => streams.close());
  // A page shows the answer to its own change at once. Where another command undoes that change before
  // the next reading, the document is the last one again, which must be sent to the page.
  app.addHook("onResponse", async ({ method }) => {
    if (method !== "GET") streams.tellAgain();
  });

  // The head of a stream would never end.
  const stream = { ...needs("viewer"), exposeHeadRoute: false };
  app.get("/events", stream, async (request, reply) => {
    const query = parseInput(querySchema, request.query);
    const lang = requestLang(request);
    const asked = topics.flatMap((topic) => {
      const text = query[topic.name];
      return text === undefined ? [] : [{ topic, id: parseId(topic.name, text), lang }];
    });
    streams.open(reply, [{ topic: shared, id: "", lang }, ...asked]);
  });
}

function openStream(stream: ServerResponse): ServerResponse {
  stream.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  stream.write(`retry: ${RETRY_MS}\n\n`);
  return stream;
}

async function comment(stream: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(COMMENT_MS, signal).catch(() => undefined);
    if (!signal.aborted) stream.write(": open\n\n");
  }
}
