import { describe, expect, it } from "vitest";

import { readLoginSettings } from "../../src/login/login-settings.ts";
import type { StoredLogin } from "../../src/login/login-store.ts";
import type { Config, Environment } from "../../src/settings/settings.ts";

const ENV: Environment = {
  CATALOG_BASE_URL: "https://api.example",
  CATALOG_CLIENT_KEY: "key-1",
  CATALOG_CLIENT_SECRET: "env-secret",
  CATALOG_STORE_ID: "s-1",
};

/** The settings read from a login, and the files and secrets that were read for them. */
async function read(env: Environment, config: Config = {}) {
  const touched: string[] = [];
  const login: StoredLogin = {
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
      return login;
    },
  };
  return { found: await readLoginSettings({ env, config }, logins), touched };
}

describe("readLoginSettings", () => {
  it("reads nothing when no setting is missing", async () => {
    expect(await read(ENV)).toEqual({ found: undefined, touched: [] });
  });

  it("does not read a secret that the environment gives", async () => {
    const { found, touched } = await read({ ...ENV, CATALOG_STORE_ID: "" });

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
    const logins = { read: async () => undefined };

    expect(await readLoginSettings({ env: {}, config: {} }, logins)).toBeUndefined();
  });
});
