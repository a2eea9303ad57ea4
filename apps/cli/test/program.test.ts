import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import type { ConnectionOverrides } from "@catalog/connection";
import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import type { Command } from "../src/context.ts";
import { runProgram } from "../src/program.ts";
import { findConfigFile } from "../src/settings/config-file.ts";
import type { ConfigLocations } from "../src/settings/config-trust.ts";
import { assertSilent, type Environment, isTalkative } from "../src/settings/settings.ts";
import { createConfigLocations } from "./helpers/cli-harness.ts";
import { createCommand } from "./helpers/commands.ts";
import { createFakeTerminal } from "./helpers/fake-terminal.ts";
import { createFolder } from "./helpers/temporary-folder.ts";

interface Fixture {
  readonly argv?: readonly string[];
  readonly env?: Environment;
  readonly cwd?: string;
  /** Whether the configuration file of the folder was confirmed. */
  readonly isTrusting?: boolean;
  readonly stop?: AbortSignal;
}

interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

async function trustConfig(cwd: string, harness: ConfigLocations): Promise<void> {
  const file = await findConfigFile(cwd, harness);
  if (file !== undefined) await harness.trusted.add({ ...file, at: "2026-01-01T00:00:00.000Z" });
}

async function run(command: Command, fixture: Fixture = {}): Promise<Ended> {
  const terminal = createFakeTerminal();
  const cwd = fixture.cwd ?? createFolder();
  const configLocations = createConfigLocations(cwd);
  if (fixture.isTrusting === true) await trustConfig(cwd, configLocations);
  const exit = await runProgram({
    commands: [command],
    argv: fixture.argv ?? ["send", "a.xlsx"],
    env: fixture.env ?? {},
    cwd,
    configLocations,
    terminal,
    clock: createFakeClock(),
    random: () => 0,
    stop: fixture.stop ?? new AbortController().signal,
  });
  return { exit, ...terminal.written };
}

/** Settings of a store whose data lies in `home`. */
const settingsIn = (home: string): Environment => ({
  CATALOG_BASE_URL: "http://127.0.0.1:9",
  CATALOG_CLIENT_KEY: "key",
  CATALOG_CLIENT_SECRET: "secret",
  CATALOG_STORE_ID: "s-1",
  CATALOG_HOME: join(home, "home"),
});

/** A command that prints the settings of its connection. */
const reporting = (overrides: ConnectionOverrides): Command =>
  createCommand(async (context) => {
    await using connection = await context.openConnection(overrides);
    context.terminal.out(`${connection.concurrency} ${connection.baseUrl}`);
    return 0;
  });

