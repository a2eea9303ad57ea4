import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../../../test/helpers/source-paths.ts";
import { createLoginStore, type LoginStore } from "../../src/settings/login-store.ts";
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

    expect(await store.write("main", LOGIN, "keyring")).toBe("keyring");

    const found = (await store.read()).stores[0];
    expect(found).toMatchObject({ ...ADDRESS, savedIn: "keyring" });
    expect(await found?.readSecret()).toBe("SECRET-CANARY");
    expect([...keyring.secrets]).toEqual([["key-1 https://api.example", "SECRET-CANARY"]]);
    expect(readFileSync(store.path, "utf8")).not.toContain("SECRET-CANARY");
  });

  it.each(["missing", "forgetful"] as const)(
    "has its secret in the file where the keyring is %s",
    async (kind) => {
      const { store, folder } = setUp(kind);

      expect(await store.write("main", LOGIN, "keyring")).toBe("file");

      const found = (await store.read()).stores[0];
      expect(found?.savedIn).toBe("file");
      expect(await found?.readSecret()).toBe("SECRET-CANARY");
      expect([modeOf(folder), modeOf(store.path)]).toEqual(["700", "600"]);
    },
  );

  it("does not use the keyring when a file is requested", async () => {
    const { store, keyring } = setUp();

    expect(await store.write("main", LOGIN, "file")).toBe("file");

    expect(keyring.secrets.size).toBe(0);
  });

  it("makes a folder and a file private that were not", async () => {
    const { store, folder } = setUp("missing");
    await store.write("main", LOGIN, "file");
    chmodSync(folder, 0o755);
    chmodSync(store.path, 0o644);

    await store.write("main", LOGIN, "file");

    expect([modeOf(folder), modeOf(store.path)]).toEqual(["700", "600"]);
  });

  it("finds and removes its secret in the keyring under any notation of the address", async () => {
    const { store, keyring } = setUp();
    const typed = { ...LOGIN, baseUrl: "https://Api.example/" };
    await store.write("main", typed, "keyring");
    expect([...keyring.secrets.keys()]).toEqual(["key-1 https://api.example"]);

    const found = (await store.read()).stores[0];

    expect(await found?.readSecret()).toBe("SECRET-CANARY");
    await store.forget();
    expect(keyring.secrets.size).toBe(0);
  });

  it("is replaced as a whole by the next one", async () => {
    const { store } = setUp();
    await store.write("main", LOGIN, "file");

    await store.write("main", { ...LOGIN, storeId: "s-2" }, "keyring");

    expect((await store.read()).stores[0]).toMatchObject({ storeId: "s-2", savedIn: "keyring" });
  });

  it("gives advice when the keyring no longer has its secret", async () => {
    const { store, keyring } = setUp();
    await store.write("main", LOGIN, "keyring");
    await keyring.forget("key-1 https://api.example");

    const found = (await store.read()).stores[0];

    await expect(found?.readSecret()).rejects.toThrow("catalog login");
  });
});

interface Homes {
  readonly parent: string;
  readonly keyring: FakeKeyring;
  readonly user: LoginStore;
  readonly storeOf: (home: string) => LoginStore;
}

function setUpHomes(kind: KeyringKind = "working"): Homes {
  const parent = createFolder();
  const keyring = createFakeKeyring(kind);
  const common = { folder: join(parent, "config"), keyring, ownerId: process.getuid?.() };
  return {
    parent,
    keyring,
    user: createLoginStore(common),
    storeOf: (name) => createLoginStore({ ...common, home: join(parent, name) }),
  };
}

