import { allows, type Role, ROLES, TeamError } from "@catalog/team";
import { describe, expect, it } from "vitest";

import {
  FROM,
  openTestTeam,
  PASSWORD,
  TEAM_PLACES,
  TERMINAL,
  type TestTeam,
} from "../helpers/open-test-team.ts";

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = "sekiz kırmızı bulut uçar";
const SHOP = { baseUrl: "https://api.example", clientKey: "k", clientSecret: "s" };

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "ok";
  } catch (error) {
    if (error instanceof TeamError) return error.code;
    throw error;
  }
};

const addStore = async ({ team }: TestTeam, name: string): Promise<number> =>
  (await team.stores.save({ ...SHOP, name, storeId: name }, TERMINAL)).id;

describe.each(TEAM_PLACES)("the people on $name", (place) => {
  const { isOn } = place;

  it.skipIf(!isOn)("have logins of their own, whatever their case", async () => {
    const { team } = await openTestTeam(place);

    const added = await team.people.add({ login: "Ayse@Shop.example", name: " Ayşe " }, TERMINAL);

    expect(added).toMatchObject({ login: "ayse@shop.example", name: "Ayşe", isActive: true });
    expect(await team.people.find(" AYSE@shop.example")).toEqual(added);
    expect(await team.people.list()).toEqual([added]);
    const codes = [
      await codeOf(team.people.add({ login: "AYSE@SHOP.EXAMPLE", name: "B" }, TERMINAL)),
      await codeOf(team.people.add({ login: "a b", name: "B" }, TERMINAL)),
      await codeOf(team.people.add({ login: "b", name: " " }, TERMINAL)),
      await codeOf(team.people.setPassword(99, NEW_PASSWORD, TERMINAL)),
      await codeOf(team.people.setRole({ person: 99, store: null }, "viewer", TERMINAL)),
    ];
    expect(codes).toEqual([
      "E_LOGIN_TAKEN",
      "E_LOGIN_INVALID",
      "E_LOGIN_INVALID",
      "E_PERSON_UNKNOWN",
      "E_PERSON_UNKNOWN",
    ]);
  });

  it.skipIf(!isOn)("are renamed with the old and the new name in the record", async () => {
    const { team } = await openTestTeam(place);
    const { id } = await team.people.add({ login: "ayse", name: "Ayşe" }, TERMINAL);
    const by = { person: id, key: null, address: "192.0.2.1" };

    await team.people.setName(id, "  Ayşe Yılmaz ", by);
    await team.people.setName(id, "Ayşe Yılmaz", by);
    const codes = [
      await codeOf(team.people.setName(id, "\n", by)),
      await codeOf(team.people.setName(99, "Ali", by)),
    ];

    expect(codes).toEqual(["E_LOGIN_INVALID", "E_PERSON_UNKNOWN"]);
    expect((await team.people.read(id))?.name).toBe("Ayşe Yılmaz");
    const entries = await team.audit.list({ limit: 10 });
    expect(entries.filter(({ action }) => action === "person.rename")).toMatchObject([
      { actor: by, subject: String(id), before: "Ayşe", after: "Ayşe Yılmaz" },
    ]);
  });

  it.skipIf(!isOn)(
    "have in a store the greater of their roles there and in all stores",
    async () => {
      const opened = await openTestTeam(place);
      const { team, add } = opened;
      const person = await add("ayse");
      const [first, second] = [await addStore(opened, "a"), await addStore(opened, "b")];
      const wrong: string[] = [];

      for (const inAll of [undefined, ...ROLES]) {
        for (const inFirst of [undefined, ...ROLES]) {
          await team.people.setRole({ person, store: null }, inAll, TERMINAL);
          await team.people.setRole({ person, store: first }, inFirst, TERMINAL);
          const greater: Role | undefined = allows(inAll, inFirst ?? "viewer") ? inAll : inFirst;
          const found = [
            await team.people.roleIn(person, first),
            await team.people.roleIn(person, second),
          ];
          if (found[0] !== greater || found[1] !== inAll)
            wrong.push(`${inAll} ${inFirst} ${found.join(" ")}`);
        }
      }

      expect(wrong).toEqual([]);
    },
  );

  it.skipIf(!isOn)("keep their last administrator of all stores", async () => {
    const opened = await openTestTeam(place);
    const { team, add } = opened;
    const [ayse, veli] = [await add("ayse"), await add("veli")];
    const store = await addStore(opened, "a");
    const lead = (person: number, role: Role | undefined, of: number | null = null) =>
      codeOf(team.people.setRole({ person, store: of }, role, TERMINAL));
    const remove = (person: number) => codeOf(team.people.setActive(person, false, TERMINAL));

    const codes = [
      await lead(ayse, "administrator"),
      // An administrator of one store does not lead all.
      await lead(veli, "administrator", store),
      await lead(ayse, "approver"),
      await lead(ayse, undefined),
      await remove(ayse),
      await lead(veli, "administrator"),
      await remove(ayse),
      // One who was removed does not count.
      await remove(veli),
      await lead(veli, "viewer"),
      await codeOf(team.people.setActive(ayse, true, TERMINAL)),
      await remove(veli),
    ];

    expect(codes).toEqual([
      "ok",
      "ok",
      "E_LAST_ADMIN",
      "E_LAST_ADMIN",
      "E_LAST_ADMIN",
      "ok",
      "ok",
      "E_LAST_ADMIN",
      "E_LAST_ADMIN",
      "ok",
      "ok",
    ]);
  });

  it.skipIf(!isOn)("lose sessions, keys, invitations and roles when they are removed", async () => {
    const opened = await openTestTeam(place);
    const { team, add } = opened;
    const person = await add("ayse");
    const store = await addStore(opened, "a");
    await team.people.setRole({ person, store }, "approver", TERMINAL);
    const session = await team.sessions.open(person, FROM);
    const key = await team.keys.create({ name: "k", person, store, role: "editor" }, TERMINAL);
    const invitation = await team.invitations.create(person, TERMINAL);
    const ways = async () => [
      (await team.sessions.find(session?.cookie ?? ""))?.person,
      (await team.keys.find(key.secret))?.person,
      (await team.invitations.find(invitation))?.id,
      await team.people.roleIn(person, store),
      typeof (await team.sessions.signIn({ login: "ayse", password: PASSWORD }, FROM)),
      (await team.sessions.open(person, FROM))?.session.person,
    ];
    const before = await ways();

    await team.people.setActive(person, false, TERMINAL);
    const removed = await ways();
    await team.people.setActive(person, true, TERMINAL);
    const back = await ways();

    expect([before, removed, back]).toEqual([
      [person, person, person, "approver", "object", person],
      [undefined, undefined, undefined, undefined, "string", undefined],
      [undefined, undefined, undefined, "approver", "object", person],
    ]);
  });

  it.skipIf(!isOn)("are listed with what has become of their link", async () => {
    const { team, clock } = await openTestTeam(place);
    const { id } = await team.people.add({ login: "ayse", name: "Ayşe" }, TERMINAL);
    const { id: other } = await team.people.add({ login: "veli", name: "Veli" }, TERMINAL);
    const stateOf = async (person: number) => (await team.invitations.list(person))[0]?.state;
    const states = [await stateOf(id)];
    await team.invitations.create(id, TERMINAL);
    states.push(await stateOf(id));
    await clock.advance(72 * HOUR_MS);
    states.push(await stateOf(id));
    const secret = await team.invitations.create(id, TERMINAL);
    await team.invitations.accept(secret, PASSWORD, FROM);
    states.push(await stateOf(id));
    await team.invitations.create(id, TERMINAL);
    states.push(await stateOf(id));
    // An identity provider names people who never use their link.
    await team.sessions.open(other, { address: "192.0.2.1", browser: "Firefox" });

    expect(states).toEqual(["none", "open", "over", "joined", "renewing"]);
    expect(await team.invitations.list()).toEqual([
      { person: id, state: "renewing", endsAtMs: clock.now() + 72 * HOUR_MS },
      { person: other, state: "joined", endsAtMs: null },
    ]);
  });

  it.skipIf(!isOn)("accept an invitation once, within 72 hours, and only the newest", async () => {
    const { team, clock, database } = await openTestTeam(place);
    const { id } = await team.people.add({ login: "ayse", name: "Ayşe" }, TERMINAL);
    const accept = (secret: string, password = PASSWORD) =>
      codeOf(team.invitations.accept(secret, password, FROM));
    const replaced = await team.invitations.create(id, TERMINAL);
    const late = await team.invitations.create(id, TERMINAL);
    const stored = JSON.stringify(
      await database.execute(database.all(database.build.selectFrom("invitation").selectAll())),
    );

    const outcomes = [await accept(replaced), await accept("x"), await accept(late, "kısa")];
    await clock.advance(72 * HOUR_MS);
    outcomes.push(await accept(late));
    const secret = await team.invitations.create(id, TERMINAL);
    await clock.advance(72 * HOUR_MS - 1);
    const together = await Promise.all([accept(secret), accept(secret)]);
    outcomes.push(await accept(secret));

    expect(outcomes).toEqual([
      "E_INVITATION_USED",
      "E_INVITATION_USED",
      "E_PASSWORD_WEAK",
      "E_INVITATION_USED",
      "E_INVITATION_USED",
    ]);
    expect(together.toSorted()).toEqual(["E_INVITATION_USED", "ok"]);
    expect(stored).not.toContain(late);
    expect(typeof (await team.sessions.signIn({ login: "ayse", password: PASSWORD }, FROM))).toBe(
      "object",
    );
  });

  it.skipIf(!isOn)(
    "are told apart in the audit, which says who did what, and no secret",
    async () => {
      const opened = await openTestTeam(place);
      const { team, add } = opened;
      const person = await add("ayse");
      const by = { person, key: null, address: "192.0.2.9" };
      const store = await addStore(opened, "a");
      await team.people.setRole({ person, store }, "approver", by);
      await team.people.setRole({ person, store }, "viewer", by);
      const invitation = await team.invitations.create(person, by);
      await team.invitations.accept(invitation, NEW_PASSWORD, FROM);
      const { key, secret } = await team.keys.create(
        { name: "k", person, store, role: "editor" },
        by,
      );
      await team.keys.end(key.id, by);
      await team.sessions.signIn({ login: "ayse", password: PASSWORD }, FROM);
      await team.sessions.signIn({ login: PASSWORD, password: "x" }, FROM);
      const signedIn = await team.sessions.signIn({ login: "ayse", password: NEW_PASSWORD }, FROM);
      if (typeof signedIn === "string") throw new Error(signedIn);
      await team.sessions.end(signedIn.session.id, by);
      await team.sessions.end(signedIn.session.id, by);

      const all = (await team.audit.list({ limit: 100 })).toReversed();

      const lines = all.map(({ action, store: of, subject, before, after, actor }) =>
        JSON.stringify([action, of, subject, before, after, actor.person, actor.address]),
      );
      expect(lines).toMatchInlineSnapshot(`
        [
          "["person.add",null,"1",null,{"login":"ayse","name":"Kişi ayse"},null,null]",
          "["password.set",null,"1",null,null,null,null]",
          "["store.add",1,"a",null,{"baseUrl":"https://api.example","storeId":"a"},null,null]",
          "["role.set",1,"1",null,"approver",1,"192.0.2.9"]",
          "["role.set",1,"1","approver","viewer",1,"192.0.2.9"]",
          "["invitation.create",null,"1",null,{"endsAtMs":1796202000000},1,"192.0.2.9"]",
          "["invitation.accept",null,"1",null,null,1,"192.0.2.1"]",
          "["key.create",1,"1",null,{"name":"k","person":1,"role":"editor"},1,"192.0.2.9"]",
          "["key.end",1,"1",{"name":"k","person":1,"role":"editor"},null,1,"192.0.2.9"]",
          "["session.refused",null,"1",null,{"login":"ayse","reason":"wrong"},null,"192.0.2.1"]",
          "["session.refused",null,null,null,{"reason":"wrong"},null,"192.0.2.1"]",
          "["session.open",null,"1",null,{"browser":"Firefox"},1,"192.0.2.1"]",
          "["session.end",null,"1",{"address":"192.0.2.1","browser":"Firefox","person":1},null,1,"192.0.2.9"]",
        ]
      `);
      const secrets = [
        PASSWORD,
        NEW_PASSWORD,
        invitation,
        secret,
        signedIn.cookie,
        signedIn.writeKey,
      ];
      expect(secrets.filter((each) => lines.join("\n").includes(each))).toEqual([]);
      expect(await team.audit.findBreak()).toBeUndefined();
    },
  );
});
