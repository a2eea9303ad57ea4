/**
 * The sites of a server's stores. A store's schedules run from the start on; what its page needs is
 * opened by the first request, and closed when it was not used for a while.
 */

import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { ServerResponse } from "node:http";

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import type { Team, TeamStore } from "@catalog/team";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { DraftView } from "../../api/drafts.ts";
import type { Me, StoreView } from "../../api/session.ts";
import { addAuditHook } from "../audit.ts";
import type { Drafts } from "../drafts/drafts.ts";
import type { DescribeError } from "../failures.ts";
import { type Asker, askerOf, checkNeeds, needs, requireNeeds } from "../needs.ts";
import { addSiteRoutes, createPageApp, forbidCaching } from "../page-app.ts";
import type { RunDesk } from "../runs/run-decisions.ts";
import { nameRunsInProblem } from "../runs/run-summary.ts";
import { type AddRoutes, checkIds, type Site, type Topic, unknownStore } from "../site.ts";
import type { takeCopy } from "../uploads.ts";
import { addProgramRoutes } from "../v1/program-routes.ts";
import type { ProgramStore } from "../v1/program-store.ts";
import { addStoreRoutes, noteOwnersOf } from "./store-routes.ts";

/** What the page of a store needs. */
export interface OpenedSite extends AsyncDisposable {
  readonly site: Site;
  readonly routes: readonly AddRoutes[];
  readonly topics: readonly Topic[];
  readonly readStore: () => Promise<StoreView | null>;
  /** The store as programs use it. */
  readonly programs: ProgramStore;
  readonly drafts: Drafts;
  /** Makes a draft of a file that another store has got. */
  readonly takeCopy: (file: Parameters<typeof takeCopy>[0]) => Promise<DraftView>;
  /** Whether something is at work that a page has started. */
  isBusy(): boolean;
}

/** A store whose schedules run. */
export interface StorePremises extends AsyncDisposable {
  /** Connects, unless it is connected; schedules run from then on. */
  connect(): Promise<Connection>;
  openSite(): Promise<OpenedSite>;
  /** Whether it works with the credentials that are stored. */
  isCurrent(): Promise<boolean>;
  /** Removes once a day, while it is connected, the files that are kept no longer. */
  removeOldFiles(): Promise<void>;
}

interface StoreSitesOptions {
  readonly team: Team;
  readonly clock: Clock;
  readonly version: string;
  readonly openPremises: (store: TeamStore) => Promise<StorePremises>;
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
  /** Sees the server of a store before it has a route. @default nobody looks */
  readonly onApp?: ((app: FastifyInstance, prefix: string) => void) | undefined;
}

/** A store that stays open until it is disposed of, for work that is about several stores. */
export interface EnteredStore extends Disposable {
  readonly site: Site;
  readonly drafts: Drafts;
  readonly desk: RunDesk;
  readonly takeCopy: OpenedSite["takeCopy"];
}

/** What answers the requests for a store. */
export interface StoreListener {
  enter(): EnteredStore;
  /**
   * `isStillAllowed` is asked every minute while the answer goes on, as a stream of events does; where
   * it is not, the answer is cut off. @default it is
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    asker: Asker,
    isStillAllowed?: () => Promise<boolean>,
  ): void;
}

export interface StoreSites extends AsyncDisposable {
  /** Opens the site of the store, unless it is open. */
  open(store: TeamStore): Promise<StoreListener>;
  /** Has the store begin anew, with other credentials. */
  renew(store: number): Promise<void>;
  /**
   * Takes up new stores and new credentials, and closes what is not used; every minute it does so by
   * itself.
   */
  sweep(): Promise<void>;
  /** The open connections; the list changes as stores come and go. */
  readonly connections: readonly Connection[];
}

/** A site that was not used for so long is closed. */
const IDLE_MS = 15 * 60_000;
const SWEEP_MS = 60_000;

interface OpenedStore {
  readonly app: Promise<StoreApp>;
  active: number;
  usedAtMs: number;
}

