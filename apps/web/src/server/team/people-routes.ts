/** People, stores and the audit of the whole server, for administrators of all stores. */

import type {
  Actor,
  InvitationState,
  Membership,
  Person,
  StoreCredentials,
  Team,
} from "@catalog/team";
import type { FastifyInstance, FastifyRequest } from "fastify";

import {
  type AccountStore,
  activeBody,
  type InvitationLink,
  type InvitedPerson,
  personBody,
  type PersonRole,
  type PersonView,
  roleBody,
  storeBody,
} from "../../api/team.ts";
import { askerOf, needs } from "../needs.ts";
import { parseInput, unknownPerson, unknownStore } from "../site.ts";
import { addAuditRoutes } from "./audit-routes.ts";
import { endSessionOf, readSessions, type SessionPath } from "./sign-in.ts";

export interface PeopleOptions {
  readonly team: Team;
  /** Address of the page, such as `https://katalog.example.com`. */
  readonly origin: string;
  /** Tries the credentials with real calls; throws where they are refused. */
  readonly tryCredentials: (credentials: StoreCredentials) => Promise<void>;
  /** Has the site of the store begin anew with its credentials. */
  readonly renewStore: (store: number) => Promise<void>;
}

interface PersonPath {
  readonly Params: { readonly person: string };
}

export function addPeopleRoutes(app: FastifyInstance, options: PeopleOptions): void {
  const { team, origin } = options;
  const { people } = team;
  const read = async (request: FastifyRequest<PersonPath>): Promise<Person> => {
    const found = await people.read(Number(request.params.person));
    if (found === undefined) throw unknownPerson();
    return found;
  };
  const invite = async (person: Person, by: Actor): Promise<string> =>
    `${origin}/#i=${await team.invitations.create(person.id, by)}`;

  app.get("/people", needs("administrator"), async (): Promise<readonly PersonView[]> => {
    const names = await readStoreNames(team);
    const memberships = await people.memberships();
    const invitations = await team.invitations.list();
    return (await people.list()).map((person) =>
      toPersonView(person, { memberships, names, invitations }),
    );
  });
  app.post("/people", needs("administrator"), async (request, reply) => {
    const { roles, ...named } = parseInput(personBody, request.body);
    const by = askerOf(request).actor;
    const members = await Promise.all(roles.map((role) => toMember(team, role)));
    const person = await people.add(named, by);
    for (const { role, store } of members) {
      await people.setRole({ person: person.id, store }, role, by);
    }
    const answer: InvitedPerson = {
      person: await readPersonView(team, person.id),
      link: await invite(person, by),
    };
    return await reply.status(201).send(answer);
  });
  app.post<PersonPath>(
    "/people/:person/invitation",
    needs("administrator"),
    async (request): Promise<InvitationLink> => ({
      link: await invite(await read(request), askerOf(request).actor),
    }),
  );
  app.put<PersonPath>("/people/:person/active", needs("administrator"), async (request) => {
    const { isActive } = parseInput(activeBody, request.body);
    const { id } = await read(request);
    await people.setActive(id, isActive, askerOf(request).actor);
    return await readPersonView(team, id);
  });
  app.put<PersonPath>("/people/:person/role", needs("administrator"), async (request) => {
    const { store: name, role } = parseInput(roleBody, request.body);
    const { id } = await read(request);
    const store = await findStoreId(team, name);
    await people.setRole({ person: id, store }, role ?? undefined, askerOf(request).actor);
    return await readPersonView(team, id);
  });
  app.get<PersonPath>("/people/:person/sessions", needs("administrator"), async (request) =>
    readSessions(team, (await read(request)).id, request),
  );
  app.delete<PersonPath & SessionPath>(
    "/people/:person/sessions/:session",
    needs("administrator"),
    async (request, reply) => {
      await endSessionOf(team, Number(request.params.person), request);
      await reply.status(204).send();
    },
  );
  addStoreRoute(app, options);
  addAuditRoutes(app, { team, store: null });
}

function addStoreRoute(
  app: FastifyInstance,
  { team, tryCredentials, renewStore }: PeopleOptions,
): void {
  app.post("/stores", needs("administrator"), async (request): Promise<AccountStore> => {
    const body = parseInput(storeBody, request.body);
    await tryCredentials(body);
    const { id, name, baseUrl, storeId } = await team.stores.save(body, askerOf(request).actor);
    await renewStore(id);
    return { name, baseUrl, storeId, role: "administrator" };
  });
}

type StoreNames = ReadonlyMap<number, string>;

export async function readStoreNames({ stores }: Pick<Team, "stores">): Promise<StoreNames> {
  return new Map((await stores.list()).map(({ id, name }) => [id, name]));
}

async function findStoreId(
  { stores }: Pick<Team, "stores">,
  name: string | null,
): Promise<number | null> {
  if (name === null) return null;
  const found = await stores.find(name);
  if (found === undefined) throw unknownStore();
  return found.id;
}

const toMember = async (
  team: Pick<Team, "stores">,
  { store, role }: PersonRole,
): Promise<Omit<Membership, "person">> => ({ store: await findStoreId(team, store), role });

async function readPersonView(team: Team, id: number): Promise<PersonView> {
  const person = await team.people.read(id);
  if (person === undefined) throw unknownPerson();
  const memberships = await team.people.memberships(id);
  const invitations = await team.invitations.list(id);
  return toPersonView(person, { memberships, invitations, names: await readStoreNames(team) });
}

interface PersonFacts {
  readonly memberships: readonly Membership[];
  readonly invitations: readonly InvitationState[];
  readonly names: StoreNames;
}

function toPersonView(
  { id, login, name, isActive }: Person,
  { memberships, invitations, names }: PersonFacts,
): PersonView {
  const { state = "none", endsAtMs = null } = invitations.find(({ person }) => person === id) ?? {};
  const endsAt = endsAtMs === null ? null : new Date(endsAtMs).toISOString();
  const roles = memberships
    .filter(({ person }) => person === id)
    .map(({ store, role }) => ({ store: store === null ? null : (names.get(store) ?? "?"), role }));
  return { id, login, name, isActive, roles, invitation: { state, endsAt } };
}
