/** Puts the server of the page together: hooks, files and routes. It listens on nothing yet. */

import type { RequestListener, Server } from "node:http";

import type { Lang } from "@catalog/i18n";
import fastifyCookie from "@fastify/cookie";
import fastifyHelmet from "@fastify/helmet";
import fastifyRateLimit from "@fastify/rate-limit";
import { fastify, type FastifyInstance } from "fastify";

import type { Problem } from "../api/problem.ts";
import type { LinkKeys } from "./access/link-keys.ts";
import { checkHost, checkOrigin } from "./access/request-checks.ts";
import { requestLang } from "./access/request-lang.ts";
import {
  addLinkRoute,
  addOpeningRoute,
  checkSession,
  createSessionsOf,
  endSession,
} from "./access/session-routes.ts";
import { createDatabaseTopic, createDatabaseWait, refuseWhileAway } from "./database-wait.ts";
import { describeFailure, type DescribeError } from "./describe-failure.ts";
import { addEventRoute } from "./events/event-route.ts";
import { HEADERS } from "./headers.ts";
import { addMetricsRoute } from "./metrics-route.ts";
import { addPageFiles } from "./page-files.ts";
import { checkIds } from "./parse-ids.ts";
import { hasRunId, nameRunsIn } from "./runs/name-runs.ts";
import { type AddRoutes, RequestError, type Site, type Topic } from "./site.ts";

export interface ServerOptions {
  readonly site: Site;
  /** Private folder of the sessions. */
  readonly sessionFolder: string;
  readonly links: LinkKeys;
  /** What the same command, started again, asks for a link with. */
  readonly linkSecret: string;
  /** The command that opens the page, as a person types it. */
  readonly command: string;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly routes: readonly AddRoutes[];
  readonly topics: readonly Topic[];
  readonly describeError: DescribeError;
  /** Takes an error that nobody expected. */
  readonly onBug: (error: unknown) => void;
  /** How long a request may take to arrive. @default {@link ARRIVAL} */
  readonly arrival?: ArrivalLimits | undefined;
  /** Gives the requests of a server of its own to this one. @default a server that is created */
  readonly setListener?: ((listener: RequestListener) => Server) | undefined;
}

/** Limits of the time until a request has arrived, so that slow ones keep no place. */
export interface ArrivalLimits {
  readonly headersMs: number;
  /** With the body. */
  readonly wholeMs: number;
  /** Interval at which open connections are looked at. */
  readonly everyMs: number;
}

/** A file may come from a slow drive of the network. */
export const ARRIVAL: ArrivalLimits = { headersMs: 20_000, wholeMs: 300_000, everyMs: 5_000 };

/** Largest JSON body of routes that do not say otherwise. */
const JSON_BYTES = 1024 * 1024;

/**
 * Fastify answers an address that cannot be decoded before any hook has run: without the checks and
 * headers of every other answer. One that no route has takes its place.
 */
const NO_ADDRESS = "/api/";

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** Creates the server; the caller listens with it on 127.0.0.1 and closes it. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { arrival = ARRIVAL, setListener } = options;
  const { headersMs, wholeMs, everyMs } = arrival;
  const app = fastify({
    bodyLimit: JSON_BYTES,
    forceCloseConnections: true,
    logger: false,
    requestTimeout: wholeMs,
    rewriteUrl: ({ url = "/" }) => (isDecodable(url) ? url : NO_ADDRESS),
    http: { headersTimeout: headersMs, connectionsCheckingInterval: everyMs },
    ...(setListener !== undefined && { serverFactory: setListener }),
  });
  addErrorAnswers(app, options);
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", checkHost);
  await app.register(fastifyHelmet, HEADERS);
  app.addHook("onRequest", checkOrigin);
  await app.register(fastifyCookie);
  await app.register(fastifyRateLimit, {
    global: false,
    errorResponseBuilder: () => Object.assign(new Error("too many tries"), { statusCode: 429 }),
  });
  await addPageFiles(app, options.pageFolder);
  addMetricsRoute(app, options.site);
  await app.register(async (api) => addApi(api, options), { prefix: "/api" });
  return app;
}

function addErrorAnswers(
  app: FastifyInstance,
  { site, describeError, onBug, command }: ServerOptions,
): void {
  app.setErrorHandler(async (error: unknown, request, reply) => {
    const lang = requestLang(request);
    const failure = describeFailure(error, lang, describeError);
    if (failure.isBug) onBug(error);
    // What the client still sends of a refused body is not read.
    if (failure.status === 413) reply.header("connection", "close");
    // A page without a session names the command, and must not know anything else.
    const { problem, status } = failure;
    if (status === 401) return await reply.status(status).send({ ...problem, command });
    return await reply.status(status).send(await nameInProblem(site, problem, lang));
  });
}

/** Only a store that is open has runs that an error may name. */
async function nameInProblem({ store }: Site, problem: Problem, lang: Lang): Promise<Problem> {
  if (!hasRunId(problem.message)) return problem;
  return await nameRunsIn(await store.connection(), problem, lang);
}

async function addApi(api: FastifyInstance, options: ServerOptions): Promise<void> {
  const { site, links, topics, routes, command } = options;
  const sessionsOf = createSessionsOf({ folder: options.sessionFolder, clock: site.clock });
  api.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
  addOpeningRoute(api, { sessionsOf, links, command });
  addLinkRoute(api, links, options.linkSecret);
  // A failure with a cause that is known, such as a draft that was removed, is told to the request
  // that reads the document.
  const onError = (error: unknown): void => {
    if (describeFailure(error, "en", options.describeError).isBug) options.onBug(error);
  };
  await api.register(async (inside) => {
    inside.addHook("onRequest", checkSession(sessionsOf, command));
    checkIds(inside);
    inside.delete("/session", async (request, reply) => endSession(request, reply, sessionsOf));
    const { clock } = site;
    const wait = createDatabaseWait(site);
    addEventRoute(inside, { topics, shared: createDatabaseTopic(wait), clock, onError });
    await inside.register(async (stored) => {
      refuseWhileAway(stored, { wait, clock });
      for (const add of routes) add(stored, site);
    });
    inside.all("/*", async () => {
      throw unknownRoute();
    });
  });
}

const unknownRoute = (): RequestError =>
  new RequestError(404, "E_NOT_FOUND", {
    tr: "Burada bir şey yok. Sayfayı yenileyin.",
    en: "There is nothing here. Reload the page.",
  });
