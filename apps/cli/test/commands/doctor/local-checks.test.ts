import { join } from "node:path";

import { DatabaseError } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import {
  type Check,
  checkDatabaseOf,
  checkDebugging,
  checkDisk,
  checkSettings,
  checkVersions,
  describeHome,
  exitOf,
  formatCheck,
  same,
} from "../../../src/commands/doctor/local-checks.ts";
import { findSettings } from "../../../src/settings/settings.ts";
import { adaptToShell } from "../../../src/terminal/terminal.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

const GOOD: Check = { name: "a", state: "ok", label: same("A"), found: same("good") };
const failing = (exit: number): Check => ({ ...GOOD, state: "fail", exit });

describe("exitOf", () => {
  it.each([
    [0, []],
    [0, [GOOD, { ...GOOD, state: "warn" }, { ...GOOD, state: "skip" }]],
    [4, [GOOD, failing(4), failing(6)]],
    [6, [{ ...GOOD, state: "warn" }, failing(6), failing(2)]],
  ] as const)("is %i", (expected, checks) => {
    expect(exitOf(checks)).toBe(expected);
  });
});

describe("formatCheck", () => {
  const fix = { tr: "Düzeltin.", en: "Put it right." };

  it.each([
    ["ok", "✓ A                good\n"],
    ["warn", "! A                good\n    → Düzeltin.\n"],
    ["fail", "✗ A                good\n    → Düzeltin.\n"],
  ] as const)("shows advice for %s only where there is any", (state, expected) => {
    expect(formatCheck({ ...GOOD, state, fix }, "tr")).toBe(expected);
  });

  it("writes English too", () => {
    expect(formatCheck({ ...GOOD, state: "fail", fix }, "en")).toContain("→ Put it right.");
  });
});

it.each([60, 80, 120])(
  "is wrapped alike in %i columns, wherever the shell's folder is",
  (outColumns) => {
    const shownIn = (cwd: string): string => {
      const view = { outColumns, shown: (text: string): string => adaptToShell(text, { cwd }) };
      return formatCheck(describeHome(`${cwd}/ev`, false), "tr", view);
    };

    expect(shownIn("/tmp/a")).toContain("✓ Klasör           ev; mağazaya yalnız");
    expect(shownIn("/tmp/abcdefghijklmnopqrstuvwxyz/abcdefghijkl")).toBe(shownIn("/tmp/a"));
  },
);

const RUNTIME = { node: "24.21.0", tool: "1.2.3", execArgv: [], entry: "/none" };

describe("checkDisk", () => {
  it("checks the folder of the future database before it exists", async () => {
    const home = join(createFolder(), "not", "there", "yet");

    expect(await checkDisk(home)).toMatchObject({
      state: "ok",
      found: { tr: expect.stringMatching(/^[\d.,]+ [MG]B boş \(.*yet\)$/u) },
    });
  });
});

describe("checkDatabaseOf", () => {
  it.each([
    ["a sound one", [], "ok", undefined],
    ["a damaged one", ["row 3 missing from index"], "fail", 2],
  ])("reports %s", async (...[, faults, state, exit]) => {
    const check = await checkDatabaseOf({ checkDatabase: async () => faults });

    expect([check.state, check.exit]).toEqual([state, exit]);
  });

  it("reports a database that cannot be read", async () => {
    const check = await checkDatabaseOf({
      checkDatabase: async () => {
        throw new DatabaseError("E_DATABASE", "catalog.db: malformed");
      },
    });

    expect(check).toMatchObject({ state: "fail", exit: 2 });
    expect(check.fix?.tr).toContain("malformed");
  });
});

describe("checkVersions", () => {
  it.each([
    ["24.12.0", "ok"],
    ["24.21.0", "ok"],
    ["26.0.1", "ok"],
    ["24.11.9", "fail"],
    ["22.22.0", "fail"],
  ])("rates Node %s as %s", (node, state) => {
    const check = checkVersions({ ...RUNTIME, node });

    expect(check.state).toBe(state);
    expect(check.found.en).toBe(`catalog 1.2.3, Node ${node}`);
  });
});

describe("checkDebugging", () => {
  it.each([
    ["http", "fail"],
    ["HTTP", "fail"],
    ["fs, undici", "fail"],
    ["*", "fail"],
    ["fs,timer", "ok"],
    ["", "ok"],
  ])("rates NODE_DEBUG=%s as %s", (NODE_DEBUG, state) => {
    expect(checkDebugging({ NODE_DEBUG }, RUNTIME).state).toBe(state);
  });

  it.each([
    [{}, ["--inspect"], "warn"],
    [{}, ["--inspect-brk=0.0.0.0:9229"], "warn"],
    [{ NODE_OPTIONS: "--enable-source-maps --inspect" }, [], "warn"],
    [{ NODE_OPTIONS: "--enable-source-maps" }, ["--no-warnings"], "ok"],
  ])("rates %j and %j as %s", (env, execArgv, state) => {
    expect(checkDebugging(env, { ...RUNTIME, execArgv }).state).toBe(state);
  });
});

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
