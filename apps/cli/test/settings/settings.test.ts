import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import type { Config } from "../../src/settings/config-schema.ts";
import {
  type Environment,
  findSettings,
  type LoginSettings,
  resolveLang,
  resolveSettings,
  type SettingSources,
  resolveUpdates,
  resolveKeepFilesDays,
  resolveUploadsBytes,
} from "../../src/settings/settings.ts";

const ENV: Environment = {
  CATALOG_BASE_URL: "https://env.example",
  CATALOG_CLIENT_KEY: "env-key",
  CATALOG_CLIENT_SECRET: "env-secret",
  CATALOG_STORE_ID: "env-store",
  CATALOG_HOME: "/env/home",
};

const CONFIG: Config = {
  baseUrl: "https://config.example",
  clientKey: "config-key",
  storeId: "config-store",
  home: "/config/home",
  concurrency: 2,
  requestsPerHour: 900,
  keepDays: 30,
};

describe("resolveSettings", () => {
  it("prefers the environment to the configuration file", () => {
    expect(resolveSettings(ENV, CONFIG)).toEqual({
      baseUrl: "https://env.example",
      clientKey: "env-key",
      clientSecret: "env-secret",
      storeId: "env-store",
      home: "/env/home",
      concurrency: 2,
      requestsPerHour: 900,
      keepDays: 30,
    });
  });

  it("reads the number of calls from the environment, and refuses an invalid one", () => {
    const env = { ...ENV, CATALOG_REQUESTS_PER_HOUR: "600" };

    expect(resolveSettings(env, CONFIG).requestsPerHour).toBe(600);

    for (const text of ["many", "0", "1.5", "-3"]) {
      const wrong = { ...ENV, CATALOG_REQUESTS_PER_HOUR: text };
      expect(() => resolveSettings(wrong, CONFIG)).toThrow("CATALOG_REQUESTS_PER_HOUR");
    }
  });

  it.each<readonly [env: Record<string, string>, config: string | undefined, asked: unknown]>([
    [{}, undefined, undefined],
    [{ CATALOG_UPDATES: "off" }, "https://npm.example", false],
    [{}, "off", false],
    [{}, "https://npm.example/", "https://npm.example"],
    [{ CATALOG_UPDATES: "http://127.0.0.1:4873//" }, undefined, "http://127.0.0.1:4873"],
    [{ CATALOG_UPDATES: "never" }, undefined, undefined],
    [{ CI: "true", CATALOG_UPDATES: "https://npm.example" }, undefined, false],
    [{ CI: "false" }, undefined, undefined],
    [{ NO_UPDATE_NOTIFIER: "1" }, undefined, false],
  ])("reads whether newer versions are asked for, and where: %o", (env, updates, asked) => {
    expect(resolveUpdates(env, { updates })).toBe(asked);
  });

  it("reads from the environment how many days runs are kept, and refuses an invalid number", () => {
    expect(resolveSettings({ ...ENV, CATALOG_KEEP_DAYS: "365" }, CONFIG).keepDays).toBe(365);
    expect(resolveUploadsBytes({ CATALOG_UPLOADS_MB: "2" })).toBe(2 * 1024 * 1024);
    expect(resolveUploadsBytes({})).toBeUndefined();
    const keep = resolveKeepFilesDays({ CATALOG_KEEP_FILES_DAYS: "90, mutfak=30" });
    expect([keep("mutfak"), keep("bahce"), resolveKeepFilesDays({})("mutfak")]).toEqual([
      30, 90, 365,
    ]);
    for (const text of ["ever", "0", "mutfak=", "mutfak=0", "=3", "3.5"]) {
      const wrong = { CATALOG_KEEP_FILES_DAYS: text };
      expect(() => resolveKeepFilesDays(wrong)).toThrow("CATALOG_KEEP_FILES_DAYS");
    }

    for (const text of ["ever", "0", "0.5", "-3"]) {
      const wrong = { ...ENV, CATALOG_KEEP_DAYS: text };
      expect(() => resolveSettings(wrong, CONFIG)).toThrow("CATALOG_KEEP_DAYS");
    }
  });

  it("reads from the file what the environment leaves out or leaves empty", () => {
    const env = { CATALOG_CLIENT_SECRET: "s", CATALOG_BASE_URL: "", CATALOG_HOME: "" };

    expect(resolveSettings(env, CONFIG)).toMatchObject({
      baseUrl: "https://config.example",
      clientKey: "config-key",
      storeId: "config-store",
      home: "/config/home",
    });
  });

  it("uses its own folder when no home is given", () => {
    const { CATALOG_HOME: _home, ...env } = ENV;

    expect(resolveSettings(env, {}).home).toContain("catalog-toolkit");
  });

  it("names all missing settings in both languages, with advice", () => {
    const missing = "CATALOG_BASE_URL, CATALOG_CLIENT_KEY, CATALOG_CLIENT_SECRET, CATALOG_STORE_ID";

    expect(() => resolveSettings({}, {})).toThrow(
      new UsageError({
        tr: `Eksik ayar: ${missing}. Ortam değişkeni olarak verin ya da "catalog login" ile kaydedin; denemek için "catalog sandbox" yerel bir pazaryeri açar.`,
        en: `Missing settings: ${missing}. Give them as environment variables or store them with "catalog login"; to try things out, "catalog sandbox" opens a local marketplace.`,
      }),
    );
  });

  it.each(["CATALOG_BASE_URL", "CATALOG_CLIENT_KEY", "CATALOG_CLIENT_SECRET", "CATALOG_STORE_ID"])(
    "names only %s when only that is missing",
    (name) => {
      expect(() => resolveSettings({ ...ENV, [name]: undefined }, {})).toThrow(
        `Missing settings: ${name}.`,
      );
    },
  );
});

