/** The stream of events of a page: each event is the whole document. */

import type { ServerResponse } from "node:http";

import type { Clock } from "@catalog/clock";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { requestLang } from "../access/request-lang.ts";
import { parseId } from "../parse-ids.ts";
import { parseInput } from "../parse-input.ts";
import type { Topic } from "../site.ts";
import { createTopicPoller } from "./topic-poller.ts";

/** The browser connects again so long after the stream was cut. */
const RETRY_MS = 2_000;
/** Comments keep the stream open where nothing changes. */
const COMMENT_MS = 15_000;

const querySchema = z.record(z.string(), z.string().max(200));

export interface EventRouteOptions {
  readonly topics: readonly Topic[];
  /** What every page is told of; it has no id. */
  readonly shared: Topic;
  readonly clock: Clock;
  /** Takes the first error of the reader of a topic. */
  readonly onError: (error: unknown) => void;
}

export function addEventRoute(
  app: FastifyInstance,
  { topics, shared, clock, onError }: EventRouteOptions,
): void {
  const open = new Set<ServerResponse>();
  const poller = createTopicPoller({ clock, onError });
  app.addHook("preClose", async () => {
    poller.close();
    for (const stream of open) stream.end();
  });
  // A page shows the answer to its own change at once. Where another command undoes that change before
  // the next reading, the document is the last one again, which the page must be told.
  app.addHook("onResponse", async ({ method }) => {
    if (method !== "GET") poller.tellAgain();
  });

  app.get("/events", async (request, reply) => {
    const query = parseInput(querySchema, request.query);
    const lang = requestLang(request);
    const asked = topics.flatMap((topic) => {
      const text = query[topic.name];
      return text === undefined ? [] : [{ topic, id: parseId(topic.name, text), lang }];
    });
    const watched = [{ topic: shared, id: "", lang }, ...asked];
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
