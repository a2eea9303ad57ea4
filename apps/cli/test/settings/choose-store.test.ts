import { describe, expect, it } from "vitest";

import { chooseLogin, readLoginSettings, withStoreFlag } from "../../src/settings/choose-store.ts";
import type { Config } from "../../src/settings/config-schema.ts";
import type { StoredLogin, StoredLogins } from "../../src/settings/login-store.ts";
import type { Environment } from "../../src/settings/settings.ts";

const LOGIN_ENV: Environment = {
  CATALOG_BASE_URL: "https://api.example",
  CATALOG_CLIENT_KEY: "key-1",
  CATALOG_CLIENT_SECRET: "env-secret",
  CATALOG_STORE_ID: "s-1",
};

const NO_STORES: StoredLogins = { stores: [], defaultName: undefined };

/** The settings read from a login, and the files and secrets that were read for them. */
async function read(env: Environment, config: Config = {}) {
  const touched: string[] = [];
  const login: StoredLogin = {
    name: "main",
    baseUrl: "https://api.example",
    clientKey: "key-1",
    storeId: "stored-store",
    path: "/config/login.json",
    owner: "user",
    savedIn: "keyring",
    readSecret: async () => {
      touched.push("secret");
      return "stored-secret";
    },
  };
  const logins = {
    read: async () => {
      touched.push("file");
      return { stores: [login], defaultName: "main" };
    },
  };
  return { found: await readLoginSettings({ env, config }, logins), touched };
}

describe("readLoginSettings", () => {
  it("reads nothing when no setting is missing", async () => {
    expect(await read(LOGIN_ENV)).toEqual({ found: undefined, touched: [] });
  });

  it("does not read a secret that the environment gives", async () => {
    const { found, touched } = await read({ ...LOGIN_ENV, CATALOG_STORE_ID: "" });

    expect(found).toMatchObject({ storeId: "stored-store" });
    expect(touched).toEqual(["file"]);
  });

  it("reads the secret when it is missing", async () => {
    const { found } = await read({});

    expect(found).toMatchObject({ clientSecret: "stored-secret", clientKey: "key-1" });
  });

  it.each([
    ["address", { baseUrl: "https://other.example" }],
    ["application", { clientKey: "key-2" }],
  ])("does not read the secret of another %s", async (_name, config) => {
    const { found, touched } = await read({}, config);

    expect(found?.clientSecret).toBeUndefined();
    expect(touched).toEqual(["file"]);
  });

  it("finds nothing when nothing is stored", async () => {
    const logins = { read: async () => NO_STORES };

    expect(await readLoginSettings({ env: {}, config: {} }, logins)).toBeUndefined();
  });
});

const login = (name: string, storeId: string, baseUrl = "https://api.example"): StoredLogin => ({
  name,
  storeId,
  baseUrl,
  clientKey: "key-1",
  path: "/config/login.json",
  owner: "user",
  savedIn: "keyring",
  readSecret: () => Promise.reject(new Error("asked for the secret")),
});

const STORES = [
  login("mutfak", "s-1"),
  login("Işık", "s-2"),
  login("deneme", "s-1", "https://test.example"),
];

