import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import type { DownloadLogin } from "@catalog/images/download-login";
import { describe, expect, it } from "vitest";

import {
  createFeedLoginStore,
  type FeedLoginStore,
  openFeedLogins,
} from "../../src/settings/feed-logins.ts";
import { readStoreList } from "../../src/settings/store-list.ts";
import { createFakeKeyring, type FakeKeyring, type KeyringKind } from "../helpers/fake-keyring.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const SECRET = "SECRET-CANARY";
const basic = (user: string): DownloadLogin => ({ kind: "basic", user, secret: SECRET });

interface Fixture {
  readonly folder: string;
  readonly keyring: FakeKeyring;
  readonly store: FeedLoginStore;
  /** The store of a named home of the same user. */
  readonly atHome: FeedLoginStore;
}

function setUp(kind: KeyringKind = "working", ownerId = process.getuid?.()): Fixture {
  const top = createFolder();
  const folder = join(top, "config");
  const keyring = createFakeKeyring(kind);
  const places = { folder, keyring, ownerId };
  const atHome = createFeedLoginStore({ ...places, home: join(top, "home") });
  return { folder, keyring, store: createFeedLoginStore(places), atHome };
}

const codeOf = (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

describe("the stored logins of feeds", () => {
  it.each(["working", "missing", "forgetful"] as const)(
    "are found by address (keyring: %s)",
    async (kind) => {
      const { store, keyring } = setUp(kind);

      await store.write("https://a.example/xml/stok.xml?key=1", basic("u1"), "keyring");
      await store.write("https://a.example/", { kind: "bearer", secret: "t" }, "keyring");
      await store.write("https://a.example/xml/other.xml", basic("u2"), "keyring");

      expect(await store.find("https://a.example/xml/fiyat.xml")).toEqual(basic("u2"));
      expect(await store.find("https://a.example/x")).toEqual({ kind: "bearer", secret: "t" });
      expect(await store.find("https://b.example/xml/fiyat.xml")).toBeUndefined();
      expect((await store.list()).map(({ scope }) => scope)).toEqual([
        "https://a.example/xml/",
        "https://a.example/",
      ]);
      const text = readFileSync(store.path, "utf8");
      expect(text.includes(SECRET)).toBe(kind !== "working");
      expect(text).not.toContain("key=1");
      expect(keyring.secrets.size).toBe(kind === "working" ? 2 : 0);
    },
  );

  it("keeps the key of a server and the path of a private key, which may have no passphrase", async () => {
    const { store } = setUp();
    const login = {
      kind: "key",
      user: "u",
      secret: "",
      keyFile: "/k",
      hostKey: "SHA256:x",
    } as const;

    await store.write("sftp://a.example/out/", login, "keyring");

    expect(await store.find("sftp://a.example/out/stok.csv")).toEqual(login);
    expect(await store.findHostKey("sftp://a.example/out/")).toBe("SHA256:x");
  });

  it("leave no secret in the keyring that one in the file has replaced", async () => {
    const { store, atHome, keyring } = setUp();
    await store.write("https://a.example/", basic("u"), "keyring");
    await atHome.write("https://a.example/", basic("home"), "keyring");

    await store.write("https://a.example/", basic("new"), "file");

    expect([...keyring.secrets.keys()]).toEqual([expect.stringMatching(/^feed .* \//u)]);
    expect(await store.find("https://a.example/")).toEqual(basic("new"));
    expect(await atHome.find("https://a.example/")).toEqual(basic("home"));
  });

  it("are forgotten with their secret, the one with the longest folder first", async () => {
    const { store, keyring } = setUp();
    await store.write("https://a.example/xml/", basic("u1"), "keyring");
    await store.write("https://a.example/", basic("u2"), "keyring");

    const gone = await store.forget("https://a.example/xml/stok.xml");

    expect(gone?.name).toBe("u1");
    expect(await store.find("https://a.example/xml/stok.xml")).toEqual(basic("u2"));
    expect(keyring.secrets.size).toBe(1);
    expect(await store.forget("https://b.example/")).toBeUndefined();
  });

  it("of a home stand beside those of the user, and before them", async () => {
    const { store, atHome } = setUp();
    await store.write("https://a.example/", basic("user"), "keyring");
    await store.write("https://b.example/", basic("user"), "keyring");
    await atHome.write("https://a.example/", basic("home"), "keyring");

    expect(await atHome.find("https://a.example/")).toEqual(basic("home"));
    expect(await atHome.find("https://b.example/")).toEqual(basic("user"));
    expect(await store.find("https://a.example/")).toEqual(basic("user"));
  });

  it.runIf(process.platform !== "win32")("are not used where others can read them", async () => {
    const { store } = setUp();
    await store.write("https://a.example/", basic("u"), "file");
    chmodSync(store.path, 0o644);

    expect(await codeOf(store.find("https://a.example/"))).toBe("E_USAGE");
  });

  it.each([
    ["https://u:p@a.example/", basic("u")],
    ["ftp://a.example/", basic("u")],
    ["stok.csv", basic("u")],
  ])("are not stored for %s", async (address, login) => {
    const { store } = setUp();

    expect(await codeOf(store.write(address, login, "file"))).toBe("E_USAGE");
    expect(existsSync(store.path)).toBe(false);
  });
});

const open = (
  reference: string,
  env: Readonly<Record<string, string>>,
): ReturnType<typeof openFeedLogins> =>
  openFeedLogins(
    { reference, hostKey: undefined },
    { env, resolve: (path) => join("/", path), stored: setUp().store },
  );

describe("a login that is named", () => {
  it.each<[string, Readonly<Record<string, string>>, DownloadLogin]>([
    ["basic:env:E", { E: `u:a:${SECRET}` }, { kind: "basic", user: "u", secret: `a:${SECRET}` }],
    ["bearer:env:E", { E: `${SECRET}\n` }, { kind: "bearer", secret: SECRET }],
    [
      "header:X-Api-Key:env:E",
      { E: SECRET },
      { kind: "header", name: "X-Api-Key", secret: SECRET },
    ],
    ["key:u:file:id", {}, { kind: "key", user: "u", secret: "", keyFile: join("/", "id") }],
  ])("is read from %s", async (reference, env, login) => {
    expect(await (await open(reference, env))("https://a.example/")).toEqual(login);
  });

  it.each([
    [SECRET, {}],
    [`basic:${SECRET}`, {}],
    ["basic:env:E", {}],
    ["basic:env:E", { E: SECRET }],
    ["bearer:file:none", {}],
    ["header:X Api:env:E", { E: SECRET }],
  ])("is refused, and not repeated, where it is %s", async (reference, env) => {
    const error: unknown = await open(reference, env).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "E_USAGE" });
    expect(String(error) + JSON.stringify(error)).not.toContain(SECRET);
  });
});

it("a list of stores names logins, whose files are found from the list's folder", async () => {
  const folder = createFolder();
  const [list, secret] = [join(folder, "stores.json"), join(folder, "shop.secret")];
  writeFileSync(secret, "s", { mode: 0o600 });
  writeFileSync(join(folder, "dealer.secret"), `u:${SECRET}`, { mode: 0o600 });
  const store = {
    baseUrl: "https://m.example",
    clientKey: "k",
    storeId: "1",
    clientSecretFile: "shop.secret",
  };
  const feedLogins = [{ address: "https://a.example/xml/", auth: "basic:file:dealer.secret" }];
  writeFileSync(list, JSON.stringify([{ ...store, feedLogins }]));

  const [listed] = await readStoreList(list, process.getuid?.());
  const settings = listed?.environment ?? {};
  const find = await openFeedLogins(
    { reference: undefined, hostKey: undefined },
    { env: settings, resolve: (path) => resolve("/elsewhere", path), stored: setUp().store },
  );

  expect(JSON.stringify(settings)).not.toContain(SECRET);
  expect(await find("https://a.example/xml/stok.xml")).toEqual(basic("u"));
  expect(await find("https://b.example/xml/stok.xml")).toBeUndefined();
});
