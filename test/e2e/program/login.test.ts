import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { filesIn } from "../../helpers/canaries.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  type Finished,
  runCatalog,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";

/**
 * Stores the store's credentials in a file, as a script would; the system's keyring is not used.
 */
async function logIn({ sandbox, folder }: TestStore): Promise<Finished> {
  const flags = [
    "--secret-stdin",
    "--in-file",
    `--base-url=${sandbox.baseUrl}`,
    `--client-key=${sandbox.clientKey}`,
    `--store-id=${sandbox.storeId}`,
  ];
  const at = { cwd: folder, env: {}, input: `${sandbox.clientSecret}\n` };
  return await startCatalog(["login", ...flags], at).finished;
}

/** Calls of the doctor that the specification does not have. */
const DOCTOR = {
  "early-token": "it proves the credentials, for which the token that is kept says nothing",
  "unknown-path": "it asks the bare address whether anybody answers there",
} as const;

describe("a stored login", { timeout: 120_000 }, () => {
  it("is used by the next commands, without settings in their environment", async () => {
    const shop = await openTestStore({ breaks: DOCTOR });
    const nothing = { cwd: shop.folder, env: {} };

    const login = await logIn(shop);
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

    const login = await logIn(shop);
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
      await logIn(shop),
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

describe("catalog --complete", { timeout: 120_000 }, () => {
  it("completes the runs of this machine without a call and without credentials", async () => {
    const shop = await openTestStore();
    const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(1));
    const { run } = JSON.parse((await shop.run("plan", file, "--json")).out);
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