/** The chosen store and the reason, or the error; without a default unless one is given. */
async function choose(env: Environment, config: Config = {}, defaultName?: string) {
  const logins = { read: async () => ({ stores: STORES, defaultName }) };
  try {
    const chosen = await chooseLogin({ env, config }, logins);
    return chosen && `${chosen.login.name} by ${chosen.by}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const byFlag = (...words: readonly string[]): Environment => withStoreFlag({}, words);

describe("chooseLogin", () => {
  it.each<readonly [string, Environment, Config, string | undefined, string | undefined]>([
    ["the default", {}, {}, "mutfak", "mutfak by default"],
    ["the store of the flag", byFlag("runs", "--store", "mutfak"), {}, "Işık", "mutfak by flag"],
    ["the store of a flag with an equals sign", byFlag("--store=deneme"), {}, "", "deneme by flag"],
    ["the store of the variable", { CATALOG_STORE: "mutfak" }, {}, "Işık", "mutfak by environment"],
    ["the store of the configuration file", {}, { store: "deneme" }, "mutfak", "deneme by config"],
    [
      "the variable rather than the configuration file",
      { CATALOG_STORE: "mutfak" },
      { store: "deneme" },
      undefined,
      "mutfak by environment",
    ],
    ["a name in other letters", { CATALOG_STORE: "IŞIK" }, {}, "", "Işık by environment"],
    ["a name without the dot of its i", { CATALOG_STORE: "işık" }, {}, "", "Işık by environment"],
    ["a name that was decomposed", { CATALOG_STORE: "IS\u0327IK" }, {}, "", "Işık by environment"],
    ["the store of an id", { CATALOG_STORE_ID: "s-2" }, {}, "mutfak", "Işık by ids"],
    [
      "the store of an address and an id",
      { CATALOG_BASE_URL: "https://TEST.example/", CATALOG_STORE_ID: "s-1" },
      {},
      undefined,
      "deneme by ids",
    ],
    [
      "the default of several that fit",
      { CATALOG_STORE_ID: "s-1" },
      {},
      "deneme",
      "deneme by default",
    ],
    [
      "the default's key for another id",
      { CATALOG_STORE_ID: "s-9" },
      {},
      "mutfak",
      "mutfak by default",
    ],
    ["none where the environment has everything", LOGIN_ENV, { store: "deneme" }, "", undefined],
    [
      "the named one where the environment has the same",
      { ...LOGIN_ENV, CATALOG_STORE: "mutfak" },
      {},
      "",
      "mutfak by environment",
    ],
  ])("takes %s", async (...[, env, config, defaultName, expected]) => {
    expect(await choose(env, config, defaultName)).toBe(expected);
  });

  it.each<readonly [string, Environment, Config, RegExp]>([
    ["several without a default", {}, {}, /several stores.*mutfak, Işık, deneme.*--store mutfak/su],
    ["an id that two have", { CATALOG_STORE_ID: "s-1" }, {}, /several stores/u],
    [
      "an unknown name",
      { CATALOG_STORE: "mutfka" },
      {},
      /no store “mutfka”.*mean “mutfak”.*Işık/su,
    ],
    ["an unknown name of the file", {}, { store: "x" }, /no store “x”.*mutfak/su],
    [
      "a flag beside the id of another store",
      withStoreFlag({ CATALOG_STORE_ID: "s-2" }, ["--store", "mutfak"]),
      {},
      /--store says “mutfak”, but CATALOG_STORE_ID is that of another store/u,
    ],
    [
      "a variable beside all settings of another store",
      { ...LOGIN_ENV, CATALOG_STORE: "Işık" },
      {},
      /CATALOG_STORE says “Işık”, but CATALOG_STORE_ID/u,
    ],
    [
      "a flag beside another address",
      withStoreFlag({ CATALOG_BASE_URL: "https://test.example" }, ["--store", "mutfak"]),
      {},
      /but CATALOG_BASE_URL/u,
    ],
    [
      "a flag beside another id of the configuration file",
      byFlag("--store", "mutfak"),
      { storeId: "s-2" },
      /--store says “mutfak”, but catalog.config \(storeId\)/u,
    ],
    [
      "a configuration file that contradicts itself",
      { CATALOG_CLIENT_SECRET: "x" },
      { store: "mutfak", baseUrl: "https://api.example", clientKey: "key-1", storeId: "s-2" },
      /catalog.config \(store\) says “mutfak”, but catalog.config \(storeId\)/u,
    ],
    ["a hostile name", { CATALOG_STORE: "../../etc" }, {}, /letters, digits and - only/u],
  ])("refuses %s", async (_what, env, config, expected) => {
    expect(await choose(env, config)).toMatch(expected);
  });

  it("asks a person which one is meant, and refuses where the question is cancelled", async () => {
    const logins = { read: async () => ({ stores: STORES, defaultName: undefined }) };
    const answers = [STORES[1], undefined];
    const ask = async (): Promise<StoredLogin | undefined> => answers.shift();

    const chosen = await chooseLogin({ env: {}, config: {}, ask }, logins);

    expect(chosen).toEqual({ login: STORES[1], by: "asked" });
    await expect(chooseLogin({ env: {}, config: {}, ask }, logins)).rejects.toThrow(
      "several stores",
    );
  });
});
