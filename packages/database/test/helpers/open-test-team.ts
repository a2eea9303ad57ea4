/** Opens teams in new databases of both kinds. */

import { systemClock } from "@catalog/clock";
import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { type Actor, parseSecretKeys, type SecretKey, type Team } from "@catalog/team";
import { onTestFinished } from "vitest";

import { openPostgres } from "../../src/postgres/open-postgres.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { createTeamOf } from "../../src/team/open-team.ts";
import { createTestDatabase, hasPostgres } from "../../src/testing/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Where a database is. */
interface TeamAddress {
  readonly home: string;
  /** Empty for a file. */
  readonly url: string;
  readonly open: () => Promise<Database>;
}

/** A database of a test, to which more connections can be opened. */
export interface TeamPlace {
  readonly name: string;
  readonly isOn: boolean;
  /** Makes a new database. */
  readonly make: () => Promise<TeamAddress>;
}

export const TEAM_PLACES: readonly TeamPlace[] = [
  {
    name: "a file",
    isOn: true,
    async make() {
      const home = temporaryFolder();
      return { home, url: "", open: () => openDatabase(`${home}/catalog.db`) };
    },
  },
  {
    name: "PostgreSQL",
    isOn: hasPostgres(),
    async make() {
      const server = await createTestDatabase();
      onTestFinished(() => server[Symbol.asyncDispose]());
      const { url } = server;
      const open = () => openPostgres({ url, clock: systemClock });
      return { home: temporaryFolder(), url, open };
    },
  },
];

/** The owner of the machine. */
export const TERMINAL: Actor = { person: null, key: null, address: null };

export const PASSWORD = "dört mavi kaplumbağa yürür";
export const FROM: { readonly address: string; readonly browser: string } = {
  address: "192.0.2.1",
  browser: "Firefox",
};

export interface TestTeam {
  readonly team: Team;
  readonly clock: FakeClock;
  readonly database: Database;
  readonly address: TeamAddress;
  /** Opens one more connection to the same database. */
  readonly another: (keys?: readonly SecretKey[]) => Promise<Team>;
  /** Adds a person with {@link PASSWORD}. */
  readonly add: (login: string) => Promise<number>;
}

export const KEYS: readonly SecretKey[] = parseSecretKeys(Buffer.alloc(32, 7).toString("base64"));

/** Opens a team in a new database. */
export async function openTestTeam(place: TeamPlace): Promise<TestTeam> {
  const clock = createFakeClock(Date.UTC(2026, 10, 29, 9));
  const address = await place.make();
  const database = await address.open();
  const createFor = (on: Database, secretKeys = KEYS): Team => {
    const team = createTeamOf(on, { clock, secretKeys });
    onTestFinished(() => team[Symbol.asyncDispose]());
    return team;
  };
  const team = createFor(database);
  return {
    team,
    clock,
    database,
    address,
    another: async (keys) => createFor(await address.open(), keys),
    async add(login) {
      const { id } = await team.people.add({ login, name: `Kişi ${login}` }, TERMINAL);
      await team.people.setPassword(id, PASSWORD, TERMINAL);
      return id;
    },
  };
}
