import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

/** Prints the address of every module that is loaded, one to a line of the error stream. */
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

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Its exit code does not matter here. */
function run(program: string, args: readonly string[]): Promise<{ readonly stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<{ readonly stderr: string }>();
  execFile(program, args, { maxBuffer: 2 ** 24 }, (_error, _stdout, stderr) => resolve({ stderr }));
  return promise;
}

/** Modules that a command line loads, by address. */
async function modulesOf(words: readonly string[]): Promise<readonly string[]> {
  const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
  const args = ["--import", watch, MAIN, ...words];
  const { stderr } = await run(process.execPath, args);
  return stderr.split("\n").filter((line) => line.startsWith("file:"));
}

/** What a module belongs to: a library, or a room. */
function ownerOf(url: string): string {
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(url)?.[1];
  return library ?? /\/((?:apps|packages)\/[^/]+)\/src\//u.exec(url)?.[1] ?? url;
}

/** Those that take longest, and that help has no use for. */
const HEAVY =
  /^(?:@clack\/prompts|exceljs|fastify|kysely|papaparse|sharp|undici|zod|packages\/(?:client|contract|mapping|runs|sheets|store))$/u;

/** Names and small functions alone, whatever room they are in. */
const LIGHT =
  /\/(?:runs\/src\/guards(?:\/guard-settings)?|sheets\/src\/visible-text|client\/src\/market-address)\.ts$/u;

/** Modules of this house that do the work of a command, or hold its parts together. */
const WORKING = /-run\.ts$|\/open-toolkit\.ts$|\/sandbox\/src\/(?:index|refusal)\.ts$/u;

describe("loading", () => {
  it.each([
    { words: ["--version"], parser: [] },
    { words: ["--help"], parser: ["yargs"] },
    { words: ["import", "--help"], parser: ["yargs"] },
    { words: ["sandbox", "--help"], parser: ["yargs"] },
    { words: ["completion", "bash"], parser: ["yargs"] },
    { words: ["--complete", "im"], parser: [] },
  ])("loads only commands as data for $words", async ({ words, parser }) => {
    const modules = await modulesOf(words);

    const owners = [...new Set(modules.filter((url) => !LIGHT.test(url)).map(ownerOf))];
    expect(owners).toEqual(expect.arrayContaining(["apps/cli", "apps/export", "apps/import"]));
    expect(owners.filter((owner) => owner === "yargs")).toEqual(parser);
    expect(owners.filter((owner) => HEAVY.test(owner))).toEqual([]);
    expect(modules.filter((url) => WORKING.test(url))).toEqual([]);
  });

  it("loads what a command works with once it is called", async () => {
    const modules = await modulesOf(["sandbox", "--fault", "none"]);

    expect(modules.filter((url) => url.endsWith("/commands/sandbox-run.ts"))).toHaveLength(1);
  });

  it("loads no library of workbooks, pictures or servers for a command without them", async () => {
    const modules = await modulesOf(["runs"]);

    const owners = [...new Set(modules.map(ownerOf))];
    expect(owners).toContain("packages/toolkit");
    expect(owners.filter((owner) => /^(?:exceljs|sharp|fastify|hucre)$/u.test(owner))).toEqual([]);
  });
});
