/**
 * Checks the image of the sync without a container: what its Dockerfile copies into an empty folder
 * must start with what its lockfile installs. `node test/safety/soak/sync-image.ts [pnpm]`; the
 * packages come from pnpm's own store on this machine, so nothing is downloaded.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PNPM = process.argv[2] ?? "pnpm";

const dockerfile = readFileSync(toAbsolutePath(SOURCE_PATHS.syncDockerfile), "utf8");
const tree = mkdtempSync(join(tmpdir(), "sync-image-"));

/** Whether `Dockerfile.dockerignore` does not leave the path out. */
const isCopied = (path: string): boolean => basename(path) !== "node_modules";

/** Copies the files of the image to their places in it. */
function copyAsImage(): void {
  const lines = [...dockerfile.matchAll(/^COPY (.+) (\S+)$/gmu)];
  for (const [, list = "", target = ""] of lines) {
    const sources = list.split(" ");
    for (const source of sources) {
      const to = target === "./" ? join(tree, source) : join(tree, target);
      cpSync(join(ROOT, source), to, { recursive: true, filter: isCopied });
    }
  }
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(program, args, {
    cwd: tree,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

const installs = /^RUN pnpm (install .+)$/mu.exec(dockerfile)?.[1]?.split(" ") ?? [];
const program = /\/opt\/catalog\/([\w./-]+\.js)\b/u.exec(dockerfile)?.[1] ?? "";
assert.ok(installs.length > 1, "the Dockerfile installs with pnpm");

try {
  const beganMs = performance.now();
  copyAsImage();
  run(PNPM, [...installs, "--offline"]);
  // Development tools must not be in an image.
  assert.ok(!existsSync(join(tree, "node_modules/vitest")), "only what is needed is installed");
  const home = { CATALOG_HOME: join(tree, "home"), CATALOG_LANG: "en" };
  const help = run(process.execPath, [join(tree, program), "sync", "--help"], home);
  assert.match(help, /--every/u);
  const all = run(process.execPath, [join(tree, program), "--help"], home);
  assert.match(all, /catalog/u);
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  console.log(`${basename(dirname(program))}/${basename(program)} starts`, { seconds });
} finally {
  rmSync(tree, { recursive: true, force: true });
}