describe("a login of a home", () => {
  const OTHER = { ...LOGIN, clientKey: "key-2", storeId: "s-2", clientSecret: "OTHER-CANARY" };

  it.each(["file", "keyring"] as const)(
    "replaces neither the user's nor another home's, with the secret in the %s",
    async (savedIn) => {
      const { user, storeOf, keyring } = setUpHomes();
      await user.write("main", LOGIN, savedIn);
      await storeOf("a").write("main", LOGIN, savedIn);

      await storeOf("b").write("main", { ...OTHER, clientKey: LOGIN.clientKey }, savedIn);

      const [mine, a, b] = [
        (await user.read()).stores[0],
        (await storeOf("a").read()).stores[0],
        (await storeOf("b").read()).stores[0],
      ];
      expect([mine, a, b]).toMatchObject([
        { storeId: "s-1", owner: "user", savedIn },
        { storeId: "s-1", owner: "home", savedIn },
        { storeId: "s-2", owner: "home", savedIn },
      ]);
      expect(await mine?.readSecret()).toBe("SECRET-CANARY");
      expect(await a?.readSecret()).toBe("SECRET-CANARY");
      expect(await b?.readSecret()).toBe("OTHER-CANARY");
      expect(keyring.secrets.size).toBe(savedIn === "keyring" ? 3 : 0);
    },
  );

  it("is in the home, in a file of its owner, and leaves the folder's permissions", async () => {
    const { parent, storeOf } = setUpHomes("missing");
    const home = join(parent, "a");
    await storeOf("a").write("main", LOGIN, "file");
    const made = modeOf(home);
    chmodSync(home, 0o755);

    await storeOf("a").write("main", LOGIN, "file");

    expect(storeOf("a").path).toBe(join(home, "login.json"));
    expect([made, modeOf(home), modeOf(storeOf("a").path)]).toEqual(["700", "755", "600"]);
    expect((await storeOf("a").read()).stores[0]).toMatchObject({
      ...ADDRESS,
      path: storeOf("a").path,
    });
  });

  it("is that of the user while the home has none, and is not removed with the home's", async () => {
    const { user, storeOf } = setUpHomes();
    await user.write("main", LOGIN, "keyring");

    const removed = await storeOf("a").forget();

    expect(removed).toBe(false);
    const found = (await storeOf("a").read()).stores[0];
    expect(found).toMatchObject({ ...ADDRESS, owner: "user", path: user.path });
    expect(await found?.readSecret()).toBe("SECRET-CANARY");
  });

  it("is removed with its own secret only", async () => {
    const { user, storeOf, keyring } = setUpHomes();
    await user.write("main", LOGIN, "keyring");
    await storeOf("a").write("main", LOGIN, "keyring");

    expect(await storeOf("a").forget()).toBe(true);

    expect([...keyring.secrets.keys()]).toEqual(["key-1 https://api.example"]);
    expect((await storeOf("a").read()).stores[0]).toMatchObject({ owner: "user" });
  });

  it("finds its secret in the keyring after the home was moved", async () => {
    const { parent, storeOf } = setUpHomes();
    await storeOf("a").write("main", LOGIN, "keyring");

    renameSync(join(parent, "a"), join(parent, "moved"));

    const [found] = (await storeOf("moved").read()).stores;
    expect(await found?.readSecret()).toBe("SECRET-CANARY");
  });

  it("that cannot be used is refused, and that of the user is not used instead", async () => {
    const { user, storeOf } = setUpHomes("missing");
    await user.write("main", LOGIN, "file");
    await storeOf("a").write("main", OTHER, "file");
    chmodSync(storeOf("a").path, 0o644);

    const open = storeOf("a").read();
    await expect(open).rejects.toThrow(`To correct it: chmod 600 "${storeOf("a").path}".`);

    writeFileSync(storeOf("a").path, "no json");
    chmodSync(storeOf("a").path, 0o600);
    await expect(storeOf("a").read()).rejects.toThrow("is not understood");
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
    await store.write("main", LOGIN, "file");
    chmodSync(what === "file" ? store.path : folder, mode);

    const reading = store.read();

    await expect(reading).rejects.toMatchObject({ code: "E_USAGE" });
    await expect(reading).rejects.toThrow(`chmod 600 "${store.path}"`);
    await expect(reading).rejects.not.toThrow("SECRET-CANARY");
  });

  it("refuses a login that belongs to another user", async () => {
    const { folder, keyring, store } = setUp("missing");
    await store.write("main", LOGIN, "file");

    const theirs = createLoginStore({ folder, keyring, ownerId: 424_242 });

    await expect(theirs.read()).rejects.toThrow("is not yours");
  });

  it("refuses a login behind a link that every user can change", async () => {
    const { folder, store } = setUp("missing");
    await store.write("main", LOGIN, "file");
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
      await store.write("main", LOGIN, "file");
      writeFileSync(store.path, text);

      await expect(store.read()).rejects.toThrow("is not understood");
    },
  );

  it("does not check owners where the system has none", async () => {
    const { folder, keyring, store } = setUp("missing");
    await store.write("main", LOGIN, "file");
    chmodSync(store.path, 0o644);

    const anywhere = createLoginStore({ folder, keyring, ownerId: undefined });

    expect((await anywhere.read()).stores[0]).toMatchObject(ADDRESS);
  });
});

