/** People, their roles and invitations, as tables. */

import type { InvitationRecords, Person, PersonRecords, Role } from "@catalog/team";
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from "kysely";

import type { Database, Queries, Steps } from "../sql/database.ts";
import type { Schema } from "../sql/schema.ts";
import type { TeamCommit } from "./audit-records.ts";
import type { TeamSchema } from "./team-schema.ts";

type PersonRow = Selectable<TeamSchema["person"]>;

export const toPerson = (row: PersonRow): Person => ({
  id: row.id,
  login: row.login,
  name: row.name,
  isActive: row.is_active === 1,
  createdAtMs: row.created_at_ms,
});

const NEW_PERSON = {
  password_hash: null,
  is_active: 1,
  account_issuer: null,
  account_subject: null,
} as const;

export function createPersonRecords(database: Database, commit: TeamCommit): PersonRecords {
  const { build, all, get, run } = database;
  const people = build.selectFrom("person").selectAll();
  return {
    list: async () => (await database.execute(all(people.orderBy("id")))).map(toPerson),
    async read(id) {
      const found = await database.execute(get(people.where("id", "=", id)));
      return found && toPerson(found);
    },
    async findLogin(login) {
      const found = await database.execute(get(people.where("login", "=", login)));
      return found && { ...toPerson(found), passwordHash: found.password_hash };
    },
    add: ({ login, name, createdAtMs }, toEntry) =>
      commit(function* add(append) {
        const row = { ...NEW_PERSON, login, name, created_at_ms: createdAtMs };
        const added = yield* get(
          build
            .insertInto("person")
            .values(row)
            .onConflict((conflict) => conflict.column("login").doNothing())
            .returningAll(),
        );
        if (added === undefined) return undefined;
        const person = toPerson(added);
        yield* append(toEntry(person));
        return person;
      }),
    recognize: (account, toEntry) =>
      commit(function* recognizeIn(append) {
        const found = yield* recognize(database, account);
        if (found?.isNew === true) yield* append(toEntry(found.person));
        return found?.person;
      }),
    setName: (id, name, toEntry) =>
      commit(function* setName(append) {
        const before = yield* get(build.selectFrom("person").select("name").where("id", "=", id));
        if (before === undefined || before.name === name) return;
        yield* run(build.updateTable("person").set({ name }).where("id", "=", id));
        yield* append(toEntry(before.name));
      }),
    setActive: (id, isActive, entry) =>
      commit(function* setActive(append) {
        if (!isActive && (yield* isLastAdministrator(database, id))) return false;
        yield* run(
          build
            .updateTable("person")
            .set({ is_active: isActive ? 1 : 0 })
            .where("id", "=", id),
        );
        if (!isActive) yield* endAll(database, id, entry.atMs);
        yield* append(entry);
        return true;
      }),
    setPassword: ({ id, passwordHash, keep }, entry) =>
      commit(function* setPassword(append) {
        yield* writePassword(database, { id, passwordHash, keep });
        yield* append(entry);
      }),
    async memberships(person) {
      const rows = build.selectFrom("membership").select(["person", "store", "role"]).orderBy("id");
      const of = person === undefined ? rows : rows.where("person", "=", person);
      return await database.execute(all(of));
    },
    setRole: ({ person, store }, role, toEntry) =>
      commit(function* setRole(append) {
        const before = yield* get(
          build
            .selectFrom("membership")
            .select("role")
            .where("person", "=", person)
            .where(inStore(store)),
        );
        const losesIt = store === null && before?.role === LEADS && role !== LEADS;
        if (losesIt && (yield* isLastAdministrator(database, person))) return false;
        yield* run(
          build.deleteFrom("membership").where("person", "=", person).where(inStore(store)),
        );
        if (role !== undefined) {
          yield* run(build.insertInto("membership").values({ person, store, role }));
        }
        yield* append(toEntry(before?.role));
        return true;
      }),
    rolesIn: (person, store) => readRoles(database, person, store),
  };
}

type Account = Parameters<PersonRecords["recognize"]>[0];

/** The person of an account, and whether that has become known only now. */
function* recognize(
  { build, get, run }: Queries,
  { issuer, subject, login }: Account,
): Steps<{ readonly person: Person; readonly isNew: boolean } | undefined> {
  const people = build.selectFrom("person").selectAll();
  const known = people.where("account_issuer", "=", issuer).where("account_subject", "=", subject);
  const found = yield* get(known);
  if (found !== undefined) return { person: toPerson(found), isNew: false };
  const invited = yield* get(people.where("login", "=", login));
  if (invited === undefined || invited.account_issuer === issuer) return undefined;
  yield* run(
    build
      .updateTable("person")
      .set({ account_issuer: issuer, account_subject: subject })
      .where("id", "=", invited.id),
  );
  return { person: toPerson(invited), isNew: true };
}

