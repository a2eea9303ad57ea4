/**
 * Runs all checks of a change: format, lint, types, tests. The last line is `N passed, N failed`,
 * where each of the first three counts as one.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MIN_FREE_BYTES = 4 * 2 ** 30;

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const scratch = mkdtempSync(join(findScratchRoot(), "catalog-checks-"));
const report = join(scratch, "tests.json");

let passed = 0;
let failed = 0;

/**
 * Uses a folder in memory where there is space: the tests sync about ten thousand commits, and no
 * test depends on a real disk.
 */
function findScratchRoot(): string {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > MIN_FREE_BYTES ? memory : tmpdir();
  } catch {
    // Only Linux has such a folder.
    return tmpdir();
  }
}

/** Runs a program of the project with its output shown. */
function run(program: string, args: readonly string[]): boolean {
  const result = spawnSync(join(bin, program), args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, TMPDIR: scratch, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
  });
  return result.status === 0;
}

function check(name: string, isGood: boolean): void {
  if (isGood) passed += 1;
  else failed += 1;
  console.log(`${isGood ? "✓" : "✗"} ${name}`);
}

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
}

function readReport(): TestReport {
  const nothing = { numPassedTests: 0, numFailedTests: 0, numFailedTestSuites: 0 };
  try {
    return { ...nothing, ...JSON.parse(readFileSync(report, "utf8")) };
  } catch {
    // The tests ended before they wrote a report, which is counted below.
    return nothing;
  }
}

check("format", run("oxfmt", ["--check", "."]));
check("lint", run("oxlint", []));
check("types", run("turbo", ["run", "typecheck", "--output-logs=errors-only", "--continue"]));

const config = ["--config", "test/vitest.config.ts"];
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const isGreen = run("vitest", ["run", ...config, ...reporters]);
const tests = readReport();
passed += tests.numPassedTests;
failed += tests.numFailedTests;
// A file that cannot be loaded, or an error outside a test, is missing in the number of failed
// tests.
if (!isGreen && tests.numFailedTests === 0) failed += Math.max(1, tests.numFailedTestSuites);
rmSync(scratch, { recursive: true, force: true });

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && tests.numPassedTests > 0 ? 0 : 1;
