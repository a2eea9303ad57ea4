/** Sessions, tries to sign in, and keys of programs, as tables. */

import type {
  ApiKey,
  KeyRecords,
  NewSessionRecord,
  Session,
  SessionRecords,
  SignInTry,
} from "@catalog/team";
import type { Selectable } from "kysely";

import type { Database, Queries, Steps } from "../sql/database.ts";
import type { TeamCommit } from "./audit-records.ts";
import type { TeamSchema } from "./team-schema.ts";

const toSession = (row: Selectable<TeamSchema["person_session"]>): Session => ({
  id: row.id,
  person: row.person,
  createdAtMs: row.created_at_ms,
  seenAtMs: row.seen_at_ms,
  address: row.address,
  browser: row.browser,
});

export function createSessionRecords(database: Database, commit: TeamCommit): SessionRecords {
  const { build, all, get, run } = database;
  const sessions = build.selectFrom("person_session").selectAll();
  return {
    isBlocked: (attempt) =>
      database.execute(
        (function* isBlocked() {
          return (yield* readBlocked(database, attempt)) !== undefined;
        })(),
      ),
    settle: (attempt, session, toEntry) =>
      commit(function* settle(append) {
        yield* run(build.deleteFrom("sign_in_try").where("at_ms", "<=", attempt.sinceMs));
        const blocked = yield* readBlocked(database, attempt);
        if (blocked !== undefined) {
          const isFirst = !(yield* isRefusedBefore(database, attempt, blocked));
          if (isFirst) {
            yield* noteTry(database, attempt, 1);
            yield* append(toEntry("tries", undefined));
          }
          return "tries";
        }
        const added = session && (yield* insertSession(database, session));
        if (added === undefined) {
          yield* noteTry(database, attempt, 0);
          yield* append(toEntry("wrong", undefined));
          return "wrong";
        }
        yield* append(toEntry("opened", added.id));
        return added;
      }),
    open: (session, toEntry) =>
      commit(function* open(append) {
        const added = yield* insertSession(database, session);
        if (added !== undefined) yield* append(toEntry(added.id));
        return added;
      }),
    async find(cookieHash) {
      const found = await database.execute(
        get(
          build
            .selectFrom("person_session")
            .innerJoin("person", "person.id", "person_session.person")
            .selectAll("person_session")
            .where("cookie_hash", "=", cookieHash)
            .where("person.is_active", "=", 1),
        ),
      );
      return found && toSession(found);
    },
    async touch(id, seenAtMs, { createdAfterMs, seenAfterMs }) {
      const seen = build.updateTable("person_session").set({ seen_at_ms: seenAtMs });
      await database.execute(run(seen.where("id", "=", id).where("seen_at_ms", "<", seenAtMs)));
      await database.execute(
        run(
          build
            .deleteFrom("person_session")
            .where((where) =>
              where.or([
                where("created_at_ms", "<=", createdAfterMs),
                where("seen_at_ms", "<=", seenAfterMs),
              ]),
            ),
        ),
      );
    },
    async hasWriteKey(id, writeKeyHash) {
      const found = await database.execute(
        get(sessions.where("id", "=", id).where("write_key_hash", "=", writeKeyHash)),
      );
      return found !== undefined;
    },
    async list(person) {
      const own = sessions.where("person", "=", person).orderBy("seen_at_ms", "desc");
      return (await database.execute(all(own))).map(toSession);
    },
    end: (id, toEntry) =>
      commit(function* end(append) {
        const ended = yield* get(
          build.deleteFrom("person_session").where("id", "=", id).returningAll(),
        );
        if (ended !== undefined) yield* append(toEntry(toSession(ended)));
      }),
  };
}

/** What a try is counted by. */
type Counted = "login_hash" | "network";

const valueOf = (attempt: SignInTry, by: Counted): string =>
  by === "network" ? attempt.network : attempt.loginHash;

