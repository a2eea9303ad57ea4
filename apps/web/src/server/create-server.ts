/** Puts the server of the page together: hooks, files and routes. It listens on nothing yet. */

import { readFile } from "node:fs/promises";
import type { RequestListener, Server } from "node:http";
import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { createStoreMetrics } from "@catalog/jobs";
import fastifyCookie from "@fastify/cookie";
import fastifyHelmet, { type FastifyHelmetOptions } from "@fastify/helmet";
import fastifyRateLimit from "@fastify/rate-limit";
import fastifyStatic from "@fastify/static";
import { fastify, type FastifyInstance } from "fastify";

import type { Problem } from "../api/session.ts";
import {
  addLinkRoute,
  addOpeningRoute,
  checkHost,
  checkOrigin,
  checkSession,
  createSessionsOf,
  endSession,
  type LinkKeys,
} from "./access.ts";
import { createDatabaseTopic, createDatabaseWait, refuseWhileAway } from "./database-wait.ts";
import { addEventRoute } from "./events.ts";
import { type DescribeError, describeFailure } from "./failures.ts";
import { type Asker, checkNeeds, needs, requireNeeds } from "./needs.ts";
import { hasRunId, nameRunsIn } from "./runs/run-summary.ts";
import {
  type AddRoutes,
  checkIds,
  RequestError,
  requestLang,
  type Site,
  type Topic,
} from "./site.ts";

/** Hash of the one style that react-aria puts into the page; a test computes it from its source. */
export const PRESSABLE_STYLE_HASH = "sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=";

/** Nothing from elsewhere is loaded or shown, and nothing is shown elsewhere. */
const HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", `'${PRESSABLE_STYLE_HASH}'`],
      imgSrc: ["'self'", "data:"],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginResourcePolicy: { policy: "same-origin" },
  crossOriginOpenerPolicy: { policy: "same-origin" },
  referrerPolicy: { policy: "no-referrer" },
  // The server has no certificate, and a rule for 127.0.0.1 would hold for other programs, too.
  strictTransportSecurity: false,
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Adds the files of the folder; names below `assets` hold a hash and never change. */
async function addPageFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    setHeaders(response, path) {
      const isAsset = path.startsWith(join(folder, "assets"));
      response.header(
        "cache-control",
        isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
      );
    },
  });
  const page = await readFile(join(folder, "index.html"), "utf8");
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === "GET" && !/^\/(?:api|assets)(?:\/|$)/u.test(request.url);
    if (!isPage) throw notFound();
    await reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
  });
}

const notFound = (): RequestError =>
  new RequestError(404, "E_NOT_FOUND", {
    tr: "Burada bir şey yok. Sayfayı yenileyin.",
    en: "There is nothing here. Reload the page.",
  });

/**
 * Adds `GET /metrics` at the root of the server. Needs no session, as a scraper has none: it tells
 * numbers, the id of the store and ids of schedules, and nothing of products, files or people.
 */
function addMetricsRoute(server: FastifyInstance, { store }: Pick<Site, "store">): void {
  const known = new WeakMap<Connection, ReturnType<typeof createStoreMetrics>>();
  const metricsOf = (connection: Connection): ReturnType<typeof createStoreMetrics> => {
    const metrics =
      known.get(connection) ??
      createStoreMetrics({ clock: connection.clock, stores: [connection] });
    known.set(connection, metrics);
    return metrics;
  };
  server.get("/metrics", needs("open"), async (_request, reply) => {
    const metrics = metricsOf(await store.connection());
    const text = await metrics.read();
    await reply.header("cache-control", "no-store").type(metrics.type).send(text);
  });
}

interface ServerOptions {
  readonly site: Site;
  readonly sessionFolder: string;
  readonly links: LinkKeys;
  /** What the same command, started again, asks for a link with. */
  readonly linkSecret: string;
  /** The command that opens the page, as a person types it. */
  readonly command: string;
  /** Name of the person whose page it is. */
  readonly user: string;
  readonly pageFolder: string;
  readonly routes: readonly AddRoutes[];
  readonly topics: readonly Topic[];
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
  /** Ends the program; a person has asked for it on the page. @default it cannot be ended there */
  readonly onClose?: (() => void) | undefined;
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
  app.decorateRequest("asker", null);
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

/** The one person of a page that a link has opened. */
const OWNER: Pick<Asker, "role" | "actor"> = {
  role: "administrator",
  actor: { person: null, key: null, address: null },
};

async function addApi(api: FastifyInstance, options: ServerOptions): Promise<void> {
  const { site, links, topics, routes, command } = options;
  const sessionsOf = createSessionsOf({ folder: options.sessionFolder, clock: site.clock });
  requireNeeds(api);
  api.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
  addOpeningRoute(api, { sessionsOf, links, command });
  addLinkRoute(api, links, options.linkSecret);
  // A failure with a cause that is known, such as a draft that was removed, is reported to the request
  // that reads the document.
  const onError = (error: unknown): void => {
    if (describeFailure(error, "en", options.describeError).isBug) options.onBug(error);
  };
  await api.register(async (inside) => {
    inside.addHook("onRequest", checkSession(sessionsOf, command));
    inside.addHook("onRequest", async (request) => {
      request.asker = { ...OWNER, name: options.user };
    });
    inside.addHook("onRequest", checkNeeds);
    checkIds(inside);
    inside.post("/close", needs("administrator"), async (_request, reply) => {
      // The answer is the last thing that this connection carries, so that it is not cut off.
      reply.raw.once("close", () => options.onClose?.());
      await reply.status(204).header("connection", "close").send();
    });
    inside.delete("/session", needs("person"), async (request, reply) =>
      endSession(request, reply, sessionsOf),
    );
    const { clock } = site;
    const wait = createDatabaseWait(site);
    addEventRoute(inside, { topics, shared: createDatabaseTopic(wait), clock, onError });
    await inside.register(async (stored) => {
      refuseWhileAway(stored, { wait, clock });
      for (const add of routes) add(stored, site);
    });
    inside.all("/*", needs("person"), async () => {
      throw notFound();
    });
  });
}
