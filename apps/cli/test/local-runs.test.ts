import { existsSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { createRunRepository, openDatabase } from "@catalog/database/testing";
import { describe, expect, it } from "vitest";

import { readLocalRuns } from "../src/local-runs.ts";
import { createFolder } from "./helpers/temporary-folder.ts";

const STORE = { baseUrl: "https://api.example", storeId: "s-1" };
const clock = createFakeClock(1_000);
const NOBODY = { read: async () => undefined };

/** A home whose store has these runs. */
async function createHome(...ids: readonly string[]): Promise<string> {
  const home = createFolder();
  using database = await openDatabase(join(home, "catalog.db"));
  const runs = createRunRepository({ database, clock, store: STORE });
  for (const id of ids) {
    const file = {
      path: "/a.csv",
      name: "a.csv",
      sha256: "0".repeat(64),
      kind: "csv",
      sheet: "",
      headerRow: 1,
      header: [],
    } as const;
    const rest = { mode: "upsert", lang: "tr", reportDir: "/r", warnings: [] } as const;
    await runs.create({ id, command: "import", file, ...rest });
    await clock.advance(1);
  }
  return home;
}

describe("readLocalRuns", () => {
  it("lists the store's runs, the newest first, without any secret", async () => {
    const home = await createHome("r-1", "r-2");
    const env = {
      CATALOG_HOME: home,
      CATALOG_BASE_URL: STORE.baseUrl,
      CATALOG_STORE_ID: STORE.storeId,
    };

    expect(await readLocalRuns({ env, config: {}, logins: NOBODY, clock })).toEqual(["r-2", "r-1"]);
    const other = { ...env, CATALOG_STORE_ID: "s-2" };
    expect(await readLocalRuns({ env: other, config: {}, logins: NOBODY, clock })).toEqual([]);
  });

  it("takes the store from the stored login, and does not read its secret", async () => {
    const env = { CATALOG_HOME: await createHome("r-1") };
    const login = {
      ...STORE,
      clientKey: "key",
      path: "/config/login.json",
      owner: "user",
      savedIn: "keyring",
      readSecret: () => Promise.reject(new Error("asked for the secret")),
    } as const;

    const logins = { read: async () => login };

    expect(await readLocalRuns({ env, config: {}, logins, clock })).toEqual(["r-1"]);
  });

  it("lists nothing when no store is configured", async () => {
    const env = { CATALOG_HOME: await createHome("r-1") };

    expect(await readLocalRuns({ env, config: {}, logins: NOBODY, clock })).toEqual([]);
  });

  it("creates no database", async () => {
    const home = createFolder();

    const config = { ...STORE, home };

    expect(await readLocalRuns({ env: {}, config, logins: NOBODY, clock })).toEqual([]);
    expect(existsSync(join(home, "catalog.db"))).toBe(false);
  });
});
