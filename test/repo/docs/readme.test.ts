import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { codeBlocks, readDocument, ROOT } from "./markdown.ts";

const ROOMS = ["packages", "apps"].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);

/** Its example needs a marketplace and another package; `test/e2e/packages` runs it as it is packed. */
const RUN_AS_PACKED = "packages/client";

const MAX_README_LINES = 120;

/** A temporary folder that is removed when the test ends. */
function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(prefix);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("READMEs", () => {
  it.each(ROOMS)("a README tells what %s is for", (room) => {
    const path = join(ROOT, room, "README.md");

    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8").split("\n").length).toBeGreaterThan(5);
  });

  it.each(ROOMS.filter((room) => room.startsWith("packages/")))(
    "the README of %s shows one example that runs",
    { timeout: 120_000 },
    (room) => {
      const examples = codeBlocks(readFileSync(join(ROOT, room, "README.md"), "utf8"), "ts");
      expect(examples).toHaveLength(1);
      if (room === RUN_AS_PACKED) return;
      // The folder is inside the package, so that it can import the package by its name.
      const folder = temporaryFolder(join(ROOT, room, ".readme-"));
      const script = join(folder, "example.ts");
      writeFileSync(script, examples[0] ?? "");

      const { status, stderr } = spawnSync(process.execPath, [script], {
        cwd: folder,
        encoding: "utf8",
      });

      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    },
  );
});

describe("root README", () => {
  it(`the root README has at most ${MAX_README_LINES} lines`, () => {
    const lines = readDocument("README.md").text.trimEnd().split("\n");

    expect(lines.length).toBeLessThanOrEqual(MAX_README_LINES);
  });

  it("the root README shows what the demo prints", { timeout: 120_000 }, () => {
    const cwd = temporaryFolder(join(tmpdir(), "readme-"));
    const main = join(ROOT, "apps/cli/src/main.ts");
    const [block = ""] = codeBlocks(readDocument("README.md").text, "text");
    const shown = toStableLines(block, cwd).filter((line) => line !== "…");

    const { stdout, stderr } = spawnSync(process.execPath, [main, "demo", "--lang", "tr"], {
      cwd,
      encoding: "utf8",
    });

    expect(shown.length).toBeGreaterThan(20);
    expect(missingInOrder(shown, toStableLines(stdout + stderr, cwd))).toBeUndefined();
  });
});

/**
 * Lines without values that differ between runs: ports, ids, folders, counts of reads, blank lines.
 */
function toStableLines(text: string, folder: string): string[] {
  return text
    .replaceAll(`${folder}/`, "")
    .replaceAll(/127\.0\.0\.1:\d+/gu, "127.0.0.1:PORT")
    .replaceAll(/r-\d{6}-\d{4}-[\da-f]{4}/gu, "RUN")
    .replaceAll(/\d+ (istek|okuma)/gu, "N $1")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The first of `lines` that does not follow the one before it in `printed`. */
function missingInOrder(lines: readonly string[], printed: readonly string[]): string | undefined {
  let at = 0;
  for (const line of lines) {
    const found = printed.indexOf(line, at);
    if (found === -1) return line;
    at = found + 1;
  }
  return undefined;
}
