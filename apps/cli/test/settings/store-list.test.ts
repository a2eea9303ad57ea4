import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createListedLogins, readStoreList } from "../../src/settings/store-list.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const ownerId = process.getuid?.();
const CANARY = "SECRET-CANARY";

const STORE = { baseUrl: "https://api.example", clientKey: "key-1", storeId: "s-1" };

/** Writes a list whose secrets are in a file beside it. */
function writeList(...stores: readonly object[]): string {
  const folder = createFolder();
  const secret = join(folder, "a.secret");
  writeFileSync(secret, `${CANARY}\n`);
  chmodSync(secret, 0o600);
  const path = join(folder, "stores.json");
  const listed = stores.map((store) => Object.assign({ clientSecretFile: "a.secret" }, store));
  writeFileSync(path, JSON.stringify(listed));
  return path;
}

describe("a list of stores", () => {
  it("is read as stored logins are, and keeps its secrets until one is asked for", async () => {
    const path = writeList({ ...STORE, name: "mutfak" }, { ...STORE, storeId: "s_2" });

    const { stores, defaultName } = await createListedLogins(path, ownerId).read();

    expect(defaultName).toBeUndefined();
    expect(stores).toMatchObject([
      { ...STORE, name: "mutfak", owner: "list", savedIn: "file", path },
      { name: "s_2", storeId: "s_2" },
    ]);
    expect(JSON.stringify(stores)).not.toContain(CANARY);
    expect(await stores[0]?.readSecret()).toBe(CANARY);
  });

  it("gives each store variables that no variable of another store can change", async () => {
    const path = writeList({ ...STORE, name: "mutfak" });

    expect(await readStoreList(path, ownerId)).toEqual([
      {
        name: "mutfak",
        environment: {
          CATALOG_BASE_URL: STORE.baseUrl,
          CATALOG_CLIENT_KEY: STORE.clientKey,
          CATALOG_CLIENT_KEY_FILE: "",
          CATALOG_CLIENT_SECRET: CANARY,
          CATALOG_CLIENT_SECRET_FILE: "",
          CATALOG_STORE: "",
          CATALOG_STORE_ID: STORE.storeId,
          CATALOG_STORES: path,
        },
      },
    ]);
  });

  it.each([
    [
      "two names that mean the same",
      [
        { ...STORE, name: "Işık" },
        { ...STORE, name: "IŞIK" },
      ],
    ],
    ["a hostile name", [{ ...STORE, name: "../x" }]],
    ["an unknown key", [{ ...STORE, nmae: "mutfak" }]],
    ["no store", []],
  ])("is refused with %s", async (_what, stores) => {
    const reading = createListedLogins(writeList(...stores), ownerId).read();

    await expect(reading).rejects.toThrow("is no list of stores");
  });

  it("is changed by no login", async () => {
    const logins = createListedLogins(writeList(STORE), ownerId);

    await expect(logins.setDefault("s-1")).rejects.toThrow("CATALOG_STORES");
    await expect(logins.write("mutfak", { ...STORE, clientSecret: "x" }, "file")).rejects.toThrow(
      "CATALOG_STORES",
    );
  });
});