describe("removing a login", () => {
  it("removes file and secret, and returns true", async () => {
    const { store, keyring } = setUp();
    await store.write("main", LOGIN, "keyring");

    expect(await store.forget()).toBe(true);

    expect((await store.read()).stores[0]).toBeUndefined();
    expect(keyring.secrets.size).toBe(0);
  });

  it("returns false when there is none", async () => {
    expect(await setUp().store.forget()).toBe(false);
  });

  it("removes an unusable file", async () => {
    const { store } = setUp("missing");
    await store.write("main", LOGIN, "file");
    writeFileSync(store.path, "no json");
    chmodSync(store.path, 0o644);

    expect(await store.forget()).toBe(true);
    expect((await store.read()).stores[0]).toBeUndefined();
  });
});

const KEYRING = toAbsolutePath(SOURCE_PATHS.keyring);

describe("the system's keyring", () => {
  // Other systems always have a keyring, which a test must not use.
  it.runIf(process.platform === "linux")(
    "is reported as missing without a desktop session, instead of using one that is emptied at a restart",
    () => {
      const script = `
        const { createSystemKeyring } = await import(${JSON.stringify(KEYRING)});
        const keyring = createSystemKeyring();
        for (const ask of [() => keyring.write("a", "b"), () => keyring.read("a"), () => keyring.forget("a")]) {
          console.log(await ask().then(() => "there", () => "missing"));
        }`;

      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--input-type=module", "--eval", script],
        { encoding: "utf8", env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" } },
      );

      expect({ stdout, stderr }).toEqual({ stdout: "missing\nmissing\nmissing\n", stderr: "" });
    },
  );
});

const namesOf = async (store: LoginStore): Promise<readonly unknown[]> => {
  const { stores, defaultName } = await store.read();
  return [stores.map(({ name, storeId }) => `${name} ${storeId}`), defaultName];
};

