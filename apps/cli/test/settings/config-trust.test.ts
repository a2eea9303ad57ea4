import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import type { Config } from "../../src/settings/config-schema.ts";
import {
  createTrustStore,
  findUsableConfig,
  listDecisions,
  type Trust,
  type TrustedFile,
  type TrustStore,
} from "../../src/settings/config-trust.ts";
import type { Environment } from "../../src/settings/settings.ts";
import { createConfigLocations } from "../helpers/cli-harness.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const LOGIN = { baseUrl: "https://pazar.example", clientKey: "key", storeId: "s-1" };
const ENV: Environment = { CATALOG_BASE_URL: "https://pazar.example", CATALOG_HOME: "/home" };

describe("listDecisions", () => {
  it.each<[string, Config, Environment, readonly string[]]>([
    ["an address where none is known", { baseUrl: "https://pazar.example" }, {}, ["baseUrl"]],
    ["an address that the environment overrules", { baseUrl: "https://x.example" }, ENV, []],
    ["the folder of the ledger", { home: "/x" }, {}, ["home"]],
    ["a folder that the environment overrules", { home: "/x" }, ENV, []],
    ["the language alone", { lang: "en" }, {}, []],
    ["guards", { guards: { priceDropPercent: 100 } }, ENV, ["guards"]],
    ["a unit of prices", { priceUnit: "major" }, ENV, ["priceUnit"]],
    ["a program", { images: { upload: { command: ["./x"] } } }, ENV, ["images"]],
    ["a pace", { concurrency: 99, requestsPerHour: 9 }, {}, ["concurrency", "requestsPerHour"]],
    ["how long runs are kept", { keepDays: 1 }, {}, ["keepDays"]],
    ["a time that the environment overrules", { keepDays: 1 }, { CATALOG_KEEP_DAYS: "9" }, []],
    ["the name of a store", { store: "mutfak" }, {}, ["store"]],
    ["a name that the environment overrules", { store: "x" }, { CATALOG_STORE: "mutfak" }, []],
    ["a prefix", { versions: { product: "v1.0" } }, ENV, ["versions"]],
    ["nothing", {}, {}, []],
  ])("tells what a file with %s decides", (...[, config, env, expected]) => {
    expect(listDecisions(config, { env })).toEqual(expected);
  });

  it("lists no setting that the stored login also gives", () => {
    const config = { ...LOGIN, baseUrl: "https://pazar.example/" };

    expect(listDecisions(config, { env: {}, login: LOGIN })).toEqual([]);
    expect(listDecisions({ storeId: "s-2" }, { env: {}, login: LOGIN })).toEqual(["storeId"]);
    expect(listDecisions({ clientKey: "k-2" }, { env: {}, login: LOGIN })).toEqual(["clientKey"]);
  });
});

describe("findUsableConfig", () => {
  const SETS = '{"guards": {"priceDropPercent": 100}}';

  it.each<[string, string, string | undefined, Trust, Config]>([
    ["a file that nobody confirmed", SETS, undefined, "unknown", {}],
    ["one that was confirmed", SETS, SETS, "trusted", { guards: { priceDropPercent: 100 } }],
    ["one that was changed since", SETS, "{}", "changed", {}],
    ["one that decides nothing", '{"lang": "en"}', undefined, "harmless", { lang: "en" }],
  ])(
    "returns for %s the settings that may be used",
    async (...[, text, confirmed, trust, config]) => {
      const cwd = createFolder({ "catalog.config.json": text });
      const locations = createConfigLocations(cwd);
      if (confirmed !== undefined) {
        const other = createFolder({ "catalog.config.json": confirmed });
        const { file } = await findUsableConfig({
          ...createConfigLocations(other),
          cwd: other,
          env: {},
        });
        const path = join(cwd, "catalog.config.json");
        await locations.trusted.add({ path, sha256: file?.sha256 ?? "", at: "" });
      }

      expect(await findUsableConfig({ ...locations, cwd, env: {} })).toMatchObject({
        trust,
        config,
      });
    },
  );

  it("trusts a file at its own path only", async () => {
    const first = createFolder({ "catalog.config.json": SETS });
    const second = createFolder({ "catalog.config.json": SETS });
    const locations = createConfigLocations(first);
    const { file } = await findUsableConfig({ ...locations, cwd: first, env: {} });
    await locations.trusted.add({ path: file?.path ?? "", sha256: file?.sha256 ?? "", at: "" });

    expect((await findUsableConfig({ ...locations, cwd: second, env: {} })).trust).toBe("unknown");
  });
});

const openStore = (): TrustStore =>
  createTrustStore({ folder: join(createFolder(), "kept"), ownerId: process.getuid?.() });

const fileAt = (path: string, sha256 = "a1"): TrustedFile => ({
  path,
  sha256,
  at: "2026-11-22T10:00:00.000Z",
});

describe("createTrustStore", () => {
  it("stores one content for each path, until it is removed", async () => {
    const store = openStore();

    await store.add(fileAt("/a", "old"));
    await store.add(fileAt("/b"));
    await store.add(fileAt("/a", "new"));

    expect(await store.list()).toEqual([fileAt("/b"), fileAt("/a", "new")]);
    expect([await store.forget("/a"), await store.forget("/a")]).toEqual([true, false]);
    expect(await store.list()).toEqual([fileAt("/b")]);
  });

  it.skipIf(process.getuid === undefined)(
    "writes a file that only its owner can access",
    async () => {
      const store = openStore();

      await store.add(fileAt("/a"));

      expect(statSync(store.path).mode & 0o777).toBe(0o600);
      expect(statSync(join(store.path, "..")).mode & 0o777).toBe(0o700);
    },
  );

  it.skipIf(process.getuid === undefined)("refuses a file that others can write", async () => {
    const store = openStore();
    await store.add(fileAt("/a"));
    chmodSync(store.path, 0o620);

    await expect(store.list()).rejects.toThrow(UsageError);
    await expect(store.list()).rejects.toThrow(store.path);
  });

  it.each(["no json", "[]", '{"files": [{"path": 5}]}'])("refuses a file with %s", async (text) => {
    const store = openStore();
    await store.add(fileAt("/a"));
    writeFileSync(store.path, text);

    await expect(store.add(fileAt("/b"))).rejects.toThrow(UsageError);
    expect(readFileSync(store.path, "utf8")).toBe(text);
  });
});
