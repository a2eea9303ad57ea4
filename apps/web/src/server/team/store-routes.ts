/** What a store has only on a server of several people: members, keys, audit, four eyes, comments. */

import type { Connection } from "@catalog/connection";
import { handOverSchedule, noteOwners } from "@catalog/jobs";
import { allows, type ApiKey, type Comment, type Team, type TeamStore } from "@catalog/team";
import type { FastifyInstance } from "fastify";

import {
  type ApprovalView,
  commentBody,
  type CommentView,
  fourEyesBody,
  keyBody,
  type KeyView,
  type MemberView,
  type NewKey,
  ownerBody,
  type RequestView,
} from "../../api/team.ts";
import { readSchedule } from "../feeds/feed-routes.ts";
import { askerOf, makerOf, needs } from "../needs.ts";
import { describeApproval, isSamePerson, listMakers } from "../runs/four-eyes.ts";
import { openRun } from "../runs/run-decisions.ts";
import { findStale } from "../runs/run-summary.ts";
import { parseInput, requestLang, type Site, unknownPerson, unknownRecord } from "../site.ts";
import { addAuditRoutes } from "./audit-routes.ts";

interface StoreRoutes {
  readonly team: Team;
  readonly store: TeamStore;
  readonly site: Site;
}

export function addStoreRoutes(app: FastifyInstance, options: StoreRoutes): void {
  const { team, store } = options;
  app.get("/members", needs("viewer"), async (request) => {
    const members = await readMembers(team, store);
    if (askerOf(request).role === "administrator") return members;
    return members.map(({ id, name, role, isOfAllStores }): MemberView => ({
      id,
      name,
      role,
      isOfAllStores,
      login: "",
    }));
  });
  app.get("/four-eyes", needs("viewer"), () => team.stores.fourEyes(store.id));
  app.put("/four-eyes", needs("administrator"), async (request) => {
    const value = parseInput(fourEyesBody, request.body);
    await team.stores.setFourEyes(store.id, value, askerOf(request).actor);
    return value;
  });
  addOwnerRoute(app, options);
  addKeys(app, options);
  addRunTalk(app, options);
  addAuditRoutes(app, { team, store: store.id });
}

/** Whether the person may have the store send by itself. */
const mayOwn = async ({ people }: Team, person: number, store: number): Promise<boolean> =>
  allows(await people.roleIn(person, store), "approver");

function addOwnerRoute(app: FastifyInstance, { team, store, site }: StoreRoutes): void {
  app.put<{ readonly Params: { readonly schedule: string } }>(
    "/schedules/:schedule/owner",
    needs("approver"),
    async (request, reply) => {
      const { person } = parseInput(ownerBody, request.body);
      const { memory } = await site.store.connection();
      const schedule = await readSchedule(memory, request.params.schedule);
      const found = await team.people.read(person);
      if (found === undefined || !(await mayOwn(team, person, store.id))) throw unknownPerson();
      const entry = { action: "schedules.owner", store: store.id, subject: schedule.id };
      const before = schedule.owner?.person ?? null;
      await team.audit.write({ ...entry, before, after: person }, askerOf(request).actor);
      await handOverSchedule({ memory }, schedule, { person, name: found.name });
      await reply.status(204).send();
    },
  );
}

/** Notes which schedules of the store have lost their owners, and which have them again. */
export const noteOwnersOf = (team: Team, store: number, connection: Connection): Promise<void> =>
  noteOwners(connection, async (person) => ({
    name: (await team.people.read(person))?.name ?? "?",
    mayOwn: await mayOwn(team, person, store),
  }));

async function readMembers(
  { people }: Team,
  { id: store }: TeamStore,
): Promise<readonly MemberView[]> {
  const memberships = await people.memberships();
  const members = (await people.list()).map(async ({ id, login, name, isActive }) => {
    const role = isActive ? await people.roleIn(id, store) : undefined;
    if (role === undefined) return [];
    const isOfAllStores = memberships.some(
      (each) => each.person === id && each.store === null && each.role === role,
    );
    return [{ id, login, name, role, isOfAllStores }];
  });
  return (await Promise.all(members)).flat();
}

