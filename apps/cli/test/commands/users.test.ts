import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { openTeam } from "@catalog/connection";
import { parseSecretKeys, type Team } from "@catalog/team";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  type CliHarness,
  createCliHarness,
  openSandbox,
  settingsOf,
} from "../helpers/cli-harness.ts";

const [OLD, NEW] = [3, 4].map((n) => Buffer.alloc(32, n).toString("base64"));
const PASSWORD = "dört mavi kaplumbağa yürür";
const FROM = { address: "192.0.2.1", browser: "Firefox" };

/** Opens the team as a server does. */
async function openServerTeam({ folder }: CliHarness, keys = ""): Promise<Team> {
  const secretKeys = parseSecretKeys(keys);
  const team = await openTeam({ home: join(folder, "home"), clock: systemClock, secretKeys });
  onTestFinished(() => team[Symbol.asyncDispose]());
  return team;
}

const readJson = async (harness: CliHarness, ...words: readonly string[]) =>
  JSON.parse((await harness.run(...words, "--json")).out);

describe("catalog users", () => {
  it("adds the first administrator, who comes in by the link that it prints", async () => {
    const harness = createCliHarness();
    const added = await harness.run(
      ..."users add ayse@shop.example --admin --url https://catalog.shop.example/x".split(" "),
      "--name",
      "Ayşe Yılmaz",
    );
    const team = await openServerTeam(harness);

    const [, secret = ""] =
      /^https:\/\/catalog\.shop\.example\/#i=([\w-]{43})$/mu.exec(added.out) ?? [];
    const person = await team.invitations.accept(secret, PASSWORD, FROM);

    expect(added).toMatchObject({ exit: 0, err: "" });
    expect(added.out).toContain("ayse@shop.example  Ayşe Yılmaz  bütün mağazalar: yönetici");
    expect(await team.people.memberships()).toEqual([
      { person: person.id, store: null, role: "administrator" },
    ]);
    expect((await harness.run("users", "list")).out).not.toContain(secret);
    const entry = (await team.audit.list({ limit: 10 })).find(
      ({ action }) => action === "person.add",
    );
    expect(entry?.actor).toEqual({ person: null, key: null, address: null });
  });

  it("says what a link lacks that begins with no address", async () => {
    const added = await createCliHarness().run("users", "add", "ayse", "--admin");

    expect(added.out).toMatch(/^\/#i=[\w-]{43}$/mu);
    expect(added.err).toContain("Başına sunucunun adresini ekleyin");
  });

  it("sets a password that is asked for twice and never shown", async () => {
    const harness = createCliHarness({
      answers: [PASSWORD, PASSWORD, PASSWORD, "other", undefined],
    });
    const add = (login: string) => harness.run("users", "add", login, "--role", "editor", "--ask");

    const ended = [await add("veli"), await add("can"), await add("ece")];

    expect(ended.map(({ exit }) => exit)).toEqual([0, 2, 130]);
    expect(harness.questions).toHaveLength(5);
    expect(harness.questions.every((question) => question.startsWith("* "))).toBe(true);
    expect(JSON.stringify(ended)).not.toContain(PASSWORD);
    const team = await openServerTeam(harness);
    expect((await team.people.list()).map(({ login }) => login)).toEqual(["veli"]);
    expect(typeof (await team.sessions.signIn({ login: "veli", password: PASSWORD }, FROM))).toBe(
      "object",
    );
  });

  it("adds nobody whose password is weak", async () => {
    const harness = createCliHarness({ input: "password1234\n" });

    const weak = await harness.run("users", "add", "veli", "--role", "editor", "--password-stdin");

    expect(weak.exit).toBe(2);
    expect(weak.err).toContain("Bu parola kolay tahmin edilir");
    expect(await readJson(harness, "users", "list")).toMatchObject({ people: [], exit: 0 });
  });

  it("gives and takes roles, lists and ends sessions, removes and restores", async () => {
    const harness = createCliHarness({ input: `${PASSWORD}\n` });
    await harness.run("users", "add", "ayse", "--admin");
    await harness.run("users", "add", "veli", "--role", "editor", "--password-stdin");
    const team = await openServerTeam(harness);
    const veli = await team.people.find("veli");
    const [first, second] = [
      await team.sessions.open(veli?.id ?? 0, FROM),
      await team.sessions.open(veli?.id ?? 0, FROM),
    ];

    const role = await readJson(harness, "users", "role", "VELI", "approver");
    const ended = await readJson(
      harness,
      "users",
      "sessions",
      "veli",
      "--end",
      String(first?.session.id),
    );
    const removed = await readJson(harness, "users", "remove", "veli");
    const restored = await readJson(harness, "users", "restore", "veli");
    const none = await readJson(harness, "users", "role", "veli", "none");
    const invited = await readJson(harness, "users", "password", "veli");

    const person = { id: veli?.id, login: "veli", name: "veli", active: true };
    const approver = [{ store: null, role: "approver" }];
    expect(role).toEqual({
      command: "users",
      action: "role",
      invitation: null,
      exit: 0,
      person: { ...person, roles: approver },
    });
    expect(ended.ended).toEqual([first?.session.id]);
    expect(ended.sessions).toMatchObject([{ id: second?.session.id, ...FROM }]);
    expect(removed.person).toEqual({ ...person, active: false, roles: approver });
    expect(restored.person).toEqual({ ...person, roles: approver });
    expect(none.person).toEqual({ ...person, roles: [] });
    expect(invited.invitation).toMatch(/^\/#i=[\w-]{43}$/u);
    expect(await team.sessions.list(veli?.id ?? 0)).toEqual([]);
  });

  it.each([
    [["add"], "KİŞİ"],
    [["add", "veli"], "Rolü de verin"],
    [["add", "veli", "--admin", "--role", "viewer"], "--admin"],
    [["add", "veli", "--role", "viewer", "--store", "yok"], "mağaza yok: yok"],
    [["add", "veli", "--role", "viewer", "--ask"], "terminal yok"],
    [["add", "veli", "--role", "viewer", "--password-stdin"], "--ask kullanın"],
    [["add", "a b", "--role", "viewer"], "boşluk içermeyen"],
    [["add", "AYSE", "--role", "viewer"], "zaten var: ayse"],
    [["role", "ayse"], "Rolü de verin"],
    [["role", "ayse", "boss"], "rol yok: boss"],
    [["role", "ayse", "none"], "son yöneticisi"],
    [["remove", "ayse"], "son yöneticisi"],
    [["remove", "veli"], "kişi yok: veli"],
    [["sessions", "ayse", "--end", "7"], "oturumu yok: 7"],
    [["list", "--admin"], "--admin"],
  ])("refuses: users %j", async (words, complaint) => {
    const harness = createCliHarness();
    await harness.run("users", "add", "ayse", "--admin");

    const { exit, out, err } = await harness.run("users", ...words);

    expect({ exit, out }).toEqual({ exit: 2, out: "" });
    expect(err).toContain(complaint);
  });
});

describe("catalog stores", () => {
  it("keeps the credentials of the settings encrypted, and encrypts them with a new key", async () => {
    const sandbox = await openSandbox();
    const env = { ...settingsOf(sandbox), CATALOG_SECRET_KEY: OLD };
    const harness = createCliHarness({ env });
    const home = join(harness.folder, "home");
    const rotating = createCliHarness({
      env: { CATALOG_HOME: home, CATALOG_SECRET_KEY_FILE: "keys" },
      files: { keys: `${NEW},${OLD}\n` },
    });

    const added = await readJson(harness, "stores", "add", "Mutfak");
    const again = await readJson(harness, "stores", "add", "mutfak");
    const rotated = await readJson(rotating, "stores", "rotate");
    const listed = await rotating.run("stores", "list");

    const store = { id: 1, name: "mutfak", base_url: sandbox.baseUrl, store_id: sandbox.storeId };
    expect(added).toEqual({ command: "stores", action: "add", store, new: true, exit: 0 });
    expect(again).toMatchObject({ store, new: false });
    expect(rotated).toEqual({ command: "stores", action: "rotate", rotated: 1, exit: 0 });
    expect(listed.out).toBe(`mutfak  ${sandbox.storeId}  ${sandbox.baseUrl}\n`);
    const team = await openServerTeam(harness, NEW);
    expect(await team.stores.credentials(1)).toEqual({
      baseUrl: sandbox.baseUrl,
      storeId: sandbox.storeId,
      clientKey: sandbox.clientKey,
      clientSecret: sandbox.clientSecret,
    });
  });

  it("keeps nothing that the marketplace refuses, and asks it nothing without a key", async () => {
    const sandbox = await openSandbox();
    const settings = settingsOf(sandbox);
    const keyless = createCliHarness({ env: settings });
    const wrong = createCliHarness({
      env: { ...settings, CATALOG_CLIENT_SECRET: "wrong", CATALOG_SECRET_KEY: OLD },
    });
    const badKey = createCliHarness({ env: { ...settings, CATALOG_SECRET_KEY: "c2hvcnQ=" } });

    const ended = [
      await keyless.run("stores", "add", "mutfak"),
      await badKey.run("stores", "add", "mutfak"),
      await wrong.run("stores", "add", "mutfak"),
    ];

    expect(ended.map(({ exit }) => exit)).toEqual([2, 2, 4]);
    expect(sandbox.stats().byEndpoint).toEqual({ "token.create": 1 });
    expect(await readJson(wrong, "stores", "list")).toMatchObject({ stores: [] });
  });
});

describe("catalog db check on a file", () => {
  it("finds an audit that was changed from outside", async () => {
    const harness = createCliHarness();
    const missing = await harness.run("db", "check");
    await harness.run("users", "add", "ayse", "--admin");
    const sound = await harness.run("db", "check");
    const { DatabaseSync } = await import("node:sqlite");
    const file = new DatabaseSync(join(harness.folder, "home", "catalog.db"));
    file.exec("DROP TRIGGER audit_is_kept");
    file.exec("DELETE FROM audit WHERE seq = 2");
    file.close();

    const faulty = await readJson(harness, "db", "check");

    expect([missing.exit, sound.exit]).toEqual([2, 0]);
    expect(faulty).toMatchObject({
      exit: 2,
      faults: ["audit: entry 2 was changed, removed or put in"],
    });
  });
});