const LOGIN: LoginSettings = {
  baseUrl: "https://login.example",
  clientKey: "login-key",
  storeId: "login-store",
  clientSecret: "login-secret",
};

/** Source and value of each setting. */
const sourcesOf = (sources: Partial<SettingSources>): readonly string[] =>
  Object.values(findSettings({ env: {}, config: {}, ...sources })).map(({ source, value }) =>
    `${source} ${value}`.trim(),
  );

describe("findSettings", () => {
  it("takes everything from the stored login when nothing else is set", () => {
    expect(sourcesOf({ login: LOGIN })).toEqual([
      "login https://login.example",
      "login login-key",
      "login login-secret",
      "login login-store",
    ]);
  });

  it("prefers the environment, then the file, then the login", () => {
    const env = { CATALOG_STORE_ID: "env-store" };
    const config = { clientKey: "login-key", storeId: "config-store" };

    expect(sourcesOf({ env, config, login: LOGIN })).toEqual([
      "login https://login.example",
      "config login-key",
      "login login-secret",
      "environment env-store",
    ]);
  });

  it.each([
    ["address", { baseUrl: "https://elsewhere.example" }],
    ["application", { clientKey: "other-key" }],
  ])("never uses a stored secret for another %s", (_name, config) => {
    expect(findSettings({ env: {}, config, login: LOGIN }).CATALOG_CLIENT_SECRET).toEqual({
      value: "",
      source: "nowhere",
      keptFor: "https://login.example",
    });
    const env = { CATALOG_CLIENT_KEY: "other-key" };
    expect(() => resolveSettings(env, config, LOGIN)).toThrow(
      /^Missing settings: CATALOG_CLIENT_SECRET\. The stored secret is for https:\/\/login\.example /u,
    );
  });

  it("treats different notations of an address as equal", () => {
    const config = { baseUrl: "HTTPS://Login.example:443//" };

    expect(sourcesOf({ config, login: LOGIN })[2]).toBe("login login-secret");
  });

  it("names the settings that have no source", () => {
    expect(sourcesOf({})).toEqual(["nowhere", "nowhere", "nowhere", "nowhere"]);
  });
});

describe("resolveLang", () => {
  it.each([
    ["Turkish without any wish", [], {}, {}, "tr"],
    ["the system's English", [], { LANG: "en_GB.UTF-8" }, {}, "en"],
    ["Turkish for every other system", [], { LANG: "de_DE.UTF-8" }, {}, "tr"],
    ["LC_ALL before LANG", [], { LC_ALL: "tr_TR.UTF-8", LANG: "en_US" }, {}, "tr"],
    ["LC_MESSAGES before LANG", [], { LC_MESSAGES: "en_US", LANG: "tr_TR" }, {}, "en"],
    ["nothing from an empty LC_ALL", [], { LC_ALL: "", LANG: "en_US" }, {}, "en"],
    ["the file before the system", [], { LANG: "en_US" }, { lang: "tr" }, "tr"],
    ["CATALOG_LANG before the file", [], { CATALOG_LANG: "en" }, { lang: "tr" }, "en"],
    ["a flag before CATALOG_LANG", ["--lang", "en"], { CATALOG_LANG: "tr" }, {}, "en"],
    ["a flag with an equals sign", ["plan", "--lang=en"], {}, { lang: "tr" }, "en"],
    ["no language from CATALOG_LANG that there is none of", [], { CATALOG_LANG: "de" }, {}, "tr"],
    ["no language from a flag without a value", ["--lang"], { CATALOG_LANG: "en" }, {}, "en"],
  ] as const)("takes %s", (...[, argv, env, config, expected]) => {
    expect(resolveLang(argv, env, config)).toBe(expected);
  });
});