function addKeys(app: FastifyInstance, { team: { keys, people }, store }: StoreRoutes): void {
  const toView = async (key: ApiKey): Promise<KeyView> => ({
    id: key.id,
    name: key.name,
    role: key.role,
    by: (await people.read(key.person))?.name ?? "?",
    createdAt: new Date(key.createdAtMs).toISOString(),
    usedAt: toTime(key.usedAtMs),
    endedAt: toTime(key.endedAtMs),
  });
  app.get("/keys", needs("administrator"), async () =>
    Promise.all((await keys.list(store.id)).map(toView)),
  );
  app.post("/keys", needs("administrator"), async (request, reply) => {
    const { name, role } = parseInput(keyBody, request.body);
    const { actor } = askerOf(request);
    // A key acts in the name of the person who has made it, so a program can make none.
    if (actor.person === null || actor.key !== null) throw unknownRecord();
    const made = await keys.create({ name, role, person: actor.person, store: store.id }, actor);
    const answer: NewKey = { key: await toView(made.key), secret: made.secret };
    return await reply.status(201).send(answer);
  });
  app.delete<{ readonly Params: { readonly key: string } }>(
    "/keys/:key",
    needs("administrator"),
    async (request, reply) => {
      const id = Number(request.params.key);
      const isOwn = (await keys.list(store.id)).some((key) => key.id === id);
      if (!isOwn) throw unknownRecord();
      await keys.end(id, askerOf(request).actor);
      await reply.status(204).send();
    },
  );
}

const toTime = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString();

/** Among so many comments on runs, those that ask for approval are looked for. */
const MAX_COMMENTS = 200;

interface RunPath {
  readonly Params: { readonly run: string };
}

function addRunTalk(
  app: FastifyInstance,
  { team: { people, comments }, store, site }: StoreRoutes,
): void {
  const nameOf = async (person: number): Promise<string> =>
    (await people.read(person))?.name ?? "?";
  const toView = async ({ id, row, person, text, atMs }: Comment): Promise<CommentView> => ({
    id,
    row,
    person: await nameOf(person),
    text,
    at: new Date(atMs).toISOString(),
  });
  app.get<RunPath>(
    "/runs/:run/approval",
    needs("viewer"),
    async (request): Promise<ApprovalView> => {
      const { connection, run } = await openRun(site, request.params.run);
      const by = makerOf(request);
      const { makers, ...approval } = await describeApproval({ site, connection, run, by });
      // As they are called now.
      const names = makers.map(async ({ id, name }) =>
        id === undefined ? name : ((await people.read(id))?.name ?? name),
      );
      return { ...approval, makers: await Promise.all(names) };
    },
  );
  app.get("/requests", needs("viewer"), async (request) => {
    const connection = await site.store.connection();
    const newest = await comments.listNewest(store.id, MAX_COMMENTS);
    const byRun = Map.groupBy(newest, ({ run }) => run);
    const found = [...byRun].map(async ([id, ofRun]): Promise<readonly RequestView[]> => {
      const run = await connection.runs.read(id);
      if (run?.state !== "planned") return [];
      if ((await findStale(connection, run, requestLang(request))) !== null) return [];
      const makers = await listMakers(connection, run);
      const writers = ofRun.map(async ({ person }) => ({
        id: person,
        name: await nameOf(person),
      }));
      const asked = (await Promise.all(writers)).find((writer) =>
        makers.some((maker) => isSamePerson(maker, writer)),
      );
      return asked === undefined ? [] : [{ run: id, person: asked.name }];
    });
    return (await Promise.all(found)).flat();
  });
  app.get<RunPath>("/runs/:run/comments", needs("viewer"), async (request) => {
    const { run } = await openRun(site, request.params.run);
    return await Promise.all((await comments.list(store.id, run.id)).map(toView));
  });
  app.post<RunPath>("/runs/:run/comments", needs("editor"), async (request, reply) => {
    const { row, text } = parseInput(commentBody, request.body);
    const { run } = await openRun(site, request.params.run);
    const { actor } = askerOf(request);
    const added = await comments.add(store.id, { run: run.id, row, text }, actor);
    return await reply.status(201).send(await toView(added));
  });
}
