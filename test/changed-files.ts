/** What has changed since the branch left `main`, committed or not, and which tests that concerns. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export interface Changes {
  /** Changed sources that are there, by their path from the root. */
  readonly sources: readonly string[];
  /** Folders and files whose tests are run. */
  readonly tests: readonly string[];
}

function git(root: string, args: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.split("\n").filter(Boolean);
}

/** Throws where there is no branch `main` to compare with, neither here nor at `origin`. */
export function readChanges(root: string): Changes {
  const [main = "main"] = git(root, [
    "for-each-ref",
    "--format=%(refname:short)",
    "refs/heads/main",
    "refs/remotes/origin/main",
  ]);
  const [base = main] = git(root, ["merge-base", "HEAD", main]);
  const changed = [
    ...git(root, ["diff", "--name-only", base]),
    ...git(root, ["ls-files", "--others", "--exclude-standard"]),
  ];
  return {
    sources: changed.filter((path) => /\.[jt]sx?$/u.test(path) && existsSync(join(root, path))),
    tests: findTests(changed),
  };
}

/**
 * All tests of a changed package or app, those beside a changed file of `test`, and those of the
 * repository as a whole, as every change may break a document or a rule of the architecture.
 */
export function findTests(changed: readonly string[]): readonly string[] {
  const folders = changed.flatMap(
    (path) =>
      /^(?:packages|apps)\/[^/]+\/|^test\/(?!bench|helpers)[^/]+\/(?:[^/]+\/)*/u.exec(path) ?? [],
  );
  return changed.length === 0 ? [] : [...new Set([...folders, "test/repo/"])];
}
