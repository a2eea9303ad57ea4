/** How this program was installed: the words that start it from the shell, its version and its commit. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";

import { quoteWord } from "@catalog/i18n";

interface ProgramNameOptions {
  /** Value of `PATH`, to which npm and npx add their own folders. */
  readonly path: string | undefined;
  /** @default any folder: the words must start the program from each */
  readonly cwd?: string | undefined;
  /** The Node that runs now. */
  readonly node: string;
  /** File that Node was started with. */
  readonly entry: string;
  readonly platform: NodeJS.Platform;
}

const INSTALLED = "catalog";
const IN_CHECKOUT = "npx catalog-toolkit";

/** Files of the two commands that the package installs, the short one first. */
const COMMANDS = ["catalog", "catalog-toolkit"] as const;
const WINDOWS_COMMANDS = ["catalog.cmd", "catalog-toolkit.cmd"] as const;

/** A folder that npm or npx has put in front of `PATH`; it is not on that of the shell. */
const ADDED_FOLDER = /[/\\]node_modules[/\\]\.bin[/\\]?$/u;

/**
 * `catalog` where it is installed, `npx catalog-toolkit` in a checkout. Never `npx catalog`: where
 * the program is not found, npx would fetch the package of that name, which is another one.
 * Elsewhere the path of the package's or checkout's own command, or else those of this Node and of
 * the program's file: the shell's `node` may be one that is too old for the program.
 */
export function findProgramName(options: ProgramNameOptions): string {
  const { path, cwd, node, entry, platform } = options;
  const [short, long] = platform === "win32" ? WINDOWS_COMMANDS : COMMANDS;
  const folders = (path ?? "").split(delimiter).filter((each) => !ADDED_FOLDER.test(each));
  const first = folders.find((folder) => folder !== "" && existsSync(join(folder, short)));
  // Another package has a command of the short name; the long one beside it is ours alone.
  if (first !== undefined && existsSync(join(first, long))) return INSTALLED;
  if (cwd !== undefined && findBin(cwd, [long]) !== undefined) return IN_CHECKOUT;
  // The command of a package chooses the Node that it needs.
  const packed = join(dirname(entry), "..", "bin", "catalog.js");
  if (existsSync(packed)) return quoteWord(packed);
  // Without the pinned Node beside it, the command would start the one of the shell.
  const bin = findBin(dirname(entry), [long, "node"]);
  return bin === undefined ? `${quoteWord(node)} ${quoteWord(entry)}` : quoteWord(join(bin, long));
}

/** The nearest folder of commands, here or further up, that has the given ones. */
function findBin(folder: string, files: readonly string[]): string | undefined {
  return parentsOf(folder)
    .map((each) => join(each, "node_modules", ".bin"))
    .find((bin) => files.every((file) => existsSync(join(bin, file))));
}

function parentsOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}

/** Whether the words are paths, which no person would type. */
export const isPathName = (program: string): boolean =>
  program !== INSTALLED && program !== IN_CHECKOUT;

/** Beside the program of a package; it holds `{ "commit": "…" }`. */
const BUILD_FILE = "build.json";
/** The package that is a checkout, where it has a `.git` as well. */
const ROOT_NAME = "catalog-toolkit";
const SHOWN_DIGITS = 8;

/**
 * Returns a text such as `1.0.0-rc.1 (ec20e6c8)`, whose first word is the version. `folder` is that
 * of the program. Git is not started, as it may be missing.
 */
export function readToolVersion(folder: string): string {
  const version = readField(new URL("../package.json", import.meta.url), "version") ?? "?";
  const packed = readField(join(folder, BUILD_FILE), "commit");
  // A package that was made without git has no commit.
  const commit = packed === undefined ? readCheckoutCommit(folder) : packed;
  return commit === undefined || commit === ""
    ? version
    : `${version} (${commit.slice(0, SHOWN_DIGITS)})`;
}

/** The commit of the checkout that the folder is in; `undefined` outside of one. */
function readCheckoutCommit(folder: string): string | undefined {
  const isRoot = readField(join(folder, "package.json"), "name") === ROOT_NAME;
  // A folder further up may be a repository of somebody else, in which this program is installed.
  if (isRoot) return readHead(folder);
  return dirname(folder) === folder ? undefined : readCheckoutCommit(dirname(folder));
}

function readHead(root: string): string | undefined {
  const own = findGitFolder(root);
  const head = own && readText(join(own, "HEAD"));
  if (own === undefined || head === undefined) return undefined;
  const [, name] = /^ref: (\S+)/u.exec(head) ?? [];
  if (name === undefined) return toCommit(head);
  // A worktree of its own has only HEAD; its branches are those of the repository.
  const shared = resolve(own, readText(join(own, "commondir")) ?? ".");
  const packed = readText(join(shared, "packed-refs"))
    ?.split("\n")
    .find((line) => line.endsWith(` ${name}`));
  return toCommit(readText(join(shared, name)) ?? packed);
}

/** The folder of the repository, or the one that a file of that name points to. */
function findGitFolder(root: string): string | undefined {
  const path = join(root, ".git");
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isDirectory()) return path;
  const [, pointed] = /^gitdir: (.+)/u.exec(readText(path) ?? "") ?? [];
  return pointed === undefined ? undefined : resolve(root, pointed);
}

const toCommit = (text = ""): string | undefined => /^[\da-f]{40,64}/u.exec(text)?.[0];

function readField(path: string | URL, field: string): string | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(path, "utf8"));
    const value = Object.entries(Object(found)).find(([key]) => key === field)?.[1];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** A package that a registry has given. */
interface RegistryPackage {
  readonly name: string;
  /** Address of the registry, without a slash at its end. */
  readonly registry: string;
  /** Whether it is a part of a project, and not there for all of them. */
  readonly isLocal: boolean;
}

const NPM_REGISTRY = "https://registry.npmjs.org";

/**
 * The registry that the program was installed from; `undefined` for a checkout, and for an archive or a
 * folder that a project has as its package. Of what is installed for all projects npm keeps no note; it
 * is taken to be from npm's own registry. `folder` is that of the program.
 */
export function readRegistry(folder: string): RegistryPackage | undefined {
  const root = dirname(folder);
  const modules = dirname(root);
  const name = readField(join(root, "package.json"), "name");
  if (name === undefined || basename(modules) !== "node_modules") return undefined;
  const isLocal = existsSync(join(dirname(modules), "package.json"));
  if (!isLocal) return { name, registry: NPM_REGISTRY, isLocal };
  const resolved = readResolved(join(modules, ".package-lock.json"), `node_modules/${name}`);
  const [, registry] = /^(https?:\/\/.+)\/[^/]+\/-\/[^/]+$/u.exec(resolved ?? "") ?? [];
  return registry === undefined ? undefined : { name, registry, isLocal };
}

/** Where npm has fetched a package from, by the note that it keeps of each folder of packages. */
function readResolved(path: string, key: string): string | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, "utf8"));
    const packages: unknown = Object(note)["packages"];
    const resolved: unknown = Object(Object(packages)[key])["resolved"];
    return typeof resolved === "string" ? resolved : undefined;
  } catch {
    return undefined;
  }
}
