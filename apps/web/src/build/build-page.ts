/** Builds the client half of the page with vite, once for each state of its sources. */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { makeFolder } from "@catalog/i18n";

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

interface BuildOptions extends Partial<PageSources> {
  /** Folder of the built pages, each below its hash. @default `out/page` of the checkout */
  readonly built?: string | undefined;
  /** Folder of a page that was built before, which is taken where it exists. @default that of the package */
  readonly packed?: string | undefined;
  /** Called before a build. @default says nothing */
  readonly onBuild?: (() => void) | undefined;
}

/** The checkout; nothing of it is there beside a program that was installed as a package. */
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Where the package of the program has its page. */
const PACKED = fileURLToPath(new URL("./page/", import.meta.url));

export class BuildError extends Error {
  override readonly name = "BuildError";
}

/**
 * Returns the folder of the page, built where that was not done yet. Two processes that build at
 * the same time do not disturb each other. The package of the
 * program brings its page. Throws {@link BuildError}.
 */
export async function buildPage(options: BuildOptions = {}): Promise<string> {
  const {
    client = join(ROOT, "apps/web/client"),
    api = join(ROOT, "apps/web/src/api"),
    lockfile = join(ROOT, "pnpm-lock.yaml"),
    built = join(ROOT, "out/page"),
    packed = PACKED,
  } = options;
  if (existsSync(join(packed, "index.html"))) return packed;
  const hash = hashSources({ client, api, lockfile });
  const page = join(built, hash);
  if (existsSync(join(page, "index.html"))) return page;
  options.onBuild?.();
  makeFolder(built);
  const draft = await mkdtemp(join(built, DRAFT));
  try {
    await runVite(client, draft);
    await moveTo(page, draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOlder(built, hash);
  return page;
}

const DRAFT = ".draft-";

/** Another process may have put the same page there meanwhile, and it may be in use. */
async function moveTo(page: string, draft: string): Promise<void> {
  try {
    await rename(draft, page);
  } catch (error) {
    if (!existsSync(join(page, "index.html"))) throw error;
  }
}

const HOUR_MS = 60 * 60_000;

/** Removes pages of earlier sources, but nothing that another process may be building now. */
async function removeOlder(built: string, hash: string): Promise<void> {
  const names = await readdir(built);
  const { mtimeMs: nowMs } = await stat(join(built, hash, "index.html"));
  for (const name of names.filter((each) => each !== hash)) {
    const path = join(built, name);
    const found = await stat(path).catch(() => undefined);
    const isNew = found !== undefined && nowMs - found.mtimeMs < HOUR_MS;
    if (name.startsWith(DRAFT) && isNew) continue;
    await rm(path, { recursive: true, force: true });
  }
}

const VITE_PROCESS = join(ROOT, "apps/web/src/build/vite-process.ts");

function runVite(client: string, output: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Vite needs more memory than the page's server ever does, so it gets a process of its own.
  const child = spawn(process.execPath, [VITE_PROCESS, client, output], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.once("error", reject);
  child.once("close", (code) => {
    if (code === 0) resolve();
    else reject(new BuildError(`The page cannot be built: ${errors.trim()}`));
  });
  return promise;
}