describe("several stored logins", () => {
  const GARDEN = { ...LOGIN, storeId: "s-2", clientSecret: "OTHER-CANARY" };

  it("are kept under their names, the first as the default", async () => {
    const { store } = setUp("missing");
    await store.write("Mutfak", LOGIN, "file");
    await store.write("bahçe", GARDEN, "file");

    // The name stays as it was typed first.
    await store.write("MUTFAK", { ...LOGIN, clientSecret: "NEW-CANARY" }, "file");

    expect(await namesOf(store)).toEqual([["Mutfak s-1", "bahçe s-2"], "Mutfak"]);
    const [first, second] = (await store.read()).stores;
    expect(await first?.readSecret()).toBe("NEW-CANARY");
    expect(await second?.readSecret()).toBe("OTHER-CANARY");
    expect(modeOf(store.path)).toBe("600");
  });

  it("are all kept where processes store them at the same moment", async () => {
    const { store, folder } = setUp("missing");
    const names = ["a", "b", "c", "d"];
    const script = (name: string): string => `
      const { createLoginStore } = await import(${JSON.stringify(KEYRING)});
      const keyring = { write: () => Promise.reject(new Error("none")) };
      const logins = createLoginStore({ folder: ${JSON.stringify(folder)}, keyring, ownerId: process.getuid?.() });
      const login = ${JSON.stringify(LOGIN)};
      process.stdin.once("data", async () => {
        await logins.write(${JSON.stringify(name)}, { ...login, storeId: ${JSON.stringify(name)} }, "file");
        process.exit();
      });
      console.log("ready");`;
    const writers = names.map((name) =>
      spawn(process.execPath, ["--input-type=module", "--eval", script(name)], {
        stdio: ["pipe", "pipe", "inherit"],
      }),
    );
    await Promise.all(writers.map(({ stdout }) => once(stdout, "data")));

    const ends = writers.map((writer) => once(writer, "exit"));
    for (const { stdin } of writers) stdin.end("go");

    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0, 0]);
    const { stores } = await store.read();
    expect(stores.map(({ name }) => name).toSorted()).toEqual(names);
  });

  it("are renamed, made the default and forgotten one by one", async () => {
    const { store } = setUp("missing");
    await store.write("mutfak", LOGIN, "file");
    await store.write("bahçe", GARDEN, "file");

    await store.rename("MUTFAK", "Ev");
    expect(await namesOf(store)).toEqual([["Ev s-1", "bahçe s-2"], "Ev"]);
    await store.setDefault("Bahçe");
    expect(await namesOf(store)).toEqual([["Ev s-1", "bahçe s-2"], "bahçe"]);
    await expect(store.rename("ev", "BAHÇE")).rejects.toThrow("already is a store");
    await expect(store.setDefault("mutfak")).rejects.toThrow("The stores: Ev, bahçe");
    expect(await store.forget("mutfak")).toBe(false);
    expect(await store.forget("bahçe")).toBe(true);
    // Which one is the default then, a person says.
    expect(await namesOf(store)).toEqual([["Ev s-1"], undefined]);
  });

  it("of one application share its secret until the last is forgotten", async () => {
    const { store, keyring } = setUp();
    await store.write("mutfak", LOGIN, "keyring");
    await store.write("bahçe", { ...LOGIN, storeId: "s-2" }, "keyring");

    await store.forget("mutfak");
    expect(await (await store.read()).stores[0]?.readSecret()).toBe("SECRET-CANARY");
    await store.forget("bahçe");

    expect([keyring.secrets.size, existsSync(store.path)]).toEqual([0, false]);
  });

  it("are read from the file of the first version as the default", async () => {
    const { store, folder } = setUp();
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(store.path, JSON.stringify(LOGIN), { mode: 0o600 });

    expect(await namesOf(store)).toEqual([["main s-1"], "main"]);
    await store.write("bahçe", GARDEN, "file");
    expect(await namesOf(store)).toEqual([["main s-1", "bahçe s-2"], "main"]);
  });

  it("that others could change are set aside, and not passed on", async () => {
    const { store } = setUp("missing");
    await store.write("mutfak", LOGIN, "file");
    chmodSync(store.path, 0o666);

    await store.write("bahçe", GARDEN, "file");

    expect(await namesOf(store)).toEqual([["bahçe s-2"], "bahçe"]);
    expect(readFileSync(`${store.path}.old`, "utf8")).toContain("mutfak");
  });

  it.each([
    ["two names that mean the same", ["ışık", "IŞIK"]],
    ["a name that cannot be typed", ["a b"]],
  ])("are refused with %s", async (_what, names) => {
    const { store, folder } = setUp();
    mkdirSync(folder, { mode: 0o700 });
    const stores = names.map((name) => Object.assign({ name }, LOGIN));
    writeFileSync(store.path, JSON.stringify({ stores }), { mode: 0o600 });

    await expect(store.read()).rejects.toThrow("not understood");
  });
});
