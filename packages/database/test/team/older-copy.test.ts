/** A backup that takes the place of a database with people. */

import { copyFileSync, cpSync, rmSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import type { Team } from "@catalog/team";
import { describe, expect, it, onTestFinished } from "vitest";

import { noteRestored } from "../../src/postgres/administration.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { createSeenEnd } from "../../src/team/older-copy.ts";
import { createTeamOf, openTeam } from "../../src/team/open-team.ts";
import { createTestDatabase } from "../../src/testing/index.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";
import { FROM, KEYS, TERMINAL } from "../helpers/open-test-team.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const SHOP = { name: "a", baseUrl: "https://api.example", storeId: "7" };
const SECRETS = { clientKey: "k", clientSecret: "s" };

/** Opens a session and makes a key and an invitation; returns their secrets. */
async function fill(team: Team) {
  const { id: person } = await team.people.add({ login: "ayse", name: "Ayşe" }, TERMINAL);
  const { id: store } = await team.stores.save({ ...SHOP, ...SECRETS }, TERMINAL);
  await team.people.setRole({ person, store }, "approver", TERMINAL);
  const session = await team.sessions.open(person, FROM);
  if (session === undefined) throw new Error("there is no session");
  const made = { name: "erp", person, store, role: "editor" } as const;
  const { key, secret } = await team.keys.create(made, TERMINAL);
  const invited = await team.people.add({ login: "veli", name: "Veli" }, TERMINAL);
  const invitation = await team.invitations.create(invited.id, TERMINAL);
  return { person, key: key.id, session, secret, invitation };
}

type Filled = Awaited<ReturnType<typeof fill>>;

const findAll = async (team: Team, { session, secret, invitation }: Filled): Promise<unknown> => [
  (await team.sessions.find(session.cookie)) !== undefined,
  (await team.keys.find(secret)) !== undefined,
  (await team.invitations.find(invitation)) !== undefined,
];

const readRestored = async (team: Team): Promise<readonly unknown[]> =>
  (await team.audit.list({ limit: 100 }))
    .filter(({ action }) => action === "backup.restored")
    .map(({ after }) => after);

const openHome = async (home: string): Promise<Team> => {
  const team = await openTeam({ home, clock: systemClock, secretKeys: KEYS });
  onTestFinished(() => team[Symbol.asyncDispose]());
  return team;
};

describe("a file that is put back", () => {
  it("brings no session, key or invitation back, and writes down how many it ended", async () => {
    const home = temporaryFolder();
    const first = await openHome(home);
    const filled = await fill(first);
    await first[Symbol.asyncDispose]();
    copyFileSync(join(home, "catalog.db"), join(home, "backup.db"));
    const later = await openHome(home);
    await later.keys.end(filled.key, TERMINAL);
    await later.sessions.end(filled.session.session.id, TERMINAL);
    await later[Symbol.asyncDispose]();

    for (const end of ["", "-wal", "-shm"]) rmSync(join(home, `catalog.db${end}`), { force: true });
    copyFileSync(join(home, "backup.db"), join(home, "catalog.db"));
    const restored = await openHome(home);

    expect(await findAll(restored, filled)).toEqual([false, false, false]);
    expect(await readRestored(restored)).toEqual([{ sessions: 1, invitations: 1, keys: 1 }]);
    expect(await restored.audit.findBreak()).toBeUndefined();
    const again = await restored.sessions.open(filled.person, FROM);
    await restored[Symbol.asyncDispose]();
    const next = await openHome(home);
    expect(await next.sessions.find(again?.cookie ?? "")).toBeDefined();
    expect(await readRestored(next)).toHaveLength(1);
  });

  it("is noticed in another folder, too, by the entries that this one has seen", async () => {
    const [home, copy] = [temporaryFolder(), temporaryFolder()];
    const first = await openHome(home);
    const filled = await fill(first);
    await first[Symbol.asyncDispose]();
    cpSync(join(home, "catalog.db"), join(copy, "catalog.db"));

    const moved = await openHome(copy);

    // Nothing is known in the new folder, and nothing was lost.
    expect(await findAll(moved, filled)).toEqual([true, true, true]);
    expect(await readRestored(moved)).toEqual([]);
  });
});

const startServer = async () => {
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const home = temporaryFolder();
  const open = async (folder = home): Promise<Team> => {
    const options = { home: folder, databaseUrl: server.url, clock: systemClock };
    const team = await openTeam({ ...options, secretKeys: KEYS });
    onTestFinished(() => team[Symbol.asyncDispose]());
    return team;
  };
  /** As `watchForRestore` does where the rows are at another place. */
  const doubt = async (): Promise<void> => {
    const database = await openPostgres({ url: server.url, clock: systemClock });
    const query = database.build.updateTable("copy").set({ people_doubted: 1 });
    await database.execute(database.run(query));
    await database.close();
  };
  return { url: server.url, open, doubt };
};

describeOnPostgres("a server", () => {
  it("whose replica took over with everything that was seen here ends nothing", async () => {
    const { open, doubt } = await startServer();
    const team = await open();
    const filled = await fill(team);

    await doubt();
    const later = await open();

    expect(await findAll(later, filled)).toEqual([true, true, true]);
    expect(await readRestored(later)).toEqual([]);
  });

  it("ends all of them where another machine has seen nothing of it before", async () => {
    const { open, doubt } = await startServer();
    const filled = await fill(await open());

    await doubt();
    const other = await open(temporaryFolder());

    expect(await findAll(other, filled)).toEqual([false, false, false]);
  });

  it("ends all of them while it runs, once a person says that it is a backup", async () => {
    const { url, open } = await startServer();
    const team = await open();
    const filled = await fill(team);

    const before = await team.endRevived();
    await noteRestored(url);
    const after = await team.endRevived();

    expect([before, after]).toEqual([undefined, { sessions: 1, invitations: 1, keys: 1 }]);
    expect(await findAll(team, filled)).toEqual([false, false, false]);
    expect(await team.endRevived()).toBeUndefined();
  });

  it("ends all of them where the newest entry that was seen is not there", async () => {
    const { url, open } = await startServer();
    const filled = await fill(await open());
    const database = await openPostgres({ url, clock: systemClock });
    const seen = createSeenEnd(undefined, "");
    seen.note({ seq: 1_000, hash: "f".repeat(64) });
    const team = createTeamOf(database, { clock: systemClock, secretKeys: KEYS, seen });
    onTestFinished(() => team[Symbol.asyncDispose]());

    const ended = await team.endRevived();

    expect(ended).toEqual({ sessions: 1, invitations: 1, keys: 1 });
    expect(await findAll(team, filled)).toEqual([false, false, false]);
  });
});
