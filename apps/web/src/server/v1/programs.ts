/**
 * The door of the interface for programs, `/v1`. A request names its key and nothing else lets it in:
 * cookies are not looked at, and no other site's page is allowed to ask. What is behind the door is
 * answered by the server of the key's store.
 */

import type { IncomingMessage, ServerResponse } from "node:http";

import { allows, type Role, type Team, type TeamStore } from "@catalog/team";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import { storeName } from "../../api/team.ts";
import type { DescribeError } from "../failures.ts";
import { type Asker, needs } from "../needs.ts";
import { addDescription } from "./describe-api.ts";
import { addProblemAnswers, noKey, noStore, nothingHere, tooOften } from "./problems.ts";
import { PROGRAM_ROUTES } from "./program-routes.ts";
import { DOCUMENTS } from "./schemas.ts";

/** The people and keys of the server, as far as programs need them. */
export interface ProgramTeam {
  readonly keys: Pick<Team["keys"], "find">;
  readonly people: Pick<Team["people"], "read" | "roleIn">;
  readonly stores: Pick<Team["stores"], "list">;
  readonly audit: Pick<Team["audit"], "write">;
}

export interface ProgramsOptions {
  readonly team: ProgramTeam;
  /** Opens what answers requests for a store. */
  readonly openStore: (store: TeamStore) => Promise<{
    /** Cuts the answer off once `isStillAllowed` says no; it is asked every minute. */
    answer(
      request: IncomingMessage,
      response: ServerResponse,
      asker: Asker,
      isStillAllowed: () => Promise<boolean>,
    ): void;
  }>;
  /** Where a request came from. */
  readonly addressOf: (request: FastifyRequest) => string;
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
  readonly version: string;
  /** Requests of a key in a minute. @default {@link REQUESTS_PER_MINUTE} */
  readonly requestsPerMinute?: number | undefined;
  /** Requests of an address in a minute that no key lets in. @default {@link REFUSALS_PER_MINUTE} */
  readonly refusalsPerMinute?: number | undefined;
}

/** A program that asks every 100 ms is one that waits wrongly. */
const REQUESTS_PER_MINUTE = 600;
/** As often as an address may try to sign in. */
const REFUSALS_PER_MINUTE = 60;

/** Whose key a request has. */
interface Caller {
  readonly keyName: string;
  readonly store: TeamStore;
  readonly asker: Asker;
  /** Whether the key would still be let in. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/** Adds it to a scope whose prefix is `/v1`. The server must have the plugin of rate limits. */
export async function addPrograms(app: FastifyInstance, options: ProgramsOptions): Promise<void> {
  const { version } = options;
  const callers = new WeakMap<FastifyRequest, Caller>();
  const callerOf = (request: FastifyRequest): Caller => {
    const caller = callers.get(request);
    if (caller === undefined) throw noKey();
    return caller;
  };
  addProblemAnswers(app, options);
  addDescription(app, { routes: PROGRAM_ROUTES, version });
  await app.register(async (inside) => {
    const limit = inside.createRateLimit({
      max: options.requestsPerMinute ?? REQUESTS_PER_MINUTE,
      timeWindow: 60_000,
      keyGenerator: (request) => `program ${callerOf(request).asker.actor.key ?? ""}`,
    });
    const refusals = inside.createRateLimit({
      max: options.refusalsPerMinute ?? REFUSALS_PER_MINUTE,
      timeWindow: 60_000,
      keyGenerator: (request) => `refused ${options.addressOf(request)}`,
    });
    inside.addHook("onRequest", async (request, reply) => {
      const caller = await readCaller(request, options);
      if (caller !== undefined) {
        callers.set(request, caller);
        request.asker = caller.asker;
      }
      const counted = await (caller === undefined ? refusals : limit)(request);
      if (!counted.isAllowed && counted.isExceeded) {
        reply.header("retry-after", counted.ttlInSeconds);
        throw tooOften();
      }
      if (caller === undefined) {
        await writeRefusal(options, "key.refused", request);
        throw noKey();
      }
      const { store } = storePath.parse(request.params);
      if (store === undefined || store === caller.store.name) return;
      // A store that the key is not for is answered as one that does not exist.
      await writeRefusal(options, "store.refused", request, caller.asker.actor);
      throw noStore();
    });
    inside.get("/key", needs("viewer"), async (request) => {
      const { keyName, store, asker } = callerOf(request);
      const { name: person, role } = asker;
      return DOCUMENTS.Key.parse({ name: keyName, person, store: store.name, role });
    });
    await inside.register(async (stores) => {
      stores.addHook("onRequest", async (request, reply) => {
        const { store, asker, isStillAllowed } = callerOf(request);
        const answering = await options.openStore(store);
        reply.hijack();
        answering.answer(request.raw, reply.raw, asker, isStillAllowed);
      });
      stores.all("/stores/:store/*", needs("viewer"), async () => {
        throw nothingHere();
      });
    });
    inside.all("/*", needs("viewer"), async () => {
      throw nothingHere();
    });
  });
}

const BEARER = /^Bearer (ctk_[\w-]{16,200})$/u;

/** Finds the key, whose role is at most that of its person; `undefined` for one that lets nobody in. */
async function readCaller(
  request: FastifyRequest,
  { team, addressOf }: Pick<ProgramsOptions, "team" | "addressOf">,
): Promise<Caller | undefined> {
  const secret = BEARER.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const key = await team.keys.find(secret);
  if (key === undefined || key.endedAtMs !== null) return undefined;
  const person = await team.people.read(key.person);
  const role = lesserRole(key.role, await team.people.roleIn(key.person, key.store));
  const store = (await team.stores.list()).find(({ id }) => id === key.store);
  if (person?.isActive !== true || role === undefined || store === undefined) return undefined;
  const actor = { person: key.person, key: key.id, address: addressOf(request) };
  return {
    keyName: key.name,
    store,
    asker: { name: person.name, role, actor },
    isStillAllowed: async () => (await team.keys.find(secret)) !== undefined,
  };
}

/** Writes down a try; a text that is no name of a store is left out. */
async function writeRefusal(
  { team, addressOf }: Pick<ProgramsOptions, "team" | "addressOf">,
  action: "key.refused" | "store.refused",
  request: FastifyRequest,
  actor: Asker["actor"] = { person: null, key: null, address: addressOf(request) },
): Promise<void> {
  const { store } = storePath.parse(request.params);
  const subject = storeName.safeParse(store).data ?? null;
  await team.audit.write({ action, store: null, subject, before: null, after: null }, actor);
}

const storePath = z.object({ store: z.string().max(200).optional() });

const lesserRole = (one: Role, other: Role | undefined): Role | undefined =>
  allows(other, one) ? one : other;
