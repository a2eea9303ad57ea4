import { join } from "node:path";

import { DatabaseError } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import {
  checkDatabaseOf,
  checkDebugging,
  checkDisk,
  checkVersions,
} from "../../../src/commands/doctor/machine-checks.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

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
