import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), "utf8");

const workspace = read("pnpm-workspace.yaml");
const lockfile = read("pnpm-lock.yaml");
const manifest = read("package.json");

/** Versions of a package in the lockfile. */
const lockedVersions = (name: string): string[] =>
  [...lockfile.matchAll(/^ {2}'?(@?[^@'\s]+)@([^:('\s]+)/gmu)]
    .filter(([, found]) => found === name)
    .map(([, , version = ""]) => version);

describe("the supply chain", () => {
  it("lets only the pinned Node run an install script", () => {
    const allowed = /^allowBuilds:\n((?: {2}.*\n)+)/mu.exec(workspace)?.[1] ?? "";

    expect(allowed.split("\n").filter((line) => line.endsWith(": true"))).toEqual(["  node: true"]);
  });

  it("pins every version exactly", () => {
    const versions = [...workspace.matchAll(/^ {2}\S+: (\S+)$/gmu)].map(([, version]) => version);
    const { devDependencies } = JSON.parse(manifest);
    const { dependencies: ofReference } = JSON.parse(read(".ci/api/package.json"));
    const named = [devDependencies, ofReference].flatMap((each) => Object.values(each));
    const pinned = [...versions, ...named].filter(
      (version) => !["true", "false", "catalog:"].includes(String(version)),
    );

    expect(
      pinned.filter((version) => !/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/u.test(String(version))),
    ).toEqual([]);
  });

  it.each([
    ["unzipper", [0, 12, 3]],
    ["tmp", [0, 2, 4]],
    ["jszip", [3, 8, 0]],
    ["papaparse", [5, 5, 3]],
  ] as const)("has no %s with a known vulnerability", (name, min) => {
    const versions = lockedVersions(name);

    expect(versions).not.toEqual([]);
    for (const version of versions) {
      expect(compare(version.split(".").map(Number), min), version).toBeGreaterThanOrEqual(0);
    }
  });

  it("has none of the forbidden packages", () => {
    for (const name of ["xlsx", "fstream", "rimraf2", "binary", "typedarray.prototype.slice"]) {
      expect(lockedVersions(name)).toEqual([]);
    }
  });
});

function compare(version: readonly number[], min: readonly number[]): number {
  const at = min.findIndex((part, index) => part !== version[index]);
  return at === -1 ? 0 : (version[at] ?? 0) - (min[at] ?? 0);
}
