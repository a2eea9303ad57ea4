import { randomUUID } from "node:crypto";

import { systemClock } from "@catalog/clock";
import { CHAIN_START, chainEntry } from "@catalog/team";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";

import { openPostgres } from "../../src/postgres/open-postgres.ts";
import type { Database } from "../../src/sql/database.ts";
import { createTeamOf } from "../../src/team/open-team.ts";
import { createTestDatabase } from "../../src/testing/index.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";
import {
  FROM,
  openTestTeam,
  PASSWORD,
  TEAM_PLACES,
  TERMINAL,
  type TestTeam,
} from "../helpers/open-test-team.ts";
import { startScript } from "../helpers/start-script.ts";

const entryOf = (after: number, store: number | null = null) => ({
  action: "test.write",
  store,
  subject: null,
  before: null,
  after,
});

async function write({ team }: TestTeam, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) await team.audit.write(entryOf(at), TERMINAL);
}

/** Runs a statement outside of everything that protects the record. */
async function runRaw(database: Database, text: string): Promise<number> {
  const statement = { compile: () => sql`${sql.raw(text)}`.compile(database.build) };
  return await database.execute(database.run(statement));
}

const REFUSED: readonly (readonly [string, string])[] = [
  ["UPDATE audit SET entry_json = '{}'", "the audit is only appended to"],
  ["UPDATE audit SET at_ms = 0 WHERE seq = 2", "the audit is only appended to"],
  ["DELETE FROM audit", "the audit is kept"],
  ["DELETE FROM audit WHERE seq = 3", "the audit is kept"],
];

/** What somebody does who may switch the triggers off. */
const TAMPERINGS: readonly (readonly [string, readonly string[], number])[] = [
  [
    "an entry is changed",
    ["UPDATE audit SET entry_json = replace(entry_json, 'test', 'rest') WHERE seq = 2"],
    2,
  ],
  ["an entry gets another time", ["UPDATE audit SET at_ms = 1 WHERE seq = 3"], 3],
  ["an entry is moved to a store", ["UPDATE audit SET store = 1 WHERE seq = 1"], 1],
  ["an entry is taken out", ["DELETE FROM audit WHERE seq = 2"], 2],
  ["the last entry is taken out", ["DELETE FROM audit WHERE seq = 4"], 4],
  ["the first entry is taken out", ["DELETE FROM audit WHERE seq = 1"], 1],
  ["all entries are taken out", ["DELETE FROM audit"], 1],
  [
    "an entry is put in before all",
    ["INSERT INTO audit (seq, at_ms, entry_json, hash) VALUES (0, 0, '{}', '')"],
    0,
  ],
  [
    "an entry is put in at the end",
    [
      "INSERT INTO audit (seq, at_ms, entry_json, hash) SELECT 5, at_ms, entry_json, hash FROM audit WHERE seq = 4",
    ],
    5,
  ],
];

const allowTampering = (database: Database): Promise<unknown> =>
  Promise.all(
    ["audit_stays", "audit_is_kept"].map((name) =>
      runRaw(database, `DROP TRIGGER ${name}${database.dialect === "postgres" ? " ON audit" : ""}`),
    ),
  );

const protect = async (database: Database): Promise<void> => {
  if (database.dialect === "sqlite") return;
  for (const [name, at] of [
    ["audit_stays", "UPDATE"],
    ["audit_is_kept", "DELETE"],
  ] as const) {
    await runRaw(
      database,
      `CREATE OR REPLACE TRIGGER ${name} BEFORE ${at} ON audit FOR EACH ROW EXECUTE FUNCTION ${name}()`,
    );
  }
};

