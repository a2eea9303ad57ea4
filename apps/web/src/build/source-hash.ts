/** A hash of everything that the built page is made of. */

import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Packages whose versions show in the built page. */
const PACKAGES = [
  "@tanstack/react-query",
  "react",
  "react-aria-components",
  "react-data-grid",
  "react-dom",
  "vite",
  "zod",
] as const;

/** What is built, and where its packages are pinned. */
export interface PageSources {
  /** Folder of `index.html` and the client half. */
  readonly client: string;
  /** Folder of the interface between the two halves. */
  readonly api: string;
  /** The lockfile of the workspace. */
  readonly lockfile: string;
}

/** Hashes the sources and the versions of the packages; the order of files does not matter. */
export function hashSources({ client, api, lockfile }: PageSources): string {
  const hash = createHash("sha256");
  for (const folder of [client, api]) {
    const files = globSync("**/*.*", { cwd: folder }).toSorted();
    for (const file of files) {
      if (file.split(sep).includes("node_modules")) continue;
      hash.update(`${file.replaceAll(sep, "/")}\0`);
      hash.update(readFileSync(join(folder, file)));
      hash.update("\0");
    }
  }
  for (const line of versionLines(readFileSync(lockfile, "utf8"))) hash.update(`${line}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** The keys of snapshots name a package with its version and those of its peers. */
const versionLines = (lockfile: string): readonly string[] =>
  lockfile.split("\n").filter((line) => isOurs(line) && line.endsWith(":"));

const isOurs = (line: string): boolean =>
  PACKAGES.some((name) => line.startsWith(`  ${name}@`) || line.startsWith(`  '${name}@`));
