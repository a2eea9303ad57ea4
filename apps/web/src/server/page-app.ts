/** What every server of the page has: limits, headers, files, words for failures, and routes of a site. */

import { readFile } from "node:fs/promises";
import type { RequestListener, Server } from "node:http";
import { join } from "node:path";

import type { Lang } from "@catalog/i18n";
import fastifyCookie from "@fastify/cookie";
import fastifyHelmet, { type FastifyHelmetOptions } from "@fastify/helmet";
import fastifyRateLimit from "@fastify/rate-limit";
import fastifyStatic from "@fastify/static";
import { fastify, type FastifyInstance, type FastifyRequest } from "fastify";

import type { Problem } from "../api/session.ts";
import { createDatabaseTopic, createDatabaseWait, refuseWhileAway } from "./database-wait.ts";
import { addEventRoute } from "./events.ts";
import { type DescribeError, describeFailure } from "./failures.ts";
import { needs } from "./needs.ts";
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

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Nothing from elsewhere is loaded or shown, and nothing is shown elsewhere. */
const toHeaders = (isSecure: boolean): FastifyHelmetOptions => ({
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
  // A page of this computer has no certificate, and a rule for 127.0.0.1 would hold for other
  // programs, too.
  strictTransportSecurity: isSecure ? { maxAge: YEAR_SECONDS, includeSubDomains: true } : false,
});

/** Addresses that are never the page itself. */
export const NO_PAGE: RegExp = /^\/(?:api|assets|v1|s\/[^/?]*\/api)(?:[/?]|$)/u;

/** Adds the files of the folder; names below `assets` hold a hash and never change. */
export async function addPageFiles(app: FastifyInstance, folder: string): Promise<void> {
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
    if (request.method !== "GET" || NO_PAGE.test(request.url)) throw notFound();
    await reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
  });
}

export const notFound = (): RequestError =>
  new RequestError(404, "E_NOT_FOUND", {
    tr: "Burada bir şey yok. Sayfayı yenileyin.",
    en: "There is nothing here. Reload the page.",
  });

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

type Check = (request: FastifyRequest) => Promise<void>;

export interface PageAppOptions {
  /** Checks of each request, the first before any header is set. */
  readonly checks: readonly [checkHost: Check, checkOrigin: Check] | readonly [];
  /** Whether browsers are told to come by TLS only. */
  readonly isSecure: boolean;
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
  /** Completes a problem before it is sent. @default it is sent as it is */
  readonly complete?: (problem: Problem, status: number, lang: Lang) => Promise<Problem>;
  /** How long a request may take to arrive. @default {@link ARRIVAL} */
  readonly arrival?: ArrivalLimits | undefined;
  /** Gives the requests of a server of its own to this one. @default a server that is created */
  readonly setListener?: ((listener: RequestListener) => Server) | undefined;
}

/** Creates a server without routes. */
export async function createPageApp(options: PageAppOptions): Promise<FastifyInstance> {
  const { arrival = ARRIVAL, setListener, checks } = options;
  const { headersMs, wholeMs, everyMs } = arrival;
  const [checkHost, checkOrigin] = checks;
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
  app.decorateRequest("change", null);
  addErrorAnswers(app, options);
  app.removeContentTypeParser("text/plain");
  if (checkHost !== undefined) app.addHook("onRequest", checkHost);
  await app.register(fastifyHelmet, toHeaders(options.isSecure));
  if (checkOrigin !== undefined) app.addHook("onRequest", checkOrigin);
  await app.register(fastifyCookie);
  await app.register(fastifyRateLimit, {
    global: false,
    errorResponseBuilder: () => Object.assign(new Error("too many tries"), { statusCode: 429 }),
  });
  return app;
}

function addErrorAnswers(
  app: FastifyInstance,
  { describeError, onBug, complete }: PageAppOptions,
): void {
  app.setErrorHandler(async (error: unknown, request, reply) => {
    const lang = requestLang(request);
    const { isBug, problem, status } = describeFailure(error, lang, describeError);
    if (isBug) onBug(error);
    // What the client still sends of a refused body is not read.
    if (status === 413) reply.header("connection", "close");
    const shown = complete === undefined ? problem : await complete(problem, status, lang);
    return await reply.status(status).send(shown);
  });
}

/** Has the answers of a scope kept by no cache, unless a route says otherwise. */
export function forbidCaching(scope: FastifyInstance): void {
  scope.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
}

interface SiteRoutes {
  readonly site: Site;
  readonly routes: readonly AddRoutes[];
  readonly topics: readonly Topic[];
}

/** Adds the routes of a site to a scope whose hooks know who asks. */
export async function addSiteRoutes(
  scope: FastifyInstance,
  { site, routes, topics }: SiteRoutes,
  { describeError, onBug }: Pick<PageAppOptions, "describeError" | "onBug">,
): Promise<void> {
  const { clock } = site;
  // A failure with a cause that is known, such as a draft that was removed, is reported to the request
  // that reads the document.
  const onError = (error: unknown): void => {
    if (describeFailure(error, "en", describeError).isBug) onBug(error);
  };
  checkIds(scope);
  const wait = createDatabaseWait(site);
  addEventRoute(scope, { topics, shared: createDatabaseTopic(wait), clock, onError });
  await scope.register(async (stored) => {
    refuseWhileAway(stored, { wait, clock });
    for (const add of routes) add(stored, site);
  });
  scope.all("/*", needs("person"), async () => {
    throw notFound();
  });
}