describe("runProgram", () => {
  it("runs the command and returns its exit code", async () => {
    const command = createCommand(async ({ terminal, lang, json, quiet }, { file }) => {
      terminal.out(JSON.stringify({ lang, json, quiet, file }));
      return 5;
    });

    const argv = ["send", "a.xlsx", "--lang", "en", "--quiet"];

    expect(await run(command, { argv })).toEqual({
      exit: 5,
      out: '{"lang":"en","json":false,"quiet":true,"file":"a.xlsx"}',
      err: "",
    });
  });

  it("resolves paths from the working folder", async () => {
    const cwd = createFolder();
    const command = createCommand(async ({ terminal, resolve }) => {
      terminal.out(`${resolve("a.xlsx")} ${resolve("/b.xlsx")}`);
      return 0;
    });

    expect((await run(command, { cwd })).out).toBe(`${join(cwd, "a.xlsx")} /b.xlsx`);
  });

  it("prints help on stdout, and succeeds", async () => {
    const { exit, out, err } = await run(createCommand(), { argv: ["--help", "--lang", "en"] });

    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toMatch(/send +Sends a file/u);
  });

  it("uses the language of the configuration file", async () => {
    const cwd = createFolder({ "catalog.config.yaml": "lang: en\n" });

    const { exit, err } = await run(createCommand(), { cwd, argv: ["send"] });

    expect(exit).toBe(2);
    expect(err).toContain("Which file?");
  });

  it("explains an unusable configuration file in the requested language", async () => {
    const cwd = createFolder({ "catalog.config.json": '{"clientSecret": "x"}' });

    const turkish = await run(createCommand(), { cwd });
    const english = await run(createCommand(), { cwd, env: { CATALOG_LANG: "en" } });

    expect([turkish.exit, english.exit]).toEqual([2, 2]);
    expect(turkish.err).toContain("dosyası anlaşılamadı");
    expect(english.err).toContain("is not understood");
  });

  it("refuses a language in which nothing is written, and still shows the help", async () => {
    const env = { CATALOG_LANG: "de", LANG: "en_US.UTF-8" };
    const ran = { hasRun: false };
    const command = createCommand(async () => {
      ran.hasRun = true;
      return 0;
    });

    const { exit, err } = await run(command, { env });
    const help = await run(command, { env, argv: ["--help"] });

    expect([exit, err]).toEqual([2, 'CATALOG_LANG "de" is not understood. Give tr or en.\n']);
    expect(ran.hasRun).toBe(false);
    expect(help.exit).toBe(0);
  });

  it("prints errors on stderr only", async () => {
    const command = createCommand(() => Promise.reject(new TypeError("x is null")));

    const { exit, out, err } = await run(command, { env: { CATALOG_LANG: "en" } });

    expect({ exit, out }).toEqual({ exit: 1, out: "" });
    expect(err).toContain("this is a bug");
    expect(err).toContain("x is null");
  });

  it("prints a document with --json even when it fails", async () => {
    const command = createCommand((context) => context.openConnection().then(() => 0));

    const { exit, out } = await run(command, { argv: ["send", "a.xlsx", "--json"] });

    expect(exit).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      command: "send",
      exit: 2,
      state: "stopped",
      error: { code: "E_USAGE" },
    });
  });

  it("reports an interruption apart from a failure", async () => {
    const command = createCommand(({ stop }) => {
      stop.throwIfAborted();
      return Promise.resolve(0);
    });

    const stop = AbortSignal.abort(new Error("interrupted"));

    expect(await run(command, { stop })).toEqual({
      exit: 130,
      out: "",
      err: "Durduruldu; hiçbir şey gönderilmedi.\n",
    });
  });
});

describe("the connection of a command", () => {
  it.each([
    ["up to 16 writes at a time when nobody says", {}, undefined, 16],
    ["what the file says", { "catalog.config.json": '{"concurrency": 2}' }, undefined, 2],
    ["what a flag says, before the file", { "catalog.config.json": '{"concurrency": 2}' }, 7, 7],
  ])("makes %s", async (...[, files, concurrency, expected]) => {
    const cwd = createFolder(files);
    const command = reporting({ concurrency });

    const { out, err } = await run(command, { cwd, env: settingsIn(cwd), isTrusting: true });

    expect(err).toBe("");
    expect(out).toBe(`${expected} http://127.0.0.1:9`);
  });

  it("belongs to the store that the command gives, before the environment", async () => {
    const cwd = createFolder();
    const command = reporting({ given: { CATALOG_BASE_URL: "http://127.0.0.1:10" } });

    const { out } = await run(command, { cwd, env: settingsIn(cwd) });

    expect(out).toBe("16 http://127.0.0.1:10");
  });
});

describe("isTalkative", () => {
  it.each(["http", "https", "http2", "fetch", "undici", "net", "TLS", "module, net", "h*"])(
    "is true for NODE_DEBUG=%s",
    (NODE_DEBUG) => {
      expect(isTalkative({ NODE_DEBUG })).toBe(true);
    },
  );

  it.each([undefined, "", "module", "app,timer", "network"])("is false for %s", (NODE_DEBUG) => {
    expect(isTalkative({ NODE_DEBUG })).toBe(false);
  });
});

describe("assertSilent", () => {
  it("names the variable and the next step, in both languages", () => {
    expect(() => assertSilent({ NODE_DEBUG: "net" })).toThrow(UsageError);
    expect(() => assertSilent({ NODE_DEBUG: "net,http" })).toThrow("NODE_DEBUG=net,http");
    expect(() => assertSilent({})).not.toThrow();
  });
});
