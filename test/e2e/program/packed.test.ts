/** The program as a package: packed, installed where nothing else is, and started. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../../helpers/source-paths.ts";

const prefix = mkdtempSync(join(tmpdir(), "catalog-packed-"));
const bin = join(prefix, "bin");
const installed = join(prefix, "lib", "node_modules", "catalog-toolkit");

/** Folders of the Nodes on the path of the shell, without those of this project. */
const SHELL_PATHS = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules") && existsSync(join(folder, "node")));

/** This Node, and that of the shell, which may be too old for the program itself. */
const NODES = [join(process.execPath, ".."), ...SHELL_PATHS.slice(0, 1)];

const run = (node: string, words: readonly string[]): string =>
  execFileSync(join(bin, "catalog-toolkit"), words, {
    cwd: prefix,
    encoding: "utf8",
    env: { HOME: prefix, PATH: [node, "/usr/bin", "/bin"].join(delimiter), CATALOG_LANG: "en" },
  });

describe("the packed program", { timeout: 300_000 }, () => {
  beforeAll(() => {
    const pack = join(ROOT, "apps/cli/build/pack-program.ts");
    const archive = execFileSync(process.execPath, [pack], { encoding: "utf8" }).trim();
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    execFileSync("npm", ["install", "--global", "--prefix", prefix, ...flags, archive], {
      stdio: "pipe",
    });
  }, 300_000);

  afterAll(() => rmSync(prefix, { recursive: true, force: true }));

  it("has no TypeScript, no sources of this workspace among its dependencies, and its licences", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    const own = files.filter((path) => !path.startsWith("node_modules"));
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

    expect(own.filter((path) => path.endsWith(".ts"))).toEqual([]);
    expect(Object.keys(manifest.dependencies)).toEqual(["@napi-rs/keyring", "sharp"]);
    expect(JSON.stringify(manifest)).not.toContain("workspace:");
    expect(own).toContain("THIRD-PARTY-NOTICES.txt");
    expect(own).toContain(join("program", "page", "index.html"));
  });

  it.each(NODES)("runs the demo with the Node in %s", (node) => {
    const shown = run(node, ["demo", "--report", join(prefix, "results")]);

    expect(shown).toContain("no product was added twice");
    // Hints name a command that starts from everywhere, whatever the Node of the shell is.
    expect(shown).toContain(join("catalog-toolkit", "bin", "catalog.js"));
  });
});