/** Returns by what there were too many failures. */
function* readBlocked({ build, all }: Queries, attempt: SignInTry): Steps<Counted | undefined> {
  for (const by of ["network", "login_hash"] as const) {
    const failures = yield* all(
      build
        .selectFrom("sign_in_try")
        .select("id")
        .where(by, "=", valueOf(attempt, by))
        .where("is_refused", "=", 0)
        .where("at_ms", ">", attempt.sinceMs)
        .limit(attempt.maxFailures),
    );
    if (failures.length >= attempt.maxFailures) return by;
  }
  return undefined;
}

function* isRefusedBefore(
  { build, get }: Queries,
  attempt: SignInTry,
  by: Counted,
): Steps<boolean> {
  const found = yield* get(
    build
      .selectFrom("sign_in_try")
      .select("id")
      .where(by, "=", valueOf(attempt, by))
      .where("is_refused", "=", 1)
      .limit(1),
  );
  return found !== undefined;
}

function noteTry({ build, run }: Queries, attempt: SignInTry, isRefused: 0 | 1): Steps<number> {
  const { loginHash, network, atMs } = attempt;
  return run(
    build
      .insertInto("sign_in_try")
      .values({ login_hash: loginHash, network, at_ms: atMs, is_refused: isRefused }),
  );
}

/** `undefined` where the person is not active, or has another password by now. */
function* insertSession(
  { build, get, run }: Queries,
  session: NewSessionRecord,
): Steps<Session | undefined> {
  const person = yield* get(
    build
      .selectFrom("person")
      .select("password_hash")
      .where("id", "=", session.person)
      .where("is_active", "=", 1),
  );
  if (person === undefined) return undefined;
  const { passwordHash = person.password_hash, replaces } = session;
  if (passwordHash !== person.password_hash) return undefined;
  if (replaces !== undefined) {
    yield* run(build.deleteFrom("person_session").where("cookie_hash", "=", replaces));
  }
  const added = yield* get(
    build
      .insertInto("person_session")
      .values({
        person: session.person,
        cookie_hash: session.cookieHash,
        write_key_hash: session.writeKeyHash,
        created_at_ms: session.createdAtMs,
        seen_at_ms: session.seenAtMs,
        address: session.address,
        browser: session.browser,
      })
      .returningAll(),
  );
  return added && toSession(added);
}

const toKey = (row: Selectable<TeamSchema["api_key"]>): ApiKey => ({
  id: row.id,
  name: row.name,
  person: row.person,
  store: row.store,
  role: row.role,
  createdAtMs: row.created_at_ms,
  usedAtMs: row.used_at_ms,
  endedAtMs: row.ended_at_ms,
});

export function createKeyRecords(database: Database, commit: TeamCommit): KeyRecords {
  const { build, all, get, run } = database;
  const keys = build.selectFrom("api_key").selectAll();
  const change = build.updateTable("api_key");
  return {
    add: ({ name, person, store, role, hash, createdAtMs }, toEntry) =>
      commit(function* add(append) {
        const row = { name, person, store, role, hash, created_at_ms: createdAtMs };
        const added = yield* get(build.insertInto("api_key").values(row).returningAll());
        if (added === undefined) throw new Error("a key that was just written cannot be read");
        yield* append(toEntry(added.id));
        return toKey(added);
      }),
    async find(hash) {
      const open = keys.where("hash", "=", hash).where("ended_at_ms", "is", null);
      const found = await database.execute(get(open));
      return found && toKey(found);
    },
    async touch(id, usedAtMs) {
      await database.execute(run(change.set({ used_at_ms: usedAtMs }).where("id", "=", id)));
    },
    async list(store) {
      const own = keys.where("store", "=", store).orderBy("id");
      return (await database.execute(all(own))).map(toKey);
    },
    end: (id, atMs, toEntry) =>
      commit(function* end(append) {
        const ended = yield* get(
          change
            .set({ ended_at_ms: atMs })
            .where("id", "=", id)
            .where("ended_at_ms", "is", null)
            .returningAll(),
        );
        if (ended !== undefined) yield* append(toEntry(toKey(ended)));
      }),
  };
}
