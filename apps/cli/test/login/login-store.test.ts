import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createLoginStore, type LoginStore } from "../../src/login/login-store.ts";
import { createFakeKeyring, type FakeKeyring, type KeyringKind } from "../helpers/fake-keyring.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const ADDRESS = { baseUrl: "https://api.example", clientKey: "key-1", storeId: "s-1" };
const LOGIN = { ...ADDRESS, clientSecret: "SECRET-CANARY" };

interface Fixture {
  readonly folder: string;
  readonly keyring: FakeKeyring;
  readonly store: LoginStore;
}

function setUp(kind: KeyringKind = "working", ownerId = process.getuid?.()): Fixture {
  const folder = join(createFolder(), "config");
  const keyring = createFakeKeyring(kind);
  return { folder, keyring, store: createLoginStore({ folder, keyring, ownerId }) };
}

const modeOf = (path: string): string => (statSync(path).mode % 0o1000).toString(8);

describe("a stored login", () => {
  it("has its secret in the keyring, and not in the file", async () => {
    const { store, keyring } = setUp();

    expect(await store.write(LOGIN, "keyring")).toBe("keyring");

    const found = await store.read();
    expect(found).toMatchObject({ ...ADDRESS, savedIn: "keyring" });
    expect(await found?.readSecret()).toBe("SECRET-CANARY");
    expect([...keyring.secrets]).toEqual([["key-1 https://api.example", "SECRET-CANARY"]]);
    expect(readFileSync(store.path, "utf8")).not.toContain("SECRET-CANARY");
  });

  it.each(["missing", "forgetful"] as const)(
    "has its secret in the file where the keyring is %s",
    async (kind) => {
      const { store, folder } = setUp(kind);

      expect(await store.write(LOGIN, "keyring")).toBe("file");

      const found = await store.read();
      expect(found?.savedIn).toBe("file");
      expect(await found?.readSecret()).toBe("SECRET-CANARY");
      expect([modeOf(folder), modeOf(store.path)]).toEqual(["700", "600"]);
    },
  );

  it("does not use the keyring when a file is requested", async () => {
    const { store, keyring } = setUp();

    expect(await store.write(LOGIN, "file")).toBe("file");

    expect(keyring.secrets.size).toBe(0);
  });

  it("makes a folder and a file private that were not", async () => {
    const { store, folder } = setUp("missing");
    await store.write(LOGIN, "file");
    chmodSync(folder, 0o755);
    chmodSync(store.path, 0o644);

    await store.write(LOGIN, "file");

    expect([modeOf(folder), modeOf(store.path)]).toEqual(["700", "600"]);
  });

  it("finds and removes its secret in the keyring under any notation of the address", async () => {
    const { store, keyring } = setUp();
    const typed = { ...LOGIN, baseUrl: "https://Api.example/" };
    await store.write(typed, "keyring");
    expect([...keyring.secrets.keys()]).toEqual(["key-1 https://api.example"]);
    await keyring.forget("key-1 https://api.example");
    await keyring.write("key-1 https://Api.example/", "SECRET-CANARY");

    const found = await store.read();

    expect(await found?.readSecret()).toBe("SECRET-CANARY");
    await store.forget();
    expect(keyring.secrets.size).toBe(0);
  });

  it("is replaced as a whole by the next one", async () => {
    const { store } = setUp();
    await store.write(LOGIN, "file");

    await store.write({ ...LOGIN, storeId: "s-2" }, "keyring");

    expect(await store.read()).toMatchObject({ storeId: "s-2", savedIn: "keyring" });
  });

  it("gives advice when the keyring no longer has its secret", async () => {
    const { store, keyring } = setUp();
    await store.write(LOGIN, "keyring");
    await keyring.forget("key-1 https://api.example");

    const found = await store.read();

    await expect(found?.readSecret()).rejects.toThrow("catalog login");
  });
});

describe("refusing a stored login", () => {
  it.each([
    ["a file that the group can read", "file", 0o640],
    ["a file that everybody can read", "file", 0o604],
    ["a file that others can write", "file", 0o622],
    ["a folder that others can enter", "folder", 0o711],
    ["a folder that others can read", "folder", 0o755],
  ] as const)("refuses a login in %s", async (_name, what, mode) => {
    const { store, folder } = setUp("missing");
    await store.write(LOGIN, "file");
    chmodSync(what === "file" ? store.path : folder, mode);

    const reading = store.read();

    await expect(reading).rejects.toMatchObject({ code: "E_USAGE" });
    await expect(reading).rejects.toThrow(`chmod 600 "${store.path}"`);
    await expect(reading).rejects.not.toThrow("SECRET-CANARY");
  });

  it("refuses a login that belongs to another user", async () => {
    const { folder, keyring, store } = setUp("missing");
    await store.write(LOGIN, "file");

    const theirs = createLoginStore({ folder, keyring, ownerId: 424_242 });

    await expect(theirs.read()).rejects.toThrow("is not yours");
  });

  it("refuses a login behind a link that every user can change", async () => {
    const { folder, store } = setUp("missing");
    await store.write(LOGIN, "file");
    const elsewhere = join(createFolder(), "theirs.json");
    writeFileSync(elsewhere, readFileSync(store.path), { mode: 0o600 });
    await store.forget();
    symlinkSync(elsewhere, store.path);
    chmodSync(folder, 0o700);

    await expect(store.read()).rejects.toMatchObject({ code: "E_USAGE" });
  });

  it.each(["", "no json", "[]", '{"baseUrl": "https://api.example"}'])(
    "refuses an invalid login: %j",
    async (text) => {
      const { store } = setUp("missing");
      await store.write(LOGIN, "file");
      writeFileSync(store.path, text);

      await expect(store.read()).rejects.toThrow("is not understood");
    },
  );

  it("does not check owners where the system has none", async () => {
    const { folder, keyring, store } = setUp("missing");
    await store.write(LOGIN, "file");
    chmodSync(store.path, 0o644);

    const anywhere = createLoginStore({ folder, keyring, ownerId: undefined });

    expect(await anywhere.read()).toMatchObject(ADDRESS);
  });
});

describe("removing a login", () => {
  it("removes file and secret, and returns true", async () => {
    const { store, keyring } = setUp();
    await store.write(LOGIN, "keyring");

    expect(await store.forget()).toBe(true);

    expect(await store.read()).toBeUndefined();
    expect(keyring.secrets.size).toBe(0);
  });

  it("returns false when there is none", async () => {
    expect(await setUp().store.forget()).toBe(false);
  });

  it("removes an unusable file", async () => {
    const { store } = setUp("missing");
    await store.write(LOGIN, "file");
    writeFileSync(store.path, "no json");
    chmodSync(store.path, 0o644);

    expect(await store.forget()).toBe(true);
    expect(await store.read()).toBeUndefined();
  });
});