/** Creates the sites; the schedules of all stores run until they are disposed of. */
export function createStoreSites(options: StoreSitesOptions): StoreSites {
  const { team, clock } = options;
  const premises = new Map<number, Promise<StorePremises>>();
  const opened = new Map<number, OpenedStore>();
  const connected = new Map<number, Connection>();
  /** Answers that go on. */
  const running = new Map<ServerResponse, () => Promise<boolean>>();
  const connections: Connection[] = [];
  const ending = new AbortController();

  const premisesOf = (store: TeamStore): Promise<StorePremises> =>
    remember(premises, store.id, () => {
      const own = options.openPremises(store);
      // A later request tries again, as the reason may be gone.
      own.catch(() => premises.delete(store.id));
      return own;
    });
  const openedOf = (store: TeamStore): OpenedStore =>
    remember(opened, store.id, () => {
      const app = premisesOf(store).then((own) => openStoreApp(options, store, own));
      app.catch(() => opened.delete(store.id));
      return { app, active: 0, usedAtMs: clock.now() };
    });
  const close = async (id: number): Promise<void> => {
    const found = opened.get(id);
    opened.delete(id);
    await (await found?.app.catch(() => undefined))?.close();
  };
  const vacate = async (id: number): Promise<void> => {
    await close(id);
    const found = premises.get(id);
    premises.delete(id);
    connected.delete(id);
    connections.splice(0, Infinity, ...connected.values());
    await (await found?.catch(() => undefined))?.[Symbol.asyncDispose]();
  };
  const sweep = async (): Promise<void> => {
    // A backup may have been put in the place of a server's database while it runs.
    await team.endRevived();
    for (const [response, isStillAllowed] of running) {
      if (!(await isStillAllowed())) response.destroy();
    }
    for (const store of await team.stores.list()) {
      // A store that cannot be opened now is tried again with the next round.
      try {
        if (!(await (await premisesOf(store)).isCurrent())) await vacate(store.id);
        const connection = await (await premisesOf(store)).connect();
        connected.set(store.id, connection);
        await noteOwnersOf(team, store.id, connection).catch(options.onBug);
        await (await premisesOf(store)).removeOldFiles().catch(options.onBug);
      } catch {
        connected.delete(store.id);
      }
    }
    connections.splice(0, Infinity, ...connected.values());
    for (const [id, { app, active, usedAtMs }] of opened) {
      if (active > 0 || clock.now() - usedAtMs < IDLE_MS || (await app).isBusy()) continue;
      await close(id);
    }
  };
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await sweep().catch(options.onBug);
      await clock.sleep(SWEEP_MS, ending.signal).catch(() => undefined);
    }
  };
  const sweeping = run();

  return {
    async open(store) {
      const found = openedOf(store);
      found.usedAtMs = clock.now();
      found.active += 1;
      const app = await found.app.finally(() => {
        found.active -= 1;
      });
      return createListener(app, { found, running, clock });
    },
    renew: vacate,
    sweep,
    connections,
    async [Symbol.asyncDispose]() {
      ending.abort(new Error("closed"));
      await sweeping;
      for (const id of new Set([...opened.keys(), ...premises.keys()])) await vacate(id);
    },
  };
}

interface ListenerParts extends Pick<StoreSitesOptions, "clock"> {
  readonly found: OpenedStore;
  /** Answers that go on. */
  readonly running: Map<ServerResponse, () => Promise<boolean>>;
}

/** Counts who uses the store, which is not closed meanwhile. */
function createListener(app: StoreApp, { found, running, clock }: ListenerParts): StoreListener {
  const use = (): (() => void) => {
    found.active += 1;
    return () => {
      found.active -= 1;
      found.usedAtMs = clock.now();
    };
  };
  return {
    enter: () => ({ ...app.parts, [Symbol.dispose]: use() }),
    answer(request, response, asker, isStillAllowed) {
      const leave = use();
      if (isStillAllowed !== undefined) running.set(response, isStillAllowed);
      response.once("close", () => {
        running.delete(response);
        leave();
      });
      app.answer(request, response, asker);
    },
  };
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

interface StoreApp {
  readonly parts: Omit<EnteredStore, typeof Symbol.dispose>;
  answer(request: IncomingMessage, response: ServerResponse, asker: Asker): void;
  isBusy(): boolean;
  close(): Promise<void>;
}

/** Creates a server of the store's routes that listens on nothing: another one hands it its requests. */
async function openStoreApp(
  { team, version, describeError, onBug, onApp }: StoreSitesOptions,
  store: TeamStore,
  premises: StorePremises,
): Promise<StoreApp> {
  const opened = await premises.openSite();
  const { site } = opened;
  const askers = new WeakMap<IncomingMessage, Asker>();
  let listener: RequestListener | undefined;
  const app = await createPageApp({
    // The server that hands the requests on has made the checks.
    checks: [],
    isSecure: true,
    describeError,
    onBug,
    complete: (problem, _status, lang) => nameRunsInProblem(site, problem, lang),
    setListener(given) {
      listener = given;
      return createServer();
    },
  });
  onApp?.(app, "/s/:store");
  const audit = { audit: team.audit, store: store.id };
  const takeAsker = async (request: FastifyRequest): Promise<void> => {
    const asker = askers.get(request.raw);
    if (asker === undefined) throw unknownStore();
    request.asker = asker;
  };
  const addApi = async (api: FastifyInstance): Promise<void> => {
    requireNeeds(api);
    forbidCaching(api);
    api.addHook("onRequest", takeAsker);
    api.addHook("onRequest", checkNeeds);
    await api.register(async (own) => {
      addAuditHook(own, { ...audit, isOfRefusalsOnly: true });
      checkIds(own);
      own.get("/me", needs("viewer"), async (request): Promise<Me> => {
        const { name, role, isOverAll } = askerOf(request);
        const command = "catalog web --server";
        return {
          version,
          user: name,
          role: role ?? "viewer",
          isOverAll: isOverAll === true,
          command,
          store: await opened.readStore(),
        };
      });
      addStoreRoutes(own, { team, store, site });
    });
    await api.register(async (own) => {
      addAuditHook(own, audit);
      await addSiteRoutes(own, opened, { describeError, onBug });
    });
  };
  const addV1 = async (v1: FastifyInstance): Promise<void> => {
    requireNeeds(v1);
    v1.addHook("onRequest", takeAsker);
    const { comments } = team;
    const known = { describeError, onBug };
    addProgramRoutes(v1, opened.programs, { ...audit, ...known, comments, storeId: store.id });
  };
  await app.register(addApi, { prefix: "/api" });
  await app.register(addV1, { prefix: "/v1" });
  await app.ready();
  const { drafts, takeCopy: takeFile, programs } = opened;
  return {
    parts: { site, drafts, takeCopy: takeFile, desk: programs.desk },
    answer(request, response, asker) {
      askers.set(request, asker);
      listener?.(request, response);
    },
    isBusy: () => opened.isBusy(),
    async close() {
      await app.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}
