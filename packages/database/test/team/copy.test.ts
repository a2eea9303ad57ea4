import { systemClock } from "@catalog/clock";
import { expect, it, onTestFinished } from "vitest";

import { copyToPostgres } from "../../src/postgres/administration.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { createDraftRepository } from "../../src/repositories/drafts.ts";
import type { Database } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { createTeamOf } from "../../src/team/open-team.ts";
import { createTestDatabase } from "../../src/testing/index.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";
import {
  FROM,
  KEYS,
  openTestTeam,
  PASSWORD,
  TEAM_PLACES,
  TERMINAL,
} from "../helpers/open-test-team.ts";

const [FILE] = TEAM_PLACES;
const SHOP = {
  name: "a",
  baseUrl: "https://api.example",
  storeId: "7",
  clientKey: "k",
  clientSecret: "s",
};

const addDraft = (database: Database, store: number): Promise<void> =>
  createDraftRepository({
    database: { ...database.forStore(store), storeKey: () => store },
    clock: systemClock,
    store: SHOP,
  }).create({ id: "d-1", name: "a", path: "/a", sha256: "0a", bytes: 1, createdBy: null });

describeOnPostgres("a team that moves to a server", () => {
  it("takes people, sessions, keys, stores and the chain of its audit along", async () => {
    if (FILE === undefined) throw new Error("there is no place");
    const { team, add, address, database } = await openTestTeam(FILE);
    const person = await add("ayse");
    const store = await team.stores.save(SHOP, TERMINAL);
    await team.people.setRole({ person, store: store.id }, "approver", TERMINAL);
    const session = await team.sessions.open(person, { ...FROM, browser: "odd \u0000 \ud800" });
    const key = await team.keys.create(
      { name: "k", person, store: store.id, role: "editor" },
      TERMINAL,
    );
    const by = { ...TERMINAL, person };
    const drafts = [{ store: store.id, draft: "d-1" }];
    await addDraft(database, store.id);
    const shared = await team.sharedFiles.add({ name: "odd \u0000", drafts }, by);
    await team.sessions.signIn({ login: "ayse", password: "wrong password" }, FROM);
    await team.audit.write(
      {
        action: "odd \u0000 \ud800",
        store: null,
        subject: "\u0000",
        before: { b: 1.5, a: "ı\u2028" },
        after: null,
      },
      TERMINAL,
    );
    const before = await team.audit.list({ limit: 100 });
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    await team[Symbol.asyncDispose]();

    using file = await openDatabase(`${address.home}/catalog.db`);
    await copyToPostgres(file, server.url);

    const opened = await openPostgres({ url: server.url, clock: systemClock });
    const moved = createTeamOf(opened, { clock: systemClock, secretKeys: KEYS });
    onTestFinished(() => moved[Symbol.asyncDispose]());
    expect(await moved.audit.list({ limit: 100 })).toEqual(before);
    expect(await moved.audit.findBreak()).toBeUndefined();
    // A server of tests syncs nothing.
    const faults = (await opened.check()).filter((fault) => !/^f\w+: off$/u.test(fault));
    expect(faults).toEqual([]);
    expect(await moved.people.roleIn(person, store.id)).toBe("approver");
    const files = await moved.sharedFiles.list([store.id], 9);
    expect(files).toEqual([{ ...shared, name: files[0]?.name }]);
    expect((await moved.keys.find(key.secret))?.role).toBe("editor");
    expect(await moved.sessions.isWriteKey(session?.session.id ?? 0, session?.writeKey ?? "")).toBe(
      true,
    );
    const { name: _, ...credentials } = SHOP;
    expect(await moved.stores.credentials(store.id)).toEqual(credentials);
    // New rows get numbers of their own, and the chain goes on.
    const next = await moved.people.add({ login: "veli", name: "Veli" }, TERMINAL);
    expect(next.id).toBeGreaterThan(person);
    expect(await moved.audit.findBreak()).toBeUndefined();
    expect(typeof (await moved.sessions.signIn({ login: "ayse", password: PASSWORD }, FROM))).toBe(
      "object",
    );
    await expect(copyToPostgres(file, server.url)).rejects.toMatchObject({
      code: "E_DATABASE_NOT_EMPTY",
    });
  });
});
