/** The version of the program, followed by the commit that it was made of where that is known. */

import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

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
