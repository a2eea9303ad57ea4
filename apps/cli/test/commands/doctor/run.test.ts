import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  createCliHarness,
  type Ended,
  openSandbox,
  settingsOf,
} from "../../helpers/cli-harness.ts";

/** Names of the checks, by state. */
function states({ out }: Ended): Readonly<Record<string, string>> {
  const { checks } = JSON.parse(out);
  return Object.fromEntries(
    checks.map(({ name, state }: { readonly name: string; readonly state: string }) => [
      name,
      state,
    ]),
  );
}

/** Joins the lines of each check. */
const unwrap = (out: string): string => out.replaceAll(/\n {19}/gu, " ");

describe("catalog doctor", () => {
  it("has a line for every check when all is well, without a secret", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({ env: settingsOf(sandbox) });

    const { exit, out, err } = await harness.run("doctor");

    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    // Further lines of a check are indented.
    const lines = out.split("\n").filter((line) => /^\S/u.test(line));
    expect(lines.map((line) => line.slice(0, 16).trim())).toEqual([
      "✓ Sürümler",
      "✓ Hata ayıklama",
      "✓ Adres",
      "✓ Anahtar",
      "✓ Gizli anahtar",
      "✓ Mağaza",
      "✓ Bağlantı",
      "✓ Saat",
      "✓ Oturum",
      "✓ Sürüm öneki",
      "✓ Mağaza izni",
      "✓ İstek molası",
      "✓ Bekleyen satır",
      "✓ Zamanlı işler",
      "✓ Uyarılar",
      "✓ Veritabanı",
      "✓ Boyut",
      "✓ Klasör",
      "✓ Disk",
    ]);
    expect(unwrap(out)).toContain("mağazaya yalnız bu klasörden gönderin");
    expect(unwrap(out)).toContain("(ortam değişkeni)");
    expect(out).not.toContain(sandbox.clientSecret);
    expect(out).not.toContain(sandbox.clientKey);
  });

  it("states in English what is missing, with advice", async () => {
    const { exit, out } = await createCliHarness().run("doctor", "--lang", "en");

    expect(exit).toBe(2);
    expect(out).toContain(
      '✗ Store            missing\n    → Set CATALOG_STORE_ID or run "catalog login".\n',
    );
    expect(out).toContain("– Connection       could not be checked\n");
  });

  it("names the source of each setting", async () => {
    const sandbox = await openSandbox();
    const {
      CATALOG_STORE_ID: storeId,
      CATALOG_CLIENT_KEY: clientKey,
      ...env
    } = settingsOf(sandbox);
    const harness = createCliHarness({
      env,
      files: { "catalog.config.json": JSON.stringify({ storeId }) },
    });
    const login = { baseUrl: sandbox.baseUrl, clientKey: clientKey ?? "", storeId: "s-1" };
    await harness.logins.write("main", { ...login, clientSecret: "x" }, "keyring");
    await harness.run("trust", "--yes");

    const { exit, out } = await harness.run("doctor");

    expect(exit).toBe(0);
    expect(out).toMatch(/✓ Ayar dosyası\s+\S+catalog\.config\.json\s+\(onaylı\)/u);
    expect(out).toMatch(/✓ Adres .*\(ortam değişkeni\)/u);
    expect(out).toMatch(/✓ Anahtar .*\(saklanan oturum\)/u);
    expect(out).toMatch(/✓ Mağaza .*\(catalog\.config dosyası\)/u);
  });

  it("reports a wait of a day that the marketplace demanded, and ends it with --fix", async () => {
    const fault = { kind: "too-many", endpoint: "token.create", nth: 1, ms: 86_400_000 } as const;
    const sandbox = await openSandbox({ faults: [fault] });
    const nowMs = Date.parse("2026-11-22T09:00:00Z");
    const harness = createCliHarness({ env: settingsOf(sandbox), nowMs });

    const refused = await harness.run("doctor", "--json");
    const waiting = await harness.run("doctor", "--lang", "en");
    const fixed = await harness.run("doctor", "--fix", "--json");

    expect([refused.exit, waiting.exit, fixed.exit]).toEqual([6, 6, 0]);
    expect(states(refused)).toMatchObject({ connection: "ok", token: "fail", pause: "fail" });
    expect(unwrap(waiting.out)).toMatch(
      /✗ Call pause +until after 13:00; since 12:00 the marketplace has said once /u,
    );
    expect(waiting.out).toContain("catalog doctor --fix");
    expect(waiting.out).toContain("– Login");
    expect(states(fixed)).toMatchObject({ token: "ok", permission: "ok", pause: "ok" });
    // Each call of the doctor checks once whether the address answers; the second one makes no
    // other call.
    expect(sandbox.stats().requests).toBe(6);
  });

  it("reports a configuration file that was not trusted, and makes no call", async () => {
    const sandbox = await openSandbox();
    const harness = createCliHarness({
      env: settingsOf(sandbox),
      files: { "catalog.config.json": JSON.stringify({ guards: { priceDropPercent: 100 } }) },
    });

    const ended = await harness.run("doctor", "--json");

    expect(ended.exit).toBe(2);
    expect(states(ended)).toMatchObject({ config_file: "fail", token: "skip", database: "skip" });
    expect(ended.out).toContain("catalog trust");
    expect(sandbox.stats().requests).toBe(0);
  });

  it("ends with 4 when the login is refused, and goes on with the other checks", async () => {
    const sandbox = await openSandbox();
    const env = { ...settingsOf(sandbox), CATALOG_CLIENT_SECRET: "SECRET-CANARY" };

    const ended = await createCliHarness({ env }).run("doctor", "--json");

    expect(ended.exit).toBe(4);
    expect(states(ended)).toMatchObject({
      connection: "ok",
      token: "fail",
      permission: "skip",
      database: "ok",
      disk: "ok",
    });
    expect(ended.out + ended.err).not.toContain("SECRET-CANARY");
  });

  it("ends with 4 when the store denies access", async () => {
    const env = { ...settingsOf(await openSandbox()), CATALOG_STORE_ID: "5".repeat(24) };

    const ended = await createCliHarness({ env }).run("doctor", "--json");

    expect(ended.exit).toBe(4);
    expect(states(ended)).toMatchObject({ token: "ok", permission: "fail" });
  });

  it("names the prefix that works when the one in use does not exist", async () => {
    const env = settingsOf(await openSandbox({ personality: { versions: "v1.0" } }));
    const harness = createCliHarness({ env });

    const ended = await harness.run("doctor", "--json");
    const { exit, out } = await harness.run("doctor", "--lang", "en");
    const told = { ...env, CATALOG_API_VERSION: "v1.0" };
    const cured = await createCliHarness({ env: told }).run("doctor", "--json");

    expect(ended.exit).toBe(2);
    expect(states(ended)).toMatchObject({ token: "ok", api_version: "fail", permission: "skip" });
    expect(exit).toBe(2);
    expect(out).toContain("no /v1.1, but /v1.0 works\n    → Set CATALOG_API_VERSION=v1.0");
    expect(cured.exit).toBe(0);
  });

  it("ends with 2 for an unknown prefix", async () => {
    const env = { ...settingsOf(await openSandbox()), CATALOG_API_VERSION: "v3" };
    const harness = createCliHarness({ env });

    const ended = await harness.run("doctor", "--json");
    const other = await harness.run("lookup", "cities", "--lang", "en");

    expect(ended.exit).toBe(2);
    expect(states(ended)).toMatchObject({ api_version_setting: "fail", connection: "skip" });
    expect(other).toMatchObject({
      exit: 2,
      err: 'CATALOG_API_VERSION cannot be "v3"; it can be: v1.0, v1.1.\n',
    });
  });

  it("ends with 6 when the server does not answer", async () => {
    const sandbox = await openSandbox();
    const env = settingsOf(sandbox);
    await sandbox.close();

    const ended = await createCliHarness({ env }).run("doctor", "--json");

    expect(ended.exit).toBe(6);
    expect(states(ended)).toMatchObject({ connection: "fail", token: "skip", database: "ok" });
    expect(ended.out).toContain("ECONNREFUSED");
  });

  it("warns of a wrong clock, and still succeeds", async () => {
    const env = settingsOf(await openSandbox());

    const ended = await createCliHarness({ env, nowMs: Date.UTC(2031, 0, 1) }).run(
      "doctor",
      "--json",
    );

    expect(ended.exit).toBe(0);
    expect(states(ended)).toMatchObject({ clock: "warn", token: "ok" });
  });

  it("ends with 2 for an address to which a token must not be sent", async () => {
    const env = { ...settingsOf(await openSandbox()), CATALOG_BASE_URL: "http://api.example" };

    const ended = await createCliHarness({ env }).run("doctor", "--json");

    expect(ended.exit).toBe(2);
    expect(states(ended)).toMatchObject({ settings: "fail", connection: "skip" });
  });

  it("ends with 2 for a database that does not open, and still calls the server", async () => {
    const env = settingsOf(await openSandbox());
    const harness = createCliHarness({ env });
    mkdirSync(join(harness.folder, "home"));
    writeFileSync(join(harness.folder, "home", "catalog.db"), "Kod;Fiyat\r\n".repeat(500));

    const ended = await harness.run("doctor", "--json");

    expect(ended.exit).toBe(2);
    expect(states(ended)).toMatchObject({ connection: "ok", token: "skip", database: "fail" });
  });

  it("makes no call while calls would be printed with their token", async () => {
    const sandbox = await openSandbox();
    const env = { ...settingsOf(sandbox), NODE_DEBUG: "net,http" };

    const ended = await createCliHarness({ env }).run("doctor", "--json");

    expect(ended.exit).toBe(2);
    expect(states(ended)).toMatchObject({ debugging: "fail", token: "skip" });
    const other = await createCliHarness({ env }).run("lookup", "cities", "--lang", "en");
    expect(other.exit).toBe(2);
    expect(other.err).toContain("Unset NODE_DEBUG");
    expect(sandbox.stats().requests).toBe(0);
  });

  it("explains why it refuses a stored login", async () => {
    const harness = createCliHarness({ keyring: "missing" });
    const login = { baseUrl: "https://api.example", clientKey: "key", storeId: "s-1" };
    await harness.logins.write("main", { ...login, clientSecret: "x" }, "file");
    writeFileSync(harness.logins.path, "no json");

    const ended = await harness.run("doctor", "--json");

    expect(ended.exit).toBe(2);
    expect(states(ended)).toMatchObject({ stored_login: "fail" });
  });
});
