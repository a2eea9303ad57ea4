import { cpSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";

import { describe, expect, it } from "vitest";

import { filesIn } from "../../helpers/canaries.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  type Finished,
  runCatalog,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

/**
 * Stores the store's credentials in a file, as a script would; the system's keyring is not used.
 */
async function logIn(
  { sandbox }: Pick<TestStore, "sandbox">,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const flags = [
    "--secret-stdin",
    "--in-file",
    `--base-url=${sandbox.baseUrl}`,
    `--client-key=${sandbox.clientKey}`,
    `--store-id=${sandbox.storeId}`,
  ];
  const at = { cwd: folder, env, input: `${sandbox.clientSecret}\n` };
  return await startCatalog(["login", ...flags], at).finished;
}

/** Calls of the doctor that the specification does not have. */
const DOCTOR = {
  "early-token": "it proves the credentials, for which the token that is kept says nothing",
  "unknown-path": "it asks the bare address whether anybody answers there",
} as const;

describe("a stored login", () => {
  it("is used by the next commands, without settings in their environment", async () => {
    const shop = await openTestStore({ breaks: DOCTOR });
    const nothing = { cwd: shop.folder, env: {} };

    const login = await logIn(shop, shop.folder);
    const lookup = await runCatalog(["lookup", "templates", "--json"], nothing);
    const doctor = await runCatalog(["doctor", "--json"], nothing);

    expect(login).toMatchObject({ code: 0, err: expect.stringContaining("catalog plan") });
    expect(lookup).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(doctor.out)).toMatchObject({ command: "doctor", exit: 0 });
    // One token for the login and one for the doctor; the lookup uses the stored one.
    expect(shop.sandbox.stats().tokens).toBe(2);
  });

  it("names the file of its secret by the whole path, also from the folder that it is in", async () => {
    const shop = await openTestStore({ breaks: DOCTOR });

    const login = await logIn(shop, shop.folder);
    const status = await runCatalog(["login", "--status"], { cwd: shop.folder, env: {} });

    const path = join(shop.folder, ".config", "catalog-toolkit");
    expect(login.out).toContain(`Gizli anahtar  ${path}`);
    expect(status.out).toContain(`Gizli anahtar  ${path}`);
  });

  it("is explained by a help that names the program plainly, also where Node starts it", async () => {
    const { folder } = await openTestStore({ breaks: DOCTOR });

    const { out } = await runCatalog(["login", "--help"], { cwd: folder, env: {} });

    expect(out).toMatch(/^Kullanım: catalog login\n/u);
    expect(out).toContain("\n  catalog login --status\n");
    expect(out).not.toContain("catalog.js");
  });

  it("has its secret in one file and in no output", async () => {
    const shop = await openTestStore({ breaks: DOCTOR });
    const secret = shop.sandbox.clientSecret;
    const nothing = { cwd: shop.folder, env: {} };

    const ended = [
      await logIn(shop, shop.folder),
      await runCatalog(["login", "--status"], nothing),
      await runCatalog(["doctor"], nothing),
      await runCatalog(["doctor", "--json"], { ...nothing, env: { NODE_DEBUG: "app" } }),
      await runCatalog(["lookup", "templates"], nothing),
    ];

    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    for (const { out, err } of ended) expect(out + err).not.toContain(secret);
    const holding = filesIn(shop.folder).filter((path) => readFileSync(path).includes(secret));
    expect(holding.map((path) => path.split("/").at(-1))).toEqual(["login.json"]);
  });

  it("is not asked for without a terminal", async () => {
    const shop = await openTestStore();

    const { code, err } = await shop.run("login");

    expect(code).toBe(2);
    expect(err).toContain("--secret-stdin");
  });
});

/** Two stores, of which `a` has the user's login, in a folder with a home for each. */
async function openTwoStores() {
  const a = await openTestStore({ breaks: DOCTOR });
  const b = await openTestStore({ breaks: DOCTOR });
  const cwd = a.folder;
  const at = (home: string) => ({ cwd, env: { CATALOG_HOME: `homes/${home}` } });
  return { a, b, cwd, at, user: join(cwd, ".config", "catalog-toolkit", "login.json") };
}

const storeOf = ({ out }: Finished): unknown => JSON.parse(out).store_id;

