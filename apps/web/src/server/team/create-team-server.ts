/** The server of several people: sign-in, people, and one site for each store. It listens on nothing yet. */

import type { RequestListener, Server } from "node:http";

import type { StoreCredentials, Team, TeamStore } from "@catalog/team";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { addAuditHook } from "../audit.ts";
import type { DescribeError } from "../failures.ts";
import { askerOf, checkNeeds, needs, requireNeeds } from "../needs.ts";
import {
  addPageFiles,
  type ArrivalLimits,
  createPageApp,
  forbidCaching,
  notFound,
} from "../page-app.ts";
import { checkIds, unknownStore } from "../site.ts";
import { addPrograms } from "../v1/programs.ts";
import { addOpenIdRoutes, type OpenIdSettings } from "./open-id.ts";
import { addPeopleRoutes } from "./people-routes.ts";
import { createAddressChecks, type PublicAddress } from "./public-address.ts";
import { addSharedFileRoutes } from "./shared-files.ts";
import {
  addAccountRoutes,
  addSignInRoutes,
  createSessionCheck,
  type SignInOptions,
  signedInOf,
} from "./sign-in.ts";
import type { StoreSites } from "./store-sites.ts";

export interface TeamServerOptions {
  readonly team: Team;
  readonly sites: StoreSites;
  readonly address: PublicAddress;
  readonly version: string;
  readonly pageFolder: string;
  /** The identity provider. @default people sign in by passwords only */
  readonly openId?: OpenIdSettings | undefined;
  /** Takes why somebody could not sign in by the identity provider. */
  readonly onOpenIdProblem: (error: unknown) => void;
  /** Tries the credentials with real calls; throws where they are refused. */
  readonly tryCredentials: (credentials: StoreCredentials) => Promise<void>;
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
  /** Sees the server before it has a route. @default nobody looks */
  readonly onApp?: ((app: FastifyInstance, prefix: string) => void) | undefined;
  /** How long a request may take to arrive. @default `ARRIVAL` */
  readonly arrival?: ArrivalLimits | undefined;
  /** Gives the requests of a server of its own to this one. @default a server that is created */
  readonly setListener?: ((listener: RequestListener) => Server) | undefined;
}

export async function createTeamServer(options: TeamServerOptions): Promise<FastifyInstance> {
  const { team, address } = options;
  const { checkHost, checkOrigin, addressOf } = createAddressChecks(address);
  const app = await createPageApp({
    ...options,
    checks: [checkHost, checkOrigin],
    isSecure: true,
  });
  options.onApp?.(app, "");
  app.decorateRequest("signedIn", null);
  await addPageFiles(app, options.pageFolder);
  const { openId } = options;
  const signIn: SignInOptions = { team, version: options.version, addressOf, openId: openId?.name };
  await app.register(async (api) => addApi(api, signIn, options), { prefix: "/api" });
  await app.register(async (stores) => addStores(stores, signIn, options));
  await app.register(
    async (programs) => {
      requireNeeds(programs);
      const openStore = (store: TeamStore) => options.sites.open(store);
      await addPrograms(programs, { ...options, addressOf, openStore });
    },
    { prefix: "/v1" },
  );
  return app;
}

async function addApi(
  api: FastifyInstance,
  signIn: SignInOptions,
  options: TeamServerOptions,
): Promise<void> {
  const { team, sites, address, tryCredentials } = options;
  requireNeeds(api);
  forbidCaching(api);
  addSignInRoutes(api, signIn);
  const { openId: settings, onOpenIdProblem: onProblem } = options;
  if (settings !== undefined) {
    addOpenIdRoutes(api, { ...signIn, settings, origin: address.origin, onProblem });
  }
  await api.register(async (inside) => {
    inside.addHook("onRequest", createSessionCheck(signIn));
    inside.addHook("onRequest", checkNeeds);
    addAuditHook(inside, { audit: team.audit, store: null, isOfRefusalsOnly: true });
    checkIds(inside);
    addAccountRoutes(inside, signIn);
    addPeopleRoutes(inside, {
      team,
      origin: address.origin,
      tryCredentials,
      renewStore: (store) => sites.renew(store),
    });
    addSharedFileRoutes(inside, options);
    inside.all("/*", needs("person"), async () => {
      throw notFound();
    });
  });
}

/** An address of a store, whose name and rest need no decoding. */
const STORE_ADDRESS = /^\/s\/(?<name>[a-z0-9-]{1,40})(?<rest>\/api\/.*)$/u;

/** Whether the person is an administrator of all stores, and not of the one that is asked for alone. */
const isOverAll = (request: FastifyRequest): boolean => askerOf(request).role === "administrator";

/** Hands the requests for a store to its site, which is opened for a person with a role in it only. */
async function addStores(
  stores: FastifyInstance,
  signIn: SignInOptions,
  { team, sites }: TeamServerOptions,
): Promise<void> {
  const find = async (request: FastifyRequest) => {
    const { name, rest } = STORE_ADDRESS.exec(request.raw.url ?? "")?.groups ?? {};
    const { person } = signedInOf(request);
    const store = name === undefined ? undefined : await team.stores.find(name);
    const role = store && (await team.people.roleIn(person.id, store.id));
    if (store !== undefined && role !== undefined && rest !== undefined) {
      return { store, rest, asker: { ...askerOf(request), role, isOverAll: isOverAll(request) } };
    }
    const entry = { subject: name ?? null, before: null, after: null };
    const refused = { ...entry, action: "store.refused", store: store?.id ?? null };
    await team.audit.write(refused, askerOf(request).actor);
    throw unknownStore();
  };
  requireNeeds(stores);
  forbidCaching(stores);
  stores.addHook("onRequest", createSessionCheck(signIn));
  stores.addHook("onRequest", async (request, reply) => {
    const { store, rest, asker } = await find(request);
    const site = await sites.open(store);
    reply.hijack();
    request.raw.url = rest;
    const { person, session } = signedInOf(request);
    site.answer(request.raw, reply.raw, asker, async () => {
      const isOpen = (await team.sessions.list(person.id)).some(({ id }) => id === session.id);
      return isOpen && (await team.people.roleIn(person.id, store.id)) !== undefined;
    });
  });
  stores.all("/s/:store/api/*", needs("person"), async () => {
    throw notFound();
  });
}
