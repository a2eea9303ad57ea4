import { allows, parseSecretKeys, ROLES, TeamError } from "@catalog/team";
import { describe, expect, it } from "vitest";

import { createRunRepository } from "../../src/repositories/runs.ts";
import { openTestTeam, TEAM_PLACES, TERMINAL } from "../helpers/open-test-team.ts";
import { newRun } from "../helpers/runs-and-rows.ts";

const CREDENTIALS = {
  baseUrl: "https://api.example",
  storeId: "77",
  clientKey: "canary-key",
  clientSecret: "canary-secret",
};
const NEW_KEYS = parseSecretKeys([9, 7].map((n) => Buffer.alloc(32, n).toString("base64")).join());
const OTHER_KEYS = parseSecretKeys(Buffer.alloc(32, 9).toString("base64"));

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "ok";
  } catch (error) {
    if (error instanceof TeamError) return error.code;
    throw error;
  }
};

describe.each(TEAM_PLACES)("keys and stores on $name", (place) => {
  const { isOn } = place;

  it.skipIf(!isOn)("a key never does more than its person may do at that time", async () => {
    const { team, add } = await openTestTeam(place);
    const person = await add("ayse");
    const store = (await team.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL)).id;
    const other = (await team.stores.save({ ...CREDENTIALS, name: "b", storeId: "78" }, TERMINAL))
      .id;
    await team.people.setRole({ person, store: other }, "approver", TERMINAL);
    const found: string[] = [];
    const expected: string[] = [];

    for (const role of ROLES) {
      const { key, secret } = await team.keys.create({ name: role, person, store, role }, TERMINAL);
      expect(secret).toMatch(/^ctk_[\w-]{43}$/u);
      for (const own of [undefined, ...ROLES]) {
        await team.people.setRole({ person, store }, own, TERMINAL);
        const acting = await team.keys.find(secret);
        found.push(`${role} of ${own}: ${acting === undefined ? "nothing" : acting.role}`);
        const lesser = own && allows(own, role) ? role : own;
        expected.push(`${role} of ${own}: ${lesser ?? "nothing"}`);
      }
      await team.keys.end(key.id, TERMINAL);
      expect(await team.keys.find(secret)).toBeUndefined();
    }

    expect(found).toEqual(expected);
    expect(await team.keys.list(other)).toEqual([]);
    expect(await team.keys.list(store)).toHaveLength(ROLES.length);
  });

  it.skipIf(!isOn)("a key is kept as a hash, and its use is noted", async () => {
    const { team, add, clock, database } = await openTestTeam(place);
    const person = await add("ayse");
    const store = (await team.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL)).id;
    await team.people.setRole({ person, store }, "editor", TERMINAL);
    const { key, secret } = await team.keys.create(
      { name: "feed", person, store, role: "editor" },
      TERMINAL,
    );

    await clock.advance(1_000);
    await team.keys.find(secret);

    const [listed] = await team.keys.list(store);
    expect(listed).toEqual({ ...key, usedAtMs: key.createdAtMs + 1_000 });
    const rows = await database.execute(
      database.all(database.build.selectFrom("api_key").selectAll()),
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4));
    expect(await team.keys.find(secret.slice(4))).toBeUndefined();
    expect(await team.keys.find(`${secret}x`)).toBeUndefined();
  });

  it.skipIf(!isOn)("a name stays with its store, and a store with its name", async () => {
    const { team } = await openTestTeam(place);
    const save = (name: string, change: Partial<typeof CREDENTIALS> = {}) =>
      codeOf(team.stores.save({ ...CREDENTIALS, ...change, name }, TERMINAL));

    const codes = [
      await save("A101"),
      await save("a101", { clientSecret: "new" }),
      await save("a101", { storeId: "78" }),
      await save("a101", { baseUrl: "https://evil.example" }),
      await save("bim"),
      await save("bim", { storeId: "78" }),
      await save(""),
      await save("a b"),
      await save("ş"),
      await save("a".repeat(41)),
      await save("../x"),
    ];

    expect(codes).toEqual([
      "ok",
      "ok",
      "E_STORE_NAME_TAKEN",
      "E_STORE_NAME_TAKEN",
      "E_STORE_NAME_TAKEN",
      "ok",
      "E_STORE_NAME",
      "E_STORE_NAME",
      "E_STORE_NAME",
      "E_STORE_NAME",
      "E_STORE_NAME",
    ]);
    const listed = await team.stores.list();
    expect(listed.map(({ name, storeId }) => [name, storeId])).toEqual([
      ["a101", "77"],
      ["bim", "78"],
    ]);
    expect(await team.stores.find("A101")).toEqual(listed[0]);
    expect((await team.stores.credentials(listed[0]?.id ?? 0)).clientSecret).toBe("new");
  });

  it.skipIf(!isOn)("credentials are encrypted, and again with the newest key", async () => {
    const { team, database, another } = await openTestTeam(place);
    const { id } = await team.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL);
    const second = await team.stores.save({ ...CREDENTIALS, name: "b", storeId: "78" }, TERMINAL);
    const [rotating, later, keyless] = [
      await another(NEW_KEYS),
      await another(OTHER_KEYS),
      await another([]),
    ];
    const before = await codeOf(later.stores.credentials(id));

    const counts = [await rotating.stores.rotate(TERMINAL), await rotating.stores.rotate(TERMINAL)];

    expect([before, ...counts]).toEqual(["E_KEY_MISSING", 2, 0]);
    expect(await later.stores.credentials(id)).toEqual(CREDENTIALS);
    expect(await codeOf(team.stores.credentials(second.id))).toBe("E_KEY_MISSING");
    expect(await codeOf(keyless.stores.credentials(id))).toBe("E_KEY_MISSING");
    expect(await codeOf(keyless.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL))).toBe(
      "E_KEY_MISSING",
    );
    expect(await codeOf(later.stores.credentials(99))).toBe("E_STORE_UNKNOWN");
    const stored = JSON.stringify([
      await database.execute(database.all(database.build.selectFrom("team_store").selectAll())),
      await team.audit.list({ limit: 100 }),
    ]);
    expect(stored).not.toContain("canary");
  });

  it.skipIf(!isOn)("credentials that were moved to another store do not open", async () => {
    const { team, database } = await openTestTeam(place);
    const a = await team.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL);
    const b = await team.stores.save({ ...CREDENTIALS, name: "b", storeId: "78" }, TERMINAL);
    const { build, run, get } = database;
    const stolen = await database.execute(
      get(build.selectFrom("team_store").select("sealed").where("store", "=", a.id)),
    );

    await database.execute(
      run(
        build
          .updateTable("team_store")
          .set({ sealed: stolen?.sealed ?? "" })
          .where("store", "=", b.id),
      ),
    );
    await database.execute(
      run(
        build.updateTable("store").set({ base_url: "https://evil.example" }).where("id", "=", a.id),
      ),
    );

    expect(await codeOf(team.stores.credentials(b.id))).toBe("E_KEY_MISSING");
    expect(await codeOf(team.stores.credentials(a.id))).toBe("E_KEY_MISSING");
  });

  it.skipIf(!isOn)("a store remembers when four eyes are needed", async () => {
    const { team } = await openTestTeam(place);
    const { id } = await team.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL);
    const value = { mode: "guarded", moreThanRows: 100 } as const;

    const before = await team.stores.fourEyes(id);
    await team.stores.setFourEyes(id, value, TERMINAL);
    await team.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL);

    expect([before, await team.stores.fourEyes(id)]).toEqual([
      { mode: "never", moreThanRows: null },
      value,
    ]);
    expect(await codeOf(team.stores.fourEyes(99))).toBe("E_STORE_UNKNOWN");
    expect(await codeOf(team.stores.setFourEyes(99, value, TERMINAL))).toBe("E_STORE_UNKNOWN");
    const [, entry] = await team.audit.list({ limit: 2 });
    expect(entry).toMatchObject({ action: "four-eyes.set", store: id, before, after: value });
  });

  it.skipIf(!isOn)("comments belong to a run of their store, and to a person", async () => {
    const { team, add, database, clock } = await openTestTeam(place);
    const person = await add("ayse");
    const by = { person, key: null, address: null };
    const a = await team.stores.save({ ...CREDENTIALS, name: "a" }, TERMINAL);
    const b = await team.stores.save({ ...CREDENTIALS, name: "b", storeId: "78" }, TERMINAL);
    const onStore = { ...database.forStore(a.id), storeKey: () => a.id };
    await createRunRepository({ database: onStore, clock, store: CREDENTIALS }).create(
      newRun("r-1"),
    );

    const added = await team.comments.add(
      a.id,
      { run: "r-1", row: 3, text: "Fiyat doğru mu?" },
      by,
    );

    expect(await team.comments.list(a.id, "r-1")).toEqual([added]);
    expect(await team.comments.list(b.id, "r-1")).toEqual([]);
    const ofRun = await team.comments.add(
      a.id,
      { run: "r-1", row: null, text: "Bakar mısın?" },
      by,
    );
    expect(await team.comments.listNewest(a.id, 5)).toEqual([ofRun]);
    expect(await team.comments.listNewest(b.id, 5)).toEqual([]);
    const codes = [
      await codeOf(team.comments.add(b.id, { run: "r-1", row: null, text: "x" }, by)),
      await codeOf(team.comments.add(a.id, { run: "r-2", row: null, text: "x" }, by)),
      await codeOf(team.comments.add(a.id, { run: "r-1", row: null, text: "x" }, TERMINAL)),
    ];
    expect(codes).toEqual(["E_RUN_UNKNOWN", "E_RUN_UNKNOWN", "E_PERSON_UNKNOWN"]);
  });
});
