import { describe, expect, it } from "vitest";

import { checkSettings } from "../../../src/commands/doctor/settings-checks.ts";
import { findSettings } from "../../../src/settings/settings.ts";

const found = (env: Readonly<Record<string, string>>) =>
  checkSettings(findSettings({ env, config: {} }));

describe("checkSettings", () => {
  it("names each setting by its purpose, in the order of login's questions", () => {
    expect(found({}).map(({ name, state, exit }) => `${name} ${state} ${exit}`)).toEqual([
      "base_url fail 2",
      "client_key fail 2",
      "client_secret fail 2",
      "store_id fail 2",
    ]);
  });

  it("says why a stored secret is not used", () => {
    const login = { baseUrl: "https://a.example", clientKey: "k", storeId: "s", clientSecret: "x" };
    const config = { baseUrl: "https://b.example" };
    const checks = checkSettings(findSettings({ env: {}, config, login }));

    expect(checks.find(({ name }) => name === "client_secret")).toMatchObject({
      state: "fail",
      found: { tr: expect.stringMatching(/^Saklanan gizli anahtar https:\/\/a\.example adresi/u) },
    });
  });

  it("shows no secret, and only the beginning of a key", () => {
    const checks = found({
      CATALOG_BASE_URL: "https://user:PASSWORD@api.example/?access_token=TOKEN",
      CATALOG_CLIENT_KEY: "abcdefghijkl",
      CATALOG_CLIENT_SECRET: "SECRET",
      CATALOG_STORE_ID: "s-1",
    });

    expect(checks.map(({ found: { en } }) => en)).toEqual([
      "https://api.example (environment)",
      "abcd… (environment)",
      "•••••••• (environment)",
      "s-1 (environment)",
    ]);
  });
});
