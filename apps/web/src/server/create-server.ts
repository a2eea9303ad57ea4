/** The server of one person's page on this computer. It listens on nothing yet. */

import type { RequestListener, Server } from "node:http";

import type { Connection } from "@catalog/connection";
import { createStoreMetrics } from "@catalog/jobs";
import type { FastifyInstance } from "fastify";

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
import type { DescribeError } from "./failures.ts";
import { type Asker, checkNeeds, needs, requireNeeds } from "./needs.ts";
import {
  addPageFiles,
  addSiteRoutes,
  type ArrivalLimits,
  createPageApp,
  forbidCaching,
} from "./page-app.ts";
import { nameRunsInProblem } from "./runs/run-summary.ts";
import type { AddRoutes, Site, Topic } from "./site.ts";

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
  /** How long a request may take to arrive. @default `ARRIVAL` */
  readonly arrival?: ArrivalLimits | undefined;
  /** Gives the requests of a server of its own to this one. @default a server that is created */
  readonly setListener?: ((listener: RequestListener) => Server) | undefined;
}

/** Creates the server; the caller listens with it on 127.0.0.1 and closes it. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { site, command } = options;
  const app = await createPageApp({
    ...options,
    checks: [checkHost, checkOrigin],
    isSecure: false,
    // A page without a session names the command, and must not know anything else.
    complete: async (problem, status, lang) =>
      status === 401 ? { ...problem, command } : await nameRunsInProblem(site, problem, lang),
  });
  await addPageFiles(app, options.pageFolder);
  addMetricsRoute(app, site);
  await app.register(async (api) => addApi(api, options), { prefix: "/api" });
  return app;
}

/** The one person of a page that a link has opened. */
const OWNER: Omit<Asker, "name"> = {
  role: "administrator",
  isOverAll: true,
  actor: { person: null, key: null, address: null },
};

async function addApi(api: FastifyInstance, options: ServerOptions): Promise<void> {
  const { site, links, command } = options;
  const sessionsOf = createSessionsOf({ folder: options.sessionFolder, clock: site.clock });
  requireNeeds(api);
  forbidCaching(api);
  addOpeningRoute(api, { sessionsOf, links, command });
  addLinkRoute(api, links, options.linkSecret);
  await api.register(async (inside) => {
    inside.addHook("onRequest", checkSession(sessionsOf, command));
    inside.addHook("onRequest", async (request) => {
      request.asker = { ...OWNER, name: options.user };
    });
    inside.addHook("onRequest", checkNeeds);
    inside.post("/close", needs("administrator"), async (_request, reply) => {
      // The answer is the last thing that this connection carries, so that it is not cut off.
      reply.raw.once("close", () => options.onClose?.());
      await reply.status(204).header("connection", "close").send();
    });
    inside.delete("/session", needs("person"), async (request, reply) =>
      endSession(request, reply, sessionsOf),
    );
    await addSiteRoutes(inside, options, options);
  });
}
