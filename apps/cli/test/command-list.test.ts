import { execFile } from "node:child_process";

import { NAMED_COMMANDS } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../../test/helpers/source-paths.ts";
import { parseCommandLine } from "../src/command-line/parse.ts";
import { COMMANDS, createCommands } from "../src/command-list.ts";
import { createFeedLoginStore } from "../src/settings/feed-logins.ts";
import { createLoginStore } from "../src/settings/login-store.ts";
import { createConfigLocations } from "./helpers/cli-harness.ts";
import { createFakeKeyring } from "./helpers/fake-keyring.ts";

const places = { folder: "/none", keyring: createFakeKeyring(), ownerId: undefined };

const commands = createCommands({
  env: {},
  cwd: "/",
  configLocations: createConfigLocations("/none"),
  logins: createLoginStore(places),
  openFeedLoginStore: async () => createFeedLoginStore(places),
  prompts: { ask: async () => undefined, askSecret: async () => undefined },
  readInput: async () => undefined,
  streams: process,
  fetch,
  program: "catalog",
  runtime: { node: "24.21.0", tool: "0.0.0", execArgv: [], entry: "/none" },
});

describe("createCommands", () => {
  it("adds its own commands, and names no command twice", () => {
    const names = commands.map(({ name }) => name);

    expect(names).toEqual([
      ...COMMANDS.map(({ name }) => name),
      "sync",
      "schedule",
      "alerts",
      "web",
      "worker",
      "feed",
      "api",
      "login",
      "doctor",
      "db",
      "users",
      "stores",
      "mcp",
      "trust",
      "completion",
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(["import", "plan", "sync"])(
    "answers a misspelt guard of %s with the nearest",
    async (name) => {
      const read = (guards: string): Promise<unknown> =>
        parseCommandLine(commands, [name, "a.csv", "--allow", guards], { lang: "en" });

      await expect(read("zero-stock,price-dorp")).rejects.toThrow(
        "“price-dorp” is not a value of --allow. Did you mean “price-drop”? It may be: ",
      );
      await expect(read("zero-stock, price-drop")).resolves.toMatchObject({ kind: "command" });
    },
  );

  it.each(["tr", "en"] as const)("prints help in %s that fits 80 columns", async (lang) => {
    for (const { name, examples } of commands) {
      const parsed = await parseCommandLine(commands, [name, "--help"], { lang });

      const lines = (parsed.kind === "help" ? parsed.text : "").split("\n");
      const shown = examples.map(
        (example) => `  catalog ${typeof example === "string" ? example : example[lang]}`,
      );
      expect(lines.filter((line) => line.length > 80 && !shown.includes(line))).toEqual([]);
      expect(lines.slice(-shown.length)).toEqual(shown);
    }
  });

  it("has exactly the commands that texts may name", () => {
    const names = commands.map(({ name }) => name);

    expect([...NAMED_COMMANDS]).toEqual([...names, "help"].toSorted());
  });

  it("accepts a secret by no flag", () => {
    const flags = commands.flatMap((command) =>
      Object.entries(command.flags).map(([name, { type }]) => `${name} ${type}`),
    );

    expect(flags.filter((flag) => flag.includes("secret"))).toEqual([
      "secret-stdin boolean",
      "secret-stdin boolean",
      "secret-stdin boolean",
    ]);
  });
});

/** Prints the address of every loaded module, one a line of the error stream. */
const WATCH = `
  import { registerHooks } from "node:module";
  import { writeSync } from "node:fs";
  registerHooks({
    load(url, context, next) {
      writeSync(2, url + "\\n");
      return next(url, context);
    },
  });
`;

const MAIN = toAbsolutePath(SOURCE_PATHS.cliMain);

/** The exit code is ignored. */
function run(program: string, args: readonly string[]): Promise<{ readonly stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<{ readonly stderr: string }>();
  execFile(program, args, { maxBuffer: 2 ** 24 }, (_error, _stdout, stderr) => resolve({ stderr }));
  return promise;
}

/** Addresses of the modules that a command line loads. */
async function modulesOf(words: readonly string[]): Promise<readonly string[]> {
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  const args = ["--import", watch, MAIN, ...words];
  const { stderr } = await run(process.execPath, args);
  return stderr.split("\n").filter((line) => line.startsWith("file:"));
}

/** The library or package of a module. */
function ownerOf(url: string): string {
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(url)?.[1];
  return library ?? /\/((?:apps|packages)\/[^/]+)\/src\//u.exec(url)?.[1] ?? url;
}

/** Modules that are slow to load and that help does not need. */
const HEAVY =
  /^(?:@clack\/prompts|exceljs|fastify|kysely|papaparse|sharp|undici|zod|packages\/(?:client|contract|mapping|runs|sheets|database|connection))$/u;

/** Modules of names and small functions, in any package. */
const LIGHT: readonly string[] = [
  SOURCE_PATHS.guardNames,
  SOURCE_PATHS.guardSettings,
  SOURCE_PATHS.visibleText,
  SOURCE_PATHS.marketAddress,
  SOURCE_PATHS.exportKinds,
  SOURCE_PATHS.exportTimestamps,
  SOURCE_PATHS.lookupKinds,
];

const isLight = (url: string): boolean => LIGHT.some((path) => url.endsWith(path));

/** Modules of this repository that do the work of a command. */
const isWorking = (url: string): boolean =>
  /\/commands\/[^/]+\/run\.ts$/u.test(url) ||
  [SOURCE_PATHS.openConnection, SOURCE_PATHS.sandboxIndex, SOURCE_PATHS.sandboxRefusal].some(
    (path) => url.endsWith(path),
  );

describe("loading modules", () => {
  it.each([
    { words: ["--version"], parser: [] },
    { words: ["--help"], parser: ["yargs"] },
    { words: ["import", "--help"], parser: ["yargs"] },
    { words: ["sandbox", "--help"], parser: ["yargs"] },
    { words: ["completion", "bash"], parser: ["yargs"] },
    { words: ["--complete", "im"], parser: [] },
  ])("loads only command definitions for $words", async ({ words, parser }) => {
    const modules = await modulesOf(words);

    const owners = [...new Set(modules.filter((url) => !isLight(url)).map(ownerOf))];
    expect(owners).toEqual(expect.arrayContaining(["apps/cli", "apps/export", "apps/import"]));
    expect(owners.filter((owner) => owner === "yargs")).toEqual(parser);
    expect(owners.filter((owner) => HEAVY.test(owner))).toEqual([]);
    expect(modules.filter((url) => isWorking(url))).toEqual([]);
  });

  it("loads the code of a command once it is called", async () => {
    const modules = await modulesOf(["sandbox", "--fault", "none"]);

    expect(modules.filter((url) => url.endsWith(SOURCE_PATHS.sandboxRun))).toHaveLength(1);
  });

  it("loads no library of workbooks, images or servers for a command without them", async () => {
    const modules = await modulesOf(["runs"]);

    const owners = [...new Set(modules.map(ownerOf))];
    expect(owners).toContain("packages/connection");
    expect(owners.filter((owner) => /^(?:exceljs|sharp|fastify|hucre)$/u.test(owner))).toEqual([]);
  });
});
