/**
 * Makes a fresh clone ready and runs one of the commands below. Needs git, npm and Node >= 20 only:
 * it installs pnpm by its pin, and pnpm installs everything else, the pinned Node included.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { handOver } from "../apps/cli/bin/hand-over.js";
import { takeInstallLock } from "./install-lock.mjs";

const MIN_NODE = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const isWindows = process.platform === "win32";

/** What each command runs once everything is installed. */
const COMMANDS = {
  api: ["node", ".ci/api/main.mjs"],
  catalog: ["catalog"],
  check: ["node", "test/run-checks.ts", "--changed"],
  demo: ["catalog", "demo"],
  format: ["oxfmt"],
  lint: ["oxlint"],
  package: ["node", ".ci/package/main.ts"],
  test: ["node", "test/run-checks.ts"],
  "test:one": ["vitest", "run", "--config", "test/vitest.config.ts"],
  typecheck: ["turbo", "run", "typecheck", "--output-logs=errors-only", "--continue"],
};

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Runs a program and ends with its code when it fails. `quiet` keeps its words for a failure. */
function run(program, args, { quiet = false, ...options } = {}) {
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    encoding: "utf8",
    shell: isWindows,
    ...options,
  });
  if (result.error) fail(`${program} could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    if (quiet) process.stderr.write(`${result.stdout}${result.stderr}`);
    process.exit(result.status ?? 1);
  }
}

/** The pinned pnpm, in a folder that appears only once it is complete. */
function installPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join(root, ".tools", packageManager);
  const program = join(folder, "node_modules", ".bin", isWindows ? "pnpm.cmd" : "pnpm");
  if (existsSync(program)) return program;

  console.error(`Installing ${packageManager} …`);
  mkdirSync(join(root, ".tools"), { recursive: true });
  const draft = mkdtempSync(join(root, ".tools", "draft-"));
  const flags = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  run("npm", ["install", "--prefix", draft, ...flags, packageManager], { quiet: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return program;
}

const [name = "", ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (command === undefined)
  fail(`Unknown command "${name}". Known: ${Object.keys(COMMANDS).join(", ")}`);
if (Number(process.versions.node.split(".")[0]) < MIN_NODE) {
  fail(`Node ${process.versions.node} is too old; ${MIN_NODE} or newer is needed.`);
}

const release = await takeInstallLock(join(root, ".tools"), (pid) =>
  console.error(`Another command (process ${pid}) is installing here; waiting for it …`),
);
const pnpm = installPnpm();
if (!existsSync(join(bin, "node"))) console.error("Installing dependencies …");
// Children of npm inherit its settings as variables, and pnpm must not read those of npm.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => !/^npm_(config|package|lifecycle)_/u.test(key)),
);
run(pnpm, ["install", "--frozen-lockfile", "--reporter=append-only"], { quiet: true, env });
release();
// Turbo looks for pnpm by its name.
const path = [dirname(pnpm), bin, process.env.PATH].join(delimiter);
handOver(join(bin, command[0]), [...command.slice(1), ...args], {
  cwd: name === "catalog" ? process.cwd() : root,
  shell: isWindows,
  env: { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
});