describe("a login of a home", () => {
  it("is kept in its home and never used for another home's store", async () => {
    const { a, b, cwd, at, user } = await openTwoStores();
    await logIn(a, cwd);
    const lookup = ["lookup", "templates", "--json"];

    const login = await logIn(b, cwd, at("B").env);
    const before = a.sandbox.stats().requests;
    const [ofA, ofB] = [await runCatalog(lookup, at("A")), await runCatalog(lookup, at("B"))];

    const own = join(cwd, "homes", "B", "login.json");
    expect(login).toMatchObject({ code: 0, out: expect.stringContaining(own) });
    expect(login.err).not.toContain(a.sandbox.storeId);
    expect(statSync(own).mode % 0o1000).toBe(0o600);
    expect(readFileSync(own, "utf8")).toContain(b.sandbox.storeId);
    expect(readFileSync(user, "utf8")).toContain(a.sandbox.storeId);
    expect([ofA.code, ofB.code]).toEqual([0, 0]);
    expect(a.sandbox.stats().requests).toBeGreaterThan(before);
    const status = ["login", "--status", "--json"];
    expect(storeOf(await runCatalog(status, at("A")))).toBe(a.sandbox.storeId);
    expect(storeOf(await runCatalog(status, at("B")))).toBe(b.sandbox.storeId);
  });

  it("is named by the doctor, and comes back with a backup of the home", async () => {
    const { a, b, cwd, at, user } = await openTwoStores();
    await logIn(a, cwd);
    await logIn(b, cwd, at("B").env);
    cpSync(join(cwd, "homes", "B"), join(cwd, "backup"), { recursive: true });

    const [ofA, ofB] = [
      await runCatalog(["doctor"], at("A")),
      await runCatalog(["doctor"], at("B")),
    ];
    const forgotten = await runCatalog(["login", "--forget"], at("B"));
    rmSync(join(cwd, "homes", "B"), { recursive: true });
    cpSync(join(cwd, "backup"), join(cwd, "homes", "B"), { recursive: true });
    const restored = await runCatalog(["login", "--status", "--json"], at("B"));

    expect([ofA.err, ofB.err]).toEqual(["", ""]);
    // The doctor shortens paths of the working folder.
    expect(ofA.out).toContain(`✓ Saklanan oturum  ${relative(cwd, user)} (kullanıcınızın oturumu)`);
    expect(ofB.out).toContain("✓ Saklanan oturum  homes/B/login.json (bu klasörün kendi oturumu)");
    expect(forgotten.out).toContain("Saklanan oturum silindi.");
    expect(forgotten.out).toContain(`mağaza main (${user})`);
    expect(storeOf(restored)).toBe(b.sandbox.storeId);
  });
});

describe("catalog --complete", () => {
  it("completes the runs of this machine without a call and without credentials", async () => {
    const shop = await openTestStore();
    const file = writeCsv(shop.folder, "a.csv", goodRows(1));
    const { run } = await shop.json("plan", file);
    const before = shop.sandbox.stats().requests;
    const { CATALOG_BASE_URL = "", CATALOG_STORE_ID = "", CATALOG_HOME = "" } = shop.env;

    const { code, out, err } = await runCatalog(["--complete", "resume", "r-"], {
      cwd: shop.folder,
      env: { CATALOG_BASE_URL, CATALOG_STORE_ID, CATALOG_HOME },
    });

    expect({ code, out, err }).toEqual({ code: 0, out: `${run}\n`, err: "" });
    expect(shop.sandbox.stats().requests).toBe(before);
  });
});

describe("eight processes that start at once", () => {
  it("fetch one token together when none is stored", async () => {
    // Slow enough that all processes look for a token before the first one is stored.
    const shop = await openTestStore({ latencyMs: 400 });

    const ended = await Promise.all(
      Array.from({ length: 8 }, () => shop.start("lookup", "templates", "--json").finished),
    );

    expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(
      Array.from({ length: 8 }, () => ({ code: 0, err: "" })),
    );
    expect(new Set(ended.map(({ out }) => out)).size).toBe(1);
    expect(shop.sandbox.stats()).toMatchObject({
      tokens: 1,
      byEndpoint: { "token.create": 1, "shippingTemplate.list": 16 },
    });
  });
});
