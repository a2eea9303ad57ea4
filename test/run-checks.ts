/**
 * Runs all checks: format, lint, types, tests. The last line is `N passed, N failed`, where each of
 * the first ones counts as one. With `--changed`, only changed files are linted, and only the tests
 * that `changed-files.ts` names are run.
 */

import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findPostgres, startPostgres } from "@catalog/database/testing";

import { readChanges } from "./changed-files.ts";
import { findBrowser } from "./helpers/web/find-browser.ts";

const MIN_FREE_BYTES = 4 * 2 ** 30;

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const changes = process.argv.includes("--changed") ? readChanges(root) : undefined;
const scratch = mkdtempSync(join(findScratchRoot(), "catalog-checks-"));
const report = join(scratch, "tests.json");

// Found once for all tests, as the browser that a package ships is unpacked when it is first used.
const browser = await findBrowser();

// Started once, as each test needs a database of it only.
const isGiven = Boolean(process.env["CATALOG_TEST_DATABASE_URL"]);
const postgres =
  isGiven || findPostgres() === undefined
    ? undefined
    : await startPostgres({ parent: findScratchRoot() });

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

interface Ended {
  readonly isGood: boolean;
  /** What the program printed, where it was not shown at once. */
  readonly printed: string;
}

/** Runs a program of the project; `pipe` collects its output, `inherit` shows it at once. */
async function run(program: string, args: readonly string[], output: OutputMode): Promise<Ended> {
  const stdio: StdioOptions = ["ignore", output, output];
  const child = spawn(join(bin, program), args, {
    cwd: root,
    stdio,
    env: {
      ...process.env,
      TMPDIR: scratch,
      ...(browser && { CATALOG_CHROMIUM: browser }),
      ...(postgres && { CATALOG_TEST_DATABASE_URL: postgres.url }),
    },
  });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, "close");
  return { isGood: code === 0, printed: Buffer.concat(chunks).toString() };
}

type OutputMode = "pipe" | "inherit";

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

const CHECKS = [
  { name: "format", program: "oxfmt", args: ["--check", "."] },
  { name: "lint", program: "oxlint", args: changes?.sources ?? [] },
  { name: "types", program: "tsc", args: ["-p", "test/tsconfig.all.json"] },
  { name: "types of the page", program: "tsc", args: ["--noEmit", "-p", "apps/web/client"] },
] as const;

// Each of them leaves a core idle at times.
const ended = CHECKS.map(async ({ name, program, args }) => {
  const { isGood, printed } = await run(program, args, "pipe");
  process.stdout.write(printed);
  check(name, isGood);
});
await Promise.all(ended);

// Without a browser, the tests of the page are skipped, which must not go unnoticed.
if (browser === undefined) {
  console.log("Tests of the page are skipped: no Chromium. Name one with CATALOG_CHROMIUM.");
  if (process.env["CATALOG_CHECKS"] === "all") check("browser", false);
}

if (postgres === undefined && !isGiven) {
  console.log(
    "Tests on PostgreSQL are skipped: no server. Name one with CATALOG_TEST_DATABASE_URL.",
  );
  if (process.env["CATALOG_CHECKS"] === "all") check("PostgreSQL", false);
}

// Made once, before tests that start the program at the same moment would each do so.
const { isGood: isBuilt, printed } = await run(
  "node",
  ["apps/cli/bin/catalog.js", "--version"],
  "pipe",
);
if (!isBuilt) process.stdout.write(printed);
check("build", isBuilt);

const config = ["--config", "test/vitest.config.ts"];
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const only = changes?.tests ?? [];
const words = ["run", ...config, ...reporters, ...only];
const hasTests = changes === undefined || only.length > 0;
const { isGood: isGreen } = hasTests ? await run("vitest", words, "inherit") : { isGood: true };
const tests = readReport();
passed += tests.numPassedTests;
failed += tests.numFailedTests;
// A file that cannot be loaded, or an error outside a test, is missing in the number of failed
// tests.
if (!isGreen && tests.numFailedTests === 0) failed += Math.max(1, tests.numFailedTestSuites);
await postgres?.[Symbol.asyncDispose]();
rmSync(scratch, { recursive: true, force: true });

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && (tests.numPassedTests > 0 || !hasTests) ? 0 : 1;