async function readRoles(
  database: Database,
  person: number,
  store: number,
): Promise<readonly Role[]> {
  const query = database.build
    .selectFrom("membership")
    .innerJoin("person", "person.id", "membership.person")
    .select("membership.role")
    .where("membership.person", "=", person)
    .where("person.is_active", "=", 1)
    .where((where) =>
      where.or([where("membership.store", "is", null), where("membership.store", "=", store)]),
    );
  return (await database.execute(database.all(query))).map(({ role }) => role);
}

const LEADS: Role = "administrator";

const inStore =
  (store: number | null) =>
  (where: ExpressionBuilder<Schema, "membership">): Expression<SqlBool> =>
    store === null ? where("store", "is", null) : where("store", "=", store);

/** Whether the person leads all stores, and nobody else does. */
function* isLastAdministrator({ build, all }: Queries, person: number): Steps<boolean> {
  const administrators = yield* all(
    build
      .selectFrom("membership")
      .innerJoin("person", "person.id", "membership.person")
      .select("membership.person")
      .where("membership.store", "is", null)
      .where("membership.role", "=", LEADS)
      .where("person.is_active", "=", 1)
      .limit(2),
  );
  return administrators.length === 1 && administrators[0]?.person === person;
}

/** Ends what a person could still come in by. */
function* endAll({ build, run }: Queries, person: number, atMs: number): Steps<void> {
  yield* run(build.deleteFrom("person_session").where("person", "=", person));
  yield* run(build.deleteFrom("invitation").where("person", "=", person));
  yield* run(
    build
      .updateTable("api_key")
      .set({ ended_at_ms: atMs })
      .where("person", "=", person)
      .where("ended_at_ms", "is", null),
  );
}

interface PasswordChange {
  readonly id: number;
  readonly passwordHash: string;
  /** The session that goes on. */
  readonly keep?: number | undefined;
}

function* writePassword(
  { build, run }: Queries,
  { id, passwordHash, keep = NO_SESSION }: PasswordChange,
): Steps<void> {
  yield* run(build.updateTable("person").set({ password_hash: passwordHash }).where("id", "=", id));
  yield* run(build.deleteFrom("person_session").where("person", "=", id).where("id", "<>", keep));
  yield* run(build.deleteFrom("invitation").where("person", "=", id));
}

const NO_SESSION = 0;

export function createInvitationRecords(database: Database, commit: TeamCommit): InvitationRecords {
  const { all, build, get, run, upsert } = database;
  const open = (hash: string, atMs: number): Steps<PersonRow | undefined> =>
    get(
      build
        .selectFrom("invitation")
        .innerJoin("person", "person.id", "invitation.person")
        .selectAll("person")
        .where("invitation.hash", "=", hash)
        .where("invitation.ends_at_ms", ">", atMs)
        .where("person.is_active", "=", 1),
    );
  return {
    async list(person) {
      const people = build
        .selectFrom("person")
        .leftJoin("invitation", "invitation.person", "person.id")
        .selectAll("person")
        .select("invitation.ends_at_ms")
        .orderBy("person.id");
      const asked = person === undefined ? people : people.where("person.id", "=", person);
      const sessions = build.selectFrom("person_session").select("person").distinct();
      const signedIn = new Set((await database.execute(all(sessions))).map((one) => one.person));
      return (await database.execute(all(asked))).map((row) => ({
        person: row.id,
        hasJoined:
          row.password_hash !== null || row.account_subject !== null || signedIn.has(row.id),
        endsAtMs: row.ends_at_ms,
      }));
    },
    add: ({ person, hash, createdAtMs, endsAtMs }, entry) =>
      commit(function* add(append) {
        yield* upsert("invitation", ["person"], {
          person,
          hash,
          created_at_ms: createdAtMs,
          ends_at_ms: endsAtMs,
        });
        // Whoever is invited again may come with another account.
        yield* run(
          build
            .updateTable("person")
            .set({ account_issuer: null, account_subject: null })
            .where("id", "=", person),
        );
        yield* append(entry);
      }),
    async find(hash, atMs) {
      const found = await database.execute(open(hash, atMs));
      return found && toPerson(found);
    },
    accept: ({ hash, passwordHash, atMs }, toEntry) =>
      commit(function* accept(append) {
        const found = yield* open(hash, atMs);
        if (found === undefined) return undefined;
        yield* writePassword(database, { id: found.id, passwordHash });
        const person = toPerson(found);
        yield* append(toEntry(person));
        return person;
      }),
  };
}