describe.each(TEAM_PLACES)("the audit on $name", (place) => {
  const { isOn } = place;

  it.skipIf(!isOn)(
    "lists the newest entries first, page by page, of all stores or of one",
    async () => {
      const { team } = await openTestTeam(place);
      for (const [after, store] of [
        [1, null],
        [2, 7],
        [3, 8],
        [4, 7],
      ] as const) {
        await team.audit.write(entryOf(after, store), { person: 5, key: 6, address: "192.0.2.1" });
      }

      const pages = [
        await team.audit.list({ limit: 3 }),
        await team.audit.list({ limit: 3, before: 2 }),
        await team.audit.list({ limit: 3, store: 7 }),
        await team.audit.list({ limit: 3, store: 7, before: 4 }),
      ];

      expect(pages.map((page) => page.map(({ after }) => after))).toEqual([
        [4, 3, 2],
        [1],
        [4, 2],
        [2],
      ]);
      expect(pages[2]?.[1]).toEqual({
        ...entryOf(2, 7),
        seq: 2,
        atMs: Date.UTC(2026, 10, 29, 9),
        actor: { person: 5, key: 6, address: "192.0.2.1" },
        hash: expect.stringMatching(/^[\da-f]{64}$/u),
      });
    },
  );

  it.skipIf(!isOn).each(REFUSED)("refuses: %s", async (text, message) => {
    const opened = await openTestTeam(place);
    await write(opened, 3);

    await expect(runRaw(opened.database, text)).rejects.toThrow(message);

    expect(await opened.team.audit.findBreak()).toBeUndefined();
    expect(await opened.team.audit.list({ limit: 10 })).toHaveLength(3);
  });

  it.skipIf(!isOn).each(TAMPERINGS)(
    "is broken once %s, and a check says so",
    async (_, texts, broken) => {
      const opened = await openTestTeam(place);
      const { database, team } = opened;
      await write(opened, 4);
      await allowTampering(database);
      onTestFinished(() => protect(database));
      const before = await team.audit.findBreak();

      for (const text of texts) await runRaw(database, text);

      expect([before, await team.audit.findBreak()]).toEqual([undefined, broken]);
      expect(await database.check()).toContain(
        `audit: entry ${broken} was changed, removed or put in`,
      );
    },
  );

  it.skipIf(!isOn)(
    "keeps one chain of everything that processes write at the same time",
    async () => {
      const opened = await openTestTeam(place);
      const { home, url } = opened.address;
      const scripts = ["a", "b", "c"].map((name) =>
        startScript("append-audit", home, url, name, "25"),
      );
      for (const script of scripts) expect(await script.nextLine()).toBe("waiting");

      for (const script of scripts) script.go();
      for (const script of scripts) expect(await script.nextLine()).toBe("done");

      const all = await opened.team.audit.list({ limit: 100 });
      const of = (name: string) =>
        all.filter(({ subject }) => subject === name).map(({ after }) => after);
      const counted = Array.from({ length: 25 }, (__, at) => 25 - at);
      expect([of("a"), of("b"), of("c")]).toEqual([counted, counted, counted]);
      expect(await opened.team.audit.findBreak()).toBeUndefined();
    },
  );

  it.skipIf(!isOn)("is read to its end over many pages", async () => {
    const { database, team } = await openTestTeam(place);
    let end = CHAIN_START;
    await database.transaction(function* fill() {
      for (let at = 1; at <= 2_500; at += 1) {
        const { seq, atMs, store, text, hash } = chainEntry(end, {
          ...entryOf(at),
          actor: TERMINAL,
          atMs: at,
        });
        end = { seq, hash };
        const row = { seq, at_ms: atMs, store, entry_json: text, hash };
        yield* database.run(database.build.insertInto("audit").values(row));
      }
      yield* database.run(database.build.updateTable("audit_end").set(end));
    });

    expect(await team.audit.findBreak()).toBeUndefined();
    await runRaw(database, "UPDATE audit_end SET seq = 2499");
    expect(await team.audit.findBreak()).toBe(2_501);
  });
});

describeOnPostgres("the audit of a server", () => {
  it("can be appended to by a role that has the right to nothing else", async () => {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const role = `work_${randomUUID().replaceAll("-", "")}`;
    await server.query(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    onTestFinished(async () => {
      await server.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });
    await server.query(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, catalog_queue TO ${role};
       GRANT USAGE ON SCHEMA public, catalog_queue TO ${role};
       GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role};
       REVOKE UPDATE, DELETE ON audit FROM ${role}`,
    );
    const url = new URL(server.url);
    [url.username, url.password] = [role, role];
    const database = await openPostgres({ url: url.href, clock: systemClock });
    const team = createTeamOf(database, { clock: systemClock });
    onTestFinished(() => team[Symbol.asyncDispose]());

    const { id } = await team.people.add({ login: "ayse", name: "Ayşe" }, TERMINAL);
    await team.people.setPassword(id, PASSWORD, TERMINAL);
    const signedIn = await team.sessions.signIn({ login: "ayse", password: PASSWORD }, FROM);

    expect(typeof signedIn).toBe("object");
    expect(await team.audit.findBreak()).toBeUndefined();
    for (const text of ["UPDATE audit SET at_ms = 0", "DELETE FROM audit", "TRUNCATE audit"]) {
      await expect(runRaw(database, text)).rejects.toMatchObject({ code: "E_DATABASE_RIGHTS" });
    }
  });
});
