import { systemClock } from "@catalog/clock";
import { expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { checkServer, migratePostgres } from "../../src/postgres/administration.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { createTestDatabase, startPostgres } from "../../src/testing/index.ts";
import { describeOnPostgres, STORE } from "../helpers/open-test-postgres.ts";

/** Lets the administrator in without a password, and everybody else with one. */
const RULES = `host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

interface GuardedDatabase {
  /** The address as the role, with the password where one is given. */
  readonly addressOf: (role: string, password?: string, database?: string) => string;
}

/** Starts a server that asks for passwords, with a role that may connect and no more. */
async function openGuarded(): Promise<GuardedDatabase> {
  const server = await startPostgres({ options: ["-c", "fsync=off"], rules: RULES });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const database = await createTestDatabase({ server: server.url });
  onTestFinished(() => database[Symbol.asyncDispose]());
  await database.query("CREATE ROLE worker LOGIN PASSWORD 'right'");
  return {
    addressOf(role, password, name) {
      const address = new URL(database.url);
      address.username = role;
      address.password = password ?? "";
      if (name !== undefined) address.pathname = `/${name}`;
      return address.href;
    },
  };
}

/** Opens the database in each way, and returns the refusals. */
async function refusalsOf(url: string): Promise<readonly DatabaseError[]> {
  const ways = [
    () => openPostgres({ url, clock: systemClock, store: STORE }),
    () => migratePostgres(url),
    () => checkServer(url),
  ];
  const refusals: DatabaseError[] = [];
  for (const open of ways) {
    try {
      await open();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      refusals.push(error);
    }
  }
  return refusals;
}

const codesOf = (refusals: readonly DatabaseError[]): readonly string[] =>
  refusals.map(({ code }) => code);

const REFUSED = ["E_DATABASE_LOGIN", "E_DATABASE_LOGIN", "E_DATABASE_LOGIN"] as const;

describeOnPostgres("a server that refuses", () => {
  it("a password, a role or a database, names the settings to check", async () => {
    const { addressOf } = await openGuarded();

    const [wrong, missing, unknown, elsewhere] = [
      await refusalsOf(addressOf("worker", "wrong-password")),
      await refusalsOf(addressOf("worker")),
      await refusalsOf(addressOf("nobody", "right")),
      await refusalsOf(addressOf("worker", "right", "no_such_database")),
    ];

    for (const refusals of [wrong, missing, unknown, elsewhere]) {
      expect(codesOf(refusals)).toEqual(REFUSED);
      for (const { localized } of refusals) {
        expect(localized.tr).toMatch(/PGPASSWORD.*CATALOG_DATABASE_URL/u);
        expect(localized.en).toMatch(/PGPASSWORD.*CATALOG_DATABASE_URL/u);
      }
    }
    expect(wrong[0]?.message).not.toContain("wrong-password");
    expect(elsewhere[0]?.message).toContain("no_such_database");
  });

  it("a role without rights, names the owner of the tables", async () => {
    const { addressOf } = await openGuarded();

    const refusals = await refusalsOf(addressOf("worker", "right"));

    expect(codesOf(refusals)).toEqual([
      "E_DATABASE_RIGHTS",
      "E_DATABASE_RIGHTS",
      "E_DATABASE_RIGHTS",
    ]);
    for (const { localized } of refusals) {
      expect(localized.tr).toMatch(/permission denied.*sahibinin adresiyle.*docs\/operate\.md/u);
      expect(localized.en).toMatch(/permission denied.*tables' owner.*docs\/operate\.md/u);
    }
  });

  it("a role that it does not know, where it asks for no password", async () => {
    await using database = await createTestDatabase();
    const address = new URL(database.url);
    address.username = "nobody_here";

    expect(codesOf(await refusalsOf(address.href))).toEqual(REFUSED);
  });
});
